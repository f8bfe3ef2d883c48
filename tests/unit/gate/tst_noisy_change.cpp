// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The test behind the gate on series whose truth is known: how often it sees a change where there is none,
// and how often it misses one.

#include "metrics/gate/noisy_change.h"
#include "tests/support/runs/noisy_series.h"
#include "tests/support/suite/suite.h"

namespace collscope {

class TestNoisyChange : public QObject
{
    Q_OBJECT

    static constexpr double confidence = 0.99;

    static std::vector<double> series(const SeriesNoise& noise, int steps, double factor, int number)
    {
        NoisySeries random(noise, static_cast<std::uint64_t>(number));
        std::vector<double> values;
        for (int i = 0; i < steps; ++i)
            values.push_back(factor * random.next());
        return values;
    }
    static SeriesNoise noise(double spread, double resemblance, double outliers = 0, int checkpoint = 0,
                             bool heavy = false)
    {
        return {spread, resemblance, outliers, checkpoint, heavy};
    }

private slots:
    /// 1 % of the intervals may lie beside 0, half of them above it.
    void scatterIsNotAChange_data()
    {
        QTest::addColumn<SeriesNoise>("scatter");
        QTest::addColumn<int>("steps");
        QTest::addColumn<int>("leastSeen"); // percent of the changes of 3 %
        QTest::newRow("independent") << noise(0.015, 0) << 40 << 99;
        QTest::newRow("neighbours alike") << noise(0.015, 0.3) << 40 << 98;
        QTest::newRow("neighbours very alike") << noise(0.01, 0.6) << 50 << 95;
        QTest::newRow("outliers") << noise(0.015, 0.3, 0.02) << 40 << 97;
        QTest::newRow("many outliers") << noise(0.015, 0.3, 0.04) << 50 << 94;
        QTest::newRow("heavy tails") << noise(0.015, 0.3, 0.02, 0, true) << 40 << 97;
        QTest::newRow("checkpoints") << noise(0.015, 0.3, 0, 20) << 40 << 98;
        QTest::newRow("short") << noise(0.01, 0) << 12 << 85;
        QTest::newRow("very short") << noise(0.005, 0.2) << 8 << 0;
        QTest::newRow("noisy") << noise(0.05, 0.2) << 40 << 0;
    }
    void scatterIsNotAChange()
    {
        QFETCH(const SeriesNoise, scatter);
        QFETCH(const int, steps);
        QFETCH(const int, leastSeen);
        constexpr int pairs = 2000;
        int grown = 0, seen = 0;
        for (int i = 0; i < pairs; ++i) {
            const std::vector<double> base = series(scatter, steps, 1, 2 * i);
            const auto judged = [&](const NoisyChange& change) {
                return change.effectiveSteps >= fewestEffectiveSteps && change.low > 0;
            };
            grown += judged(noisyChange(base, series(scatter, steps, 1, 2 * i + 1), confidence)) ? 1 : 0;
            seen += judged(noisyChange(base, series(scatter, steps, 1.03, 2 * i + 1), confidence)) ? 1 : 0;
        }
        QVERIFY2(grown <= pairs / 100, qPrintable(QString::number(grown)));
        QVERIFY2(seen >= pairs * leastSeen / 100, qPrintable(QString::number(seen)));
        qInfo("%d of %d unchanged pairs, %d changed ones", grown, pairs, seen);
    }
    /// By hand: 0.15 x 10 values, rounded down, are left out at each end. Student's t for 99 % and 14 degrees
    /// of freedom is 2.977; the winsorized values 2, 2, 3 .. 8, 9, 9 have squared deviations of 66.5, and 8
    /// values are left.
    void figuresByHand()
    {
        const std::vector<double> base{10, 1, 9, 2, 8, 3, 7, 4, 6, 5}; // neighbours are opposites
        std::vector<double> test = base;
        for (double& value : test)
            value += 3;
        const NoisyChange change = noisyChange(base, test, confidence);
        QCOMPARE(change.base, 5.5);
        QCOMPARE(change.test, 8.5);
        QCOMPARE(change.effectiveSteps, 8.0);
        const double reach = 2.976842734 * std::sqrt(2 * 66.5 / (8 * 7));
        QVERIFY2(std::abs(change.low - (3 - reach)) < 1e-6, qPrintable(QString::number(change.low)));
        QVERIFY2(std::abs(change.high - (3 + reach)) < 1e-6, qPrintable(QString::number(change.high)));
    }
    /// One step at each end is left out, whatever its value.
    void aCheckpointDoesNotCount()
    {
        std::vector<double> base(10, 100);
        for (std::size_t i = 0; i < base.size(); i += 2)
            base[i] = 101;
        std::vector<double> test = base;
        test[4] = 5000;
        const NoisyChange change = noisyChange(base, test, confidence);
        QVERIFY2(std::abs(change.difference()) < 0.1, qPrintable(QString::number(change.difference())));
        QCOMPARE(unusualSteps(test, true), std::vector<std::size_t>{4});
        QVERIFY(unusualSteps(test, false).empty());
        QVERIFY(unusualSteps(base, true).empty());
    }
    /// As many heads of a coin.
    void chances()
    {
        QCOMPARE(chanceOfAsMany({0, 40}, {0, 40}), 1.0);
        QCOMPARE(chanceOfAsMany({0, 40}, {1, 40}), 0.5);
        QCOMPARE(chanceOfAsMany({0, 40}, {3, 40}), 0.125);
        QCOMPARE(chanceOfAsMany({1, 40}, {2, 40}), 0.5);
        QCOMPARE(chanceOfAsMany({0, 30}, {1, 10}), 0.25);
    }
    void constantsHaveNoNoise()
    {
        const NoisyChange same
            = noisyChange(std::vector<double>(8, 5), std::vector<double>(9, 5), confidence);
        QCOMPARE(same.low, 0.0);
        QCOMPARE(same.high, 0.0);
        const NoisyChange more
            = noisyChange(std::vector<double>(8, 5), std::vector<double>(9, 6), confidence);
        QCOMPARE(more.low, 1.0);
        QCOMPARE(more.high, 1.0);
        QVERIFY(more.effectiveSteps >= fewestEffectiveSteps);
        // Their mean is another number in the last digit.
        const NoisyChange rounded
            = noisyChange(std::vector<double>(42, 0.1), std::vector<double>(43, 0.1), confidence);
        QCOMPARE(rounded.low, 0.0);
        QCOMPARE(rounded.high, 0.0);
        QVERIFY(rounded.effectiveSteps >= fewestEffectiveSteps);
        QVERIFY(unusualSteps(std::vector<double>(42, 0.1), true).empty());
    }
    void neighboursAreOneEpisode()
    {
        QCOMPARE(episodesOf({}), std::size_t{0});
        QCOMPARE(episodesOf({7}), std::size_t{1});
        QCOMPARE(episodesOf({3, 4, 5, 9, 11, 12}), std::size_t{3});
    }
    /// Ten equal values, then ten others: two steps, not twenty.
    void blocksAreFewSteps()
    {
        std::vector<double> base(20, 1), test(20, 2);
        for (std::size_t i = 10; i < 20; ++i) {
            base[i] = 3;
            test[i] = 5;
        }
        QVERIFY(noisyChange(base, test, confidence).effectiveSteps < fewestEffectiveSteps);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNoisyChange)
#include "tst_noisy_change.moc"
