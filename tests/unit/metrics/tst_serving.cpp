// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Serving, experts and training logs: what the metrics make of benchmark results, passes and logs, by hand.

#include "metrics/analysis/analysis.h"
#include "metrics/analysis/serving_passes.h"
#include "metrics/counters/latencies.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

#include <cmath>

namespace collscope {

namespace {

MetricResult resultOf(const TraceModel& model, std::string_view name, const MetricOptions& options = {})
{
    const auto request = findMetric(name);
    if (!request)
        qFatal("no metric %s", std::string(name).c_str());
    return evaluate(model, *request, options);
}

const Value& detail(const Value::Object& object, std::string_view key)
{
    for (const auto& [name, value] : object) {
        if (name == key)
            return value;
    }
    qFatal("no detail %s", std::string(key).c_str());
}

double number(const MetricResult& result, std::string_view key)
{
    const Value& value = detail(result.details, key);
    if (const auto* whole = value.as<std::int64_t>())
        return static_cast<double>(*whole);
    return value.as<double>() ? *value.as<double>() : NAN;
}

/// A pass of a server: its name, start and duration in us.
struct Pass
{
    std::string name;
    int start = 0, duration = 0;
};

std::string prompt(int tokens)
{
    return "execute_context_1(" + std::to_string(tokens) + ")_generation_0(0)";
}
const std::string generation = "execute_context_0(0)_generation_1(1)"; // NOLINT(cert-err58-cpp)

/// The run of one rank per list of passes. With `inSteps`, one ProfilerStep lies around everything.
TraceModelPtr served(const std::vector<std::vector<Pass>>& ranks, const std::string& card = {},
                     bool inSteps = false)
{
    const QTemporaryDir folder;
    const auto file
        = [&](const std::string& name) { return std::filesystem::path(folder.path().toStdString()) / name; };
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        std::string events = inSteps
            ? R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":9000})"
            : R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":2,"ts":0,"dur":1})";
        for (const Pass& pass : ranks[rank]) {
            const std::string at
                = ",\"ts\":" + std::to_string(pass.start) + ",\"dur\":" + std::to_string(pass.duration) + "}";
            events += ",{\"ph\":\"X\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"name\":\"" + pass.name
                + "\"" + at;
            events += R"(,{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"gemm")" + at;
            // The GPU's copy of the annotation is no pass of its own.
            events += ",{\"ph\":\"X\",\"cat\":\"gpu_user_annotation\",\"pid\":0,\"tid\":7,\"name\":\""
                + pass.name + "\"" + at;
        }
        writeFile(file("rank" + std::to_string(rank) + "_trace.json"), "{\"traceEvents\": [" + events + "]}");
    }
    if (!card.empty())
        writeFile(file("workload_card.yaml"), "workload:\n  model:\n    phase: " + card);
    auto model = loadPath(folder.path().toStdString());
    if (!model)
        qFatal("%s", model.error().message.c_str());
    return *model;
}

ServingBenchmark benchmark(double medianTtft)
{
    ServingBenchmark b;
    b.firstToken.median = medianTtft;
    return b;
}

TraceModel gated(const std::vector<std::vector<std::vector<std::int64_t>>>& logs)
{
    TraceModel model;
    for (const auto& tokens : logs)
        model.measurements.gateLogs.push_back({{}, tokens.front().size(), tokens});
    return model;
}

LoggedStep logged(std::int64_t step, std::optional<double> loss, std::int32_t writer = -1)
{
    LoggedStep line;
    line.step = step;
    line.loss = loss;
    line.lossIsFinite = loss.has_value();
    line.writer = writer;
    return line;
}

} // namespace

