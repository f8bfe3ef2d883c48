// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Throughput, utilisation and pipeline bubbles of small runs whose numbers are worked out by hand.

#include "metrics/calls/workload.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/kineto_text.h"

#include <cmath>

namespace collscope {

namespace {

constexpr int mainThread = 100;

/// 2 layers, 4 heads of 8: 1 M parameters without the embedding's 200 k. 8 x 128 = 1024 tokens per step.
std::string cardText(const std::string& more = {}, const std::string& phase = "training")
{
    return "workload:\n  model:\n    phase: " + phase
        + "\n    model_family: tiny\n    precision: bf16\n    model_arch:\n      num_params: 1200000\n      "
          "num_params_embedding: 200000\n      num_layers: 2\n      num_heads: 4\n      head_dim: 8\n  "
          "data:\n "
          "   batch_size: 8\n    seq_len: 128\n  hardware:\n    xpu_spec:\n      model: nvidia_a100\n      "
          "total_count: 2\nModel-executor:\n  model_plan_parallelization:\n    dp_replicate: 1\n    "
          "dp_shard: "
          "1\n    tp: 2\n    cp: 1\n"
        + more;
}

constexpr double flopsPerToken = 6 * 1.0e6 + 12 * 2 * 4 * 8 * 128;

/// Two ranks with steps of 1000 and 1500 us; `seconds` is the mean over ranks of the mean over steps.
constexpr double seconds = 1.25e-3;
KinetoText twoRanks(const std::string& gpu = "NVIDIA A100-SXM4-80GB")
{
    KinetoText trace(0, 2, gpu);
    KinetoText other(1, 2, gpu);
    for (int step = 0; step < 2; ++step) {
        trace.annotation("ProfilerStep#" + std::to_string(step), mainThread, 2000.0 * step, 1000);
        other.annotation("ProfilerStep#" + std::to_string(step), mainThread, 2000.0 * step, 1500);
    }
    trace.kernel("gemm", 7, 100, 100, 0);
    other.kernel("gemm", 7, 100, 100, 0);
    trace.also(other);
    return trace;
}

bool hasWarning(const MetricResult& result, std::string_view part)
{
    for (const std::string& warning : result.warnings) {
        if (warning.find(part) != std::string::npos)
            return true;
    }
    return false;
}

} // namespace

class TestModelMetrics : public QObject
{
    Q_OBJECT

private slots:
    void throughput()
    {
        KinetoText trace = twoRanks();
        trace.card(cardText());
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const MetricResult result = measure(*model, "throughput");
        COLLSCOPE_CLOSE(result.value.value_or(0), 1024 / seconds);
        QCOMPARE(result.unit, std::string("tokens/s"));
        QCOMPARE(result.reduction, std::string("mean of ranks"));
        COLLSCOPE_CLOSE(numberOf(result, "sync"), 1024 / 1.5e-3);
        COLLSCOPE_CLOSE(numberOf(result, "per_gpu"), 512 / seconds);
        COLLSCOPE_CLOSE(numberOf(result, "samples_per_s"), 8 / seconds);
        QCOMPARE(numberOf(result, "total_tokens"), 2048.0);
        COLLSCOPE_CLOSE(numberOf(result, "measured_duration_s"), 2 * seconds);
        QCOMPARE(numberOf(result, "num_iterations"), 2.0);
        QCOMPARE(numberOf(result, "batch_size"), 8.0);
        QCOMPARE(numberOf(result, "seq_len"), 128.0);
        QCOMPARE(result.rows.size(), std::size_t{6}); // two ranks, two steps each
        COLLSCOPE_CLOSE(measure(*model, "samples_per_sec").value.value_or(0), 8 / seconds);
        COLLSCOPE_CLOSE(measure(*model, "per_rank_throughput").value.value_or(0),
                        (1024 / 1.0e-3 + 1024 / 1.5e-3) / 2);
        QCOMPARE(numberOf(measure(*model, "per_rank_throughput"), "slowest_rank"), 1.0);
        MetricOptions second;
        second.rank = 1;
        const MetricResult one = measure(*model, "throughput_tokens_16", second);
        COLLSCOPE_CLOSE(one.value.value_or(0), 1024 / 1.5e-3);
        QCOMPARE(one.reduction, std::string("one rank"));
    }
    void mfu()
    {
        KinetoText trace = twoRanks();
        trace.card(cardText());
        const TraceModelPtr model = trace.load();
        const double expected = 100 * flopsPerToken * 1024 / seconds / (2 * 312e12);
        const MetricResult result = measure(*model, "mfu");
        COLLSCOPE_CLOSE(result.value.value_or(0), expected);
        QVERIFY(result.warnings.empty());
        // Every term of the formula stands among the inputs.
        std::string inputs;
        for (const std::string& sentence : result.inputs)
            inputs += sentence + '\n';
        for (const char* term :
             {"312 TFLOP/s", "A100 80GB", "1200000", "200000", "workload_card.yaml", "GPUs 2", "0.00125 s"})
            QVERIFY2(inputs.find(term) != std::string::npos, (inputs + " lacks " + term).c_str());
        MetricOptions causal;
        causal.causal = true;
        COLLSCOPE_CLOSE(measure(*model, "mfu_percent", causal).value.value_or(0),
                        expected * (6.0e6 + 6 * 2 * 4 * 8 * 128) / flopsPerToken);
        const MetricResult saturation = measure(*model, "hardware_saturation_16");
        COLLSCOPE_CLOSE(numberOf(saturation, "mfu_percent"), expected);
        COLLSCOPE_CLOSE(numberOf(saturation, "tflops_per_gpu"), expected * 3.12);
        QCOMPARE(numberOf(saturation, "num_gpus"), 2.0);
        QCOMPARE(textOf(saturation, "gpu_model"), std::string("NVIDIA A100-SXM4-80GB"));
    }
    void mfuIsNeverCapped()
    {
        KinetoText trace = twoRanks();
        std::string card = cardText();
        card.replace(card.find("1200000"), 7, "120000000000");
        trace.card(card);
        const MetricResult result = measure(*trace.load(), "mfu");
        QVERIFY(result.value.value_or(0) > 100);
        QVERIFY(hasWarning(result, "check the batch size"));
    }
    void mfuOfWhatIsUnknown()
    {
        KinetoText unknownGpu = twoRanks("ACME Accelerator 9");
        std::string card = cardText();
        card.replace(card.find("nvidia_a100"), 11, "acme_9");
        unknownGpu.card(card);
        const MetricResult result = measure(*unknownGpu.load(), "mfu");
        QCOMPARE(result.state, MetricState::NotApplicable);
        QVERIFY(result.reason.starts_with("peak unknown: \"acme_9\""));

        const MetricResult nothing = measure(*twoRanks().load(), "mfu");
        QCOMPARE(nothing.state, MetricState::MissingInput);
        QVERIFY(nothing.reason.find("no workload card and no TorchTitan TOML") != std::string::npos);
        QCOMPARE(measure(*twoRanks().load(), "throughput_tokens_sec").state, MetricState::MissingInput);

        KinetoText part = twoRanks();
        card = cardText();
        card.erase(card.find("      num_heads"), std::string("      num_heads: 4\n").size());
        part.card(card);
        const TraceModelPtr model = part.load();
        QCOMPARE(measure(*model, "mfu").state, MetricState::MissingInput);
        QVERIFY(measure(*model, "mfu").reason.find("num_heads") != std::string::npos);
        QCOMPARE(measure(*model, "throughput").state, MetricState::Value);

        KinetoText serving = twoRanks();
        serving.card(cardText({}, "inference"));
        QCOMPARE(measure(*serving.load(), "throughput").state, MetricState::MissingInput);
    }
    void fp8AndFp32HavePeaksOfTheirOwn()
    {
        const auto peakWith = [](const std::string& precision) {
            KinetoText trace = twoRanks("NVIDIA H100 80GB HBM3");
            std::string card = cardText();
            card.replace(card.find("bf16"), 4, precision);
            trace.card(card);
            return numberOf(measure(*trace.load(), "mfu"), "peak_tflops_per_gpu");
        };
        QCOMPARE(peakWith("bf16"), 989.0);
        QCOMPARE(peakWith("fp8"), 1979.0);
        QCOMPARE(peakWith("fp32"), 495.0);
    }
    void hfu_data()
    {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<int>("state");
        QTest::addColumn<double>("flops");
        QTest::newRow("none") << QByteArray("none") << static_cast<int>(MetricState::Value) << flopsPerToken;
        QTest::newRow("full") << QByteArray("full") << static_cast<int>(MetricState::Value)
                              << flopsPerToken + 2.0e6;
        QTest::newRow("selective") << QByteArray("selective") << static_cast<int>(MetricState::NotApplicable)
                                   << 0.0;
        QTest::newRow("not said") << QByteArray() << static_cast<int>(MetricState::MissingInput) << 0.0;
    }
    void hfu()
    {
        QFETCH(QByteArray, mode);
        QFETCH(int, state);
        QFETCH(double, flops);
        KinetoText trace = twoRanks();
        trace.card(cardText());
        if (!mode.isEmpty())
            trace.toml("[training]\nseq_len = 128\n[parallelism]\ntensor_parallel_degree = "
                       "2\n[activation_checkpoint]\nmode = \""
                       + mode.toStdString() + "\"\n");
        const MetricResult result = measure(*trace.load(), "hfu");
        QCOMPARE(static_cast<int>(result.state), state);
        if (state == static_cast<int>(MetricState::Value))
            COLLSCOPE_CLOSE(result.value.value_or(0), 100 * flops * 1024 / seconds / (2 * 312e12));
        else
            QVERIFY(!result.reason.empty());
    }
    void publicSizesAreAssumed()
    {
        KinetoText trace = twoRanks();
        trace.toml("[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nlocal_batch_size = 2\nseq_len = "
                   "4096\ndtype = \"float32\"\nmixed_precision_param = \"bfloat16\"\n[parallelism]\n"
                   "data_parallel_shard_degree = -1\n");
        const TraceModelPtr model = trace.load();
        const MetricResult result = measure(*model, "mfu");
        const double flops = 6 * (8030261248.0 - 525336576.0) + 12.0 * 32 * 32 * 128 * 4096;
        COLLSCOPE_CLOSE(result.value.value_or(0), 100 * flops * 2 * 2 * 4096 / seconds / (2 * 312e12));
        QVERIFY(hasWarning(result, "assumed"));

        // A smaller model of the same name is another model.
        KinetoText cut = twoRanks();
        std::string card = cardText();
        card.replace(card.find("tiny"), 4, "llama3-8b");
        card.erase(card.find("      num_layers"), std::string("      num_layers: 2\n").size());
        cut.card(card);
        const MetricResult missing = measure(*cut.load(), "mfu");
        QCOMPARE(missing.state, MetricState::MissingInput);
        QVERIFY(missing.reason.find("num_layers") != std::string::npos);
    }
    void score()
    {
        const TraceModelPtr model = twoRanks().load();
        COLLSCOPE_CLOSE(measure(*model, "gpu_step_score").value.value_or(0),
                        0.5 * 16 / 2 + 0.5 * 0.44 / seconds);
    }
    void intensity()
    {
        KinetoText trace = twoRanks();
        trace.collective("allreduce", "mesh_tp", 20, 300, 50, 0);
        trace.collective("allreduce", "mesh_tp", 20, 1900, 50, 0); // between the steps: not counted
        trace.card(cardText());
        const MetricResult result = measure(*trace.load(), "compute_intensity");
        // Rank 0 moves 2000 bytes in two steps, each of which computes half of the run's FLOPs; rank 1
        // nothing.
        COLLSCOPE_CLOSE(result.value.value_or(0), flopsPerToken * 1024 / 2 * 2 / 2000);
        QCOMPARE(textOf(result, "bytes_are"), std::string("communicated"));
        QVERIFY(hasWarning(result, "not GPU memory traffic"));
        KinetoText silent = twoRanks();
        silent.card(cardText());
        QCOMPARE(measure(*silent.load(), "compute_intensity").state, MetricState::NotApplicable);
    }
    void metadata()
    {
        KinetoText trace = twoRanks();
        trace.card(cardText());
        const MetricResult result = measure(*trace.load(), "config_metadata_16");
        QVERIFY(result.state == MetricState::Value && !result.value);
        std::vector<std::string> keys;
        for (const auto& [key, value] : result.details)
            keys.push_back(key);
        QCOMPARE(keys, (std::vector<std::string>{"parallelism", "data", "hardware", "model"}));
        MetricResult part;
        part.details = *result.details[0].second.as<Value::Object>();
        QCOMPARE(numberOf(part, "tp"), 2.0);
        QCOMPARE(numberOf(part, "world_size"), 2.0);
        part.details = *result.details[3].second.as<Value::Object>();
        QCOMPARE(numberOf(part, "num_params"), 1200000.0);
        QCOMPARE(measure(*twoRanks().load(), "config_metadata").state, MetricState::Value);
        QCOMPARE(measure(TraceModel(), "config_metadata").state, MetricState::MissingInput);
    }

