// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Training phases and FSDP: by who launched a kernel. The truth of each trace is worked out beside it.

#include "metrics/analysis/launches.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

namespace collscope {

namespace {

constexpr int mainThread = 100;
constexpr int autogradThread = 200;

/// One step of 1000 us with a forward, a backward and an optimizer kernel and an all-reduce of each side:
/// forward gemm 100..200 and norm on a second stream 150..250 (union 150), forward all-reduce 250..300,
/// backward gemm 300..500 with an all-reduce 400..600 beside it (union 300), optimizer 700..760.
void trainingStep(KinetoText& trace, double start, int step)
{
    const auto at = [start](double us) { return start + us; };
    trace.annotation("ProfilerStep#" + std::to_string(step), mainThread, start, 1000);
    trace.cpuOp("aten::linear", mainThread, at(10), 10);
    trace.kernel("ampere_bf16_gemm", 7, at(100), 100, trace.launch(mainThread, at(12)));
    trace.kernel("layer_norm_kernel", 8, at(150), 100, trace.launch(mainThread, at(16)));
    trace.kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 9, at(250), 50,
                 trace.launch(mainThread, at(22)));
    trace.cpuOp("autograd::engine::evaluate_function: MmBackward0", autogradThread, at(40), 20);
    trace.kernel("ampere_bf16_gemm_nt", 7, at(300), 200, trace.launch(autogradThread, at(45)));
    trace.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 9, at(400), 200,
                 trace.launch(autogradThread, at(50)));
    trace.annotation("Optimizer.step#AdamW.step", mainThread, at(80), 20);
    trace.kernel("multi_tensor_apply_kernel<Adam>", 7, at(700), 60, trace.launch(mainThread, at(85)));
    // After the last backward and outside the optimizer: none of the phases.
    trace.kernel("zero_kernel", 7, at(800), 10, trace.launch(mainThread, at(120)));
}

double of(const MetricResult& result, std::string_view key)
{
    return numberOf(result, key);
}

} // namespace

