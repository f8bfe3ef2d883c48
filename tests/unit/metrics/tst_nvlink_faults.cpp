// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Counters that lack a part of the traffic, on planned runs: what is not counted has no figure, and bounds
// hold.

#include "metrics/counters/nvlink_intervals.h"
#include "metrics/counters/nvlink_traffic.h"
#include "metrics/hardware/hardware_view.h"
#include "tests/support/runs/two_nodes.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

constexpr std::int64_t us = 1000; // in ns

WorkloadDescription oftenSampled()
{
    WorkloadDescription described;
    described.steps = 4;
    described.samplePeriodNs = 20 * us;
    return described;
}

std::int64_t doubtsOf(const NvlinkTraffic& traffic, TrafficDoubt doubt)
{
    return traffic.doubts[static_cast<std::size_t>(doubt)];
}

const PlannedActivity& longestInnerCall(const RunPlan& plan)
{
    const PlannedActivity* longest = nullptr;
    for (const PlannedActivity& activity : plan.ranks.front().activities) {
        if (activity.collective && activity.step > 0 && activity.step + 1 < plan.description.steps
            && (!longest || activity.durationNs > longest->durationNs))
            longest = &activity;
    }
    return *longest;
}

constexpr std::size_t headerBytes = 12, recordBytes = 48; // of a file of counters

} // namespace

