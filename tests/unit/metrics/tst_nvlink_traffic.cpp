// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What collectives need over NVLink against what counters say, on planned runs: the plan knows each byte on
// the wire, and which samples lie within which call.

#include "metrics/counters/nvlink_traffic.h"
#include "metrics/export/nvlink_report.h"
#include "tests/support/runs/two_nodes.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

constexpr std::int64_t us = 1000; // in ns

WorkloadDescription sampledEvery(std::int64_t periodNs)
{
    WorkloadDescription described;
    described.steps = 4;
    described.samplePeriodNs = periodNs;
    return described;
}

/// The calls of the inner steps by rank and start.
using PlannedCalls = std::map<std::pair<int, std::int64_t>, const PlannedActivity*>;
PlannedCalls innerCalls(const RunPlan& plan)
{
    PlannedCalls calls;
    for (const PlannedRank& rank : plan.ranks) {
        for (const PlannedActivity& activity : rank.activities) {
            if (activity.collective && activity.step > 0 && activity.step + 1 < plan.description.steps)
                calls[{rank.rank, activity.startNs}] = &activity;
        }
    }
    return calls;
}

bool overlapsAnother(const RunPlan& plan, int rank, const PlannedActivity& own)
{
    const auto& all = plan.ranks[static_cast<std::size_t>(rank)].activities;
    return std::any_of(all.begin(), all.end(), [&](const PlannedActivity& other) {
        return other.collective && &other != &own && other.startNs < own.endNs()
            && own.startNs < other.endNs();
    });
}

/// Times of the samples of a rank's first link, on the plan's clock.
std::vector<std::int64_t> sampleTimes(const RunPlan& plan, int rank)
{
    std::vector<std::int64_t> times;
    for (const PlannedSample& sample : plan.ranks[static_cast<std::size_t>(rank)].samples) {
        if (sample.link == 0 && sample.transmit)
            times.push_back(sample.timeUs * 1000 - plan.description.wallClockNs);
    }
    return times;
}

/// Whether two samples lie within a call, the first one at least a period after its begin.
bool isSampled(const RunPlan& plan, int rank, const PlannedActivity& own)
{
    const std::vector<std::int64_t> times = sampleTimes(plan, rank);
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        if (times[i] >= own.startNs + plan.description.samplePeriodNs && times[i + 1] <= own.endNs())
            return true;
    }
    return false;
}

MetricResult trafficMetric(const TraceModel& model)
{
    return evaluate(model, *findMetric("nvlink_collectives"), MetricOptions());
}

const Value* detailOf(const MetricResult& result, std::string_view key)
{
    const auto found = std::find_if(result.details.begin(), result.details.end(),
                                    [&](const auto& own) { return own.first == key; });
    return found == result.details.end() ? nullptr : &found->second;
}

std::int64_t doubtsOf(const NvlinkTraffic& traffic, TrafficDoubt doubt)
{
    return traffic.doubts[static_cast<std::size_t>(doubt)];
}

} // namespace

