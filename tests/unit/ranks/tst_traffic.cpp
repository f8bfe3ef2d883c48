// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What communication is for, and the time between kinds of it.

#include "metrics/calls/parallelism_kind.h"
#include "model/text/rank_lists.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>

namespace collscope {

namespace {

MetricOptions withEvidence()
{
    MetricOptions options;
    options.wantEvidence = true;
    return options;
}

/// 100 floats = 400 bytes, of one purpose by the description of its group.
SmallCall described(const std::string& description, int elements = 100)
{
    return {"allreduce", description, "[0, 1]", 2, elements, elements, description};
}

/// A call without a description, and a run with one call of it in one step.
SmallCall undescribed(const std::string& ranks, int size, const std::string& name = "allreduce")
{
    return {name, "9", ranks, size, 100, 100};
}

std::string onlyParallelismKind(const SmallRun& run)
{
    const TraceModelPtr model = run.load();
    const MetricResult result = model ? measured(*model, "traffic_distribution") : MetricResult();
    const Value* const largest = detailOf(result, {"largest"});
    const Value* const mode = detailOf(result, {"mode"});
    if (!largest || !mode)
        return "no value: " + result.reason;
    return *largest->as<std::string>() + " by " + mode->as<Value::Object>()->front().first;
}

Mesh mesh3d()
{
    Mesh mesh;
    mesh.isKnown = true;
    mesh.tp = 2;
    mesh.cp = 2;
    mesh.dpShard = 4;
    mesh.dpReplicate = 2;
    mesh.pp = 2;
    return mesh;
}

} // namespace

class TestTraffic : public QObject
{
    Q_OBJECT

private slots:
    void purposeOfADescription_data()
    {
        QTest::addColumn<QString>("description");
        QTest::addColumn<QString>("parallelismKind");
        const auto row = [](const char* description, const char* parallelismKind) {
            QTest::newRow(description)
                << QString::fromLatin1(description) << QString::fromLatin1(parallelismKind);
        };
        row("mesh_tp", "tp");
        row("mesh_dp_shard", "dp");
        row("mesh_dp_replicate", "dp");
        row("mesh_dp_shard_cp", "dp"); // FSDP shards over both
        row("mesh_dp_shard_mod_ep", "dp");
        row("mesh_dp_shard_in_ep", "ep");
        row("mesh_cp", "cp");
        row("mesh_pp", "pp");
        row("mesh_ep", "ep");
        row("fsdp", "dp");
        row("default_pg", "global");
        row("tp:0", "tp"); // vLLM
        row("world:0", "global");
        row("dp1", "dp");
        row("PIPELINE_MODEL_PARALLEL_GROUP", "pp"); // Megatron
        row("TENSOR_MODEL_PARALLEL_GROUP", "tp");
        row("DATA_PARALLEL_GROUP_WITH_CP", "dp");
        row("EXPERT_MODEL_PARALLEL_GROUP", "ep");
        row("http_step", "unknown"); // "tp" and "ep" only inside of words
        row("undefined", "unknown");
        row("", "unknown");
    }
    void purposeOfADescription()
    {
        QFETCH(QString, description);
        QFETCH(QString, parallelismKind);
        QCOMPARE(QString::fromLatin1(
                     parallelismKindName(parallelismOfDescription(description.toStdString())).data()),
                 parallelismKind);
    }
    void purposeOfRanksInTheMesh_data()
    {
        QTest::addColumn<QString>("ranks");
        QTest::addColumn<QString>("parallelismKind");
        const auto row = [](const char* ranks, const char* parallelismKind) {
            QTest::newRow(ranks) << QString::fromLatin1(ranks) << QString::fromLatin1(parallelismKind);
        };
        // 64 ranks, from slow to fast: pp 2, dp_replicate 2, dp_shard 4, cp 2, tp 2.
        row("[0, 1]", "tp");
        row("[6, 7]", "tp");
        row("[1, 2]", "unknown"); // two halves of different tensor groups
        row("[0, 2]", "cp");
        row("[1, 3]", "cp");
        row("[2, 4]", "unknown");
        row("[0, 4, 8, 12]", "dp"); // dp_shard
        row("[3, 7, 11, 15]", "dp");
        row("[0, 16]", "dp"); // dp_replicate
        row("[0, 4, 8, 12, 16, 20, 24, 28]", "dp"); // both
        row("[0, 2, 4, 6, 8, 10, 12, 14]", "dp"); // dp_shard_cp
        row("[0, 32]", "pp");
        row("[5, 37]", "pp");
        row("[0, 3]", "unknown");
        row("[0, 1, 2, ..., 63]", "unknown"); // abbreviated
        row("[5]", "unknown");
    }
    void purposeOfRanksInTheMesh()
    {
        QFETCH(QString, ranks);
        QFETCH(QString, parallelismKind);
        const std::vector<std::int32_t> list = parseRankList(ranks.toStdString());
        QCOMPARE(QString::fromLatin1(parallelismKindName(parallelismOfRanks(list, mesh3d())).data()),
                 parallelismKind);
        QVERIFY(parallelismOfRanks(list, Mesh()) == ParallelismKind::Unknown); // no mesh known
    }
    void theWholeWorldIsGlobal()
    {
        std::vector<std::int32_t> all(64);
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = static_cast<std::int32_t>(i);
        QVERIFY(parallelismOfRanks(all, mesh3d()) == ParallelismKind::Global);
    }
    void expertsTakeAPartOfDataParallelism()
    {
        Mesh mesh;
        mesh.isKnown = true;
        mesh.dpShard = 8;
        mesh.ep = 4;
        QVERIFY(parallelismOfRanks({4, 5, 6, 7}, mesh) == ParallelismKind::ExpertParallel);
        QVERIFY(parallelismOfRanks({0, 1, 2, 3, 4, 5, 6, 7}, mesh) == ParallelismKind::DataParallel);
        QVERIFY(mayBeExpertGroup({0, 1, 2, 3}, mesh));
        QVERIFY(!mayBeExpertGroup({2, 3, 4, 5}, mesh));
    }
    void theFirstRuleThatAppliesDecides()
    {
        const auto oneCall = [](const SmallCall& call, const char* parallelism,
                                const std::vector<std::string>& annotations) {
            SmallRun run(2);
            for (int rank = 0; rank < 2; ++rank) {
                run.step(rank, 1, 0, 1000);
                for (std::size_t i = 0; i < annotations.size(); ++i) // each inside the one before
                    run.annotation(rank, annotations[i], 100 + 10.0 * static_cast<double>(i),
                                   400 - 20.0 * static_cast<double>(i));
                run.call(rank, 600, 100, call, 20, 300);
            }
            run.parallelism(parallelism);
            if (call.ranks == "[0, 2]")
                run.leaveOut(1); // it is not in the group
            return onlyParallelismKind(run);
        };
        const char* const mesh = "dp_shard: 2\n    tp: 2\n    pp: 1";
        QCOMPARE(oneCall(described("mesh_pp"), mesh, {"FSDP::all_gather"}),
                 std::string("pp by group_description"));
        QCOMPARE(oneCall(undescribed("[0, 1]", 2), mesh, {"FSDP::all_gather"}), std::string("tp by mesh"));
        QCOMPARE(oneCall(undescribed("[0, 2]", 2), mesh, {"moe layer"}), std::string("dp by mesh"));
        QCOMPARE(oneCall(undescribed("", 2), mesh, {"FSDP::all_gather", "stepwise", "tp region"}),
                 std::string("tp by annotation")); // the innermost that names one
        QCOMPARE(oneCall(undescribed("", 2), "", {"FSDP::all_gather", "ProfilerStep", "http"}),
                 std::string("dp by annotation"));
        QCOMPARE(oneCall(undescribed("", 2), "cp: 2", {"layers"}), std::string("cp by single_dimension"));
        // The default group of a run with one kind of parallelism carries that kind's traffic.
        QCOMPARE(oneCall(described("default_pg"), "dp_shard: 2", {}), std::string("dp by single_dimension"));
        QCOMPARE(oneCall(described("default_pg"), mesh, {}), std::string("global by group_description"));
        QCOMPARE(oneCall(undescribed("", 2, "_reduce_scatter_base"), "", {}),
                 std::string("dp by collective_type"));
        QCOMPARE(oneCall(undescribed("", 2, "all_to_allv"), "", {}), std::string("ep by collective_type"));
        QCOMPARE(oneCall(undescribed("", 2, "send"), "", {}), std::string("pp by collective_type"));
        QCOMPARE(oneCall(undescribed("", 2), "", {}), std::string("unknown by none"));
    }
    void endedAnnotationsDoNotHideTheirParent()
    {
        SmallRun run(1);
        run.step(0, 1, 0, 10'000);
        run.annotation(0, "FSDP::pre_forward", 100, 9'000);
        for (int i = 0; i < 200; ++i)
            run.annotation(0, "moe", 110 + 20 * i, 10);
        run.call(0, 9'200, 100, undescribed("", 2), 20, 8'000);
        QCOMPARE(onlyParallelismKind(run), std::string("dp by annotation"));
    }
    void allToAllIsToldFromSendsByItsAnnotation()
    {
        SmallCall bare{"", "", "", 0, 0, 0};
        bare.kernel = "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t";
        for (const bool named : {true, false}) {
            SmallRun run(1);
            run.step(0, 1, 0, 1000);
            if (named)
                run.annotation(0, "nccl:all_to_all", 290, 40);
            run.call(0, 600, 100, bare, 20, 300);
            const MetricResult result = measured(*run.load(), "comm_breakdown");
            const double ms = numberIn(result, {"by_purpose", named ? "ep" : "pp", "time_ms"});
            COLLSCOPE_CLOSE(ms, 0.1);
            run.parallelism("dp_shard: 2\n    tp: 2\n    pp: 1");
            const MetricResult noStages = measured(*run.load(), "comm_breakdown");
            COLLSCOPE_CLOSE(numberIn(noStages, {"by_purpose", named ? "ep" : "unknown", "time_ms"}), 0.1);
        }
    }
    void aCallLaunchedBeforeTheTraceIsWhatTheOthersAre()
    {
        SmallCall bare{"", "", "", 0, 0, 0};
        bare.kernel = "ncclDevKernel_SendRecv";
        SmallRun run(1);
        run.step(0, 1, 0, 1000);
        run.call(0, 10, 100, bare);
        run.annotation(0, "nccl:all_to_all", 290, 40);
        run.call(0, 600, 100, bare, 20, 300);
        COLLSCOPE_CLOSE(numberIn(measured(*run.load(), "comm_breakdown"), {"by_purpose", "ep", "calls"}), 2);
        run.annotation(0, "nccl:send 0->1", 790, 40);
        const MetricResult mixed = measured(*run.load(), "comm_breakdown");
        COLLSCOPE_CLOSE(numberIn(mixed, {"by_purpose", "ep", "calls"}), 1);
        COLLSCOPE_CLOSE(numberIn(mixed, {"by_purpose", "pp", "calls"}), 1);
    }
    void sharesByHand()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            for (int step = 0; step < 4; ++step)
                run.step(rank, step, 1000 * step, 1000);
            // Step 0 does not count.
            run.call(rank, 500, 100, described("mesh_tp", 1'000'000));
            // Steps 1 and 2: tp 400 bytes; dp an all-gather with 800 bytes out, 400 in; both beside each
            // other.
            for (int step = 1; step < 3; ++step) {
                SmallCall gather = described("mesh_dp_shard");
                gather.name = "_allgather_base";
                gather.outElements = 200;
                gather.kernel = "ncclDevKernel_AllGather_RING_LL";
                run.call(rank, 1000 * step + 100, 200, described("mesh_tp"));
                run.call(rank, 1000 * step + 200, 200, gather, 21);
                run.call(rank, 1000 * step + 250, 250, gather, 22);
            }
            SmallCall unsized = described("mesh_pp", 0);
            run.call(rank, 1900, 200, unsized); // starts in step 1, ends in step 2
        }
        const TraceModelPtr model = run.load();
        const MetricResult result = measured(*model, "traffic_distribution", withEvidence());
        // Per rank and step: tp 400, dp 2 x 800.
        COLLSCOPE_CLOSE(result.value.value_or(-1), 80);
        QCOMPARE(result.reduction, std::string("pooled"));
        COLLSCOPE_CLOSE(numberIn(result, {"dp_bytes"}), 6400);
        COLLSCOPE_CLOSE(numberIn(result, {"tp_bytes"}), 1600);
        COLLSCOPE_CLOSE(numberIn(result, {"pp_bytes"}), 0);
        COLLSCOPE_CLOSE(numberIn(result, {"total_bytes"}), 8000);
        COLLSCOPE_CLOSE(numberIn(result, {"fractions", "tp"}), 0.2);
        COLLSCOPE_CLOSE(numberIn(result, {"total_comm_calls"}), 14);
        COLLSCOPE_CLOSE(numberIn(result, {"mode", "group_description"}), 14);
        COLLSCOPE_CLOSE(numberIn(result, {"by_purpose", "dp", "bytes_per_rank_step"}), 1600);
        COLLSCOPE_CLOSE(numberIn(result, {"by_purpose", "dp", "wire_bytes"}), 3200); // x 1/2
        COLLSCOPE_CLOSE(numberIn(result, {"by_type", "AllReduce", "wire_bytes"}), 1600); // x 1
        COLLSCOPE_CLOSE(numberIn(result, {"by_type", "AllGather", "share_percent"}), 80);
        // 200..400 and 250..500 are 300 us of time, 450 us of kernels.
        COLLSCOPE_CLOSE(numberIn(result, {"by_purpose", "dp", "time_ms"}), 4 * 0.3);
        COLLSCOPE_CLOSE(numberIn(result, {"by_purpose", "dp", "kernel_time_ms"}), 4 * 0.45);
        COLLSCOPE_CLOSE(numberIn(result, {"by_purpose", "pp", "calls_without_size"}), 2);
        QVERIFY(warns(result, "2 of 14 calls have no message size"));
        QCOMPARE(result.evidence.size(), std::size_t{12});
        QCOMPARE(result.rows.size(), std::size_t{6}); // two ranks, and two steps of each
        COLLSCOPE_CLOSE(result.rows.front().value, 80);

        // Sums per step and rank: tp 200, dp 450, pp 100 us (its 200 in one of two steps).
        const MetricResult split = measured(*model, "traffic_window_comm");
        COLLSCOPE_CLOSE(split.value.value_or(-1) * 1e6, 750);
        COLLSCOPE_CLOSE(numberIn(split, {"tp_s"}) * 1e6, 200);
        COLLSCOPE_CLOSE(numberIn(split, {"dp_s"}) * 1e6, 450);
        COLLSCOPE_CLOSE(numberIn(split, {"pp_s"}) * 1e6, 100);
        COLLSCOPE_CLOSE(numberIn(split, {"other_s"}) * 1e6, 0);
        const MetricResult breakdown = measured(*model, "comm_breakdown");
        QVERIFY(breakdown.state == MetricState::Value && !breakdown.value);
        COLLSCOPE_CLOSE(numberIn(breakdown, {"by_purpose", "dp", "time_ms"}), 0.3);
        // 100..500, and 1900..2100.
        COLLSCOPE_CLOSE(numberIn(breakdown, {"total", "time_ms"}), 0.4 + 0.1);
        COLLSCOPE_CLOSE(numberIn(breakdown, {"total", "kernel_time_ms"}), 0.75);
        COLLSCOPE_CLOSE(numberIn(breakdown, {"by_type", "AllGather", "calls"}), 2);
    }
    void sharesOfAPlannedRunAddUp()
    {
        const RunPlan plan = planRun(WorkloadDescription());
        const QTemporaryDir folder;
        writeRun(plan, folder.path().toStdString(), RunFiles());
        const auto model = loadPath(folder.path().toStdString());
        QVERIFY(model.has_value());
        double bytes = 0;
        double dp = 0;
        double calls = 0;
        for (const PlannedRank& rank : plan.ranks) {
            for (const PlannedActivity& activity : rank.activities) {
                if (!activity.collective || activity.step == 0 || activity.step == 3)
                    continue;
                const PlannedCollective& call = *activity.collective;
                const bool gather = call.name == "_allgather_base";
                const double size = static_cast<double>(gather ? call.outElements : call.inElements)
                    * (call.elementType == "Float" ? 4 : 2);
                bytes += size;
                dp += call.groupDescription == "mesh_dp_shard" ? size : 0;
                ++calls;
            }
        }
        const MetricResult result = measured(**model, "traffic_distribution_16");
        COLLSCOPE_CLOSE(result.value.value_or(-1), 100 * dp / bytes);
        COLLSCOPE_CLOSE(numberIn(result, {"total_bytes"}), bytes);
        COLLSCOPE_CLOSE(numberIn(result, {"total_comm_calls"}), calls);
        double fractions = 0;
        for (const char* parallelismKind : {"dp", "tp", "pp", "ep", "cp", "global", "unknown"})
            fractions += numberIn(result, {"fractions", parallelismKind});
        COLLSCOPE_CLOSE(fractions, 1);
    }
    void withoutSizesThereAreNoShares()
    {
        SmallRun run(1);
        run.step(0, 1, 0, 1000);
        run.call(0, 100, 50, described("mesh_tp", 0));
        const TraceModelPtr model = run.load();
        const MetricResult result = measured(*model, "traffic_distribution");
        QVERIFY(result.state == MetricState::NotApplicable && !result.value);
        QVERIFY2(result.reason.find("message size") != std::string::npos, result.reason.c_str());
        COLLSCOPE_CLOSE(measured(*model, "traffic_window_comm").value.value_or(-1), 50e-6);
    }
    void withoutCallsThereIsNoTraffic()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 1000);
            run.kernel(rank, 100, 50);
        }
        const TraceModelPtr model = run.load();
        for (const char* name : {"traffic_distribution", "traffic_window", "traffic_window_comm",
                                 "traffic_interval", "comm_breakdown"}) {
            const MetricResult result = measured(*model, name);
            QVERIFY2(result.state == MetricState::MissingInput && !result.value, name);
            QVERIFY2(result.reason.find("none of the 2 kernels of this run is recognised as communication")
                         != std::string::npos,
                     result.reason.c_str());
        }
    }
    void windowsByHand()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank)
            run.step(rank, 1, 0, 2000);
        // Rank 0: tp 100..300 (two calls), dp 350..500, tp 480..600 (overlaps), dp 700..800.
        run.call(0, 100, 50, described("mesh_tp"));
        run.call(0, 200, 100, described("mesh_tp"));
        run.call(0, 350, 150, described("mesh_dp_shard"), 21);
        run.call(0, 480, 120, described("mesh_tp"));
        run.call(0, 700, 100, described("mesh_dp_replicate"), 21); // data parallelism as well
        // Rank 1: a long tp call that ends after the next one of its phase; dp 30 us after it.
        run.call(1, 100, 400, described("mesh_tp"));
        run.call(1, 150, 50, described("mesh_tp"), 22);
        run.call(1, 530, 70, described("mesh_dp_shard"), 21);
        const TraceModelPtr model = run.load();
        const MetricResult result = measured(*model, "phase_windows", withEvidence());
        COLLSCOPE_CLOSE(result.value.value_or(-1), (0.05 + 0.1 + 0.03) / 3);
        QCOMPARE(result.window, std::string("inner steps"));
        QCOMPARE(result.reduction, std::string("pooled"));
        COLLSCOPE_CLOSE(numberIn(result, {"windows"}), 4);
        COLLSCOPE_CLOSE(numberIn(result, {"transitions", "tp->dp", "count"}), 3);
        COLLSCOPE_CLOSE(numberIn(result, {"transitions", "tp->dp", "p50_ms"}), 0.05);
        COLLSCOPE_CLOSE(numberIn(result, {"transitions", "tp->dp", "max_ms"}), 0.1);
        COLLSCOPE_CLOSE(numberIn(result, {"transitions", "tp->dp", "p95_ms"}), 0.05 + 0.9 * 0.05);
        COLLSCOPE_CLOSE(numberIn(result, {"transitions", "dp->tp", "mean_ms"}), -0.02);
        COLLSCOPE_CLOSE(numberIn(result, {"transitions", "dp->tp", "negative"}), 1);
        COLLSCOPE_CLOSE(numberIn(result, {"transitions", "dp->tp", "positive"}), 0);
        COLLSCOPE_CLOSE(numberIn(result, {"phases", "tp"}), 3);
        COLLSCOPE_CLOSE(result.rows.at(0).value, 0.075);
        COLLSCOPE_CLOSE(result.rows.at(1).value, 0.03);
        QCOMPARE(result.evidenceRanges.size(), std::size_t{3});
        QCOMPARE(result.evidence.size(), std::size_t{8});
        // The two steps' windows pooled with one rank alone.
        MetricOptions options;
        options.rank = 1;
        const MetricResult single = measured(*model, "traffic_window", options);
        COLLSCOPE_CLOSE(single.value.value_or(-1), 0.03);
        QCOMPARE(single.reduction, std::string("one rank"));
    }
    void windowsNeedTwoPurposesAndAGap()
    {
        SmallRun one(1);
        one.step(0, 1, 0, 1000);
        one.call(0, 100, 50, described("mesh_tp"));
        one.call(0, 300, 50, described("mesh_tp"));
        const MetricResult same = measured(*one.load(), "traffic_window");
        QVERIFY(same.state == MetricState::NotApplicable);
        QVERIFY2(same.reason.find("one purpose") != std::string::npos, same.reason.c_str());
        one.call(0, 320, 100, described("mesh_dp_shard"), 21);
        const MetricResult overlapping = measured(*one.load(), "traffic_window");
        QVERIFY(overlapping.state == MetricState::NotApplicable && !overlapping.value);
        COLLSCOPE_CLOSE(numberIn(overlapping, {"transitions", "tp->dp", "negative"}), 1);
    }
    void intervalsByHand()
    {
        SmallRun run(1);
        run.step(0, 1, 0, 1000);
        run.step(0, 2, 1000, 1000);
        SmallCall gather = described("mesh_dp_shard");
        gather.name = "_allgather_base";
        gather.kernel = "ncclDevKernel_AllGather_RING_LL";
        run.call(0, 100, 50, described("mesh_tp"));
        run.call(0, 160, 20, gather); // another type in between
        run.call(0, 200, 50, described("mesh_tp")); // 50 us after the first
        run.call(0, 210, 50, described("mesh_tp"), 21); // another stream
        run.call(0, 400, 50, described("mesh_tp")); // 150 us after
        run.call(0, 1100, 50, described("mesh_tp")); // in the next step
        const TraceModelPtr model = run.load();
        const MetricResult result = measured(*model, "traffic_interval");
        COLLSCOPE_CLOSE(result.value.value_or(-1), 0.1);
        COLLSCOPE_CLOSE(numberIn(result, {"count"}), 2);
        COLLSCOPE_CLOSE(numberIn(result, {"by_type", "AllReduce", "interval", "min_ms"}), 0.05);
        COLLSCOPE_CLOSE(numberIn(result, {"by_type", "AllReduce", "duration", "count"}), 5);
        COLLSCOPE_CLOSE(numberIn(result, {"by_type", "AllGather", "duration", "mean_ms"}), 0.02);
        QVERIFY(!detailOf(result, {"by_type", "AllGather", "interval"}));
        MetricOptions second;
        second.steps = {StepChoice::Mode::Range, 2, 2};
        const MetricResult none = measured(*model, "traffic_interval", second);
        QVERIFY(none.state == MetricState::NotApplicable && !none.value);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestTraffic)
#include "tst_traffic.moc"