class TestServing : public QObject
{
    Q_OBJECT

private slots:
    void timesFromPasses()
    {
        // Prefill in two chunks, a gap of 5 us, then three passes that generate: 100..400 us.
        const std::vector<Pass> passes{{prompt(512), 0, 60},
                                       {prompt(88), 70, 25},
                                       {generation, 100, 80},
                                       {generation, 200, 80},
                                       {generation, 320, 80}};
        const TraceModelPtr model = served({passes, {{prompt(600), 0, 105}, {generation, 110, 45}}});
        const MetricResult first = resultOf(*model, "ttft");
        QVERIFY2(areClose(first.value, (95e-6 + 105e-6) / 2), first.reason.c_str());
        QCOMPARE(first.window, std::string("all passes"));
        QCOMPARE(first.reduction, std::string("mean of ranks"));
        QCOMPARE(first.rows.size(), std::size_t{2});
        QVERIFY(areClose(first.rows[0].value, 95e-6));
        QVERIFY(areClose(number(first, "ttft_pass"), (60e-6 + 105e-6) / 2));
        const MetricResult each = resultOf(*model, "TPOT");
        QVERIFY2(areClose(each.value, (305e-6 / 3 + 50e-6) / 2), each.reason.c_str());
        // Without gaps: the middle passes of rank 0, the second of rank 1's two.
        QVERIFY(areClose(number(each, "tpot_pass_mean"), ((25e-6 + 80e-6 + 80e-6) / 3 + 45e-6) / 2));

        MetricOptions ofRank;
        ofRank.rank = 1;
        QVERIFY(areClose(resultOf(*model, "ttft", ofRank).value, 105e-6));
        QCOMPARE(resultOf(*model, "ttft", ofRank).reduction, std::string("one rank"));
        MetricOptions anyStep = allSteps();
        QVERIFY(areClose(resultOf(*model, "ttft", anyStep).value, *first.value));
        QVERIFY(areClose(resultOf(*model, "ttft_group_6").value, *first.value * 1e3));
        QCOMPARE(resultOf(*model, "ttft_group_6").unit, std::string("ms"));
    }
    void passesInsideProfilerStepsAreFound()
    {
        const std::vector<Pass> passes{{prompt(8), 10, 60}, {generation, 80, 30}};
        const TraceModelPtr model = served({passes}, {}, true);
        QVERIFY(areClose(resultOf(*model, "ttft").value, 60e-6));
        QVERIFY(areClose(resultOf(*model, "tpot").value, 40e-6));
    }
    void severalRequestsAreSaid()
    {
        // A second prompt is read while the first answer is generated: the first one's prefill counts.
        const std::vector<Pass> passes{
            {prompt(8), 0, 60}, {generation, 60, 30}, {prompt(9), 90, 50}, {generation, 140, 30}};
        const TraceModelPtr model = served({passes});
        const MetricResult first = resultOf(*model, "ttft");
        QVERIFY(areClose(first.value, 60e-6));
        QVERIFY(std::any_of(first.warnings.begin(), first.warnings.end(), [](const std::string& warning) {
            return warning.find("several requests") != std::string::npos;
        }));
        QVERIFY(areClose(resultOf(*model, "tpot").value, 110e-6 / 3));
    }
    void passesWithoutTokenCounts()
    {
        const std::vector<Pass> passes{{"execute_context_1_generation_0", 0, 60},
                                       {"execute_context_0_generation_1", 60, 20}};
        QVERIFY(areClose(resultOf(*served({passes}), "ttft").value, 60e-6));
        QVERIFY(areClose(resultOf(*served({passes}), "tpot").value, 20e-6));
    }
    void evidenceIsWhatCounted()
    {
        const std::vector<Pass> passes{{prompt(8), 0, 60}, {generation, 80, 30}, {generation, 120, 30}};
        MetricOptions options;
        options.wantEvidence = true;
        const TraceModelPtr model = served({passes}, {}, true);
        QCOMPARE(resultOf(*model, "ttft", options).evidence.size(), std::size_t{1});
        const MetricResult each = resultOf(*model, "tpot", options);
        QCOMPARE(each.evidenceRanges.size(), std::size_t{2});
        QVERIFY(each.evidence.size() >= 2);
    }
    void whereThereIsNoServer()
    {
        const std::vector<Pass> passes{{prompt(8), 0, 60}, {generation, 60, 30}};
        for (const char* id :
             {"ttft", "tpot", "output_throughput", "request_throughput", "inter_token_latency"}) {
            QVERIFY2(resultOf(*served({passes}, "training\n"), id).state == MetricState::NotApplicable, id);
            QVERIFY2(resultOf(*served({{}}), id).state == MetricState::MissingInput, id);
            QVERIFY2(resultOf(*served({{}}, "inference\n"), id).state == MetricState::MissingInput, id);
            QVERIFY2(resultOf(TraceModel(), id).state == MetricState::MissingInput, id);
        }
        QVERIFY(resultOf(*served({passes}, "inference\n  data:\n    output_len: 1\n"), "tpot").state
                == MetricState::NotApplicable);
        QVERIFY(resultOf(*served({passes}, "inference\n"), "ttft").state == MetricState::Value);
        QVERIFY(resultOf(*served({{{prompt(8), 0, 60}}}), "tpot").state == MetricState::NotApplicable);
        MetricOptions missing;
        missing.rank = 7;
        QVERIFY(resultOf(*served({passes}), "ttft", missing).state == MetricState::MissingInput);
    }
    void benchmarksComeFirst()
    {
        TraceModel model;
        model.measurements.benchmarks = {benchmark(0.05)};
        model.measurements.benchmarks[0].requests = 4;
        const MetricResult first = resultOf(model, "ttft");
        QCOMPARE(first.value, std::optional(0.05));
        QCOMPARE(first.reduction, std::string("median over requests"));
        QCOMPARE(first.source, std::string("benchmark"));
        QCOMPARE(number(first, "median_ttft_ms"), 50.0);
        QVERIFY(first.warnings.empty());
        QVERIFY(resultOf(model, "tpot").state == MetricState::MissingInput);
        QVERIFY(resultOf(model, "output_throughput").state == MetricState::MissingInput);

        // A measurement is believed more than a description, and said to be of the whole run.
        model.card.emplace().phase = "training";
        MetricOptions options;
        options.rank = 0;
        QCOMPARE(resultOf(model, "ttft", options).value, std::optional(0.05));
        QCOMPARE(resultOf(model, "ttft", options).warnings.size(), std::size_t{2});
    }
    void severalBenchmarks()
    {
        TraceModel model;
        model.measurements.benchmarks = {benchmark(0.05), benchmark(0.15), ServingBenchmark()};
        const MetricResult first = resultOf(model, "ttft");
        QVERIFY(areClose(first.value, 0.1));
        QCOMPARE(first.reduction, std::string("median over requests, mean of benchmarks"));
        QCOMPARE(first.warnings.size(), std::size_t{1});
        QCOMPARE(detail(first.details, "benchmarks").as<Value::Array>()->size(), std::size_t{2});
    }
    void figuresThatFilesDoNotState()
    {
        TraceModel model;
        ServingBenchmark& b = model.measurements.benchmarks.emplace_back();
        b.firstToken.each = {0.3, 0.0, 0.1, 0.2}; // 0 = a request that failed
        b.betweenTokens.mean = 0.02;
        b.outputTokens = 800;
        b.requests = 4;
        b.durationSeconds = 10;
        b.perToken.median = 0; // one token each: nothing was measured
        QVERIFY(areClose(resultOf(model, "ttft").value, 0.2));
        QVERIFY(areClose(resultOf(model, "inter_token_latency").value, 0.02));
        QCOMPARE(resultOf(model, "inter_token_latency").reduction, std::string("mean over tokens"));
        QVERIFY(areClose(resultOf(model, "outputThroughput").value, 80));
        QVERIFY(areClose(resultOf(model, "requestThroughput").value, 0.4));
        QVERIFY(resultOf(model, "tpot").state == MetricState::MissingInput);
        b.durationSeconds = 0;
        QVERIFY(resultOf(model, "outputThroughput").state == MetricState::MissingInput);
    }
    void latencyRuns()
    {
        TraceModel model;
        ServingBenchmark& run = model.measurements.benchmarks.emplace_back();
        run.ofBatches = true;
        run.endToEnd.mean = 1.5;
        QCOMPARE(resultOf(model, "request_latency").value, std::optional(1.5));
        QCOMPARE(resultOf(model, "avg_latency").reduction, std::string("mean over batches"));
        model.measurements.benchmarks.emplace_back().endToEnd.mean = 0.5; // of requests
        QCOMPARE(resultOf(model, "request_latency").value, std::optional(0.5));
    }

