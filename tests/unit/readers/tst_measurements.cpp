// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Benchmark results, training logs, gate logs and gpu_count.txt: found by content, read as written, and never
// a reason to stop.

#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

namespace collscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* vllmServe = R"({"date": "20260101", "backend": "vllm", "model_id": "toy/7b",
"request_rate": "inf", "duration": 10.0, "completed": 4, "total_input_tokens": 2048, "total_output_tokens": 800,
"request_throughput": 0.4, "output_throughput": 80.0, "total_token_throughput": 284.8,
"mean_ttft_ms": 60.0, "median_ttft_ms": 50.0, "p99_ttft_ms": 99.5, "mean_tpot_ms": 11.0,
"median_tpot_ms": 10.5, "p99_tpot_ms": 20.0, "mean_itl_ms": 12.0, "median_itl_ms": 10.0, "p99_itl_ms": 31.0})";

constexpr const char* sglangLine
    = R"({"duration": 2.0, "ttfts": [0.25, 0.75], "itls": [[0.01, 0.03], [0.02]], "median_ttft_ms": 500.0})";

constexpr const char* colouredStep
    = "[rank0]:[titan] 2026-01-01 00:00:00,123 - root - INFO - \x1b[31mstep: 10  \x1b[32mloss:  4.6306  "
      "\x1b[38;2;1;2;3mgrad_norm:  1.5e-01  \x1b[33mmemory: 37.50GiB(46.93%)  \x1b[34mtps: 12,345  "
      "\x1b[36mtflops: 123.40  \x1b[35mmfu: 39.55%\x1b[39m\n";

constexpr const char* kineto = R"({"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1, "dur": 5}]})";

class Folder
{
public:
    std::string path() const { return m_folder.path().toStdString(); }
    const Folder& add(const std::string& name, std::string_view content) const
    {
        const fs::path file = fs::path(path()) / name;
        fs::create_directories(file.parent_path());
        writeFile(file, content);
        return *this;
    }
    /// What was read; a run in which nothing is readable fails the test.
    TraceModelPtr load() const
    {
        auto model = loadPath(path());
        if (!model)
            qFatal("%s", model.error().message.c_str());
        return *model;
    }
    bool isReadable() const { return loadPath(path()).has_value(); }

private:
    QTemporaryDir m_folder;
};

/// The steps of a log with this content, empty if it is no training log.
std::vector<LoggedStep> logged(std::string_view content)
{
    const Folder folder;
    folder.add("train.log", content).add("trace.json", kineto);
    const auto logs = folder.load()->measurements.trainingLogs;
    return logs.empty() ? std::vector<LoggedStep>() : logs.front().steps;
}

} // namespace

