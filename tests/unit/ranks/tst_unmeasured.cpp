// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a file does not say is not 0, and not a fact: sizes of runs and messages, kinds of kernels, copies,
// pipelines, steps. Each plant is told in numbers here, and a plant that does say it stands beside it.

#include "metrics/export/text_report.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/json_text.h"
#include "tests/support/texts/kineto_text.h"

namespace collscope {

namespace {

constexpr const char* sendRecv = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)";

bool says(const std::vector<std::string>& sentences, std::string_view what)
{
    return std::any_of(sentences.begin(), sentences.end(),
                       [&](const std::string& sentence) { return sentence.find(what) != std::string::npos; });
}

/// Four ranks, two groups of two, three steps of 1 ms: who opens it sees no more than pairs.
SmallRun pairs(std::int64_t elements = 0)
{
    SmallRun run(4);
    for (int rank = 0; rank < 4; ++rank) {
        for (int step = 0; step < 3; ++step) {
            run.step(rank, step, step * 1000.0, 1000);
            run.kernel(rank, step * 1000.0 + 100, 300);
            SmallCall call;
            call.group = rank < 2 ? "1" : "2";
            call.ranks = rank < 2 ? "[0, 1]" : "[2, 3]";
            call.groupSize = 2;
            call.sequence = step + 1;
            call.inElements = call.outElements = elements;
            run.call(rank, step * 1000.0 + 500, 100, call);
        }
    }
    return run;
}

std::string reportOf(const TraceModel& model)
{
    Analysis analysis(model, {});
    return textReport(analysis);
}

/// The line of a report that begins with a label.
std::string lineOf(const std::string& report, const std::string& label)
{
    const std::size_t at = report.find(label);
    return at == std::string::npos ? std::string() : report.substr(at, report.find('\n', at) - at);
}

/// Steps of 1 ms with 300 us of each kernel.
SmallRun kernelsNamed(const std::vector<std::string>& names)
{
    SmallRun run(1);
    for (int step = 0; step < 3; ++step) {
        run.step(0, step, step * 1000.0, 1000);
        for (std::size_t i = 0; i < names.size(); ++i)
            run.kernel(0, step * 1000.0 + 300.0 * static_cast<double>(i), 300, 7, names[i]);
    }
    return run;
}

/// One rank with a step of 1 ms: a GEMM and a SendRecv kernel that the CPU launches inside `annotation`.
KinetoText exchange(const char* annotation)
{
    KinetoText trace(0, 2);
    trace.annotation("ProfilerStep#1", 1, 0, 1000);
    trace.kernel("gemm", 7, 200, 250, trace.launch(1, 5));
    if (annotation)
        trace.annotation(annotation, 1, 30, 10);
    trace.kernel(sendRecv, 20, 500, 100, trace.launch(1, 32));
    return trace;
}

/// A file as StragglerAnalysis publishes them: two stages, four steps, nothing but their passes.
TraceModelPtr stagesInOneFile()
{
    std::string events = "{'ph':'M','name':'process_name','pid':0,'args':{'name':'DP rank [0]'}}";
    for (int stage = 0; stage < 2; ++stage) {
        const std::string thread = std::to_string(stage);
        events += ",{'ph':'M','name':'thread_name','pid':0,'tid':" + thread + ",'args':{'name':'PP rank "
            + thread + ", TP rank 0, compute'}}";
        for (int step = 0; step < 4; ++step)
            events += ",{'ph':'X','name':'forward-compute','cat':'forward-compute','pid':0,'tid':" + thread
                + ",'ts':" + std::to_string(step * 1000 + stage * 400)
                + ",'dur':300,'args':{'step':" + std::to_string(step) + "}}";
    }
    const RunFolder folder;
    return folder.writeAndLoad("stages.json", json("{'traceEvents':[" + events + "]}"));
}

} // namespace

