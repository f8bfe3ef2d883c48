// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What makes a step: marks of servers, the step that events name in their args; and what is said where
// nothing marks steps.

#include "metrics/analysis/analysis.h"
#include "metrics/analysis/serving_passes.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/json_text.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QFileInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace {

TraceModelPtr loadEvents(const std::string& events)
{
    const QTemporaryDir folder;
    const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "trace.json";
    writeFile(file, "{\"traceEvents\": [" + events + "]}");
    auto model = loadPath(file.string());
    if (!model)
        qFatal("%s", model.error().message.c_str());
    return *model;
}

std::string annotation(const std::string& name, int start, int duration)
{
    return json("{'ph':'X','cat':'user_annotation','pid':1,'tid':1,'name':'") + name
        + "\",\"ts\":" + std::to_string(start) + ",\"dur\":" + std::to_string(duration) + "}";
}

const std::string kernelOf100 // NOLINT(cert-err58-cpp)
    = json(",{'ph':'X','cat':'kernel','pid':0,'tid':7,'name':'gemm','ts':0,'dur':60}")
    + json(",{'ph':'X','cat':'kernel','pid':0,'tid':9,'name':'ncclDevKernel_AllReduce','ts':40,'dur':60}");

/// An event of a pipeline timeline; times in us.
std::string workerEvent(const std::string& name, int dp, int tid, int step, int start, int duration)
{
    return ",{\"ph\":\"X\",\"name\":\"" + name + "\",\"cat\":\"" + name + "\",\"pid\":" + std::to_string(dp)
        + ",\"tid\":" + std::to_string(tid) + ",\"ts\":" + std::to_string(start)
        + ",\"dur\":" + std::to_string(duration) + ",\"args\":{\"step\":" + std::to_string(step)
        + ",\"model_chunk\":0,\"mb_id\":0,\"seq_id\":0}}";
}

/// Two DP ranks, two stages; tid = 100 x stage + 10 x DP + lane (0 compute, 1 pp-comm, 3 dp-comm). Two steps
/// of 1000 and 1200 us, the first from 0, the second from 2000.
std::string plantedWorkers()
{
    std::string events = json("{'ph':'M','name':'process_name','pid':0,'args':{'name':'DP rank [0]'}}")
        + json(",{'ph':'M','name':'process_name','pid':1,'args':{'name':'DP rank [1]'}}");
    for (int dp = 0; dp < 2; ++dp) {
        for (int pp = 0; pp < 2; ++pp) {
            const int tid = 100 * pp + 10 * dp;
            const auto name = [&](int lane, const char* role) {
                events += ",{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" + std::to_string(dp)
                    + ",\"tid\":" + std::to_string(tid + lane) + ",\"args\":{\"name\":\"PP rank "
                    + std::to_string(pp) + ", TP rank 0, " + role + "\"}}";
            };
            name(0, "compute");
            name(1, "pp-comm");
            name(3, "dp-comm");
            for (const auto& [step, begin, length] : {std::tuple(7, 0, 1000), std::tuple(9, 2000, 1200)}) {
                events += workerEvent("params-all-gather", dp, tid + 3, step, begin, 50 + 10 * dp);
                events += workerEvent("forward-compute", dp, tid, step, begin + 100 + 200 * pp, 150);
                events += workerEvent(pp == 0 ? "forward-send" : "forward-recv", dp, tid + 1, step,
                                      begin + 250, 20);
                events += workerEvent("backward-compute", dp, tid, step, begin + 700 - 200 * pp, 150);
                events += workerEvent(pp == 0 ? "backward-recv" : "backward-send", dp, tid + 1, step,
                                      begin + 660, 20);
                events += workerEvent("optimizer", dp, tid, step, begin + length - 40, 40);
            }
        }
    }
    return events;
}

/// A launch and the kernel that it starts, in us.
std::string launchedKernel(int correlation, int launchUs, int startUs, int durationUs)
{
    const std::string args = json(",'args':{'correlation':") + std::to_string(correlation) + "}}";
    return json(",{'ph':'X','cat':'cuda_runtime','name':'cudaLaunchKernel','pid':1,'tid':1,'dur':2,'ts':")
        + std::to_string(launchUs) + args
        + json(",{'ph':'X','cat':'kernel','name':'gemm','pid':0,'tid':7,'ts':") + std::to_string(startUs)
        + json(",'dur':") + std::to_string(durationUs) + args;
}

} // namespace

