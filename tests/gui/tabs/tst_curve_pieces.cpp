// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is drawn of a sampled curve: steps, no line where nothing was sampled, no peak lost among many
// samples.

#include "tests/support/suite/suite.h"
#include "views/charts/curve_pieces.h"

#include <QTest>

#include <cmath>

namespace collscope {

namespace {

SampledCurve steps(std::vector<std::int64_t> times, std::vector<double> values)
{
    auto function = std::make_shared<StepFunction>();
    function->timeNs = std::move(times);
    function->value = std::move(values);
    return SampledCurve(std::shared_ptr<const StepFunction>(function));
}

} // namespace

class TestCurvePieces : public QObject
{
    Q_OBJECT

private:
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

private slots:
    void twoPointsAStep()
    {
        const auto pieces = curvePieces(steps({10, 20, 40}, {5, 3, none}), TimeAxis({0, 100}, 100));
        QCOMPARE(pieces.size(), 1);
        QCOMPARE(pieces[0], (CurvePiece{{10, 5}, {20, 5}, {20, 3}, {40, 3}}));
    }
    void aGapEndsTheLine()
    {
        const SampledCurve curve = steps({10, 20, 60, 80}, {5, none, 7, none});
        const auto pieces = curvePieces(curve, TimeAxis({0, 100}, 100));
        QCOMPARE(pieces, (QList<CurvePiece>{{{10, 5}, {20, 5}}, {{60, 7}, {80, 7}}}));
        QVERIFY(curvePieces(curve, TimeAxis({30, 50}, 100)).isEmpty());
        QVERIFY(curvePieces(curve, TimeAxis({80, 90}, 100)).isEmpty());
        QCOMPARE(curvePieces(curve, TimeAxis({70, 75}, 100)), (QList<CurvePiece>{{{0, 7}, {100, 7}}}));
        // Less than a pixel: nobody would see it, and a chart of thousands of lines would be slow.
        QCOMPARE(curvePieces(curve, TimeAxis({0, 10'000}, 100)).size(), 1);
    }
    void manySamplesKeepTheirPeaksAndGaps()
    {
        // 1000 samples of 10 ns on 100 px; one is high, and [4000, 5000) is not sampled.
        std::vector<std::int64_t> times;
        std::vector<double> values;
        for (std::int64_t i = 0; i <= 1000; ++i) {
            times.push_back(10 * i);
            values.push_back((i >= 400 && i < 500) || i == 1000 ? none : i == 777 ? 90 : i % 2 == 0 ? 1 : 2);
        }
        const auto pieces = curvePieces(steps(times, values), TimeAxis({0, 10'000}, 100));
        QCOMPARE(pieces.size(), 2);
        QCOMPARE(pieces[0].last().x(), 39.0);
        QCOMPARE(pieces[1].first().x(), 50.0);
        QVERIFY(pieces[0].size() + pieces[1].size() <= 200);
        int high = 0;
        for (const QPointF& point : pieces[1]) {
            QVERIFY2(point.y() >= 1, "0 was never sampled");
            if (point.y() == 90) {
                ++high;
                QCOMPARE(point.x(), 77.0);
            }
        }
        QCOMPARE(high, 1);
    }
    /// A sample that is longer than a column holds in all that it covers.
    void longSamplesAmongManyShortOnes()
    {
        std::vector<std::int64_t> times{0, 5000};
        std::vector<double> values{8, 1};
        for (std::int64_t i = 1; i <= 500; ++i) {
            times.push_back(5000 + 10 * i);
            values.push_back(i == 500 ? none : 1);
        }
        const auto pieces = curvePieces(steps(times, values), TimeAxis({0, 10'000}, 100));
        QCOMPARE(pieces.size(), 1);
        for (const QPointF& point : pieces[0])
            QCOMPARE(point.y(), point.x() < 50 ? 8.0 : 1.0);
        QCOMPARE(pieces[0].size(), 200);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCurvePieces)
#include "tst_curve_pieces.moc"