class TestUnmeasured : public QObject
{
    Q_OBJECT

private slots:
    void aRunHasAtLeastTheRanksThatAreOpen()
    {
        SmallRun run = pairs();
        run.worldSize(0);
        const TraceModelPtr model = run.load();
        QCOMPARE(model->worldSize, std::optional(4));
        QVERIFY(model->isWorldSizeLeast);
        QCOMPARE(model->worldSizeSource, std::string("the number of ranks found"));
        const MetricResult metadata = measured(*model, "config_metadata");
        QVERIFY(says(metadata.inputs, "World size at least 4 (the number of ranks found)"));
        QVERIFY(warns(metadata, "The number of GPUs of the run is not stated"));
        const MetricResult score = measured(*model, "gpu_step_score");
        // 0.5 x 16 / 4 + 0.5 x 0.44 s / 1 ms
        COLLSCOPE_CLOSE(score.value.value_or(0), 2.0 + 220.0);
        QVERIFY(warns(score, "The number of GPUs of the run is not stated; it is at least 4"));
        const std::string gpus = lineOf(reportOf(*model), "GPUs");
        QVERIFY2(gpus.find("at least 4 (the number of ranks found)") != std::string::npos, gpus.c_str());
    }
    void whatIsStatedIsNoGuess()
    {
        const TraceModelPtr model = pairs().load();
        QCOMPARE(model->worldSize, std::optional(4));
        QVERIFY(!model->isWorldSizeLeast);
        QVERIFY(says(measured(*model, "config_metadata").inputs, "World size 4 (distributedInfo"));
        QVERIFY(!warns(measured(*model, "gpu_step_score"), "is not stated"));
        SmallRun larger = pairs();
        larger.worldSize(64);
        QCOMPARE(larger.load()->worldSize, std::optional(64));
    }
    void membersAndNumbersOfRanksAreBounds()
    {
        SmallRun members(1);
        SmallCall call;
        call.ranks = "[0, 7]";
        call.groupSize = 2;
        members.worldSize(0);
        members.step(0, 1, 0, 100);
        members.call(0, 10, 5, call);
        QCOMPARE(members.load()->worldSize, std::optional(8));
        QCOMPARE(members.load()->worldSizeSource, std::string("the ranks listed by process groups"));
        SmallRun few = pairs();
        few.worldSize(0);
        few.leaveOut(0);
        few.leaveOut(1);
        const TraceModelPtr model = few.load(); // ranks 2 and 3
        QCOMPARE(model->worldSize, std::optional(4));
        QCOMPARE(model->worldSizeSource, std::string("the highest rank number"));
        // Every rank is in the default group.
        call.description = "default_pg";
        call.ranks = {};
        call.groupSize = 16;
        SmallRun whole(1);
        whole.worldSize(0);
        whole.call(0, 10, 5, call);
        QCOMPARE(whole.load()->worldSize, std::optional(16));
        QVERIFY(!whole.load()->isWorldSizeLeast);
        // One rank of some run, of which nothing is said.
        SmallRun alone(4);
        alone.worldSize(0);
        for (int rank = 0; rank < 3; ++rank)
            alone.leaveOut(rank);
        alone.kernel(3, 0, 10);
        QVERIFY(!alone.load()->worldSize);
    }
    void aCardThatCountsFewerIsNotBelieved()
    {
        const auto sizeBy = [](const std::string& card) {
            SmallRun run = pairs();
            run.worldSize(0);
            const RunFolder folder;
            run.write(folder.path("run"));
            folder.write("run/workload_card.yaml", card);
            return folder.load("run");
        };
        const std::string total = "workload:\n  hardware:\n    xpu_spec:\n      total_count: ";
        const TraceModelPtr fewer = sizeBy(total + "2\n");
        QCOMPARE(fewer->worldSize, std::optional(4));
        QVERIFY(fewer->isWorldSizeLeast);
        QVERIFY(fewer->worldSizeSource.find("total_count of the workload card states 2")
                != std::string::npos);
        const TraceModelPtr more = sizeBy(total + "16\n");
        QCOMPARE(more->worldSize, std::optional(16));
        QVERIFY(!more->isWorldSizeLeast);
        const std::string degrees = "workload:\n  model:\n    phase: training\nModel-executor:\n  "
                                    "model_plan_parallelization:\n    dp_shard: 8\n";
        const TraceModelPtr some = sizeBy(degrees);
        QCOMPARE(some->worldSize, std::optional(8));
        QVERIFY(some->isWorldSizeLeast); // tp and pp are left out
        QVERIFY(!sizeBy(degrees + "    tp: 1\n    pp: 1\n")->isWorldSizeLeast);
    }
    void utilisationIsOfTheRanksThatAreOpen()
    {
        SmallRun run = pairs();
        run.worldSize(0);
        const RunFolder folder;
        run.write(folder.path("run"));
        folder.write("run/workload_card.yaml",
                     "workload:\n  model:\n    phase: training\n    precision: bf16\n    model_arch:\n"
                     "      num_params: 1000000\n      num_params_embedding: 100000\n      num_layers: 2\n"
                     "      num_heads: 4\n      head_dim: 16\n  data:\n    batch_size: 8\n    seq_len: 64\n"
                     "  hardware:\n    xpu_spec:\n      type: GPU\n      model: nvidia_a100\n");
        const MetricResult mfu = measure(*folder.load("run"), "mfu");
        const double flopsPerToken = 6.0 * 900'000 + 12.0 * 2 * 4 * 16 * 64;
        COLLSCOPE_CLOSE(mfu.value.value_or(0), 100 * flopsPerToken * (8 * 64 / 1e-3) / (4 * 312e12));
        QVERIFY(says(mfu.inputs, "GPUs at least 4 (the number of ranks found)."));
        QVERIFY(warns(mfu, "The number of GPUs of the run is not stated"));
    }

