// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What collectives need over NVLink in each sample, on planned runs: the plan knows the bytes of each call.

#include "metrics/counters/nvlink_needs.h"
#include "metrics/counters/nvlink_ranks.h"
#include "tests/support/runs/two_nodes.h"
#include "tests/support/suite/suite.h"

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

/// Compares each sample with the plan.
Told comparedWithPlan(const TraceModel& model, const RunPlan& plan, bool areNodesApart)
{
    Told told;
    Analysis analysis(model, MetricOptions());
    const auto needs = nvlinkNeeds(analysis);
    const NvlinkRanks ranks(model);
    for (std::size_t device = 0; device < model.nvlink.size(); ++device) {
        const SampledCurve& curve = needs->devices[device];
        const PlannedRank& rank = plan.ranks[static_cast<std::size_t>(ranks.of(device).rank.value_or(0))];
        for (std::size_t i = 0; i < curve.size(); ++i) {
            const std::int64_t toPlan = model.axisZeroNs - plan.description.wallClockNs;
            const TimeRange range{curve.range(i).beginNs + toPlan, curve.range(i).endNs + toPlan};
            const auto truth = plannedRate(rank, range, areNodesApart);
            const double value = curve.value(i);
            if (std::isnan(value)) {
                ++told.untold;
                told.hidden += truth ? 1 : 0;
                continue;
            }
            told.invented += truth ? 0 : 1;
            told.wrong += truth && std::abs(*truth - value) > 1e-6 * std::max(1.0, *truth) ? 1 : 0;
            (value > 0 ? told.calls : told.quiet) += 1;
        }
    }
    return told;
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