    void expertLoads()
    {
        TraceModel model = gated({{{4, 0, 0, 0}, {2, 2, 4, 0}}});
        model.card.emplace().parallelism.ep = 2;
        const MetricResult result = resultOf(model, "token_to_expert_assignment");
        QVERIFY(areClose(result.value, 2.0)); // totals 6 2 4 0: mean 3
        QCOMPARE(result.window, std::string("all gate-log steps"));
        QCOMPARE(number(result, "total_tokens"), 12.0);
        QCOMPARE(number(result, "idle_experts"), 1.0);
        QCOMPARE(number(result, "max_over_min_nonzero"), 3.0);
        QVERIFY(areClose(number(result, "entropy_bits"), 0.5 + std::log2(6) / 6 + std::log2(3) / 3));
        QVERIFY(areClose(number(result, "normalized_entropy"), number(result, "entropy_bits") / 2));
        QVERIFY(areClose(number(result, "cv"), std::sqrt((9 + 1 + 1 + 9) / 4.0) / 3));
        const auto& devices = *detail(result.details, "per_device").as<Value::Array>();
        QCOMPARE(*devices[0].as<double>(), 8.0);
        QCOMPARE(*devices[1].as<double>(), 4.0);
        QCOMPARE(result.rows.size(), std::size_t{2});
        QVERIFY(areClose(result.rows[0].value, 4.0));
        QVERIFY(areClose(result.rows[1].value, 2.0));
    }
    void balancedExperts()
    {
        const MetricResult result = resultOf(gated({{{5, 5, 5, 5}}}), "token_to_expert_assignment");
        QVERIFY(areClose(result.value, 1.0));
        QVERIFY(areClose(number(result, "normalized_entropy"), 1.0));
        QCOMPARE(number(result, "cv"), 0.0);
    }
    void severalGateLogs()
    {
        const MetricResult sum = resultOf(gated({{{1, 0}, {2, 0}}, {{0, 3}}}), "token_to_expert_assignment");
        QVERIFY(areClose(sum.value, 1.0));
        QCOMPARE(number(sum, "steps"), 2.0);
        QCOMPARE(sum.warnings.size(), std::size_t{1});
        QVERIFY(resultOf(gated({{{1, 0}}, {{1, 2, 3}}}), "token_to_expert_assignment").state
                == MetricState::NotApplicable);
        QVERIFY(resultOf(gated({{{0, 0}}}), "token_to_expert_assignment").state
                == MetricState::NotApplicable);
        QVERIFY(resultOf(TraceModel(), "token_to_expert_assignment").state == MetricState::MissingInput);
        TraceModel dense;
        dense.card.emplace().moe = false;
        QVERIFY(resultOf(dense, "token_to_expert_assignment").state == MetricState::NotApplicable);
    }

