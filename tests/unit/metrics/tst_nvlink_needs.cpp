// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What collectives need over NVLink in each sample, on planned runs: the plan knows the bytes of each call.

#include "metrics/counters/nvlink_needs.h"
#include "metrics/counters/nvlink_ranks.h"
#include "metrics/counters/nvlink_traffic.h"
#include "tests/support/runs/two_nodes.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/gloo_jobs.h"

#include <cmath>

namespace collscope {

namespace {

bool spansNodes(const PlannedActivity& call)
{
    const std::vector<int>& ranks = call.collective->ranks;
    return std::any_of(ranks.begin(), ranks.end(),
                       [&](int rank) { return TwoNodes::nodeOf(rank) != TwoNodes::nodeOf(ranks.front()); });
}

/// Of the calls of a rank in a range of the plan's time; nullopt: one of them spans nodes.
std::optional<double> plannedRate(const PlannedRank& rank, TimeRange range, bool areNodesApart)
{
    double bytes = 0;
    for (const PlannedActivity& own : rank.activities) {
        if (!own.collective || own.startNs >= range.endNs || own.endNs() <= range.beginNs)
            continue;
        if (areNodesApart && spansNodes(own))
            return std::nullopt;
        const std::int64_t shared = std::min(range.endNs, own.endNs()) - std::max(range.beginNs, own.startNs);
        bytes += static_cast<double>(own.collective->wireBytes) * static_cast<double>(shared)
            / static_cast<double>(own.durationNs);
    }
    return bytes / static_cast<double>(range.lengthNs());
}

struct Told
{
    std::int64_t calls = 0, quiet = 0, untold = 0; ///< samples with calls, without any, and not told
    std::int64_t hidden = 0; ///< samples whose truth is known but not told
    std::int64_t invented = 0; ///< samples that tell what cannot be known
    std::int64_t wrong = 0;
};

/// Compares the samples of each GPU's first link that the trace of its rank covers with the plan.
Told comparedWithPlan(const TraceModel& model, const RunPlan& plan, bool areNodesApart)
{
    Told told;
    Analysis analysis(model, MetricOptions());
    const auto needs = nvlinkNeeds(analysis);
    const NvlinkRanks ranks(model);
    const std::int64_t toPlan = model.axisZeroNs - plan.description.wallClockNs;
    for (std::size_t device = 0; device < model.nvlink.size(); ++device) {
        const SampledCurve& curve = needs->devices[device];
        const std::int32_t rank = ranks.of(device).rank.value_or(0);
        const auto timeline = std::ranges::find(model.timelines, rank, &Timeline::rank);
        const LinkSeries& samples = model.nvlink[device].series.front();
        for (std::size_t i = 0; i < samples.endNs.size(); ++i) {
            const TimeRange range{samples.beginNs[i], samples.endNs[i]};
            if (range.beginNs < timeline->range.beginNs || range.endNs > timeline->range.endNs)
                continue;
            const auto truth = plannedRate(plan.ranks[static_cast<std::size_t>(rank)],
                                           {range.beginNs + toPlan, range.endNs + toPlan}, areNodesApart);
            const auto sample = curve.sampleAt(range.beginNs);
            if (!sample) {
                ++told.untold;
                told.hidden += truth ? 1 : 0;
                continue;
            }
            const double value = curve.value(*sample);
            told.invented += truth ? 0 : 1;
            told.wrong += truth && std::abs(*truth - value) > 1e-6 * std::max(1.0, *truth) ? 1 : 0;
            (value > 0 ? told.calls : told.quiet) += 1;
        }
    }
    return told;
}

/// A model that was loaded, to be changed before anything reads it: models cannot be copied.
TraceModel& changeable(const TraceModelPtr& loaded)
{
    return const_cast<TraceModel&>(*loaded);
}

} // namespace

class TestNvlinkNeeds : public QObject
{
    Q_OBJECT

private slots:
    void eachSampleIsThePlansRate_data()
    {
        QTest::addColumn<qint64>("periodUs");
        QTest::newRow("samples within calls") << qint64(20);
        QTest::newRow("calls within samples") << qint64(1'000);
    }
    void eachSampleIsThePlansRate()
    {
        QFETCH(const qint64, periodUs);
        WorkloadDescription described;
        described.steps = 4;
        described.samplePeriodNs = periodUs * 1000;
        const RunFolder folder;
        const RunPlan plan = planRun(described);
        writeRun(plan, folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        const Told told = comparedWithPlan(*model, plan, false);
        QVERIFY2(told.calls > 20, "the planned run shows nothing");
        QCOMPARE(told.wrong + told.untold, std::int64_t{0});
        QVERIFY(periodUs > 100 || told.quiet > 20);
    }
    /// Links that count nothing, or always the same, have the same calls.
    void idleLinksHideNoNeed_data()
    {
        QTest::addColumn<bool>("isAlwaysOne");
        QTest::newRow("no bytes") << false;
        QTest::newRow("the same bytes in each sample") << true;
    }
    void idleLinksHideNoNeed()
    {
        QFETCH(const bool, isAlwaysOne);
        WorkloadDescription described;
        described.steps = 4;
        described.samplePeriodNs = 100'000;
        const RunFolder folder;
        RunPlan plan = planRun(described);
        for (PlannedRank& rank : plan.ranks) {
            std::map<std::pair<std::uint32_t, bool>, std::uint64_t> counters;
            for (PlannedSample& sample : rank.samples)
                sample.kib = 1000 + (isAlwaysOne ? counters[{sample.link, sample.transmit}]++ : 0);
        }
        writeRun(plan, folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        const Told told = comparedWithPlan(*model, plan, false);
        QVERIFY2(told.calls > 20 && told.quiet > 20, "the planned run shows nothing");
        QCOMPARE(told.wrong + told.untold, std::int64_t{0});
    }
    /// What gloo sends goes through the memory of the host.
    void callsOfTheCpuNeedNoNvlink()
    {
        const RunFolder folder;
        writeGlooJob(GlooJob::Straggler, folder.path("run"));
        const TraceModelPtr loaded = folder.load("run");
        QVERIFY(loaded);
        TraceModel& model = changeable(loaded);
        constexpr std::int64_t period = 10'000'000;
        for (const Timeline& timeline : model.timelines) {
            NvlinkDevice& device = model.nvlink.emplace_back();
            device.gpu = timeline.rank;
            device.source = timeline.source;
            LinkSeries& series = device.series.emplace_back();
            series.medianPeriodNs = period;
            for (std::int64_t at = timeline.range.beginNs; at + period <= timeline.range.endNs;
                 at += period) {
                series.beginNs.push_back(at);
                series.endNs.push_back(at + period);
                series.bytes.push_back(0);
                series.gap.push_back(false);
            }
        }
        Analysis analysis(model, MetricOptions());
        QVERIFY(!analysis.calls().front().calls.empty());
        const auto needs = nvlinkNeeds(analysis);
        QVERIFY(needs);
        for (const SampledCurve& curve : needs->devices)
            QCOMPARE(curve.highest(), 0.0);
        const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
        QVERIFY(traffic.doubts[static_cast<std::size_t>(TrafficDoubt::CpuBackend)] > 0);
    }
    /// The calls are Kineto's: where only Nsight recorded, none are known.
    void onlyTheTraceOfTheCallsTellsThatThereAreNone()
    {
        const RunFolder folder;
        const RunPlan plan = planRun(WorkloadDescription());
        writeRun(plan, folder.path("run"), RunFiles());
        const TraceModelPtr loaded = folder.load("run");
        QVERIFY(loaded);
        TraceModel& changed = changeable(loaded);
        Timeline longer = changed.timelines.front();
        longer.kind = SourceKind::Nsys;
        const std::int64_t begin = longer.range.beginNs - 100'000'000;
        longer.range.beginNs = begin;
        changed.timelines.push_back(longer);
        for (LinkSeries& series : changed.nvlink.front().series) {
            series.beginNs.insert(series.beginNs.begin(), begin + 10'000'000);
            series.endNs.insert(series.endNs.begin(), begin + 20'000'000);
            series.bytes.insert(series.bytes.begin(), 1'000'000);
            series.gap.insert(series.gap.begin(), false);
        }
        Analysis analysis(changed, MetricOptions());
        const auto needs = nvlinkNeeds(analysis);
        QVERIFY(needs);
        QVERIFY(!needs->devices.front().sampleAt(begin + 15'000'000));
        QVERIFY(needs->devices.front().highest() > 0);
    }
    /// A call across nodes hides what the others in its sample need.
    void callsAcrossNodesAreNotTold()
    {
        TwoNodes nodes;
        WorkloadDescription described = TwoNodes::description();
        described.steps = 4;
        described.samplePeriodNs = 20'000;
        nodes.plan = planRun(described);
        const RunFolder folder;
        nodes.writeTraces(folder, "run", true);
        nodes.writeNode(folder, 0, "run/counters1");
        nodes.writeNode(folder, 1, "run/counters2");
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        const Told told = comparedWithPlan(*model, nodes.plan, true);
        QVERIFY2(told.calls > 20 && told.untold > 20, "the planned run shows nothing");
        QCOMPARE(told.wrong + told.hidden + told.invented, std::int64_t{0});
    }
    /// Counters go on when the trace has ended: nothing is known of the calls then.
    void outsideTheTraceNothingIsTold()
    {
        const RunFolder folder;
        RunPlan plan = planRun(WorkloadDescription());
        for (PlannedRank& rank : plan.ranks) {
            std::vector<PlannedSample> later = rank.samples;
            const std::int64_t length = later.back().timeUs - later.front().timeUs + 10;
            for (PlannedSample& sample : later) {
                sample.timeUs += length;
                sample.kib += later.back().kib;
            }
            rank.samples.insert(rank.samples.end(), later.begin(), later.end());
        }
        writeRun(plan, folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        const auto needs = nvlinkNeeds(analysis);
        QVERIFY(needs && !needs->devices.empty());
        for (const SampledCurve& curve : needs->devices) {
            QVERIFY(curve.size() > 0);
            QVERIFY(curve.range(curve.size() - 1).endNs <= model->range.endNs);
        }
    }
    void withoutRanksNothingIsTold()
    {
        const TwoNodes nodes;
        const RunFolder folder;
        nodes.writeTraces(folder, "run", true);
        nodes.writeCounters(folder, 0, "run/counters1");
        nodes.writeCounters(folder, 1, "run/counters2");
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        const auto needs = nvlinkNeeds(analysis);
        QVERIFY(needs);
        for (const SampledCurve& curve : needs->devices)
            QCOMPARE(curve.size(), std::size_t{0});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNvlinkNeeds)
#include "tst_nvlink_needs.moc"
