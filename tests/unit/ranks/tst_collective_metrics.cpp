// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Bandwidth, volume and times of collectives, worked out by hand.

#include "tests/support/runs/collective_run.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"

#include <sqlite3.h>

namespace collscope {

namespace {

constexpr const char* everyone = "[0, 1, 2, 3]";

CallText ofFour(const std::string& name, std::int64_t in, std::int64_t out)
{
    return {name, in, out, 4, "0", everyone};
}

std::string card(const std::string& hardware, const std::string& plan = "tp: 1")
{
    return "workload:\n  model:\n    phase: training\n  hardware:\n    network_topo:\n      bandwidth_gbps: "
           "[200, 2400]\n    xpu_spec:\n      model: unheard_of\n      "
        + hardware + "\nModel-executor:\n  model_plan_parallelization:\n    " + plan + "\n";
}

/// One call of each type on four ranks. The later a rank arrives, the shorter its kernel.
void addEachType(CollectiveRun& run)
{
    for (int rank = 0; rank < 4; ++rank) {
        const int late = 10 * rank;
        const auto call = [&](const std::string& kernel, int end, int shortest, const CallText& text) {
            run.call(rank, kernel, end - shortest - 30 + late, shortest + 30 - late, text);
        };
        call("AllGather", 1000, 100, ofFour("_allgather_base", 250'000, 1'000'000));
        call("AllReduce", 2000, 200, ofFour("allreduce", 1'000'000, 1'000'000));
        call("ReduceScatter", 4000, 1000, ofFour("_reduce_scatter_base", 4'000'000, 1'000'000));
        call("SendRecv", 5000, 50, ofFour("all_to_all", 500'000, 500'000));
    }
}

/// Five AllReduce calls that follow t = 2 (n - 1) (5 us + 1e-10 s/B x S / n), n = 4.
void addHockneyCalls(CollectiveRun& run, int calls, int lastSize)
{
    for (const int rank : {0, 1}) {
        run.step(rank, 0, 0, 10'000);
        for (int i = 0; i < calls; ++i) {
            const int size = std::min(i + 1, lastSize);
            run.call(rank, "AllReduce", 1000 * i, 30 + 60 * size,
                     ofFour("allreduce", 100'000 * size, 100'000 * size));
        }
    }
}

} // namespace

class TestCollectiveMetrics : public QObject
{
    Q_OBJECT

private slots:
    /// S / t x f with the shortest duration over the ranks; S is Out for AllGather, In for the others.
    void bandwidthByHand()
    {
        CollectiveRun run;
        addEachType(run);
        const TraceModelPtr model = run.load();
        const std::tuple<const char*, double, double> expected[] = {{"allgather", 30.0, 40.0},
                                                                    {"allreduce", 30.0, 20.0},
                                                                    {"reducescatter", 12.0, 16.0},
                                                                    {"alltoall", 30.0, 40.0}};
        for (const auto& [type, bus, algorithm] : expected) {
            const std::string id = std::string("bandwidth_utilization_") + type + "_group_6";
            const MetricResult result = metricOf(*model, id);
            QVERIFY2(areClose(result.value, bus), id.c_str());
            QVERIFY2(areClose(numberOf(result, {"algbw_median"}), algorithm), id.c_str());
            QCOMPARE(result.unit, std::string("GB/s"));
            QCOMPARE(result.rows.size(), std::size_t{4});
            QVERIFY(areClose(numberOf(result, {"per_group", "0 [0, 1, 2, 3]", "median"}), bus));
            QVERIFY(!mentions(result.warnings, "Includes wait"));
            QVERIFY(areClose(metricOf(*model, std::string("bandwidth_utilization_") + type).value, bus));
        }
    }
    /// Each type that has a bus factor, side by side; a reason is that of a type that was called.
    void bandwidthByType()
    {
        CollectiveRun run;
        addEachType(run);
        const TraceModelPtr model = run.load();
        const MetricResult result = metricOf(*model, "collective_bandwidth");
        QVERIFY(result.state == MetricState::Value && !result.value);
        QVERIFY(areClose(numberOf(result, {"types", "AllGather", "median"}), 30.0));
        QVERIFY(areClose(numberOf(result, {"types", "ReduceScatter", "mean"}), 12.0));
        QVERIFY(!detailOf(result.details, {"types", "Broadcast"}));
        QCOMPARE(result.tables.front().sheet.rows.size(), std::size_t{4});

        CollectiveRun unsized;
        for (const int rank : {0, 1})
            unsized.call(rank, "AllGather", 0, 100, CallText{});
        const MetricResult none = metricOf(*unsized.load(), "collective_bandwidth");
        QVERIFY(none.state == MetricState::NotApplicable);
        QVERIFY2(none.reason.find("AllGather") != std::string::npos, none.reason.c_str());
    }
    void medianAndMean()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            for (int i = 0; i < 3; ++i)
                run.call(rank, "AllGather", i * 1000, 100 << i,
                         ofFour("_allgather_base", 250'000, 1'000'000));
        }
        const TraceModelPtr model = run.load();
        MetricOptions options;
        options.wantEvidence = true;
        const MetricResult median = metricOf(*model, "bandwidth_utilization_allgather_group_6", options);
        QVERIFY(areClose(median.value, 15.0)); // of 30, 15, 7.5
        QVERIFY(areClose(numberOf(median, {"min"}), 7.5));
        QVERIFY(areClose(numberOf(median, {"max"}), 30.0));
        QCOMPARE(median.evidence.size(), std::size_t{6});
        QVERIFY(areClose(metricOf(*model, "avg_allgather_bandwidth_group_2").value, 17.5));
    }
    /// With one rank its own duration is all there is: said, not hidden.
    void oneRankIncludesTheWait()
    {
        CollectiveRun run;
        run.call(2, "AllReduce", 0, 400, ofFour("allreduce", 1'000'000, 1'000'000));
        const MetricResult result = metricOf(*run.load(), "bandwidth_utilization_allreduce_group_6");
        QVERIFY(areClose(result.value, 15.0));
        QVERIFY(mentions(result.warnings, "Includes wait"));
        const Value* const flag = detailOf(result.details, {"includes_wait"});
        QVERIFY(flag && flag->as<bool>() && *flag->as<bool>());
    }
    void utilizationNeedsAPeak()
    {
        CollectiveRun run;
        addEachType(run);
        const MetricResult unknown = metricOf(*run.load(), "bandwidth_utilization");
        QVERIFY(unknown.state == MetricState::NotApplicable);
        QVERIFY(unknown.reason.find("Peak unknown") != std::string::npos);

        run.file("workload_card.yaml", card("count_per_node: 4"));
        const MetricResult inside = metricOf(*run.load(), "bandwidth_utilization");
        QVERIFY(areClose(inside.value, 30.0 / 300.0)); // 2400 Gbit/s
        run.file("workload_card.yaml", card("count_per_node: 2"));
        const MetricResult between = metricOf(*run.load(), "bandwidth_utilization_group_1");
        QVERIFY(areClose(between.value, 30.0 / 25.0)); // 200 Gbit/s
        QVERIFY(areClose(
            numberOf(metricOf(*run.load(), "avg_allreduce_bandwidth"), {"allreduce_utilization_pct"}),
            120.0));
    }
    void bandwidthThatCannotBeSaysWhy()
    {
        CollectiveRun run;
        run.call(0, "AllReduce", 0, 10);
        run.call(0, "AllGather", 100, 10, {"_allgather_base", 8, 8, 1, "0", "[0]"});
        run.call(0, "ReduceScatter", 200, 10, {"_reduce_scatter_base", 8, 8, 2, "0", "[0, 1]", -1, "Odd4"});
        const TraceModelPtr model = run.load();
        const std::pair<const char*, const char*> expected[] = {{"allreduce", "no message sizes"},
                                                                {"allgather", "groups of one rank"},
                                                                {"reducescatter", "element type Odd4"},
                                                                {"alltoall", "No AllToAll call"}};
        for (const auto& [type, words] : expected) {
            const MetricResult result
                = metricOf(*model, std::string("bandwidth_utilization_") + type + "_group_6");
            QVERIFY(result.state == MetricState::NotApplicable);
            QVERIFY2(result.reason.find(words) != std::string::npos, result.reason.c_str());
        }
    }
    /// Calls before, between and after the steps do not count; the mean is over the steps of the window.
    void volumePerInnerStep()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            for (int step = 0; step < 4; ++step) {
                run.step(rank, step, 1000 + step * 1100, 1000); // 100 us between two steps
                run.call(rank, "AllReduce", 1000 + step * 1100 + 10, 50,
                         ofFour("allreduce", 1'000'000 * (step + 1), 1'000'000));
                run.call(rank, "AllReduce", 1000 + step * 1100 + 1050, 10, ofFour("allreduce", 999, 999));
            }
            run.call(rank, "AllGather", 2200, 100, ofFour("_allgather_base", 500, 2000 * (rank + 1)), 21);
        }
        const TraceModelPtr model = run.load();
        const MetricResult reduce = metricOf(*model, "collective_vol_allreduce_gb");
        QVERIFY(areClose(reduce.value, (8e6 + 12e6) / 2 / 1e9));
        QVERIFY(areClose(numberOf(reduce, {"wire_gb"}), (8e6 + 12e6) / 2 / 1e9 * 1.5));
        QCOMPARE(reduce.rows.size(), std::size_t{6}); // 2 ranks, and 2 steps of each
        QCOMPARE(reduce.window, std::string("inner steps"));
        // Rank 0 gathers 8000 bytes, rank 1 16000, in one of two steps.
        const MetricResult gather = metricOf(*model, "collective_vol_allgather_gb");
        QVERIFY(areClose(gather.value, 6000 / 1e9));
        QVERIFY(areClose(metricOf(*model, "collective_vol_total_gb").value, (1e7 + 6000) / 1e9));
        const MetricResult none = metricOf(*model, "collective_vol_alltoall_gb");
        QCOMPARE(none.value.value_or(-1), 0.0);
        QVERIFY(mentions(none.warnings, "No AllToAll call"));
        const MetricResult volume = metricOf(*model, "comm_volume_16");
        QVERIFY(areClose(numberOf(volume, {"bytes_per_step"}), 1e7 + 6000));
        QVERIFY(areClose(numberOf(volume, {"num_steps"}), 2));
        QVERIFY(areClose(metricOf(*model, "communication_frequency").value, 1.5));
        QVERIFY(areClose(metricOf(*model, "coll_call_num").value, 1.5));
        QVERIFY(areClose(numberOf(metricOf(*model, "coll_call_num"), {"calls_per_step", "1"}), 2));
    }
    /// 0 bytes only where nothing was sent, never where nobody knows.
    void unknownSizesAreNotZero()
    {
        CollectiveRun run;
        for (const int rank : {0, 1})
            run.call(rank, "AllReduce", 0, 10);
        const TraceModelPtr unknown = run.load();
        for (const char* id :
             {"collective_vol_allreduce_gb", "collective_vol_alltoall_gb", "collective_vol_total_gb",
              "communication_volume", "communication_efficiency"}) {
            const MetricResult result = metricOf(*unknown, id);
            QVERIFY2(result.state == MetricState::NotApplicable, id);
            QVERIFY2(result.reason.find("no message sizes") != std::string::npos, id);
        }
        const MetricResult all = metricOf(*unknown, "communication");
        QVERIFY(all.state == MetricState::Value && !all.value);
        const Value* const bytes = detailOf(all.details, {"breakdown", "AllReduce", "bytes"});
        QVERIFY(bytes && std::holds_alternative<std::nullptr_t>(bytes->data()));

        for (const int rank : {0, 1})
            run.call(rank, "AllReduce", 20, 10, ofFour("allreduce", 1000, 1000));
        const MetricResult partly = metricOf(*run.load(), "collective_vol_allreduce_gb");
        QVERIFY(areClose(partly.value, 4000 / 1e9));
        QVERIFY(mentions(partly.warnings, "2 of 4 AllReduce kernels have no message size"));
    }
    /// Times are clipped to the step and united per type; bytes and calls belong where the call starts.
    void breakdownUnitesAndClips()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            run.step(rank, 0, 0, 100);
            run.call(rank, "AllReduce", 10, 50, ofFour("allreduce", 1000, 1000));
            run.call(rank, "AllReduce", 40, 50, ofFour("allreduce", 1000, 1000), 21);
            run.call(rank, "AllGather", 90, 60, ofFour("_allgather_base", 250, 1000));
        }
        const TraceModelPtr model = run.load();
        const MetricResult result = metricOf(*model, "communication_breakdown");
        QVERIFY(!result.value && result.state == MetricState::Value);
        QVERIFY(areClose(numberOf(result, {"communication_ms"}), 0.09));
        QVERIFY(areClose(numberOf(result, {"types", "AllReduce", "time_ms"}), 0.08));
        QVERIFY(areClose(numberOf(result, {"types", "AllReduce", "sum_ms"}), 0.1));
        QVERIFY(areClose(numberOf(result, {"types", "AllReduce", "count"}), 2));
        QVERIFY(areClose(numberOf(result, {"types", "AllReduce", "bytes"}), 8000));
        QVERIFY(areClose(numberOf(result, {"types", "AllReduce", "wire_bytes"}), 12000));
        QVERIFY(areClose(numberOf(result, {"types", "AllGather", "time_ms"}), 0.01));
        QVERIFY(areClose(numberOf(result, {"types", "AllGather", "share_percent"}), 100.0 / 11));
        QVERIFY(areClose(metricOf(*model, "communication_efficiency").value, 12000.0 / 90000));
        const MetricResult all = metricOf(*model, "communication");
        for (const char* key : {"volume", "time", "frequency", "breakdown", "efficiency"})
            QVERIFY2(detailOf(all.details, {key}), key);
        QVERIFY(areClose(numberOf(all, {"efficiency", "gb_per_s"}), 12000.0 / 90000));
        QVERIFY(areClose(numberOf(all, {"time", "ms_by_type", "AllGather"}), 0.01));
    }
    void hockneyFindsTheLine()
    {
        CollectiveRun run;
        addHockneyCalls(run, 5, 5);
        const TraceModelPtr model = run.load();
        QVERIFY(areClose(metricOf(*model, "hockney_alpha_s").value, 5e-6));
        QVERIFY(areClose(metricOf(*model, "hockney_beta_s_per_byte").value, 1e-10));
        const MetricResult bandwidth = metricOf(*model, "hockney_inverse_beta_Bps");
        QVERIFY(areClose(bandwidth.value, 1e10));
        QVERIFY(areClose(numberOf(bandwidth, {"r_squared"}), 1.0));
        const MetricResult together = metricOf(*model, "hockney_model"); // the three figures, and no value
        QVERIFY(together.state == MetricState::Value && !together.value);
        QVERIFY(areClose(numberOf(together, {"alpha_s"}), 5e-6));
        QVERIFY(areClose(numberOf(together, {"inverse_beta_bps"}), 1e10));
        // Five calls inside a node (assumed), nothing hidden: what is not latency is halved, 450 of 10000 us.
        QVERIFY(areClose(metricOf(*model, "scale_up_bw_utility").value, 4.5));
    }
    void hockneyNeedsFiveCallsOfTwoSizes()
    {
        const std::tuple<int, int, const char*> expected[]
            = {{4, 4, "has 4 of 4 sizes"}, {6, 1, "has 6 of 1 size."}};
        for (const auto& [calls, sizes, words] : expected) {
            CollectiveRun run;
            addHockneyCalls(run, calls, sizes);
            const MetricResult result = metricOf(*run.load(), "hockney_beta_s_per_byte");
            QVERIFY(result.state == MetricState::NotApplicable);
            QVERIFY2(result.reason.find(words) != std::string::npos, result.reason.c_str());
        }
    }
    /// Rank 0 waits 200 us in the AllReduce and hides half of it; rank 1 arrives last and hides nothing.
    void doubledLinksByHand()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            run.step(rank, 0, 0, 1000);
            run.compute(rank, 0, 300);
        }
        const CallText text{"allreduce", 1000, 1000, 2, "0", "[0, 1]"};
        run.call(0, "AllReduce", 100, 400, text);
        run.call(1, "AllReduce", 300, 200, text);
        const MetricResult result = metricOf(*run.load(), "scale_up_bw_utility");
        QVERIFY(areClose(result.value, 15.0)); // 200 and 100 of 1000 us
        QVERIFY(areClose(result.rows.at(0).value, 20.0));
        QVERIFY(areClose(result.rows.at(1).value, 10.0));
        QVERIFY(
            areClose(numberOf(result, {"without_waiting_pct"}), 10.0)); // half of the 200 us transfer on both
        QVERIFY(mentions(result.warnings, "assumed to be on one node"));

        run.file("workload_card.yaml", card("count_per_node: 1"));
        const MetricResult apart = metricOf(*run.load(), "scale_up_bw_utility");
        QCOMPARE(apart.value.value_or(-1), 0.0);
        QVERIFY(mentions(apart.warnings, "between nodes"));

        CollectiveRun alone;
        alone.call(0, "AllReduce", 0, 10, text);
        QVERIFY(metricOf(*alone.load(), "scale_up_bw_utility").state == MetricState::NotApplicable);
    }
    /// Counter samples in the time of the kernels that the forward pass launched, zeros left out.
    void peerToPeerReadsTheCounterInForwardPasses()
    {
        const CollectiveRun run;
        sqlite3* database = nullptr;
        QCOMPARE(sqlite3_open((run.folder() + "/nsys_0.sqlite").c_str(), &database), SQLITE_OK);
        const int made = sqlite3_exec(database, R"sql(
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (1,'gemm'),(2,'cudaLaunchKernel');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
  correlationId INTEGER, globalPid INTEGER, shortName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER,
  blockX INTEGER, blockY INTEGER, blockZ INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (2000,3000,0,7,11,100<<24,1,1,1,1,1,1,1), (5000,6000,0,7,12,100<<24,1,1,1,1,1,1,1);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, globalTid INTEGER, correlationId INTEGER, nameId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100,150,(100<<24)|100,11,2), (1500,1550,(100<<24)|100,12,2);
CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, textId INTEGER);
INSERT INTO NVTX_EVENTS VALUES (0,1000,59,'model.model forward',(100<<24)|100,NULL);
CREATE TABLE GPU_METRICS(timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
INSERT INTO GPU_METRICS VALUES (2100,256,4,40), (2500,256,4,0), (2900,256,4,60), (5500,256,4,99), (2200,256,5,7);
CREATE TABLE TARGET_INFO_GPU_METRICS(typeId INTEGER, metricId INTEGER, metricName TEXT);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES (256,4,'NVLink TX Responses User Data [Throughput %]'), (256,5,'PCIe TX Throughput [Throughput %]');
)sql",
                                      nullptr, nullptr, nullptr);
        sqlite3_close(database);
        QCOMPARE(made, SQLITE_OK);
        const char* const id = "bandwidth_utilization_peertopeer_group_6";
        const auto load = [&] { return loadPath(run.folder()).value(); };
        QVERIFY(metricOf(*load(), id).state == MetricState::MissingInput); // nobody says pp
        run.file("workload_card.yaml", card("count_per_node: 1", "pp: 1"));
        QVERIFY(metricOf(*load(), id).state == MetricState::NotApplicable);
        run.file("workload_card.yaml", card("count_per_node: 1", "pp: 2"));
        const MetricResult result = metricOf(*load(), id);
        QVERIFY2(areClose(result.value, 50.0), result.reason.c_str());
        QCOMPARE(result.unit, std::string("%"));
        QVERIFY(areClose(numberOf(result, {"samples"}), 2));
        QVERIFY(areClose(numberOf(result, {"zero_samples"}), 1));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCollectiveMetrics)

#include "tst_collective_metrics.moc"