    void lossesByStep()
    {
        TraceModel model;
        TrainingLog& log = model.measurements.trainingLogs.emplace_back();
        log.steps = {logged(1, 4.0), logged(10, 3.0), logged(20, 2.5), logged(10, 2.9)}; // resumed at 10
        log.steps[0].gradientNorm = 1.5;
        const MetricResult quality = resultOf(model, "training_quality_16");
        QVERIFY(quality.state == MetricState::Value && !quality.value);
        const auto& losses = *detail(quality.details, "loss_by_step").as<Value::Object>();
        QCOMPARE(losses.size(), std::size_t{3});
        QCOMPARE(*detail(losses, "10").as<double>(), 2.9);
        QCOMPARE(detail(quality.details, "gradient_norm_by_step").as<Value::Object>()->size(),
                 std::size_t{1});
        QVERIFY(*detail(quality.details, "has_loss").as<bool>());
        QVERIFY(!*detail(quality.details, "has_lr").as<bool>());
        QCOMPARE(quality.warnings.size(), std::size_t{1});
        QCOMPARE(resultOf(model, "training_loss").value, std::optional(2.5));

        log.steps.push_back(logged(30, std::nullopt)); // nan
        QVERIFY(resultOf(model, "training_loss").state == MetricState::NotApplicable);
        QCOMPARE(detail(resultOf(model, "training_quality").details, "loss_not_finite_steps")
                     .as<Value::Array>()
                     ->size(),
                 std::size_t{1});
    }
    void pipelineStagesWithoutTheLoss()
    {
        TraceModel model;
        model.measurements.trainingLogs.emplace_back().steps
            = {logged(1, -1.0, 0), logged(1, 4.0, 1), logged(2, 3.0, 1), logged(2, -1.0, 0)};
        QCOMPARE(resultOf(model, "training_loss").value, std::optional(3.0));
        QCOMPARE(resultOf(model, "training_loss").rows.size(), std::size_t{2});
        QCOMPARE(resultOf(model, "training_loss").rows[0].value, 4.0);
        model.measurements.trainingLogs[0].steps = {logged(1, -1.0, 0)};
        QVERIFY(resultOf(model, "training_loss").state == MetricState::NotApplicable);
    }
    void processesThatLogTheSameStep()
    {
        TraceModel model;
        model.measurements.trainingLogs.emplace_back().steps
            = {logged(1, 4.0, 0), logged(1, 4.0, 1), logged(2, 3.0, 1), logged(2, 3.5, 0)};
        const MetricResult loss = resultOf(model, "training_loss");
        QCOMPARE(loss.value, std::optional(3.0));
        QCOMPARE(loss.warnings.size(), std::size_t{1}); // step 2 is not agreed on
    }
    void loggedFigures()
    {
        TraceModel model;
        TrainingLog& log = model.measurements.trainingLogs.emplace_back();
        log.steps = {logged(1, 4.0), logged(2, 3.0), logged(3, 2.0)};
        QVERIFY(resultOf(model, "logged_mfu").state == MetricState::MissingInput);
        const double tokens[] = {10, 1000, 1200};
        for (std::size_t i = 0; i < 3; ++i)
            log.steps[i].tokensPerSecond = tokens[i];
        log.steps[2].mfuPercent = 40;
        model.worldSize = 4;
        const MetricResult perGpu = resultOf(model, "logged_tokens_per_sec");
        QCOMPARE(perGpu.value, std::optional(1000.0));
        QCOMPARE(number(perGpu, "all_gpus_tokens_per_s"), 4000.0);
        QCOMPARE(resultOf(model, "logged_mfu").value, std::optional(40.0));
        QVERIFY(resultOf(TraceModel(), "logged_mfu").state == MetricState::MissingInput);
        QVERIFY(resultOf(TraceModel(), "training_quality").state == MetricState::MissingInput);
    }

