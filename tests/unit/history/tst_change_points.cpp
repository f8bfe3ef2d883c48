// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Series with planted shapes: what is a change, what is not, and where it is.

#include "metrics/history/change_points.h"
#include "tests/support/suite/suite.h"

#include <cmath>
#include <random>

namespace collscope {

namespace {

using Values = std::vector<double>;

/// Values around 1 with this relative noise; one in a hundred is an outlier.
class Noise
{
public:
    Noise(std::uint32_t seed, double share)
        : m_random(seed)
        , m_share(share)
    { }
    double next()
    {
        const double value = 1 + m_share * m_normal(m_random);
        return m_any(m_random) < 0.01 ? 1.5 * value : value;
    }
    std::size_t place(std::size_t count)
    {
        return static_cast<std::size_t>(static_cast<double>(count) * (0.1 + 0.8 * m_any(m_random)));
    }
    double normal() { return m_normal(m_random); }

private:
    std::mt19937 m_random;
    std::normal_distribution<double> m_normal{0, 1};
    std::uniform_real_distribution<double> m_any{0, 1};
    double m_share;
};

} // namespace

class TestChangePoints : public QObject
{
    Q_OBJECT

private slots:
    void findsStepsWithinTwoValues()
    {
        int found = 0, others = 0;
        const int all = share(200, 20);
        for (int i = 0; i < all; ++i) {
            Noise noise(static_cast<std::uint32_t>(i + 1), 0.012);
            const std::size_t count = 100 + 37 * static_cast<std::size_t>(i % 40), at = noise.place(count);
            Values values;
            for (std::size_t k = 0; k < count; ++k)
                values.push_back(noise.next() * (k >= at ? 1.08 : 1));
            const SeriesShape shape = shapeOf(values);
            QVERIFY(shape.isTold);
            for (const ChangePoint& change : shape.changes) {
                const bool isNear = change.index + 2 >= at && change.index <= at + 2;
                found += isNear ? 1 : 0;
                others += isNear ? 0 : 1;
                QVERIFY(change.earliest <= change.index && change.index <= change.latest);
            }
        }
        QVERIFY2(found >= all * 95 / 100, std::to_string(found).c_str());
        QVERIFY2(others <= all / 100, std::to_string(others).c_str());
    }

    void seesNothingInNoise()
    {
        int seen = 0;
        const int all = share(300, 30);
        for (int i = 0; i < all; ++i) {
            Noise noise(static_cast<std::uint32_t>(1000 + i), i % 3 == 0 ? 0.05 : 0.01);
            Values values;
            double slow = 0; // neighbours resemble each other in every second series
            for (int k = 0; k < 150 + 10 * (i % 50); ++k) {
                slow = 0.8 * slow + 0.6 * noise.normal();
                values.push_back(i % 2 == 0 ? noise.next() : 1 + 0.02 * slow);
            }
            const SeriesShape shape = shapeOf(values);
            seen += !shape.changes.empty() || !shape.gradual.empty() || shape.periodic ? 1 : 0;
        }
        QVERIFY2(seen <= all / 100, std::to_string(seen).c_str());
    }

    void driftIsNoStep()
    {
        for (int i = 0; i < 50; ++i) {
            Noise noise(static_cast<std::uint32_t>(2000 + i), 0.01);
            Values values;
            const int count = 200 + 20 * i;
            for (int k = 0; k < count; ++k)
                values.push_back(noise.next() * (1 + 0.2 * k / count));
            const SeriesShape shape = shapeOf(values);
            QVERIFY2(shape.changes.empty(), std::to_string(i).c_str());
            QVERIFY2(shape.gradual.size() == 1, std::to_string(i).c_str());
            QVERIFY(shape.gradual.front().after > 1.08 * shape.gradual.front().before);
        }
    }

    void checkpointsAreAPeriod_data()
    {
        QTest::addColumn<int>("every");
        QTest::addColumn<int>("slow");
        QTest::newRow("single") << 25 << 1;
        QTest::newRow("often") << 4 << 1;
        QTest::newRow("blocks") << 60 << 15;
    }

    void checkpointsAreAPeriod()
    {
        QFETCH(const int, every);
        QFETCH(const int, slow);
        for (int i = 0; i < 20; ++i) {
            Noise noise(static_cast<std::uint32_t>(3000 + i), 0.01);
            Values values;
            for (int k = 0; k < 600; ++k)
                values.push_back(noise.next() * (k % every < slow ? 1.4 : 1));
            const SeriesShape shape = shapeOf(values);
            QVERIFY(shape.changes.empty());
            QVERIFY(shape.periodic.has_value());
            QCOMPARE(shape.periodic->every, static_cast<std::size_t>(every));
        }
    }

    void chanceIsNoPeriod()
    {
        for (std::uint32_t seed = 1; seed <= 40; ++seed) {
            std::mt19937 random(seed);
            Values values;
            for (int k = 0; k < 300; ++k)
                values.push_back((random() % 2 == 0 ? 1.0 : 3.0)
                                 + 1e-5 * static_cast<double>(random() % 1000));
            QVERIFY2(!shapeOf(values).periodic, std::to_string(seed).c_str());
        }
    }

    void findsThereAndBack()
    {
        Noise noise(7, 0.01);
        Values values;
        for (int k = 0; k < 1000; ++k)
            values.push_back(noise.next() * (k >= 400 && k < 430 ? 1.3 : 1));
        const SeriesShape shape = shapeOf(values);
        QCOMPARE(shape.changes.size(), std::size_t{2});
        QCOMPARE(shape.changes[0].index, std::size_t{400});
        QCOMPARE(shape.changes[1].index, std::size_t{430});
    }

    void longSeriesAreAsExact()
    {
        Noise noise(8, 0.02);
        Values values;
        for (int k = 0; k < 200'000; ++k)
            values.push_back(noise.next() * (k >= 123'456 ? 1.2 : 1));
        const SeriesShape shape = shapeOf(values);
        QCOMPARE(shape.changes.size(), std::size_t{1});
        QCOMPARE(shape.changes[0].index, std::size_t{123'456});
    }

    void tooFewValuesTellNothing()
    {
        QVERIFY(!shapeOf(Values(fewestHistoryValues - 1, 1.0)).isTold);
        QVERIFY(!shapeOf({}).isTold);
        const SeriesShape equal = shapeOf(Values(100, 3.0));
        QVERIFY(equal.isTold);
        QVERIFY(equal.changes.empty() && equal.gradual.empty() && !equal.periodic);
    }

    void exactValuesChangeExactly()
    {
        Values values(30, 1.0);
        values.resize(60, 2.0);
        const SeriesShape shape = shapeOf(values);
        QCOMPARE(shape.changes.size(), std::size_t{1});
        QCOMPARE(shape.changes[0].index, std::size_t{30});
        QCOMPARE(shape.changes[0].before, 1.0);
        QCOMPARE(shape.changes[0].after, 2.0);
    }

    void rankSumsAgreeWithTables()
    {
        // Two samples of five without overlap: U = 0; normal approximation with continuity correction.
        const Values low{1, 2, 3, 4, 5}, high{6, 7, 8, 9, 10};
        QVERIFY(std::abs(rankSumProbability(low, high) - 0.01219) < 1e-4);
        QCOMPARE(rankSumProbability(low, low), 1.0);
        QCOMPARE(rankSumProbability(low, {}), 1.0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestChangePoints)
#include "tst_change_points.moc"