    void messagesWithoutSizeAreNoZeroBytes()
    {
        const std::string unsized = reportOf(*pairs().load());
        QVERIFY2(unsized.find("0.000000") == std::string::npos
                     && unsized.find("0.000 GB/s") == std::string::npos,
                 unsized.c_str());
        for (const char* label : {"Total Traffic", "  Simple Bandwidth", "  Traffic"}) {
            const std::string line = lineOf(unsized, label);
            QVERIFY2(line.find("not available: no call in the trace has a message size") != std::string::npos,
                     line.c_str());
        }
        // One inner step, 4 ranks, 1000 elements of 4 bytes in 100 us.
        const std::string sized = reportOf(*pairs(1000).load());
        QVERIFY(lineOf(sized, "Total Traffic").find("0.000016 GB") != std::string::npos);
        QVERIFY(lineOf(sized, "  Simple Bandwidth").find("0.040 GB/s") != std::string::npos);
        QVERIFY(lineOf(sized, "  Traffic").find("0.000004 GB") != std::string::npos);
        QVERIFY(says(measured(*pairs().load(), "communication_breakdown").inputs,
                     "4 communication calls, none of which has a message size in the trace"));
        QVERIFY(says(measured(*pairs(1000).load(), "communication_breakdown").inputs, "S = 16000 bytes"));
    }

    void kernelsOfNoKnownKindAreNotNone()
    {
        const TraceModelPtr unknown = kernelsNamed({"my_custom_kernel"}).load();
        for (const char* id : {"memory_bound_fraction", "compute_bound_fraction", "moe_fraction"}) {
            const MetricResult result = measured(*unknown, id);
            QVERIFY2(result.state == MetricState::MissingInput && !result.value, id);
        }
        const MetricResult parts = measured(*unknown, "break_down_steps");
        QCOMPARE(numberIn(parts, {"OTHER"}), 100.0);
        for (const char* part : {"ATTN", "MOE_ROUTE", "MOE_EXPERT", "DENSE"})
            QVERIFY2(detailOf(parts, {part}) && std::isnan(numberIn(parts, {part})), part);
        QVERIFY(says(parts.inputs, "count in OTHER, whatever they do"));
        // Two of three kernels say what they are.
        const TraceModelPtr known = kernelsNamed({"gemm", "gemm", "my_custom_kernel"}).load();
        COLLSCOPE_CLOSE(measured(*known, "compute_bound_fraction").value.value_or(0), 200.0 / 3);
        QCOMPARE(measured(*known, "memory_bound_fraction").value, std::optional(0.0));
        QVERIFY(warns(measured(*known, "memory_bound_fraction"),
                      "names that do not indicate a class account for 0.3 ms of 0.9 ms"));
        QCOMPARE(numberIn(measured(*known, "break_down_steps"), {"ATTN"}), 0.0);
        QCOMPARE(measured(*known, "moe_fraction").value, std::optional(0.0));
    }