class TestStepSources : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
    void readsNamesOfPasses_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("isPass");
        QTest::addColumn<int>("kind");
        QTest::addColumn<qint64>("tokens");
        const auto row = [](const char* name, PassKind kind, qint64 tokens, bool isPass = true) {
            QTest::newRow(name) << QByteArray(name) << isPass << static_cast<int>(kind) << tokens;
        };
        row("execute_context_1(512)_generation_0(0)", PassKind::Prefill, 512);
        row("execute_context_1(888_788544)_generation_0(0)", PassKind::Prefill, 888);
        row("execute_context_0(0)_generation_3(3)", PassKind::Decode, 0);
        row("execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086sqsq32sqsk55086)",
            PassKind::Decode, 0);
        row("execute_8192_context_9(sq8155sk8430sqsq7475785sqsk7671310)_generation_37("
            "sq37sk34489sqsq37sqsk34489)",
            PassKind::Mixed, 8155);
        row("step[EXTEND bs=15 toks=15360]", PassKind::Prefill, 15360);
        row("step[DECODE bs=32]", PassKind::Decode, 0);
        row("step[MIXED bs=32]", PassKind::Mixed, 0);
        row("step[IDLE]", PassKind::None, 0);
        row("execute_diffusion_1_256x256", PassKind::None, 0, false);
        row("execute_12", PassKind::None, 0, false);
        row("execute__context_1(5)_generation_0(0)", PassKind::None, 0, false);
        row("execute_99999999999999999999_context_1(5)", PassKind::None, 0, false);
        row("step", PassKind::None, 0, false);
    }
    void readsNamesOfPasses()
    {
        QFETCH(QByteArray, name);
        const auto pass = passNameOf(name.toStdString());
        QTEST(pass.has_value(), "isPass");
        QTEST(static_cast<int>(passKindOf(name.toStdString())), "kind");
        QTEST(qint64{pass ? pass->contextTokens : 0}, "tokens");
    }
    void passesOfSglang()
    {
        // A prompt of 100 us, a gap of 10 us, two passes that generate until 250 us.
        const TraceModelPtr model = loadEvents(annotation("step[EXTEND bs=2 toks=64]", 0, 100) + ","
                                               + annotation("step[DECODE bs=2]", 110, 60) + ","
                                               + annotation("step[DECODE bs=2]", 180, 70) + kernelOf100);
        const Timeline& timeline = model->timelines.front();
        QVERIFY(timeline.stepSource == StepSource::ServerStep);
        QCOMPARE(timeline.steps.size(), std::size_t{3});
        QVERIFY(areClose(measure(*model, "ttft").value, 100e-6));
        QVERIFY(areClose(measure(*model, "tpot").value, 150e-6 / 2));
    }
    void bothFormsMarkOnePass()
    {
        const std::string profiled = annotation("ProfilerStep#3", 0, 1000);
        const TraceModelPtr model
            = loadEvents(profiled + "," + annotation("execute_8_context_1(sq8sk8)_generation_0(sq0)", 0, 100)
                         + "," + annotation("step[EXTEND bs=1 toks=8]", 5, 90) + ","
                         + annotation("execute_1_context_0(sq0)_generation_1(sq1sk9)", 200, 50) + ","
                         + annotation("step[DECODE bs=1]", 205, 40) + kernelOf100);
        QVERIFY(model->timelines.front().stepSource == StepSource::ProfilerStep);
        QVERIFY(areClose(measure(*model, "ttft").value, 100e-6));
        QVERIFY(areClose(measure(*model, "tpot").value, 150e-6));
    }
    void aPassLastsUntilItsGpuWorkIsDone()
    {
        // The first pass launches work that ends amid the second one, the second one what ends at 400 us.
        const TraceModelPtr model
            = loadEvents(annotation("step[EXTEND bs=1 toks=8]", 0, 50) + ","
                         + annotation("step[DECODE bs=1]", 100, 20) + launchedKernel(1, 10, 60, 90)
                         + launchedKernel(2, 110, 200, 200) + launchedKernel(3, 500, 510, 10));
        const std::vector<Step>& steps = model->timelines.front().steps;
        QCOMPARE(steps.size(), std::size_t{2});
        QCOMPARE(steps[0].range, (TimeRange{0, 100'000}));
        QCOMPARE(steps[1].range, (TimeRange{100'000, 400'000}));
        QVERIFY(areClose(measure(*model, "ttft").value, 100e-6));
        QVERIFY(areClose(measure(*model, "tpot").value, 300e-6));
    }
    void generationAloneHasNoFirstToken()
    {
        const TraceModelPtr model = loadEvents(annotation("step[DECODE bs=2]", 100, 60) + ","
                                               + annotation("step[DECODE bs=2]", 200, 40) + kernelOf100);
        const MetricResult first = measure(*model, "ttft");
        QVERIFY(first.state == MetricState::NotApplicable);
        QVERIFY2(first.reason.find("none of them reads a prompt") != std::string::npos, first.reason.c_str());
        QVERIFY(areClose(measure(*model, "tpot").value, 140e-6 / 2));
    }
    void mixedPassesAreSaid()
    {
        const TraceModelPtr model = loadEvents(
            annotation("execute_72_context_1(sq40sk40)_generation_32(sq32sk900)", 0, 80) + kernelOf100);
        const MetricResult first = measure(*model, "ttft");
        QVERIFY(areClose(first.value, 80e-6));
        const bool isSaid
            = std::any_of(first.warnings.begin(), first.warnings.end(), [](const auto& warning) {
                  return warning.find("also generate tokens of other requests") != std::string::npos;
              });
        QVERIFY(isSaid);
    }
    void servers_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<double>("stepSeconds");
        QTest::addColumn<double>("first"); // < 0: there is none
        QTest::addColumn<double>("perToken");
        // Each file holds one pass. From its mark to the end of the last kernel that it launched, with
        // Python; the marks end after 2.4, 26.4, 465.7 and 522.7 ms.
        const auto row = [](const char* what, const QString& folder, const char* path, double stepSeconds,
                            double first, double perToken) {
            if (const QString file = folder + QLatin1String(path); QFileInfo::exists(file))
                QTest::newRow(what) << file << stepSeconds << first << perToken;
        };
        // A mark of 100 us, and a kernel that it launched at 110 us for 90 us.
        const QString own = QString::fromStdString(m_folder.path(""));
        for (const auto& [name, mark] :
             {std::pair<const char*, const char*>("generates.json",
                                                  "execute_1_context_0(sq0)_generation_1(sq1sk9)"),
              std::pair<const char*, const char*>("reads.json",
                                                  "execute_8_context_1(sq8sk8)_generation_0(sq0)")})
            m_folder.write(name,
                           "{\"traceEvents\":[" + annotation(mark, 0, 100) + launchedKernel(1, 10, 110, 90)
                               + "]}");
        row("planted, generates", own, "generates.json", 200e-6, -1, 200e-6);
        row("planted, reads", own, "reads.json", 200e-6, 200e-6, -1);
        if (tracesFolder().isEmpty())
            return;
        const QString real = tracesFolder() + QStringLiteral("/kineto_tracelens/traces/inference/");
        row("vLLM, generates", real, "vllm_decode_full/graph_execution.json.gz", 19114.06e-6, -1,
            19114.06e-6);
        row("vLLM, both", real, "vllm_prefilldecode_piecewise/graph_execution.json.gz", 307697.688e-6,
            307697.688e-6, -1);
        row("SGLang, generates", real, "sglang_decode/sglang_Qwen3-8B_decode.json.gz", 473830.532e-6, -1,
            473830.532e-6);
        row("SGLang, reads", real, "sglang_prefilldecode/sglang_Qwen3-8B_prefilldecode.json.gz",
            987367.474e-6, 987367.474e-6, -1);
    }
    void servers()
    {
        QFETCH(QString, path);
        QFETCH(double, stepSeconds);
        QFETCH(double, first);
        QFETCH(double, perToken);
        const auto loaded = loadPath(path.toStdString());
        QVERIFY(loaded);
        const TraceModel& model = **loaded;
        QVERIFY(model.timelines.front().stepSource == StepSource::ExecuteContext);
        const auto isNear = [](std::optional<double> got, double expected) {
            return got && std::abs(*got - expected) < 2e-9; // a pass ends within 2 ns of what the file writes
        };
        QVERIFY(isNear(measure(model, "avg_step_time").value, stepSeconds));
        QVERIFY(measure(model, "aggregate_gpu_utilization").value.value_or(0) > 1);
        const auto check = [&](const char* metric, double expected) {
            const MetricResult result = measure(model, metric);
            return expected < 0 ? result.state == MetricState::NotApplicable : isNear(result.value, expected);
        };
        QVERIFY(check("ttft", first));
        QVERIFY(check("tpot", perToken));
    }
    void withoutMarksNothingIsPerStep()
    {
        const TraceModelPtr model = loadEvents(annotation("warm up", 0, 10) + kernelOf100);
        QVERIFY(model->timelines.front().stepSource == StepSource::WholeTrace);
        for (const char* metric : {"avg_step_time", "total_communication_time", "exposed_communication_time",
                                   "gpu_idle_time", "kernel_time", "bubble_time", "communication_frequency",
                                   "traffic_window_comm", "variability_metrics"}) {
            const MetricResult result = measure(*model, metric);
            QVERIFY2(result.state == MetricState::NotApplicable, metric);
            QVERIFY2(result.reason.find("contains no step markers") != std::string::npos,
                     result.reason.c_str());
        }
        // What is a share of the window needs no steps: 20 of 60 us of communication lie under the gemm.
        const MetricResult overlap = measure(*model, "comm_comp_overlap");
        QVERIFY(areClose(overlap.value, 100.0 / 3));
        QCOMPARE(overlap.window, std::string("whole trace"));
        MetricOptions ranged;
        ranged.range = TimeRange{0, 100'000};
        QVERIFY(areClose(measure(*model, "total_communication_time", ranged).value, 60e-6));
    }
    void aRankWithoutMarksIsNotAveragedIn()
    {
        KinetoText marked(0, 2);
        for (int step = 0; step < 4; ++step)
            marked.annotation("ProfilerStep#" + std::to_string(step), 1, 100.0 * step, 100);
        marked.kernel("gemm", 7, 10, 380, 0);
        KinetoText unmarked(1, 2);
        unmarked.kernel("gemm", 7, 10, 1, 0);
        marked.also(unmarked);
        const TraceModelPtr model = marked.load();
        QVERIFY(model);
        const MetricResult result = measure(*model, "avg_step_time");
        QVERIFY(areClose(result.value, 100e-6));
        QCOMPARE(result.scope, std::string("rank 0"));
        QVERIFY(std::count(result.warnings.begin(), result.warnings.end(),
                           "Excluded because they have no step markers, unlike the other ranks: rank 1.")
                == 1);
    }
    void tracesWithoutMarks_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("planted") << QString::fromStdString(m_folder.write(
            "plain.json", "{\"traceEvents\":[" + annotation("warm up", 0, 10) + kernelOf100 + "]}"));
        if (tracesFolder().isEmpty())
            return;
        for (const char* path :
             {"nsys_sqlite/nsys-ai/mfu_2gpu_before.sqlite", "nsys_sqlite/nsys-ai/h100_2gpu_1s.sqlite",
              "kineto/particle_transformer/profiler_trace_single_sample.json"})
            QTest::newRow(path) << tracesFolder() + QLatin1Char('/') + QLatin1String(path);
    }
    void tracesWithoutMarks()
    {
        QFETCH(QString, path);
        const auto loaded = loadPath(path.toStdString());
        QVERIFY(loaded);
        for (const Timeline& timeline : (*loaded)->timelines)
            QVERIFY(timeline.stepSource == StepSource::WholeTrace);
        const MetricResult time = measure(**loaded, "avg_step_time");
        QVERIFY(time.state == MetricState::NotApplicable && !time.value);
        const MetricResult busy = measure(**loaded, "aggregate_gpu_utilization");
        QVERIFY(busy.state == MetricState::Value);
        QCOMPARE(busy.window, std::string("whole trace"));
    }
    void stepsThatArgsName()
    {
        const TraceModelPtr model = loadEvents(plantedWorkers());
        QCOMPARE(model->timelines.size(), std::size_t{4});
        for (const Timeline& timeline : model->timelines) {
            QVERIFY(timeline.stepSource == StepSource::ArgsStep);
            QCOMPARE(timeline.steps.size(), std::size_t{2});
            QCOMPARE(timeline.steps[0].number, 7);
            QCOMPARE(timeline.steps[1].number, 9);
            QCOMPARE(timeline.steps[1].range.lengthNs(), 1'200'000);
        }
        QVERIFY(areClose(measure(*model, "avg_step_time").value, 1100e-6));
        // In each step a worker gathers for 50 us (DP 0) or 60 us (DP 1) and transfers twice for 20 us.
        QVERIFY(areClose(measure(*model, "total_communication_time").value, (90e-6 + 100e-6) / 2));
    }
    void workersAreRanksWithGroups()
    {
        const TraceModelPtr model = loadEvents(plantedWorkers());
        // Stage by stage: (DP 0, PP 0), (DP 1, PP 0), (DP 0, PP 1), (DP 1, PP 1).
        std::vector<std::int32_t> ranks;
        for (const Timeline& timeline : model->timelines)
            ranks.push_back(timeline.rank);
        QCOMPARE(ranks, (std::vector<std::int32_t>{0, 1, 2, 3}));
        std::map<std::string, std::string> told;
        for (const CollectiveCall& call : model->timelines[3].collectives) {
            std::string text(model->text(call.groupRanks));
            if (call.sourceRank && call.destinationRank)
                text += " " + std::to_string(*call.sourceRank) + ">" + std::to_string(*call.destinationRank);
            told[std::string(model->text(call.name))] = text;
        }
        QCOMPARE(told["params-all-gather"], std::string("[2, 3]"));
        QCOMPARE(told["forward-recv"], std::string("[1, 3] 1>3"));
        QCOMPARE(told["backward-send"], std::string("[1, 3] 3>1"));
        Analysis analysis(*model, {});
        // 2 steps x 2 stages all-gathers, 2 steps x 2 DP ranks x (forward, backward) transfers: all of two.
        QCOMPARE(analysis.matching().calls, 24);
        const auto pairs
            = std::count_if(analysis.matching().instances.begin(), analysis.matching().instances.end(),
                            [](const CollectiveInstance& instance) { return instance.memberCount == 2; });
        QCOMPARE(pairs, 12);
    }
    void argsThatMeanSomethingElseMakeNoSteps()
    {
        std::string events = annotation("a", 0, 10);
        for (int i = 0; i < 20; ++i) // "step" of an optimizer, over and over
            events += json(",{'ph':'X','cat':'cpu_op','pid':1,'tid':1,'name':'op','ts':")
                + std::to_string(20 * i) + json(",'dur':5,'args':{'step':") + std::to_string(i % 3) + "}}";
        QVERIFY(loadEvents(events + kernelOf100)->timelines.front().stepSource == StepSource::WholeTrace);
        const std::string few
            = annotation("a", 0, 10)
            + json(
                  ",{'ph':'X','cat':'cpu_op','pid':1,'tid':1,'name':'op','ts':20,'dur':5,'args':{'step':1}}");
        QVERIFY(loadEvents(few + kernelOf100)->timelines.front().stepSource == StepSource::WholeTrace);
    }
    void timelinesOfWorkers_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("workers");
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("meanOfInner"); // of the inner steps, from the file with Python
        QTest::newRow("planted") << QString::fromStdString(
            m_folder.write("workers.json", "{\"traceEvents\":[" + plantedWorkers() + "]}"))
                                 << 4 << 2 << 1100e-6;
        if (tracesFolder().isEmpty())
            return;
        const QString published = tracesFolder() + QStringLiteral("/straggler_analysis/timeline-%1.json.gz");
        QTest::newRow("ST") << published.arg(QStringLiteral("ST")) << 8 << 32 << 2.2088201850031814;
        QTest::newRow("AR") << published.arg(QStringLiteral("AR")) << 16 << 44 << 46.64402994123242;
    }
    void timelinesOfWorkers()
    {
        QFETCH(QString, path);
        QFETCH(int, workers);
        QFETCH(int, steps);
        QFETCH(double, meanOfInner);
        const auto loaded = loadPath(path.toStdString());
        QVERIFY(loaded);
        QCOMPARE((*loaded)->timelines.size(), static_cast<std::size_t>(workers));
        QCOMPARE((*loaded)->timelines.front().steps.size(), static_cast<std::size_t>(steps));
        const MetricResult time = measure(**loaded, "avg_step_time");
        QVERIFY2(std::abs(time.value.value_or(0) - meanOfInner) < 1e-6 * meanOfInner,
                 numberText(*time.value).c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestStepSources)
#include "tst_step_sources.moc"