class TestNvlinkTraffic : public QObject
{
    Q_OBJECT

private slots:
    void callsThatSamplesResolve()
    {
        const RunFolder folder;
        const RunPlan plan = planRun(sampledEvery(20 * us));
        writeRun(plan, folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
        const PlannedCalls calls = innerCalls(plan);
        std::int64_t told = 0, overlapping = 0, tooShort = 0;
        for (const auto& [key, activity] : calls) {
            const bool isAlone = !overlapsAnother(plan, key.first, *activity);
            const bool isResolved = isSampled(plan, key.first, *activity);
            overlapping += isAlone ? 0 : 1;
            tooShort += isAlone && !isResolved ? 1 : 0;
            told += isAlone && isResolved ? 1 : 0;
        }
        QVERIFY2(told > 8, "the planned run shows nothing");
        QCOMPARE(static_cast<std::int64_t>(traffic.calls.size()), told);
        QCOMPARE(doubtsOf(traffic, TrafficDoubt::Overlapping), overlapping);
        QCOMPARE(doubtsOf(traffic, TrafficDoubt::TooShort), tooShort);
        // Counters of whole KiB: each link is off by one at each end.
        const auto slack = static_cast<double>(2 * 1024 * plan.description.links + 100);
        std::int64_t narrow = 0;
        for (const CallTraffic& own : traffic.calls) {
            const Call& call = analysis.callOf(own.call);
            const std::int32_t rank = analysis.calls()[own.call.rank].rank;
            const auto planned
                = calls.find({rank, call.range.beginNs + model->axisZeroNs - plan.description.wallClockNs});
            QVERIFY(planned != calls.end());
            const auto wire = static_cast<double>(planned->second->collective->wireBytes);
            QVERIFY2(std::abs(own.neededBytes - wire) <= 1, "needed is not what is on the wire");
            // The plan receives a little less than it sends, so that the directions can be told apart.
            for (const auto& [bytes, truth] :
                 {std::pair(own.sent, wire), std::pair(own.received.value(), wire * 31 / 32)}) {
                QVERIFY(bytes.least > 0);
                QVERIFY(static_cast<double>(bytes.least) <= truth + slack);
                QVERIFY(static_cast<double>(bytes.most) >= truth - slack);
                narrow += static_cast<double>(bytes.most - bytes.least) < 0.7 * wire ? 1 : 0;
            }
            QVERIFY(own.received->most < own.sent.most);
            // The planned transfer runs at one rate, from the arrival of the last rank to the end.
            const double rate = wire
                / static_cast<double>(planned->second->endNs()
                                      - planned->second->collective->transferBeginNs);
            if (own.gigabytesPerSecond)
                QVERIFY2(std::abs(*own.gigabytesPerSecond - rate) < 0.05 * rate,
                         qPrintable(QString::number(*own.gigabytesPerSecond) + QLatin1Char(' ')
                                    + QString::number(rate)));
        }
        QVERIFY2(narrow > 0, "bounds that are always wide say nothing");
        QVERIFY(traffic.peakPerDirection.has_value() || traffic.peakSource.empty());
    }
    void linksAddUpToTheirGpu()
    {
        const RunFolder folder;
        const RunPlan plan = planRun(sampledEvery(20 * us));
        writeRun(plan, folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
        std::map<std::int32_t, ByteBounds> byRank;
        std::map<std::int32_t, double> needed;
        for (const CallTraffic& own : traffic.calls) {
            const std::int32_t rank = analysis.calls()[own.call.rank].rank;
            byRank[rank].least += own.sent.least;
            byRank[rank].most += own.sent.most;
            needed[rank] += own.neededBytes;
        }
        QCOMPARE(traffic.links.size(), byRank.size() * plan.description.links);
        std::map<std::int32_t, const LinkTraffic*> busiest;
        for (const LinkTraffic& link : traffic.links) {
            byRank[link.rank].least -= link.sent.least;
            byRank[link.rank].most -= link.sent.most;
            needed[link.rank] -= link.neededBytes;
            const LinkTraffic*& best = busiest[link.rank];
            best = !best || link.sent.least > best->sent.least ? &link : best;
        }
        for (const auto& [rank, rest] : byRank) {
            QVERIFY(rest.least == 0 && rest.most == 0);
            QVERIFY(std::abs(needed[rank]) < 1);
            QCOMPARE(busiest[rank]->link, 1u); // it carries a little more by plan
        }
    }
    void coarseSamplesTellOnlyTotals()
    {
        const RunFolder folder;
        RunPlan plan = planRun(sampledEvery(5'000 * us));
        writeRun(plan, folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
        QVERIFY(traffic.calls.empty() && traffic.links.empty());
        QVERIFY(doubtsOf(traffic, TrafficDoubt::TooShort) > 0);
        QCOMPARE(traffic.gpus.size(), plan.ranks.size());
        for (const GpuTraffic& gpu : traffic.gpus) {
            QCOMPARE(static_cast<int>(gpu.doubt), static_cast<int>(TrafficDoubt::None));
            const std::int64_t toPlan = model->axisZeroNs - plan.description.wallClockNs;
            double wire = 0;
            std::int64_t calls = 0;
            for (const PlannedActivity& activity :
                 plan.ranks[static_cast<std::size_t>(gpu.rank)].activities) {
                if (activity.collective && activity.startNs < gpu.range.endNs + toPlan
                    && activity.endNs() > gpu.range.beginNs + toPlan) {
                    wire += static_cast<double>(activity.collective->wireBytes);
                    ++calls;
                }
            }
            QCOMPARE(gpu.calls, calls);
            QVERIFY(std::abs(gpu.neededBytes - wire) <= static_cast<double>(calls));
            QVERIFY(static_cast<double>(gpu.sent.least) <= wire
                    && static_cast<double>(gpu.sent.most) >= wire);
        }
        const MetricResult result = trafficMetric(*model);
        QCOMPARE(result.state, MetricState::Value);
        QVERIFY(!result.value);
        const auto& texts = result.inputs;
        QVERIFY(std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
            return text.find("no sample of the counters surely lies within them") != std::string::npos;
        }));
        // A copy between GPUs uses the same links: then the total is not that of the calls.
        bool isCopied = false;
        for (PlannedRank& rank : plan.ranks) {
            for (PlannedActivity& activity : rank.activities) {
                if (activity.kind == PlannedKind::Memcpy && activity.step == 1) {
                    activity.name = "Memcpy PtoP (Device -> Device)";
                    isCopied = true;
                }
            }
        }
        QVERIFY2(isCopied, "the plan has no copy");
        writeRun(plan, folder.path("copied"), RunFiles());
        const TraceModelPtr copied = folder.load("copied");
        QVERIFY(copied);
        Analysis other(*copied, MetricOptions());
        for (const GpuTraffic& gpu : nvlinkTrafficOf(other).gpus)
            QCOMPARE(static_cast<int>(gpu.doubt), static_cast<int>(TrafficDoubt::Overlapping));
        QCOMPARE(trafficMetric(*copied).state, MetricState::NotApplicable);
    }
    /// A copy between GPUs that begins in a call, and one that ends in another call.
    void whatOverlapsIsNotTold()
    {
        RunPlan plan = planRun(sampledEvery(20 * us));
        const auto toldOfFirst = [](const RunPlan& planned, std::int64_t& overlapping) {
            const RunFolder folder;
            writeRun(planned, folder.path("run"), RunFiles());
            const TraceModelPtr model = folder.load("run");
            std::set<std::int64_t> begins;
            if (!model)
                return begins;
            Analysis analysis(*model, MetricOptions());
            const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
            overlapping = doubtsOf(traffic, TrafficDoubt::Overlapping);
            for (const CallTraffic& own : traffic.calls) {
                if (analysis.calls()[own.call.rank].rank == 0)
                    begins.insert(analysis.callOf(own.call).range.beginNs + model->axisZeroNs
                                  - planned.description.wallClockNs);
            }
            return begins;
        };
        std::int64_t before = 0, after = 0;
        const std::set<std::int64_t> told = toldOfFirst(plan, before);
        QVERIFY(told.size() > 3);
        const std::int64_t first = *told.begin(), second = *std::next(told.begin(), 2);
        auto& activities = plan.ranks.front().activities;
        for (const std::int64_t start : {first + 5 * us, second - 5 * us}) {
            PlannedActivity copy;
            copy.kind = PlannedKind::Memcpy;
            copy.name = "Memcpy PtoP (Device -> Device)";
            copy.cpuOp = "aten::copy_";
            copy.stream = 40;
            copy.startNs = start;
            copy.durationNs = 10 * us;
            copy.bytes = 4096;
            copy.step = 1;
            copy.correlation = 900'000 + static_cast<std::uint32_t>(start % 1000);
            copy.launchNs = start - 3 * us;
            activities.push_back(copy);
        }
        std::set<std::int64_t> expected = told;
        expected.erase(first);
        expected.erase(second);
        QCOMPARE(toldOfFirst(plan, after), expected);
        QVERIFY2(after > before + 2, "the copies may be to any GPU of the node");
    }
    /// With LL, NCCL sends a flag with each word.
    void twiceTheTrafficIsSeen()
    {
        const RunFolder folder;
        RunPlan plan = planRun(sampledEvery(20 * us));
        for (PlannedRank& rank : plan.ranks) {
            for (PlannedSample& sample : rank.samples)
                sample.kib *= 2;
        }
        writeRun(plan, folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        std::int64_t surely = 0;
        for (const CallTraffic& own : nvlinkTrafficOf(analysis).calls) {
            QVERIFY(static_cast<double>(own.sent.most) >= 1.99 * own.neededBytes - 20'000);
            QVERIFY(static_cast<double>(own.sent.least) <= 2.01 * own.neededBytes + 20'000);
            surely += static_cast<double>(own.sent.least) > 1.2 * own.neededBytes ? 1 : 0;
        }
        QVERIFY(surely > 0);
    }
    /// The ranks state the GPUs of two nodes, and files named by rank do not say of which they are.
    void filesNamedByRankTellNoNode()
    {
        const TwoNodes nodes;
        for (const bool hasFolders : {false, true}) {
            const RunFolder folder;
            for (int rank = 0; rank < TwoNodes::ranks; ++rank) {
                const std::string name = "rank" + std::to_string(rank);
                const std::string into = hasFolders ? "run/" + name : std::string("run");
                folder.write(into + "/" + name + "_trace.json", nodes.trace(rank, false));
                folder.write(into + "/nvlink_" + (hasFolders ? "gpu" + std::to_string(rank % 4) : name)
                                 + ".bin",
                             nodes.counters(rank));
            }
            const TraceModelPtr model = folder.load("run");
            QVERIFY(model);
            Analysis analysis(*model, MetricOptions());
            const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
            QVERIFY(traffic.ranks.areAllKnown());
            QVERIFY(traffic.calls.empty());
            QVERIFY(doubtsOf(traffic, TrafficDoubt::NodesUnknown) > 0);
            QCOMPARE(doubtsOf(traffic, TrafficDoubt::SeveralNodes), std::int64_t{0});
        }
    }
    void groupsAcrossNodesAreNotTold()
    {
        TwoNodes nodes;
        WorkloadDescription described = TwoNodes::description();
        described.steps = 4;
        described.samplePeriodNs = 20 * us;
        nodes.plan = planRun(described);
        const RunFolder folder;
        nodes.writeTraces(folder, "run", true);
        nodes.writeNode(folder, 0, "run/counters1");
        nodes.writeNode(folder, 1, "run/counters2");
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
        std::int64_t across = 0, within = 0;
        for (const auto& [key, activity] : innerCalls(nodes.plan)) {
            const std::vector<int>& ranks = activity->collective->ranks;
            const bool isWithin = std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
                return TwoNodes::nodeOf(rank) == TwoNodes::nodeOf(ranks.front());
            });
            (isWithin ? within : across) += 1;
        }
        QVERIFY(across > 0 && within > 0);
        QCOMPARE(doubtsOf(traffic, TrafficDoubt::SeveralNodes), across);
        QVERIFY(!traffic.calls.empty());
        std::set<std::int32_t> ranks;
        for (const CallTraffic& own : traffic.calls) {
            const std::int32_t rank = analysis.calls()[own.call.rank].rank;
            ranks.insert(rank);
            QCOMPARE(traffic.ranks.of(own.device).rank.value_or(-1), rank);
        }
        QCOMPARE(ranks.size(), std::size_t{TwoNodes::ranks});
        for (const GpuTraffic& gpu : traffic.gpus)
            QCOMPARE(static_cast<int>(gpu.doubt), static_cast<int>(TrafficDoubt::SeveralNodes));
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
        const MetricResult result = trafficMetric(*model);
        QCOMPARE(result.state, MetricState::NotApplicable);
        QVERIFY2(result.reason.find("no NVLink file is known to be of their rank") != std::string::npos,
                 result.reason.c_str());
        const Value* const doubts = detailOf(result, "not_told");
        QVERIFY(doubts && doubts->as<Value::Array>() && doubts->as<Value::Array>()->size() == 1);
        Analysis analysis(*model, MetricOptions());
        const auto report = nvlinkReport(analysis, 1);
        QVERIFY(report && report->find("no NVLink file is known to be of their rank") != std::string::npos);
        QCOMPARE(trafficMetric(TraceModel()).state, MetricState::MissingInput);
    }
    void theReportListsThem()
    {
        const RunFolder folder;
        writeRun(planRun(sampledEvery(20 * us)), folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        Analysis analysis(*model, MetricOptions());
        const auto report = nvlinkReport(analysis, 1);
        QVERIFY(report);
        for (const char* part : {"Sent/needed least", "AllReduce", "link 3",
                                 "GPUs from their first to their last "
                                 "call"})
            QVERIFY2(report->find(part) != std::string::npos, report->c_str());
        const MetricResult result = trafficMetric(*model);
        for (const char* key : {"collectives", "links", "gpus", "calls", "not_told", "calls_told"})
            QVERIFY(detailOf(result, key));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNvlinkTraffic)
#include "tst_nvlink_traffic.moc"