    void filesWithoutCopiesMeasureNone()
    {
        const TraceModelPtr stages = stagesInOneFile();
        QCOMPARE(stages->timelines.size(), std::size_t{2});
        for (const char* id : {"memory_transfer_overhead", "average_memory_bandwidth"})
            QCOMPARE(measured(*stages, id).state, MetricState::MissingInput);
        QCOMPARE(measured(*kernelsNamed({"gemm"}).load(), "memory_transfer_overhead").value,
                 std::optional(0.0));
    }

    void stepsThatAllRanksShareDoNotCompareThem()
    {
        const TraceModelPtr stages = stagesInOneFile();
        const MetricResult spread = measured(*stages, "iteration_time_std");
        QCOMPARE(spread.state, MetricState::NotApplicable);
        QCOMPARE(numberIn(spread, {"num_steps"}), 2.0);
        const MetricResult table = measured(*stages, "variability_metrics");
        QVERIFY(detailOf(table, {"straggler_score"})
                && std::isnan(numberIn(table, {"straggler_score", "mean_ms"})));
        QVERIFY(std::isnan(numberIn(table, {"throughput_dispersion", "std_steps_per_s"})));
        QVERIFY(warns(table, "marks its steps once for all of its ranks"));
    }
    void equalStepsScatterByNothing()
    {
        SmallRun run(3);
        for (int rank = 0; rank < 3; ++rank) {
            double begin = 0;
            // The same lengths in another order on each rank: sums of doubles would differ.
            for (int step = 0; step < 5; ++step) {
                const double lengths[] = {100.1, 200.3, 700.7};
                const double length = step == 0 || step == 4 ? 50 : lengths[(step + rank) % 3];
                run.step(rank, step, begin, length);
                run.kernel(rank, begin + 1, 10);
                begin += length;
            }
        }
        const MetricResult spread = measured(*run.load(), "iteration_time_std");
        QCOMPARE(spread.state, MetricState::Value);
        QCOMPARE(spread.value, std::optional(0.0));
    }

    void exchangesOfUnknownPurposeAreNoPipeline()
    {
        const MetricResult untold = measure(*exchange(nullptr).load(), "bubble_size_pipeline");
        QCOMPARE(untold.state, MetricState::MissingInput);
        QVERIFY2(untold.reason.find("1 Send/Recv kernel") != std::string::npos, untold.reason.c_str());
        const MetricResult share = measure(*exchange(nullptr).load(), "pipeline_efficiency");
        QCOMPARE(share.value, std::optional(0.25));
        QVERIFY(says(share.inputs, "No pipeline is known, and no source excludes one"));
        // Some exchanges are all-to-alls by their annotation: the others are no sends for that.
        KinetoText mixed = exchange("nccl:all_to_all");
        mixed.kernel(sendRecv, 20, 700, 100, mixed.launch(1, 60));
        QCOMPARE(measure(*mixed.load(), "bubble_size_pipeline").state, MetricState::NotApplicable);
    }
    void exchangesOfAPipelineAreItsOwn()
    {
        for (const char* annotation : {"nccl:send 0->1", "c10d::recv_", "nccl:isend"}) {
            const MetricResult told = measure(*exchange(annotation).load(), "bubble_size_pipeline");
            QCOMPARE(told.value, std::optional(0.75)); // all but the GEMM
            QVERIFY(warns(told, "Guess: ranks send to each other"));
        }
        KinetoText described = exchange(nullptr);
        described.card("workload:\n  model:\n    phase: training\nModel-executor:\n  "
                       "model_plan_parallelization:\n    pp: 2\n");
        const MetricResult byCard = measure(*described.load(), "bubble_size_pipeline");
        QCOMPARE(byCard.value, std::optional(0.75));
        QVERIFY(warns(byCard, "identified by name only"));
        QVERIFY(!warns(byCard, "Guess:"));
    }