class TestPhases : public QObject
{
    Q_OBJECT

private slots:
    void namesThatMark()
    {
        QCOMPARE(launchMarksOf("aten::mm"), 0u);
        QCOMPARE(launchMarksOf("autograd::engine::evaluate_function: MmBackward0"), unsigned{LaunchBackward});
        QCOMPARE(launchMarksOf("CudnnConvolutionBackward"), unsigned{LaunchBackward});
        QCOMPARE(launchMarksOf("MmBackward0, seq = 12, op_id = 99"), unsigned{LaunchBackward});
        QCOMPARE(launchMarksOf("aten::cudnn_convolution_backward"), 0u);
        QCOMPARE(launchMarksOf("RegisterPostBackwardFunction, seq = 45395"), 0u);
        QCOMPARE(launchMarksOf("Optimizer.step#AdamW.step"), unsigned{LaunchOptimizer});
        QCOMPARE(launchMarksOf("Optimizer.zero_grad#AdamW.zero_grad"), 0u);
        QCOMPARE(launchMarksOf("c10d::alltoall_base_"), unsigned{LaunchAllToAll});
        QCOMPARE(launchMarksOf("nccl:all_to_all, op_id = 4"), unsigned{LaunchAllToAll});
        QCOMPARE(launchMarksOf("FSDP::pre_forward (layers.3), op_id = 1"), LaunchFsdp | LaunchFsdpModule);
        QCOMPARE(launchMarksOf("FSDP::all_gather_copy_out"),
                 LaunchFsdp | LaunchFsdpModule | LaunchFsdpCopyOut);
        QCOMPARE(launchMarksOf("fsdp::chunk_cat"), LaunchFsdp | LaunchFsdpModule | LaunchFsdpCopyIn);
        QCOMPARE(launchMarksOf("aten::split_with_sizes_copy"), unsigned{LaunchFsdpCopyOut});
        QCOMPARE(launchMarksOf("FSDP::post_backward_reshard"),
                 LaunchFsdp | LaunchFsdpModule | LaunchFsdpReshard);
        // Around the module's own work as well: says only that FSDP is there.
        QCOMPARE(launchMarksOf("FullyShardedDataParallel.forward"), unsigned{LaunchFsdpModule});
        QCOMPARE(launchMarksOf("torch/utils/checkpoint.py(1111): unpack_hook"), unsigned{LaunchRecompute});
        QCOMPARE(launchMarksOf("my/model.py(3): SomethingBackward"), 0u);
    }
    void byLaunch()
    {
        KinetoText trace;
        for (int step = 0; step < 4; ++step)
            trainingStep(trace, 1000.0 * step, 7 + step);
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const MetricResult forward = measure(*model, "forward_time");
        QCOMPARE(forward.value.value_or(-1), 0.150);
        QCOMPARE(forward.window, std::string("inner steps"));
        QCOMPARE(forward.reduction, std::string("mean of ranks"));
        QCOMPARE(forward.rows.size(), std::size_t{3}); // the rank, and its two inner steps
        QCOMPARE(measure(*model, "backward_time").value.value_or(-1), 0.300);
        QCOMPARE(measure(*model, "optimizer_time").value.value_or(-1), 0.060);
        const MetricResult phases = measure(*model, "phase_breakdown");
        QVERIFY(phases.state == MetricState::Value && !phases.value);
        QCOMPARE(of(phases, "other_ms"), 0.060); // forward all-reduce 50 us and the zeroing 10 us
        QCOMPARE(of(phases, "phases_sum_ms"), 0.570);
        QCOMPARE(of(phases, "forward_percent"), 100.0 * 0.150 / 0.570);
        QCOMPARE(of(phases, "backward_percent_of_step"), 30.0);
        QCOMPARE(of(phases, "backward_communication_ms"), 0.200);
        QCOMPARE(textOf(phases, "method"), std::string("launch correlation"));
        QVERIFY(phases.warnings.empty());
    }
    void evidenceAreTheKernelsOfThePhase()
    {
        KinetoText trace;
        trainingStep(trace, 0, 1);
        const TraceModelPtr model = trace.load();
        MetricOptions options;
        options.wantEvidence = true;
        const MetricResult backward = evaluate(*model, *findMetric("backward_time"), options);
        QCOMPARE(backward.evidence.size(), std::size_t{2});
        for (const SliceRef slice : backward.evidence)
            QVERIFY(model->rangeOf(slice).lengthNs() == 200'000);
        QCOMPARE(backward.evidenceRanges.size(), std::size_t{1});
    }
    /// The forward pass of the second micro-batch is launched after the first backward pass.
    void microBatches()
    {
        KinetoText trace;
        trace.annotation("ProfilerStep#1", mainThread, 0, 1000);
        for (const double begin : {0.0, 400.0}) {
            trace.kernel("gemm", 7, begin + 100, 100, trace.launch(mainThread, begin + 10));
            trace.cpuOp("autograd::engine::evaluate_function: MmBackward0", autogradThread, begin + 40, 20);
            trace.kernel("gemm_nt", 7, begin + 200, 150, trace.launch(autogradThread, begin + 45));
        }
        const TraceModelPtr model = trace.load();
        QCOMPARE(measure(*model, "forward_time").value.value_or(-1), 0.200);
        QCOMPARE(measure(*model, "backward_time").value.value_or(-1), 0.300);
        const MetricResult optimizer = measure(*model, "optimizer_time");
        QCOMPARE(optimizer.state, MetricState::NotApplicable);
        QVERIFY(optimizer.reason.find("Optimizer.step#") != std::string::npos);
    }
    /// The engine runs a function on the calling thread too: that does not make it autograd's.
    void mainThreadStaysTheMainThread()
    {
        KinetoText trace;
        trace.cpuOp("aten::linear", mainThread, 0, 300);
        trace.kernel("gemm", 7, 400, 100, trace.launch(mainThread, 10));
        trace.cpuOp("autograd::engine::evaluate_function: MeanBackward0", mainThread, 310, 5);
        trace.cpuOp("autograd::engine::evaluate_function: MmBackward0", autogradThread, 320, 20);
        trace.kernel("gemm_nt", 7, 500, 50, trace.launch(autogradThread, 350)); // between two functions
        const TraceModelPtr model = trace.load();
        MetricOptions ranged; // nothing marks a step, so nothing could be told per step
        ranged.range = TimeRange{0, 1'000'000};
        QCOMPARE(measure(*model, "forward_time", ranged).value.value_or(-1), 0.100);
        QCOMPARE(measure(*model, "backward_time", ranged).value.value_or(-1), 0.050);
    }
    void withoutCorrelation_data()
    {
        QTest::addColumn<bool>("arrows");
        QTest::addColumn<double>("forward");
        QTest::addColumn<double>("backward");
        // Backward functions on the CPU 500..700; an arrow ends at 450: backward begins earlier.
        QTest::newRow("CPU windows") << false << 0.450 << 0.200;
        QTest::newRow("fwdbwd flow") << true << 0.400 << 0.250;
    }
    void withoutCorrelation()
    {
        QFETCH(bool, arrows);
        QFETCH(double, forward);
        QFETCH(double, backward);
        KinetoText trace;
        trace.annotation("ProfilerStep#1", mainThread, 0, 1000);
        trace.cpuOp("autograd::engine::evaluate_function: MmBackward0", autogradThread, 500, 200);
        trace.annotation("Optimizer.step#SGD.step", mainThread, 800, 100);
        trace.kernel("long_gemm", 7, 50, 900, 0);
        if (arrows)
            trace.arrow("fwdbwd", mainThread, 100, autogradThread, 450);
        const TraceModelPtr model = trace.load();
        const MetricResult phases = measure(*model, "training_phases");
        QCOMPARE(textOf(phases, "method"), std::string(QTest::currentDataTag()));
        QCOMPARE(of(phases, "forward_ms"), forward);
        QCOMPARE(of(phases, "backward_ms"), backward);
        QCOMPARE(of(phases, "optimizer_ms"), 0.100);
        QCOMPARE(of(phases, "other_ms"), 0.150); // 700..800 and 900..950
        QCOMPARE(phases.warnings.size(), std::size_t{1});
    }
    void withoutPhases()
    {
        KinetoText inference;
        inference.annotation("ProfilerStep#1", mainThread, 0, 1000);
        inference.kernel("gemm", 7, 100, 100, inference.launch(mainThread, 10));
        const TraceModelPtr model = inference.load();
        for (const char* id : {"forward_time", "backward_time", "optimizer_time", "training_phases"}) {
            const MetricResult result = measure(*model, id);
            QCOMPARE(result.state, MetricState::NotApplicable);
            QVERIFY(result.reason.ends_with('.'));
        }
        KinetoText cpuOnly;
        cpuOnly.annotation("ProfilerStep#1", mainThread, 0, 1000);
        cpuOnly.cpuOp("autograd::engine::evaluate_function: MmBackward0", autogradThread, 500, 200);
        const MetricResult nothing = measure(*cpuOnly.load(), "backward_time");
        QCOMPARE(nothing.state, MetricState::MissingInput); // not 0
        KinetoText serving;
        trainingStep(serving, 0, 1);
        serving.card("workload:\n  model:\n    phase: inference\n");
        QCOMPARE(measure(*serving.load(), "forward_time").state, MetricState::NotApplicable);
    }
    void unlinkedKernelsAreCounted()
    {
        KinetoText trace;
        trainingStep(trace, 0, 1);
        trace.kernel("stray", 7, 900, 30, 424'242);
        const MetricResult phases = measure(*trace.load(), "training_phases");
        QCOMPARE(of(phases, "other_ms"), 0.090);
        QCOMPARE(phases.warnings.size(), std::size_t{1});
        QVERIFY(phases.warnings.front().starts_with("1 of 8 kernels"));
    }
    void recomputedForward()
    {
        KinetoText trace;
        trainingStep(trace, 0, 1);
        trace.python("torch/utils/checkpoint.py(1111): unpack_hook", autogradThread, 46, 3);
        trace.kernel("recomputed_gemm", 10, 500, 40, trace.launch(autogradThread, 47));
        const MetricResult phases = measure(*trace.load(), "training_phases");
        QCOMPARE(of(phases, "recompute_kernel_ms"), 0.040);
    }

    /// Per step: compute 0..400 (Q'), all-gather 300..500 (half hidden), all-gather 100..200 (hidden),
    /// copy-out 500..530, reduce-scatter 350..450 (50 us hidden), copy-in 600..610; TP all-gather 700..800 is
    /// not FSDP's.
    static void fsdpStep(KinetoText& trace, bool named)
    {
        trace.annotation("ProfilerStep#1", mainThread, 0, 1000);
        trace.kernel("gemm", 7, 0.5, 399.5, trace.launch(mainThread, 0.1));
        if (named) {
            trace.annotation("FSDP::pre_forward (layers.0)", mainThread, 10, 20);
            trace.cpuOp("fsdp::all_gather_copy_in", mainThread, 11, 2);
            trace.annotation("FSDP::all_gather_copy_out", mainThread, 20, 5);
        }
        trace.collective("_allgather_base", "mesh_dp_shard", 20, 300, 200, trace.launch(mainThread, 15));
        trace.collective("_allgather_base", "mesh_dp_shard", 20, 100, 100, trace.launch(mainThread, 14));
        trace.collective("_allgather_base", "mesh_tp", 22, 700, 100, trace.launch(mainThread, 40));
        trace.collective("_reduce_scatter_base", "mesh_dp_shard", 21, 350, 100, trace.launch(mainThread, 50));
        trace.kernel("split_copy_kernel", 7, 500, 30, trace.launch(mainThread, 22));
        trace.kernel("cat_kernel", 7, 600, 10, trace.launch(mainThread, 12));
    }
    void fsdp()
    {
        KinetoText trace;
        fsdpStep(trace, true);
        const TraceModelPtr model = trace.load();
        // F = [100,200] + [300,530] + [600,610]; minus Q' = [0.5,400]: 400..530 and 600..610.
        QCOMPARE(measure(*model, "fsdp_overhead").value.value_or(-1), 0.140);
        // A = 300 us, exposed 400..500.
        QCOMPARE(measure(*model, "fsdp_prefetch_efficiency").value.value_or(-1), 1.0 - 100.0 / 300.0);
        QCOMPARE(measure(*model, "fsdp_communication_time").value.value_or(-1), 0.300);
        QCOMPARE(measure(*model, "fsdp_copy_time").value.value_or(-1), 0.040);
        const MetricResult all = measure(*model, "fsdp");
        QVERIFY(all.state == MetricState::Value && !all.value);
        QCOMPARE(of(all, "fully_hidden_all_gathers_ratio"), 0.5);
        QCOMPARE(of(all, "exposed_all_gather_ms"), 0.100);
        QVERIFY(all.warnings.empty());
    }
    void fsdpByItsGroups()
    {
        KinetoText trace;
        fsdpStep(trace, false);
        QCOMPARE(measure(*trace.load(), "fsdp").state, MetricState::NotApplicable); // nothing says FSDP
        trace.card("workload:\n  model:\n    phase: training\nModel-executor:\n  "
                   "model_plan_parallelization:\n    dp_shard: 2\n    tp: 2\n");
        const TraceModelPtr model = trace.load();
        QCOMPARE(measure(*model, "fsdp_communication_time").value.value_or(-1), 0.300);
        // The copies are other compute now: they hide nothing of 400..500.
        QCOMPARE(measure(*model, "fsdp_overhead").value.value_or(-1), 0.100);
        const MetricResult copies = measure(*model, "fsdp_copy_time");
        QCOMPARE(copies.state, MetricState::NotApplicable); // unknown, not 0
        QCOMPARE(measure(*model, "fsdp").warnings.size(), std::size_t{1});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPhases)
#include "tst_phases.moc"