    /// A step of 1000 us: compute 200..400 and 500..700, a copy 720..740, a receive that spins 100..200 and
    /// 400..450 (a memset beside it), an all-reduce 750..800, the optimizer 850..900.
    static KinetoText stage(int rank = 0)
    {
        KinetoText trace(rank, 2);
        trace.annotation("ProfilerStep#1", mainThread, 0, 1000);
        trace.kernel("gemm", 7, 200, 200, trace.launch(mainThread, 10));
        trace.kernel("gemm", 7, 500, 200, trace.launch(mainThread, 11));
        trace.copy(7, 720, 20);
        trace.collective("recv", "mesh_pp", 20, 100, 100, trace.launch(mainThread, 9));
        trace.collective("recv", "mesh_pp", 20, 400, 50, trace.launch(mainThread, 12));
        trace.collective("allreduce", "default_pg", 21, 750, 50, trace.launch(mainThread, 13));
        trace.annotation("Optimizer.step#AdamW.step", mainThread, 20, 10);
        trace.kernel("adam_kernel", 7, 850, 50, trace.launch(mainThread, 22));
        return trace;
    }
    void bubble()
    {
        KinetoText trace = stage();
        trace.toml("[training]\nseq_len = 8\nlocal_batch_size = 8\n[parallelism]\npipeline_parallel_degree = "
                   "2\npipeline_parallel_microbatch_size = 2\n");
        const TraceModelPtr model = trace.load();
        const MetricResult result = measure(*model, "pipeline_bubble_16");
        // Busy: 400 compute + 20 copy + 50 all-reduce + 50 optimizer = 520 us.
        QCOMPARE(result.value.value_or(-1), 0.480);
        QCOMPARE(result.reduction, std::string("pooled"));
        QCOMPARE(result.unit, std::string("ratio"));
        QCOMPARE(numberOf(result, "bubble_ratio"), 0.480);
        QCOMPARE(numberOf(result, "bubble_time_ms"), 0.480);
        QCOMPARE(numberOf(result, "total_time_ms"), 1.0);
        QCOMPARE(numberOf(result, "warm_up_ms"), 0.200); // to the first compute kernel at 200
        QCOMPARE(numberOf(result, "interior_ms"), 0.100); // 400..500
        QCOMPARE(numberOf(result, "cool_down_ms"), 0.180); // from 700 on, less 120 us of work
        QCOMPARE(numberOf(result, "waiting_in_p2p_ms"), 0.150);
        QCOMPARE(numberOf(result, "num_ranks"), 1.0);
        // p = 2 stages, m = 4 micro-batches.
        COLLSCOPE_CLOSE(numberOf(result, "theoretical_bubble_ratio"), 1.0 / 5.0);
        COLLSCOPE_CLOSE(numberOf(result, "theoretical_bubble_of_ideal"), 1.0 / 4.0);
        QCOMPARE(measure(*model, "pipeline_efficiency").value.value_or(-1), 1.0 - 0.480);
        for (const char* key : {"method", "warning"}) {
            bool found = false;
            for (const auto& [name, value] : result.details)
                found |= name == key;
            QVERIFY2(found, key);
        }
    }
    void bubbleIsPooledOverRanks()
    {
        KinetoText trace = stage();
        KinetoText idle(1, 2);
        idle.annotation("ProfilerStep#1", mainThread, 0, 3000);
        idle.collective("send", "mesh_pp", 20, 100, 2000, idle.launch(mainThread, 9));
        trace.also(idle);
        // A stage that only waits has no first compute kernel: all of it is interior.
        const MetricResult result = measure(*trace.load(), "bubble_size_pipeline");
        QCOMPARE(result.value.value_or(-1), (480.0 + 3000.0) / 4000.0);
        QCOMPARE(numberOf(result, "interior_ms"), 3.1);
    }
    void noPipeline()
    {
        KinetoText trace(0, 2);
        trace.annotation("ProfilerStep#1", mainThread, 0, 1000);
        trace.kernel("gemm", 7, 200, 250, 0);
        trace.collective("allreduce", "mesh_tp", 20, 500, 100, 0);
        trace.card(cardText());
        const TraceModelPtr model = trace.load();
        const MetricResult bubble = measure(*model, "bubble_size_pipeline");
        QCOMPARE(bubble.state, MetricState::NotApplicable);
        QVERIFY(bubble.reason.find("one pipeline stage") != std::string::npos);
        QCOMPARE(measure(*model, "pipeline_efficiency").value.value_or(-1), 0.250);
    }
    /// NCCL runs an all-to-all as a SendRecv kernel: no pipeline.
    void allToAllIsNoPipeline()
    {
        KinetoText trace(0, 2);
        trace.annotation("ProfilerStep#1", mainThread, 0, 1000);
        trace.kernel("gemm", 7, 200, 250, trace.launch(mainThread, 5));
        trace.cpuOp("c10d::alltoall_base_", mainThread, 10, 10);
        trace.kernel("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", 20, 500, 100,
                     trace.launch(mainThread, 12));
        QCOMPARE(measure(*trace.load(), "bubble_size_pipeline").state, MetricState::NotApplicable);
        // With a send beside it there is one, and only the send waits.
        trace.cpuOp("c10d::send", mainThread, 30, 10);
        trace.kernel("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", 21, 700, 100,
                     trace.launch(mainThread, 32));
        const MetricResult result = measure(*trace.load(), "bubble_size_pipeline");
        QCOMPARE(result.value.value_or(-1), 0.650);
        QCOMPARE(numberOf(result, "waiting_in_p2p_ms"), 0.100);
    }
    void demoIsPlausible()
    {
        const auto model = loadPath(COLLSCOPE_SOURCE_FOLDER "/resources/demo");
        QVERIFY(model.has_value());
        const double mfu = measure(**model, "mfu").value.value_or(-1);
        QVERIFY2(mfu > 20 && mfu < 60, numberText(mfu).c_str());
        const MetricResult phases = measure(**model, "training_phases");
        QVERIFY(phases.warnings.empty());
        QVERIFY(numberOf(phases, "forward_ms") > 1 && numberOf(phases, "backward_ms") > 1
                && numberOf(phases, "optimizer_ms") > 0.1);
        // Communication of other phases runs beside these, so that the sum of all may be longer than the
        // step.
        QVERIFY(numberOf(phases, "forward_ms") + numberOf(phases, "backward_ms")
                    + numberOf(phases, "optimizer_ms")
                <= numberOf(phases, "step_time_ms"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestModelMetrics)

#include "tst_model_metrics.moc"
