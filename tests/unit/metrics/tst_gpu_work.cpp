// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The metrics of GPU work on traces small enough to work out by hand: one step of 100 us, three streams.

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/analysis/kernel_kinds.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/json_text.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace collscope {

namespace {

std::string sliceEvent(const std::string& category, const std::string& name, const std::string& thread,
                       int beginUs, int endUs, const std::string& args = {})
{
    return "{'ph':'X','cat':'" + category + "','name':'" + name + "','pid':1,'tid':" + thread
        + ",'ts':" + std::to_string(beginUs) + ",'dur':" + std::to_string(endUs - beginUs) + ",'args':{"
        + args + "}},\n";
}

std::string kernel(const std::string& name, int stream, int beginUs, int endUs, const std::string& args = {})
{
    const std::string number = std::to_string(stream);
    return sliceEvent("kernel", name, number, beginUs, endUs,
                      "'device':0,'stream':" + number + (args.empty() ? "" : ",") + args);
}

std::string counter(const std::string& name, int timeUs, int value)
{
    return "{'ph':'C','name':'" + name + "','pid':1,'tid':0,'ts':" + std::to_string(timeUs)
        + ",'args':{'value':" + std::to_string(value) + "}},\n";
}

const std::string step = sliceEvent("user_annotation", "ProfilerStep#1", "1", 0, 100);
const std::string cpu = sliceEvent("cpu_op", "aten::mm", "1", 5, 25)
    + sliceEvent("cpu_op", "aten::empty", "1", 6, 9)
    + sliceEvent("cuda_runtime", "cudaLaunchKernel", "1", 10, 15, "'correlation':1")
    + sliceEvent("cpu_op", "aten::add", "1", 80, 95) + sliceEvent("cpu_op", "autograd", "2", 0, 100);
const std::string gemm = kernel("ampere_sgemm_128", 7, 10, 40,
                                "'correlation':1,'blocks per SM':2.0,'est. achieved occupancy %':50");
const std::string add = kernel("vectorized_elementwise_kernel", 7, 50, 60,
                               "'blocks per SM':0.25,'est. achieved occupancy %':10");
const std::string allReduce
    = kernel("ncclDevKernel_AllReduce_Sum", 20, 30, 65, "'blocks per SM':0.2,'est. achieved occupancy %':5");
const std::string copies
    = sliceEvent("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", "9", 58, 70, "'stream':9,'bytes':1200")
    + sliceEvent("gpu_memset", "Memset (Device)", "9", 70, 72, "'stream':9,'bytes':100")
    + sliceEvent("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", "9", 72, 80, "'stream':9,'bytes':8000");
const std::string afterStep = kernel("ampere_sgemm_128", 7, 150, 160);

/// Traces in a folder of their own, by file name.
class Run
{
public:
    explicit Run(const std::string& events) { addRank(0, events); }

    void addRank(int rank, const std::string& events)
    {
        std::ofstream file(m_folder.filePath(QStringLiteral("rank%1_trace.json").arg(rank)).toStdString());
        file << json("{'distributedInfo':{'rank':" + std::to_string(rank)
                     + ",'world_size':2},'traceEvents':[\n" + events
                     + "{'ph':'M','name':'process_name','pid':1,'args':{'name':'python'}}]}");
    }
    void addCard(const std::string& text)
    {
        std::ofstream(m_folder.filePath(QStringLiteral("workload_card.yaml")).toStdString()) << text;
    }
    MetricResult operator()(std::string_view id, const MetricOptions& options = {})
    {
        if (!m_model)
            m_model = *loadPath(m_folder.path().toStdString());
        return evaluate(*m_model, *findMetric(id), options);
    }

private:
    QTemporaryDir m_folder;
    TraceModelPtr m_model;
};

const Value* find(const Value::Object& object, std::string_view key)
{
    const auto found
        = std::find_if(object.begin(), object.end(), [&](const auto& e) { return e.first == key; });
    return found == object.end() ? nullptr : &found->second;
}

/// A number among the details, by keys from outside to inside; NaN if there is none.
double detail(const MetricResult& result, std::initializer_list<std::string_view> keys)
{
    const Value::Object* object = &result.details;
    const Value* value = nullptr;
    for (const std::string_view key : keys) {
        value = object ? find(*object, key) : nullptr;
        object = value ? value->as<Value::Object>() : nullptr;
    }
    if (value && value->as<std::int64_t>())
        return static_cast<double>(*value->as<std::int64_t>());
    return value && value->as<double>() ? *value->as<double>() : std::nan("");
}

} // namespace

class TestGpuWork : public QObject
{
    Q_OBJECT

private slots:
    void kindsByName_data()
    {
        QTest::addColumn<QByteArray>("kind");
        const auto row = [](const char* name, const char* kind) { QTest::newRow(name) << QByteArray(kind); };
        row("CatArrayBatchedCopy_aligned16", "copy");
        row("void at::native::unrolled_elementwise_kernel<direct_copy_kernel_cuda>", "copy");
        row("fused_moe_kernel", "moe");
        row("moe_grouped_gemm", "moe");
        row("permute_rows_by_token", "moe");
        row("token_permute", "other"); // the other way round is no expert kernel
        row("flash_fwd_splitkv_gemm", "attention");
        row("paged_attention_v2", "attention");
        row("sm90_xmma_gemm_bf16", "gemm");
        row("Cijk_Ailk_Bljk_HHS", "gemm");
        row("triton_mm_add", "gemm");
        row("vectorized_layer_norm_kernel", "norm");
        row("RmsNormKernel", "norm");
        row("cudnn::bn_fw_tr_1C11", "norm");
        row("cunn_SoftMaxForward", "softmax");
        row("multi_tensor_apply_kernel<FusedAdam>", "optimizer");
        row("index_elementwise_kernel", "embedding");
        row("vectorized_gather_kernel", "embedding");
        row("void at::native::reduce_kernel<512, 1>", "reduction");
        row("vectorized_elementwise_kernel<4>", "elementwise");
        row("triton_poi_fused_add_0", "elementwise");
        row("triton_red_fused_mean_0", "triton");
        row("DeviceScanKernel", "other");
        row("", "other");
    }
    void kindsByName()
    {
        QFETCH(QByteArray, kind);
        const std::string name = QTest::currentDataTag();
        QCOMPARE(std::string(kernelKindName(computeKindOf(name))), kind.toStdString());
    }
    void bareScatterIsNoReduction()
    {
        QCOMPARE(computeKindOf("MyReduceScatter"),
                 KernelKind::Embedding); // a slice's class says communication
        QCOMPARE(computeKindOf("reduce_one_ReduceScatter"), KernelKind::Embedding);
        QCOMPARE(computeKindOf("reduce"), KernelKind::Reduction);
    }
    void shares_data()
    {
        QTest::addColumn<double>("expected");
        const auto row = [](const char* id, double expected) { QTest::newRow(id) << expected; };
        // C = [30,65), Q = [10,40) + [50,60), M = [58,70) + [72,80), all = [10,80), sums 30 + 10 + 35.
        row("aggregate_gpu_utilization", 70);
        row("gpu_utilization", 70);
        row("gpu_idle_time", 0.030);
        row("compute_efficiency", 40);
        row("kernel_time", 0.075);
        row("bubble_time", 0.015); // [40,50) and [60,65)
        row("cpu_overhead", 30); // [5,10) + [15,25) + [80,95); the other thread does not count
        row("total_kernel_time", 85e-6); // with the kernel after the step
        row("total_trace_time", 150e-6);
        row("mean_sm_coverage", 100 * (30 + 0.25 * 10 + 0.2 * 35) / 75);
        row("sm", (50.0 * 30 + 10 * 10 + 5 * 35) / 75);
        row("dominant_kernel_concentration", 100.0 * 35 / 75);
        row("moe_fraction", 0);
        row("memory_bound_fraction", 60);
        row("compute_bound_fraction", 40);
        row("communication_overhead", 35.0 / 75);
        row("average_memory_bandwidth", 9200.0 / 20000);
        row("memory_transfer_overhead", 13); // [65,70) and [72,80)
    }
    void shares()
    {
        QFETCH(double, expected);
        const std::string id = QTest::currentDataTag();
        Run run(step + cpu + gemm + add + allReduce + copies + afterStep);
        const MetricResult result = run(id);
        QVERIFY2(result.state == MetricState::Value, result.reason.c_str());
        QVERIFY2(areClose(*result.value, expected), numberText(*result.value).c_str());
        QVERIFY(!result.inputs.empty() && !result.window.empty() && !result.reduction.empty());
        QVERIFY(!result.rows.empty());
        QVERIFY(areClose(result.rows.front().value, expected)); // one rank: its row is the value
    }
    void details()
    {
        Run run(step + cpu + gemm + add + allReduce + copies + afterStep);
        QVERIFY(areClose(detail(run("gpu_utilization"), {"busy_ms"}), 0.070));
        QVERIFY(areClose(detail(run("gpu_utilization"), {"idle_ms"}), 0.030));
        QVERIFY(areClose(detail(run("gpu_utilization"), {"percent"}), 70));
        QVERIFY(areClose(detail(run("kernel_time"), {"union_ms"}), 0.055));
        QVERIFY(areClose(detail(run("bubble_time"), {"idle_ms"}), 0.030));
        QVERIFY(areClose(detail(run("cpu_overhead"), {"launch_bound_percent"}), 20)); // [5,10) and [80,95)
        QVERIFY(areClose(detail(run("memory_transfer_overhead"), {"exposed_to_compute_percent"}), 18));
        const MetricResult bandwidth = run("average_memory_bandwidth");
        QVERIFY(areClose(detail(bandwidth, {"by_direction", "HtoD", "gb_per_s"}), 0.1));
        QVERIFY(areClose(detail(bandwidth, {"by_direction", "DtoH", "gb_per_s"}), 1.0));
        QVERIFY(areClose(detail(bandwidth, {"memset", "gb_per_s"}), 0.05));
    }
    void breakdowns()
    {
        Run run(step + gemm + add + allReduce + copies + afterStep);
        const MetricResult names = run("kernel");
        QVERIFY(names.state == MetricState::Value && !names.value);
        QVERIFY(areClose(detail(names, {"by_class", "communication", "share_percent"}), 100.0 * 35 / 75));
        QVERIFY(areClose(detail(names, {"by_class", "gemm", "mean_us"}), 30));
        QVERIFY(areClose(detail(names, {"by_class", "elementwise", "count"}), 1));
        const auto* byName = find(names.details, "by_name")->as<Value::Array>();
        QCOMPARE(byName->size(), std::size_t{3});
        QCOMPARE(*find(*byName->front().as<Value::Object>(), "name")->as<std::string>(),
                 std::string("ncclDevKernel_AllReduce_Sum"));
        const MetricResult parts = run("break_down_steps");
        QVERIFY(areClose(detail(parts, {"COMM"}), 100.0 * 35 / 75));
        QVERIFY(areClose(detail(parts, {"DENSE"}), 40));
        QVERIFY(areClose(detail(parts, {"OTHER"}), 100.0 * 10 / 75));
        QVERIFY(areClose(detail(parts, {"ATTN"}), 0));
    }
    void expertsAreRoutedOrComputed()
    {
        Run run(step + kernel("moe_align_block_size_kernel", 7, 0, 10) + kernel("fused_moe_kernel", 7, 10, 40)
                + kernel("flash_fwd", 7, 40, 100));
        QVERIFY(areClose(*run("moe_fraction").value, 40));
        QVERIFY(run("moe_fraction").warnings.empty());
        QVERIFY(areClose(detail(run("break_down_steps"), {"MOE_ROUTE"}), 10));
        QVERIFY(areClose(detail(run("break_down_steps"), {"MOE_EXPERT"}), 30));
        QVERIFY(areClose(detail(run("break_down_steps"), {"ATTN"}), 60));
    }
    void aModelWithoutExperts()
    {
        Run guessed(step + gemm);
        QCOMPARE(*guessed("moe_fraction").value, 0.0);
        QVERIFY(!guessed("moe_fraction").warnings.empty()); // never a silent 0
        Run known(step + gemm);
        known.addCard("version: 1\nworkload:\n  model:\n    phase: training\n    moe: false\n");
        QCOMPARE(known("moe_fraction").state, MetricState::NotApplicable);
    }
    void samplesComeFirst()
    {
        Run run(step + gemm + counter("SMs Active [Throughput %]", 20, 40)
                + counter("SMs Active [Throughput %]", 60, 60) + counter("SMs Active [Throughput %]", 120, 1)
                + counter("Tensor Active [Throughput %]", 20, 7)
                + counter("DRAM Read Bandwidth [Throughput %]", 20, 10)
                + counter("DRAM Read Bandwidth [Throughput %]", 120, 99)
                + counter("DRAM Write Bandwidth [Throughput %]", 20, 5));
        const MetricResult sm = run("sm");
        QCOMPARE(*sm.value, 50.0); // the third sample is after the step
        QCOMPARE(*find(sm.details, "method")->as<std::string>(), std::string("sampled"));
        QCOMPARE(detail(sm, {"tensor_active_percent"}), 7.0);
        QCOMPARE(*run("memory_bandwidth_utilization").value, 15.0);
    }
    void withoutSamplesTheLaunchGeometrySpeaks()
    {
        Run run(step + kernel("gemm", 7, 10, 40, "'blocks per SM':0.5"));
        const MetricResult sm = run("sm");
        QCOMPARE(*sm.value, 50.0);
        QVERIFY(find(sm.details, "method")->as<std::string>()->starts_with("launch geometry"));
        Run nothing(step + kernel("gemm", 7, 10, 40) + kernel("reduce_kernel", 7, 50, 60));
        QCOMPARE(nothing("sm").state, MetricState::MissingInput);
        QCOMPARE(nothing("mean_sm_coverage").state, MetricState::MissingInput);
        const MetricResult bound = nothing("memory_bound_fraction"); // by class, and says so
        QCOMPARE(*bound.value, 25.0);
        QCOMPARE(*find(bound.details, "method")->as<std::string>(), std::string("kernel class"));
        QVERIFY(!bound.warnings.empty());
    }
    void copiesThatAreNotThere()
    {
        Run run(step + gemm);
        QCOMPARE(*run("memory_transfer_overhead").value, 0.0);
        QCOMPARE(run("average_memory_bandwidth").state, MetricState::NotApplicable);
        Run unsized(step + sliceEvent("gpu_memcpy", "Memcpy HtoD", "9", 58, 70, "'stream':9"));
        QCOMPARE(unsized("average_memory_bandwidth").state, MetricState::MissingInput);
        QCOMPARE(*unsized("memory_transfer_overhead").value, 12.0);
        const MetricResult dram = Run(step + gemm + copies)("memory_bandwidth_utilization");
        QCOMPARE(dram.state, MetricState::NotApplicable);
        QVERIFY(areClose(detail(dram, {"memcpy_gb_per_s"}), 0.46)); // the substitute, under its own name
    }
    void withoutGpuWorkNothingIsZero()
    {
        Run run(step + cpu);
        for (const char* id :
             {"gpu_utilization", "gpu_idle_time", "kernel_time", "compute_efficiency", "bubble_time",
              "total_kernel_time", "total_trace_time", "sm", "mean_sm_coverage",
              "dominant_kernel_concentration", "moe_fraction", "kernel_breakdown", "break_down_steps",
              "memory_bound_fraction", "compute_bound_fraction", "communication_overhead",
              "average_memory_bandwidth", "memory_transfer_overhead"}) {
            QVERIFY2(run(id).state == MetricState::MissingInput, id);
            QVERIFY2(!run(id).value && run(id).reason.size() > 20, id);
        }
        QCOMPARE(run("gpu_timeline").state, MetricState::NotApplicable);
        QCOMPARE(*run("cpu_overhead").value, 30.0);
        QCOMPARE(Run(step + gemm)("cpu_overhead").state, MetricState::MissingInput);
    }
    void ranksAreMeantOrPooled()
    {
        Run run(step + kernel("gemm", 7, 0, 40));
        run.addRank(1, step + kernel("gemm", 7, 0, 40) + kernel("ncclKernel_AllReduce", 8, 40, 100));
        run.addRank(2, step + cpu); // no GPU work: left out, not 0
        QCOMPARE(*run("gpu_utilization").value, 70.0);
        QVERIFY(!run("gpu_utilization").warnings.empty());
        QVERIFY(areClose(*run("dominant_kernel_concentration").value, 100.0 * 80 / 140));
        QCOMPARE(*run("communication_overhead").value, 0.0); // rank 0 alone
        QCOMPARE(run("communication_overhead").scope, std::string("rank 0"));
        MetricOptions one;
        one.rank = 1;
        QCOMPARE(*run("communication_overhead", one).value, 0.6);
        QCOMPARE(*run("gpu_utilization", one).value, 100.0);
        QCOMPARE(run("gpu_utilization", one).reduction, std::string("one rank"));
        QCOMPARE(run("total_kernel_time").reduction, std::string("sum over ranks"));
        QCOMPARE(*run("total_kernel_time").value, 140e-6);
    }
    void withoutAMarkerTheBusiestThreadIsMain()
    {
        Run run(sliceEvent("cpu_op", "aten::a", "1", 0, 10) + sliceEvent("cpu_op", "aten::b", "2", 0, 50)
                + gemm + afterStep);
        const MetricResult result = run("cpu_overhead");
        QVERIFY(areClose(*result.value, 100.0 * 50 / 160));
        QVERIFY(std::any_of(result.warnings.begin(), result.warnings.end(), [](const std::string& warning) {
            return warning.find("is used instead") != std::string::npos;
        }));
    }
    void idleTimeNeedsClippedWork()
    {
        MetricOptions launch;
        launch.attribution = MetricOptions::Attribution::Launch;
        Run run(step + cpu + gemm);
        QCOMPARE(run("gpu_idle_time", launch).state, MetricState::NotApplicable);
        QCOMPARE(run("gpu_utilization", launch).state, MetricState::Value);
    }
    void evidenceIsWhatWasCounted()
    {
        MetricOptions options;
        options.wantEvidence = true;
        Run run(step + cpu + gemm + add + allReduce + copies + afterStep);
        QCOMPARE(run("gpu_utilization", options).evidence.size(), std::size_t{6});
        QCOMPARE(run("kernel_time", options).evidence.size(), std::size_t{3});
        QCOMPARE(run("compute_efficiency", options).evidence.size(), std::size_t{2});
        QCOMPARE(run("bubble_time", options).evidence.size(), std::size_t{1});
        QCOMPARE(run("average_memory_bandwidth", options).evidence.size(), std::size_t{2});
        QCOMPARE(run("dominant_kernel_concentration", options).evidence.size(), std::size_t{1});
        QCOMPARE(run("total_kernel_time", options).evidence.size(), std::size_t{4});
        QCOMPARE(run("kernel_time", options).evidenceRanges.size(), std::size_t{1});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGpuWork)

#include "tst_gpu_work.moc"
