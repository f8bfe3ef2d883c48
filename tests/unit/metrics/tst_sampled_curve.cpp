// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Curves of sampled values: where nothing was sampled there is no value, and not a 0.

#include "metrics/counters/gpu_counters.h"
#include "metrics/counters/nvlink_curves.h"
#include "tests/support/suite/suite.h"

#include <QTest>

#include <cmath>

namespace collscope {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Interval
{
    std::int64_t beginNs, endNs;
    std::uint64_t bytes;
};

LinkSeries linkOf(std::uint32_t link, LinkDirection direction, const std::vector<Interval>& intervals)
{
    LinkSeries series;
    series.link = link;
    series.direction = direction;
    for (const Interval& interval : intervals) {
        series.beginNs.push_back(interval.beginNs);
        series.endNs.push_back(interval.endNs);
        series.bytes.push_back(interval.bytes);
        series.gap.push_back(false);
    }
    return series;
}

std::shared_ptr<const CounterSeries> counterOf(std::vector<std::int64_t> times, std::vector<double> values)
{
    auto series = std::make_shared<CounterSeries>();
    series->timeNs = std::move(times);
    series->value = std::move(values);
    return series;
}

/// NaN is what it is expected to be, too.
bool areSame(const std::vector<double>& a, const std::vector<double>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double one, double other) {
        return one == other || (std::isnan(one) && std::isnan(other));
    });
}

} // namespace