class TestNvlinkFaults : public QObject
{
    Q_OBJECT

private slots:
    void aDirectionThatIsNotCountedHasNoFigure()
    {
        for (const bool transmits : {true, false}) {
            const RunFolder folder;
            RunPlan plan = planRun(oftenSampled());
            for (PlannedRank& rank : plan.ranks)
                std::erase_if(rank.samples, [&](const auto& own) { return own.transmit != transmits; });
            writeRun(plan, folder.path("run"), RunFiles());
            const TraceModelPtr model = folder.load("run");
            QVERIFY(model);
            Analysis analysis(*model, MetricOptions());
            const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
            QCOMPARE(traffic.calls.empty(), !transmits);
            QCOMPARE(doubtsOf(traffic, TrafficDoubt::NotCounted) > 0, !transmits);
            for (const CallTraffic& own : traffic.calls)
                QVERIFY(own.sent.most > 0 && !own.received);
            for (const GpuTraffic& own : traffic.gpus)
                QVERIFY(!own.received);
        }
    }
    /// The driver of a rank takes its counters anew every 12th sample; counters begin anew in a call; or NVML
    /// cannot read two links.
    void mostIsAnUpperBound()
    {
        enum class Fault
        {
            Refreshed,
            Reset,
            Unreadable
        };
        for (const Fault fault : {Fault::Refreshed, Fault::Reset, Fault::Unreadable}) {
            RunPlan plan = planRun(oftenSampled());
            const PlannedActivity& longest = longestInnerCall(plan);
            const std::int64_t resetUs
                = (longest.startNs + longest.durationNs / 2 + plan.description.wallClockNs) / 1000;
            for (PlannedRank& rank : plan.ranks) {
                std::map<std::pair<std::uint32_t, bool>, std::pair<std::uint64_t, int>> last;
                for (PlannedSample& sample : rank.samples) {
                    auto& [kib, count] = last[{sample.link, sample.transmit}];
                    if (fault == Fault::Reset) {
                        if (sample.timeUs < resetUs)
                            kib = sample.kib;
                        else
                            sample.kib -= kib;
                    } else if (fault == Fault::Refreshed) {
                        kib = count++ % 12 == 0 ? sample.kib : kib;
                        sample.kib = kib;
                    }
                }
            }
            const RunFolder folder;
            writeRun(plan, folder.path("run"), RunFiles());
            for (const PlannedRank& rank : plan.ranks) {
                std::string bytes = nvf1Bytes(plan, rank);
                for (std::size_t at = headerBytes;
                     fault == Fault::Unreadable && at + recordBytes <= bytes.size(); at += recordBytes)
                    bytes[at + 36] = bytes[at + 12] >= 2 ? 1 : 0; // nvmlReturn of links 2 and 3
                folder.write("run/nvlink_gpu" + std::to_string(rank.rank) + ".bin", bytes);
            }
            const TraceModelPtr model = folder.load("run");
            QVERIFY(model);
            QCOMPARE(model->nvlink.size(), plan.ranks.size());
            Analysis analysis(*model, MetricOptions());
            const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
            const auto slack = static_cast<double>(2 * 1024 * plan.description.links + 100);
            for (const CallTraffic& own : traffic.calls) {
                QVERIFY(static_cast<double>(own.sent.least) <= own.neededBytes + slack);
                QVERIFY(static_cast<double>(own.sent.most) >= own.neededBytes - slack);
            }
            if (fault == Fault::Refreshed)
                QVERIFY(traffic.longestLagNs >= 12 * 20 * us);
            QCOMPARE(doubtsOf(traffic, TrafficDoubt::Reset) > 0, fault == Fault::Reset);
            QCOMPARE(doubtsOf(traffic, TrafficDoubt::Unreadable) > 0, fault == Fault::Unreadable);
        }
    }
    /// NVML can sum the links, which then cannot be told apart.
    void sumsOfLinksHaveNoPeriod()
    {
        const RunFolder folder;
        const RunPlan plan = planRun(oftenSampled());
        writeRun(plan, folder.path("run"), RunFiles());
        for (const PlannedRank& rank : plan.ranks) {
            std::string bytes = nvf1Bytes(plan, rank);
            for (std::size_t at = headerBytes; at + recordBytes <= bytes.size(); at += recordBytes)
                bytes.replace(at + 12, 4, "\xff\xff\xff\xff");
            folder.write("run/nvlink_gpu" + std::to_string(rank.rank) + ".bin", bytes);
        }
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model && !model->nvlink.empty());
        const MetricResult result = evaluate(*model, *findMetric("nvlink_collectives"), MetricOptions());
        QCOMPARE(result.state, MetricState::NotApplicable);
        QVERIFY(!result.inputs.empty());
        for (const std::string& input : result.inputs)
            QVERIFY2(input.find("every 0 us") == std::string::npos, input.c_str());
    }
    void ranksAreFoundOnce()
    {
        const RunFolder folder;
        writeRun(planRun(oftenSampled()), folder.path("run"), RunFiles());
        const TraceModelPtr model = folder.load("run");
        QVERIFY(model);
        Analysis first(*model, MetricOptions()), second(*model, MetricOptions());
        const NvlinkRanks* const ranks = &nvlinkRanksOf(first);
        shareNvlinkRanks(first, second);
        QVERIFY(&nvlinkRanksOf(first) == ranks && &nvlinkRanksOf(second) == ranks);
    }
    /// Findings name ranks without saying how they are known.
    void aLogAloneNamesNoRankOfARecord()
    {
        for (const bool stateHosts : {true, false}) {
            const TwoNodes nodes;
            const RunFolder folder;
            nodes.writeTraces(folder, "run", stateHosts);
            std::string log, csv = "timestamp, host, index, clocks.current.sm [MHz], utilization.gpu [%]\n";
            for (int second = 0; second < 3; ++second) {
                for (int rank = 0; rank < TwoNodes::ranks; ++rank) {
                    const std::string& host = nodes.hosts[static_cast<std::size_t>(TwoNodes::nodeOf(rank))];
                    const std::string gpu = std::to_string(rank % 4);
                    csv += "2025/10/09 00:00:0" + std::to_string(second) + ".000, " + host + ", " + gpu
                        + ", 1980 MHz, 100 %\n";
                    // The ranks of another job.
                    log += host + ":" + std::to_string(100 + rank)
                        + ":200 [0] NCCL INFO ncclCommInitRank comm 0x55" + std::to_string(rank) + " rank "
                        + std::to_string(7 - rank) + " nranks 8 cudaDev " + gpu + " nvmlDev " + gpu
                        + " busId 1b000 commId 0xfeed - Init COMPLETE\n";
                }
            }
            folder.write("run/smi.csv", csv);
            folder.write("run/nccl.log", log);
            const TraceModelPtr model = folder.load("run");
            QVERIFY(model && model->hardware && model->network);
            const HardwareView view = hardwareViewOf(*model);
            QCOMPARE(view.units.size(), std::size_t{TwoNodes::ranks});
            for (int rank = 0; rank < TwoNodes::ranks; ++rank) {
                const HardwareUnit* const unit = view.unitOfRank(rank);
                QCOMPARE(unit != nullptr, stateHosts);
                if (unit)
                    QCOMPARE(unit->host, nodes.hosts[static_cast<std::size_t>(TwoNodes::nodeOf(rank))]);
            }
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNvlinkFaults)
#include "tst_nvlink_faults.moc"