class TestMeasurements : public QObject
{
    Q_OBJECT

private slots:
    void readsServingBenchmarks()
    {
        const Folder folder;
        folder.add("results_json/rate_inf.json", vllmServe);
        const TraceModelPtr model = folder.load(); // readable though there is no trace
        QCOMPARE(model->measurements.benchmarks.size(), std::size_t{1});
        const ServingBenchmark& b = model->measurements.benchmarks.front();
        QCOMPARE(b.backend, std::string("vllm"));
        QCOMPARE(b.model, std::string("toy/7b"));
        QCOMPARE(b.firstToken.median, std::optional(0.05));
        QCOMPARE(b.firstToken.mean, std::optional(0.06));
        QCOMPARE(b.perToken.median, std::optional(0.0105));
        QCOMPARE(b.betweenTokens.p99, std::optional(0.031));
        QCOMPARE(b.outputTokensPerSecond, std::optional(80.0));
        QCOMPARE(b.requests, std::optional<std::int64_t>(4));
        QCOMPARE(b.outputTokens, std::optional<std::int64_t>(800));
        QVERIFY(!b.ofBatches && !b.endToEnd.isKnown());
        QVERIFY(model->sources[b.source.value].path.ends_with("rate_inf.json"));
        QVERIFY(model->sources[b.source.value].kind == SourceKind::Benchmark);
        QVERIFY(model->problems.isEmpty());
    }
    void readsJsonLines()
    {
        const Folder folder;
        folder.add("bench_results.jsonl", std::string(sglangLine) + "\n\n" + sglangLine + "\n{\"dur");
        const TraceModelPtr model = folder.load();
        QCOMPARE(model->measurements.benchmarks.size(), std::size_t{2});
        const ServingBenchmark& b = model->measurements.benchmarks[1];
        QCOMPARE(b.record, 1u);
        QCOMPARE(b.firstToken.each, (std::vector<double>{0.25, 0.75}));
        QCOMPARE(b.betweenTokens.each, (std::vector<double>{0.01, 0.03, 0.02}));
        QVERIFY(findProblem(model->problems, "bad_line") != nullptr); // the line that is cut off
    }
    void readsLatencyRuns()
    {
        const Folder folder;
        folder.add(
            "a.latency.json",
            R"({"avg_latency": 1.5, "latencies": [1.0, 2.0], "percentiles": {"50": 1.5, "99": 1.99}})");
        const TraceModelPtr model = folder.load();
        const ServingBenchmark& b = model->measurements.benchmarks.at(0);
        QVERIFY(b.ofBatches);
        QCOMPARE(b.endToEnd.mean, std::optional(1.5));
        QCOMPARE(b.endToEnd.p99, std::optional(1.99));
        QCOMPARE(b.endToEnd.each.size(), std::size_t{2});
    }
    void benchmarksAreNoTraces_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<bool>("isBenchmark");
        QTest::newRow("served") << QByteArray(vllmServe) << true;
        QTest::newRow("line") << QByteArray(sglangLine) << true;
        QTest::newRow("list of runs") << QByteArray("[") + sglangLine + "]" << true;
        QTest::newRow("our own report")
            << QByteArray(R"({"metrics": {"output_throughput": {"value": 3}, "ttft": {"value": 1}}})")
            << false;
        QTest::newRow("another program's") << QByteArray(R"({"avg_latency": 3})") << false;
        QTest::newRow("words in a text")
            << QByteArray("{\"generated\": \"\\\"output_throughput\\\": 3\"}") << false;
        QTest::newRow("empty") << QByteArray("{}") << false;
    }
    void benchmarksAreNoTraces()
    {
        QFETCH(QByteArray, content);
        QFETCH(bool, isBenchmark);
        const Folder folder;
        folder.add("kineto_trace_0.json", content.toStdString());
        const auto plan = planLoad({folder.path()}, {});
        QVERIFY(plan.has_value());
        QCOMPARE(plan->files.size(), std::size_t{isBenchmark ? 1u : 0u});
        if (isBenchmark)
            QVERIFY(plan->files[0].reader->kind == SourceKind::Benchmark);
    }
    void damagedBenchmarks_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("problem"); // of a run that is read all the same
        QTest::addColumn<bool>("isUsed");
        QTest::newRow("cut off") << QByteArray(vllmServe).left(300) << QByteArray("unreadable") << false;
        QTest::newRow("NaN") << QByteArray(R"({"median_ttft_ms": NaN, "output_throughput": 5})")
                             << QByteArray("repaired_json") << true;
        QTest::newRow("only NaN") << QByteArray(R"({"median_ttft_ms": NaN})") << QByteArray("unreadable")
                                  << false;
        QTest::newRow("text for a number")
            << QByteArray(R"({"median_ttft_ms": "50", "output_throughput": 5})") << QByteArray("bad_figure")
            << true;
        QTest::newRow("negative") << QByteArray(R"({"median_ttft_ms": -1, "output_throughput": 5})")
                                  << QByteArray("bad_figure") << true;
        QTest::newRow("too large for a double")
            << QByteArray(R"({"median_ttft_ms": 1e999, "output_throughput": 5})") << QByteArray("unreadable")
            << false;
        QTest::newRow("half a request") << QByteArray(R"({"completed": 0.5, "output_throughput": 5})")
                                        << QByteArray("bad_figure") << true;
        QTest::newRow("list of anything")
            << QByteArray(R"({"ttfts": [0.5, "x", null, [1, {}]], "output_throughput": 5})")
            << QByteArray("bad_figure") << true;
        QTest::newRow("nothing completed") << QByteArray(R"({"completed": 0, "output_throughput": 0.0})")
                                           << QByteArray("no_requests") << false;
        QTest::newRow("deep") << QByteArray(R"({"output_throughput": 5, "x": )") + QByteArray(100000, '[')
                              << QByteArray("unreadable") << false;
    }
    void damagedBenchmarks()
    {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, problem);
        QFETCH(bool, isUsed);
        const Folder folder;
        folder.add("bench.json", content.toStdString());
        QCOMPARE(folder.isReadable(), isUsed);
        folder.add("trace.json", kineto);
        const TraceModelPtr model = folder.load();
        QCOMPARE(model->measurements.benchmarks.size(), std::size_t{isUsed ? 1u : 0u});
        const char* const expected = problem == "no_requests" ? "unreadable" : problem.constData();
        QVERIFY2(findProblem(model->problems, expected) != nullptr, expected);
        if (isUsed) {
            QCOMPARE(model->measurements.benchmarks[0].outputTokensPerSecond, std::optional(5.0));
            QVERIFY(!model->measurements.benchmarks[0].firstToken.median);
            QVERIFY(!model->measurements.benchmarks[0].requests);
        }
    }
    void readsTrainingLogs()
    {
        const std::vector<LoggedStep> steps
            = logged(std::string("starting\n") + colouredStep
                     + "step:  1,200  loss: 1.2e+01  memory:  512.00MiB(1%)  wps: 987  mfu: 3.20%\r\nbye\n");
        QCOMPARE(steps.size(), std::size_t{2});
        QCOMPARE(steps[0].step, std::int64_t{10});
        QCOMPARE(steps[0].writer, 0);
        QCOMPARE(steps[0].loss, std::optional(4.6306));
        QCOMPARE(steps[0].gradientNorm, std::optional(0.15));
        QCOMPARE(steps[0].memoryBytes, std::optional(37.5 * 1024 * 1024 * 1024));
        QCOMPARE(steps[0].tokensPerSecond, std::optional(12345.0));
        QCOMPARE(steps[0].mfuPercent, std::optional(39.55));
        QVERIFY(!steps[0].learningRate);
        QCOMPARE(steps[1].step, std::int64_t{1200});
        QCOMPARE(steps[1].writer, -1);
        QCOMPARE(steps[1].loss, std::optional(12.0));
        QCOMPARE(steps[1].tokensPerSecond, std::optional(987.0));
        QCOMPARE(steps[1].memoryBytes, std::optional(512.0 * 1024 * 1024));
    }
    void otherLinesAreNoSteps_data()
    {
        QTest::addColumn<QByteArray>("line");
        for (const char* line :
             {"step: 3", "step: x loss: 1", "step: 3 loss:", "step: 3 loss: abc", "step: -1 loss: 2",
              "step: 2.5 loss: 2", "global_step: 3 loss: 2", "loss: 2 step: 3", "step: 3 max_loss: 2",
              "step: 1e300 loss: 2", "step: 3 loss: 1e999", "", "step:", "\x1b[", "step: 3 \x1b[31"})
            QTest::newRow(line) << QByteArray(line);
    }
    void otherLinesAreNoSteps()
    {
        QFETCH(QByteArray, line);
        QVERIFY(logged(line.toStdString()).empty());
        QVERIFY(logged(line.toStdString() + "\n" + line.toStdString() + "\n").empty());
    }
    void lossesThatAreNoNumbersAreSaid()
    {
        const Folder folder;
        folder.add("a.log", "step: 1 loss: nan\nstep: 2 loss: -inf grad_norm: inf\nstep: 3 loss: 2.0");
        const TraceModelPtr model = folder.load(); // readable though there is no trace
        const std::vector<LoggedStep>& steps = model->measurements.trainingLogs.at(0).steps;
        QCOMPARE(steps.size(), std::size_t{3});
        QVERIFY(!steps[0].loss && !steps[0].lossIsFinite);
        QVERIFY(!steps[1].loss && !steps[1].gradientNorm);
        QCOMPARE(steps[2].loss, std::optional(2.0));
        QVERIFY(findProblem(model->problems, "loss_not_finite") != nullptr);
    }
    void logsOfOtherProgramsAreNoInput()
    {
        const Folder folder;
        folder.add("trace.json", kineto)
            .add("nccl.log", "NCCL INFO Bootstrap\n")
            .add("job.err", "")
            .add("binary.out", std::string("\0\1step:\0\xff", 9));
        const TraceModelPtr model = folder.load();
        QVERIFY(model->problems.isEmpty() || model->problems.entries().size() == 1); // rank_guessed
        QCOMPARE(model->sources.size(), std::size_t{1});
    }
    void stepsAfterALongBeginningAreFound()
    {
        std::string text;
        for (int line = 0; line < 5000; ++line)
            text += "NCCL INFO Channel " + std::to_string(line) + " : 0 1 2 3 4 5 6 7\n";
        text += std::string(200'000, 'x') + "\n" + colouredStep; // a line of its own that is far too long
        QCOMPARE(logged(text).size(), std::size_t{1});
    }
    void readsGateLogs()
    {
        const Folder folder;
        folder.add("moe_gates_logs/gates_logs_0/gate_logs_0.json",
                   R"({"layer": 3, "expert_loads": [[4, 0, 12.0], [1, 2, 3]]})");
        const TraceModelPtr model = folder.load();
        const GateLog& log = model->measurements.gateLogs.at(0);
        QCOMPARE(log.experts, std::size_t{3});
        QCOMPARE(log.tokens, (std::vector<std::vector<std::int64_t>>{{4, 0, 12}, {1, 2, 3}}));
    }
    void damagedGateLogs_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<int>("steps"); // 0 = unreadable
        QTest::newRow("cut off") << QByteArray(R"({"expert_loads": [[1, 2], [3)") << 0;
        QTest::newRow("other length") << QByteArray(R"({"expert_loads": [[1, 2], [3], [4, 5]]})") << 2;
        QTest::newRow("negative") << QByteArray(R"({"expert_loads": [[1, 2], [3, -1]]})") << 1;
        QTest::newRow("NaN") << QByteArray(R"({"expert_loads": [[1, NaN], [3, 1]]})") << 1;
        QTest::newRow("half a token") << QByteArray(R"({"expert_loads": [[1, 0.5], [3, 1]]})") << 1;
        QTest::newRow("no list of steps") << QByteArray(R"({"expert_loads": [1, 2, 3]})") << 0;
        QTest::newRow("nothing") << QByteArray(R"({"expert_loads": []})") << 0;
        QTest::newRow("too large") << QByteArray(R"({"expert_loads": [[1e300, 2], [1, 2]]})") << 1;
    }
    void damagedGateLogs()
    {
        QFETCH(QByteArray, content);
        QFETCH(int, steps);
        const Folder folder;
        folder.add("gate_logs_0.json", content.toStdString());
        QCOMPARE(folder.isReadable(), steps > 0);
        folder.add("trace.json", kineto);
        const TraceModelPtr model = folder.load();
        QCOMPARE(model->measurements.gateLogs.size(), std::size_t{steps > 0 ? 1u : 0u});
        if (steps > 0)
            QCOMPARE(model->measurements.gateLogs[0].tokens.size(), static_cast<std::size_t>(steps));
        QVERIFY(findProblem(model->problems, steps > 0 ? "bad_step" : "unreadable") != nullptr);
    }
    void gpuCountIsTheLastButOneSource()
    {
        const std::string silent = kineto;
        const Folder folder;
        folder.add("rank0_trace.json", silent).add("gpu_count.txt", " 16\n");
        QCOMPARE(folder.load()->worldSize, std::optional(16));
        QCOMPARE(folder.load()->worldSizeSource, std::string("gpu_count.txt"));
        folder.add("workload_card.yaml",
                   "workload:\n  hardware:\n    xpu_spec:\n      total_count: 8\n      count_per_node: 8\n");
        QCOMPARE(folder.load()->worldSize, std::optional(8));

        const Folder told;
        told.add("gpu_count.txt", "16")
            .add("rank0_trace.json", R"({"distributedInfo": {"rank": 0, "world_size": 4}, "traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 1, "dur": 5}]})");
        QCOMPARE(told.load()->worldSize, std::optional(4));
    }
    void gpuCountsThatAreNone()
    {
        for (const char* content : {"many", "0", "-3", "16 17", "99999999999999", " "}) {
            const Folder folder;
            folder.add("rank0_trace.json", kineto).add("gpu_count.txt", content);
            const TraceModelPtr model = folder.load();
            QVERIFY2(findProblem(model->problems, "bad_figure") != nullptr, content);
            QCOMPARE(model->worldSizeSource, std::string("the number of ranks found"));
        }
        const Folder alone; // describes a run, measures nothing
        alone.add("gpu_count.txt", "16");
        QVERIFY(!alone.isReadable());
    }
    void sniffingNeedsNoWholeFile()
    {
        const std::string head = std::string(vllmServe).substr(0, 400);
        QVERIFY(readerOf(SourceKind::Benchmark).sniff("x.json", head) == Sniff::Yes);
        QVERIFY(readerOf(SourceKind::GateLog).sniff("x.json", "{\"expert_loads\": [[1,") == Sniff::Yes);
        QVERIFY(readerOf(SourceKind::TrainingLog).sniff("x.log", colouredStep) == Sniff::Yes);
        QVERIFY(readerOf(SourceKind::TrainingLog).sniff("x.json", colouredStep) == Sniff::No);
        for (const char* empty : {"", " ", "\xEF\xBB\xBF", "{", "["}) {
            for (const SourceKind kind :
                 {SourceKind::Benchmark, SourceKind::GateLog, SourceKind::TrainingLog})
                QVERIFY(readerOf(kind).sniff("x.log", empty) == Sniff::No);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMeasurements)
#include "tst_measurements.moc"