    void passesByTheirNames_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("kind");
        const auto row = [](const char* name, PassKind kind) {
            QTest::newRow(name) << QByteArray(name) << static_cast<int>(kind);
        };
        row("execute_context_1(512)_generation_0(0)", PassKind::Prefill);
        row("execute_context_0(0)_generation_4(4)", PassKind::Decode);
        row("execute_context_2(300)_generation_4(4)", PassKind::Mixed);
        row("execute_context_1_generation_0", PassKind::Prefill);
        row("execute_context_0_generation_1", PassKind::Decode);
        row("execute_context_0(0)_generation_0(0)", PassKind::None);
        row("execute_context_", PassKind::None);
        row("my_execute_context_1(5)", PassKind::None);
    }
    void passesByTheirNames()
    {
        QFETCH(QByteArray, name);
        QFETCH(int, kind);
        QCOMPARE(static_cast<int>(passKindOf(name.toStdString())), kind);
    }
    void latenciesAreOfWhatIsListed()
    {
        ServingBenchmark benchmark;
        benchmark.firstToken.mean = 9.0; // stated, but the times are listed
        for (int i = 1; i <= 100; ++i)
            benchmark.firstToken.each.push_back(i / 1000.0);
        benchmark.firstToken.each.push_back(0); // a request that failed
        benchmark.perToken.median = 0.012;
        benchmark.perToken.p99 = 0.02;
        const std::vector<Latency> latencies = latenciesOf(benchmark);
        QCOMPARE(latencies.size(), std::size_t{2});
        const Latency& first = latencies.front();
        QCOMPARE(first.key, std::string_view("ttft"));
        QCOMPARE(first.sorted.size(), std::size_t{100});
        QCOMPARE(first.failed, std::size_t{1});
        QCOMPARE(*first.mean, 0.0505);
        QCOMPARE(*first.median, 0.0505);
        QCOMPARE(*first.p90, 0.0901);
        QCOMPARE(*first.longest, 0.1);
        const Latency& stated = latencies.back();
        QCOMPARE(stated.key, std::string_view("tpot"));
        QCOMPARE(*stated.median, 0.012);
        QVERIFY(!stated.mean && !stated.p90 && stated.sorted.empty());
        QCOMPARE(latencyBins(first.sorted, 3), (std::vector<std::size_t>{33, 33, 34}));
        QCOMPARE(latencyBins({}, 2), (std::vector<std::size_t>{0, 0}));
    }
    void laterInputsSayWhatTheyNeed()
    {
        for (const char* id : {"memory_peak", "memory_reserved", "memory_efficiency", "memory_fragmentation",
                               "memory_allocation_pattern", "memory"}) {
            const MetricResult result = resultOf(TraceModel(), id);
            QVERIFY2(result.state == MetricState::MissingInput, id);
            QVERIFY2(result.reason.find("memory_snapshot.pickle") != std::string::npos, id);
        }
        for (const char* id : {"wall_time_s", "avg_comm_bandwidth_GBps", "estimated_total_tokens"})
            QVERIFY2(resultOf(TraceModel(), id).reason.find("XLA") != std::string::npos, id);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestServing)

#include "tst_serving.moc"