class TestSampledCurve : public QObject
{
    Q_OBJECT

private slots:
    void sumsStopWhereNoLinkIsSampled()
    {
        // Link 0 is sampled in [0, 20) and [50, 60), link 1 in [10, 30) and, idle, [60, 70).
        NvlinkDevice device;
        device.series = {linkOf(0, LinkDirection::Tx, {{0, 10, 100}, {10, 20, 300}, {50, 60, 50}}),
                         linkOf(1, LinkDirection::Tx, {{10, 30, 400}, {60, 70, 0}})};
        const StepFunction sum = aggregateThroughput(device, LinkDirection::Tx);
        QCOMPARE(sum.timeNs, (std::vector<std::int64_t>{0, 10, 20, 30, 50, 60, 70}));
        QVERIFY(areSame(sum.value, {10, 50, 20, none, 5, 0, none}));
        QCOMPARE(sum.highest(), 50.0);
    }
    void peaksDoNotReachOverAGap()
    {
        // The same rate before and after the gap is two peaks: in between nothing is known to move.
        TraceModel model;
        model.nvlink.emplace_back().series
            = {linkOf(0, LinkDirection::Rx, {{0, 10, 0}, {10, 20, 90}, {60, 70, 90}, {70, 80, 0}})};
        const std::vector<NvlinkPeak> peaks = findPeaks(model, 9);
        QCOMPARE(peaks.size(), std::size_t{2});
        QCOMPARE(peaks[0].range, (TimeRange{10, 20}));
        QCOMPARE(peaks[1].range, (TimeRange{60, 70}));
    }
    void linksAreReadWhereTheyLie()
    {
        const SampledCurve curve(std::make_shared<const LinkSeries>(
            linkOf(3, LinkDirection::Tx, {{0, 10, 100}, {10, 20, 0}, {50, 60, 30}})));
        QCOMPARE(curve.size(), std::size_t{3});
        QCOMPARE(curve.highest(), 10.0);
        QCOMPARE(curve.lowestPositive().value_or(-1), 3.0);
        QCOMPARE(curve.sampleAt(0).value_or(99), std::size_t{0});
        QCOMPARE(curve.sampleAt(10).value_or(99), std::size_t{1});
        QVERIFY2(!curve.sampleAt(20), "an interval is half open");
        QVERIFY(!curve.sampleAt(49));
        QCOMPARE(curve.sampleAt(50).value_or(99), std::size_t{2});
        QVERIFY(!curve.sampleAt(60) && !curve.sampleAt(-1));
    }
    void sumsHaveNoSampleInTheirGaps()
    {
        auto steps = std::make_shared<StepFunction>();
        steps->timeNs = {0, 10, 30, 40};
        steps->value = {5, none, 7, none};
        const SampledCurve curve{std::shared_ptr<const StepFunction>(steps)};
        QCOMPARE(curve.sampleAt(9).value_or(99), std::size_t{0});
        QVERIFY(!curve.sampleAt(10) && !curve.sampleAt(29) && !curve.sampleAt(40));
        QCOMPARE(curve.sampleAt(30).value_or(99), std::size_t{2});
        QCOMPARE(curve.lowestPositive().value_or(-1), 5.0);
        QVERIFY(curve.extremes(1, 2).isEmpty());
        const SampledCurve empty(std::make_shared<const StepFunction>());
        QCOMPARE(empty.size(), std::size_t{0});
        QCOMPARE(empty.highest(), 0.0);
        QVERIFY(!empty.sampleAt(0) && !empty.lowestPositive());
    }
    void aCounterCoversThePeriodBeforeItsStamp()
    {
        // Every 10 ns; one sample is late but none is missing, then the profiler pauses.
        const SampledCurve curve(counterOf({10, 20, 35, 45, 200, 210}, {1, 2, 3, 4, 5, 6}));
        const std::vector<TimeRange> truth{{0, 10}, {10, 20}, {20, 35}, {35, 45}, {190, 200}, {200, 210}};
        for (std::size_t i = 0; i < truth.size(); ++i)
            QCOMPARE(curve.range(i), truth[i]);
        QVERIFY(!curve.sampleAt(45) && !curve.sampleAt(189));
        QCOMPARE(curve.value(curve.sampleAt(190).value_or(0)), 5.0);
        QVERIFY2(!SampledCurve(counterOf({10}, {1})).sampleAt(9), "of one sample nobody knows the period");
    }
    void extremesOfAnyStretch()
    {
        std::vector<std::int64_t> times;
        std::vector<double> values;
        for (int i = 0; i < 1000; ++i) {
            times.push_back(10 * (i + 1));
            values.push_back(i % 13 == 5 ? none : (i * 7919) % 1009);
        }
        const SampledCurve curve(counterOf(times, values));
        for (const auto& [first, last] :
             {std::pair{0, 1000}, std::pair{1, 999}, std::pair{63, 65}, std::pair{64, 128},
              std::pair{130, 131}, std::pair{200, 517}, std::pair{5, 6}, std::pair{9, 9}}) {
            SampledCurve::Extremes truth;
            for (int i = first; i < last; ++i) {
                if (i % 13 != 5) {
                    truth.low = std::min(truth.low, values[static_cast<std::size_t>(i)]);
                    truth.high = std::max(truth.high, values[static_cast<std::size_t>(i)]);
                }
            }
            const auto found
                = curve.extremes(static_cast<std::size_t>(first), static_cast<std::size_t>(last));
            QCOMPARE(found.low, truth.low);
            QCOMPARE(found.high, truth.high);
        }
    }
    void aReadingIsThatOfTheWholeInterval()
    {
        auto model = std::make_shared<TraceModel>();
        // Links are read one after the other: link 1's borders are 2 ns later. Link 4 says only what it sent.
        model->nvlink.emplace_back().series = {linkOf(4, LinkDirection::Tx, {{0, 100, 700}}),
                                               linkOf(0, LinkDirection::Tx, {{0, 100, 200}, {100, 200, 600}}),
                                               linkOf(0, LinkDirection::Rx, {{0, 100, 100}, {100, 200, 0}}),
                                               linkOf(1, LinkDirection::Tx, {{2, 103, 505}, {103, 200, 0}}),
                                               linkOf(1, LinkDirection::Rx, {{2, 103, 0}})};
        const auto curves = nvlinkCurves(model, 5, [] { return false; });
        QVERIFY(curves);
        const DeviceCurves& device = curves->devices.at(0);
        QCOMPARE(device.links.size(), std::size_t{3});
        QCOMPARE(device.links[2].link, std::uint32_t{4});
        QCOMPARE(device.links[2].rx.size(), std::size_t{0});

        const auto all = readingAt(device, {}, 50);
        QVERIFY(all.has_value());
        QCOMPARE(all->range, (TimeRange{2, 103}));
        QCOMPARE(all->tx.value_or(-1), 7.0 + 2 + 5);
        QCOMPARE(all->rx.value_or(-1), 1.0);
        const std::vector<std::uint32_t> chosen{4};
        const auto one = readingAt(device, chosen, 50);
        QCOMPARE(one->range, (TimeRange{0, 100}));
        QCOMPARE(one->tx.value_or(-1), 7.0);
        QVERIFY2(!one->rx, "not sampled is not 0");
        QVERIFY(!readingAt(device, chosen, 150));
        QVERIFY(!readingAt(device, {}, 200));
        QVERIFY(!nvlinkCurves(model, 5, [] { return true; }));
    }
    void countersAreGroupedByWhatTheyMeasure()
    {
        auto model = std::make_shared<TraceModel>();
        Timeline timeline;
        timeline.kind = SourceKind::Nsys;
        timeline.rank = timeline.device = 1;
        const auto add = [&](const char* name, std::int32_t device, CounterUnit unit = CounterUnit::Percent) {
            CounterSeries series;
            series.name = model->strings.intern(name);
            series.unit = unit;
            series.device = device;
            series.timeNs = {10, 20};
            series.value = {1, 2};
            timeline.counters.push_back(series);
        };
        for (const char* name :
             {"SMs Active [Throughput %]", "SM Issue [Throughput %]", "Tensor Active [Throughput %]",
              "NVLink TX Requests User Data [Throughput %]", "NVLink RX Requests User Data [Throughput %]",
              "PCIe RX Throughput [Throughput %]", "GR Active [Throughput %]"})
            add(name, 1);
        add("GPC Clock Frequency [MHz]", 1, CounterUnit::Megahertz);
        add("SM Warps in Flight [Avg Warps per Cycle]", 1);
        add("SMs Active [Throughput %]", 3); // of a GPU without work
        QVERIFY(!hasGpuCounters(*model));
        model->timelines.push_back(timeline);
        timeline.kind = SourceKind::Kineto;
        model->timelines.push_back(timeline);
        QVERIFY(hasGpuCounters(*model));

        const auto gpus = sampledGpus(model, 8, [] { return false; });
        QVERIFY(gpus);
        QCOMPARE(gpus->size(), std::size_t{2});
        const SampledGpu& own = gpus->at(0);
        QVERIFY(own.isOfRank && !gpus->at(1).isOfRank);
        QCOMPARE(gpus->at(1).device, 3);
        std::vector<std::string> names;
        for (const CounterGroup& group : own.groups)
            names.push_back(group.name + " " + group.unit + " " + std::to_string(group.counters.size()));
        // One PCIe counter is no group, and warps are no percents.
        QCOMPARE(names,
                 (std::vector<std::string>{"NVLink % 2", "SM % 3", "GPC Clock Frequency MHz 1",
                                           "GR Active % 1", "NVLink RX Requests User Data % 1",
                                           "NVLink TX Requests User Data % 1", "PCIe RX Throughput % 1",
                                           "SM Issue % 1", "SM Warps in Flight Avg Warps per Cycle 1",
                                           "SMs Active % 1", "Tensor Active % 1"}));
        const CounterGroup& sm = own.groups[1];
        QCOMPARE(own.counters[sm.counters[1]].name, std::string("SMs Active"));
        QCOMPARE(own.counters[sm.counters[1]].samples.value(1), 2.0);
        // Both counters of NVLink are highest at one time: one marker.
        QCOMPARE(own.groups[0].peaks.size(), std::size_t{1});
        QCOMPARE(own.groups[0].peaks[0].range, (TimeRange{10, 20}));
        QCOMPARE(own.groups[0].peaks[0].value, 2.0);
        QVERIFY(sm.peaks.empty() && hasNvlinkCounters(*model));
        QVERIFY(!sampledGpus(model, 8, [] { return true; }));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSampledCurve)
#include "tst_sampled_curve.moc"