    void communicationThatNobodyRecognisedIsNotNone()
    {
        SmallRun run(1);
        run.worldSize(0);
        for (int step = 0; step < 3; ++step) {
            run.step(0, step, step * 1000.0, 1000);
            run.kernel(0, step * 1000.0 + 10, 500);
            run.kernel(0, step * 1000.0 + 100, 300, 9, "my_ep::dispatch_kernel");
        }
        const TraceModelPtr model = run.load();
        for (const char* id : {"bubble_time", "comm_comp_overlap", "traffic_distribution", "traffic_window",
                               "traffic_interval", "traffic_window_comm", "comm_breakdown", "communication",
                               "communication_breakdown", "communication_efficiency",
                               "bandwidth_utilization_allreduce_group_6", "hockney_alpha_s"}) {
            const MetricResult result = measured(*model, id);
            QVERIFY2(result.reason.find("none of the 6 kernels of this run is recognised as communication")
                         != std::string::npos,
                     (std::string(id) + ": " + result.reason).c_str());
        }
        QVERIFY(reportOf(*model).find("No collective in the window") == std::string::npos);
        run.worldSize(1);
        const MetricResult alone = measured(*run.load(), "bubble_time");
        QCOMPARE(alone.state, MetricState::NotApplicable);
        QVERIFY(alone.reason.starts_with("No kernel recognised as communication ran in the window"));
    }

    void aFileIsNoStep()
    {
        const auto late = [](bool marksSteps) {
            SmallRun run(2);
            for (int rank = 0; rank < 2; ++rank) {
                run.cpu(rank, "main", 0, 100'000); // somebody recorded for long
                for (int i = 0; i < 10; ++i) {
                    if (marksSteps)
                        run.step(rank, i, i * 1000.0, 1000);
                    SmallCall call;
                    call.ranks = "[0, 1]";
                    call.groupSize = 2;
                    call.inElements = call.outElements = 64;
                    call.sequence = i + 1;
                    const double arrives = i * 1000.0 + (rank == 1 ? 500 : 100);
                    run.call(rank, arrives, i * 1000.0 + 600 - arrives, call);
                }
            }
            return run.load();
        };
        const MetricResult unmarked = measured(*late(false), "straggler");
        QCOMPARE(unmarked.state, MetricState::NotApplicable);
        QVERIFY(!unmarked.value && unmarked.rows.empty());
        QCOMPARE(numberIn(unmarked, {"imposed_wait_us", "1"}), 4000.0);
        QVERIFY(std::isnan(numberIn(unmarked, {"normalized_lag"})));
        QVERIFY(says(unmarked.inputs, "skews of 10 collectives add up to 4000 \u00b5s."));
        // Inner steps: 400 us of every 1000 us.
        COLLSCOPE_CLOSE(measured(*late(true), "straggler").value.value_or(0), 0.4);
        // Nor does a count of calls speak of steps.
        const MetricResult calls = measured(*late(false), "coll_call_num");
        QVERIFY(says(calls.inputs, "10 communication kernels start in the window (whole trace) of rank 0."));
        QVERIFY(std::isnan(numberIn(calls, {"steps"})));
        QVERIFY(says(measured(*late(false), "communication_volume").inputs,
                     "2 ranks in the window (whole trace)."));
        QVERIFY(says(measured(*late(true), "coll_call_num").inputs,
                     "8 communication kernels start in 8 steps of rank 0."));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestUnmeasured)
#include "tst_unmeasured.moc"
