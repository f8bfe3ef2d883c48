// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which traces of a folder are one run, which are several, and which are cycles of one process.

#include "model/readers/run/found_runs.h"
#include "model/readers/run/trace_facts.h"
#include "model/readers/run/trace_processes.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <set>

namespace collscope {

namespace {

constexpr std::int64_t secondNs = 1'000'000'000;
constexpr std::int64_t zeroNs = 1'752'181'589 * secondNs;

/// A whole trace of one process: two steps of 10 ms.
struct PlantedTrace
{
    std::string path;
    std::int64_t atNs = 0; ///< since zeroNs
    int rank = -1; ///< of distributedInfo; -1: the file does not say
    int firstStep = 1;
    int pid = 100;
};

std::string textOf(const PlantedTrace& trace)
{
    std::string text = "{\"schemaVersion\": 1, ";
    if (trace.rank >= 0)
        text
            += "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + std::to_string(trace.rank) + "}, ";
    text += "\"baseTimeNanoseconds\": " + std::to_string(zeroNs) + ", \"traceEvents\": [\n";
    for (int step = 0; step < 2; ++step) {
        const std::string ts = std::to_string(trace.atNs / 1000 + step * 10'000);
        const std::string pid = std::to_string(trace.pid);
        text += R"({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#)"
            + std::to_string(trace.firstStep + step) + R"(", "pid": )" + pid + ", \"tid\": " + pid
            + ", \"ts\": " + ts + ".000, \"dur\": 10000.000, \"args\": {}},\n";
        text += R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": )" + ts
            + R"(.500, "dur": 4000.000, "args": {"device": 0, "stream": 7, "correlation": )"
            + std::to_string(step + 1) + "}}" + (step == 0 ? ",\n" : "\n");
    }
    return text + "]}";
}

/// TensorBoard's name of what a process wrote at a time.
std::string workerName(const std::string& worker, std::int64_t atNs)
{
    return worker + "." + std::to_string(zeroNs + atNs + 50'000'000) + ".pt.trace.json";
}

PlantedTrace ofWorker(const std::string& worker, std::int64_t atNs, int rank = -1, int firstStep = 1)
{
    return {workerName(worker, atNs), atNs, rank, firstStep};
}

LoadPlan planned(const RunFolder& folder, const std::vector<PlantedTrace>& traces,
                 const LoadOptions& options = {})
{
    for (const PlantedTrace& trace : traces)
        folder.write("all/" + trace.path, textOf(trace));
    auto plan = planLoad({folder.path("all")}, options);
    if (!plan)
        qFatal("%s", plan.error().message.c_str());
    return std::move(*plan);
}

QString namesOf(const std::vector<FoundRun>& runs)
{
    QStringList names;
    for (const FoundRun& run : runs)
        names << QString::fromStdString(run.name + " (" + ranksText(run) + ")");
    return names.join(QStringLiteral(", "));
}

constexpr std::int64_t hourNs = 3600 * secondNs;

} // namespace

class TestFoundRuns : public QObject
{
    Q_OBJECT

private:
    RunFolder m_runs, m_cycles;

private slots:
    void foldersAreOneRunOrSeveral_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("runs"); ///< empty: one run
        for (std::size_t i = 0; i < folders().size(); ++i)
            QTest::newRow(folders()[i].what) << static_cast<int>(i) << QString::fromLatin1(folders()[i].runs);
    }
    void foldersAreOneRunOrSeveral()
    {
        QFETCH(const int, which);
        QFETCH(const QString, runs);
        const RunFolder folder;
        const std::vector<PlantedTrace>& traces = folders()[static_cast<std::size_t>(which)].traces;
        const LoadPlan plan = planned(folder, traces);
        QCOMPARE(namesOf(plan.runs), runs);
        const auto model = loadTrace(plan, {});
        if (runs.isEmpty()) {
            QVERIFY(model);
            QVERIFY((*model)->range.lengthNs() < 48 * hourNs);
            return;
        }
        QVERIFY(!model && model.error().kind == Error::Kind::Unsupported);
        // Each of them opens, and is one.
        std::set<std::string> files;
        for (const FoundRun& run : plan.runs) {
            const auto one = planLoad(run.paths, {});
            QVERIFY(one && one->runs.empty());
            const auto opened = loadTrace(*one, {});
            QVERIFY2(opened, run.name.c_str());
            QVERIFY((*opened)->range.lengthNs() < hourNs);
            for (const SourceInfo& source : (*opened)->sources)
                QVERIFY2(files.insert(source.path).second, source.path.c_str());
            QVERIFY(run.bytes > 0 && run.changedNs > 0);
            QCOMPARE(run.beginNs.has_value(), true);
        }
    }

    void cyclesAreIterations_data()
    {
        QTest::addColumn<int>("which");
        for (std::size_t i = 0; i < cycles().size(); ++i)
            QTest::newRow(cycles()[i].what) << static_cast<int>(i);
    }
    void cyclesAreIterations()
    {
        QFETCH(const int, which);
        const CycleCase& expected = cycles()[static_cast<std::size_t>(which)];
        const RunFolder folder;
        const LoadPlan plan = planned(folder, expected.traces);
        QVERIFY2(plan.runs.empty(), qPrintable(namesOf(plan.runs)));
        QCOMPARE(plan.iterationsOffered, expected.iterations);
        const auto last = loadTrace(plan, {});
        QVERIFY(last);
        QCOMPARE((*last)->ranks(), expected.ranks);
        QCOMPARE((*last)->timelines.size(), expected.ranks.size());
        if (!expected.iterations.empty())
            QCOMPARE((*last)->timelines.front().iteration, expected.iterations.back());
        QVERIFY(!findProblem((*last)->problems, "duplicate_rank"));
        QCOMPARE(measured(**last, "avg_step_time").value, std::optional(0.01));
        // All of them: as many timelines as files, of as many ranks as processes.
        LoadOptions all;
        all.iteration.mode = IterationChoice::Mode::All;
        const auto every = loadPath(folder.path("all"), all);
        QVERIFY(every);
        QCOMPARE((*every)->ranks(), expected.ranks);
        QCOMPARE((*every)->timelines.size(), expected.traces.size());
        QCOMPARE(measured(**every, "avg_step_time").value, std::optional(0.01));
        for (const Timeline& timeline : (*every)->timelines) {
            const std::int64_t first = timeline.steps.front().number;
            const int cycle = first < 6 ? 1 : first < 11 ? 2 : 3; // as planted
            QCOMPARE(timeline.iteration, expected.iterations.empty() ? -1 : cycle);
        }
    }
    void copiesAreNoCycles()
    {
        const RunFolder folder;
        const PlantedTrace trace = ofWorker("host_1", 0, 0);
        folder.write("all/" + trace.path, textOf(trace));
        folder.write("all/copy/" + trace.path, textOf(trace));
        folder.write("all/rank0 (1).json", textOf(trace));
        const auto plan = planLoad({folder.path("all")}, {});
        QVERIFY(plan && plan->runs.empty() && plan->iterationsOffered.empty());
        const TraceModelPtr run = folder.load("all");
        QVERIFY(run && run->timelines.size() == 1);
        QVERIFY(findProblem(run->problems, "duplicate_rank"));
    }
    void namesAndHeads()
    {
        const auto facts = [](const char* name) { return traceFacts(name, ""); };
        QCOMPARE(facts("x/dc3b_851.1752215573993169006.pt.trace.json.gz").process, std::string("dc3b_851"));
        QCOMPARE(facts("x/dc3b_851.1752215573993169006.pt.trace.json.gz").host, std::string("dc3b"));
        QCOMPARE(facts("host_4242.1711964646.pt.trace.json").writtenNs,
                 std::optional(std::int64_t{1'711'964'646} * secondNs));
        QCOMPARE(facts("worker3_step_12.1694128201557.pt.trace.json").process, std::string("worker3"));
        QCOMPARE(facts("worker12.1694128201557.pt.trace.json").process, std::string("worker12"));
        for (const char* name :
             {"rank0_trace.json", "a_1.json", "host_1.99999999999999999999.pt.trace.json", ".json",
              "host_.1711964646.pt.trace.json", "_5.1711964646.pt.trace.json", "worker.json", ""})
            QVERIFY2(facts(name).process.empty(), name);
        // Cut, damaged and hostile heads give fewer facts.
        QVERIFY(!traceFacts("a", R"("distributedInfo": {"rank": 1)").rank);
        QVERIFY(!traceFacts("a", R"("distributedInfo": {"rank": 99999999999999, )").rank);
        QVERIFY(!traceFacts("a", R"("distributedInfo": {"rank": -3, )").rank);
        QVERIFY(!traceFacts("a", R"("traceEvents": [{"ph": "X", "ts": 1e300, )").beginNs);
        QVERIFY(
            !traceFacts(
                 "a", R"("baseTimeNanoseconds": 9223372036854775807, "traceEvents": [{"ph": "X", "ts": 5, )")
                 .beginNs);
        QCOMPARE(traceFacts("a", textOf({"", 7000, 3, 6, 42})).rank, std::optional(3));
        QCOMPARE(traceFacts("a", textOf({"", 7000, 3, 6, 42})).pid, std::optional(std::int64_t{42}));
        QCOMPARE(traceFacts("a", textOf({"", 7000, 3, 6, 42})).firstStep, std::optional(std::int64_t{6}));
        QCOMPARE(traceFacts("a", textOf({"", 7000, 3, 6, 42})).beginNs, std::optional(zeroNs + 7000));
    }
    void aListNamesNothingThatSteers()
    {
        const RunFolder folder;
        for (const char* name : {"a\n  fake: rank 9", "b"}) {
            for (const int rank : {0, 1})
                folder.write("all/" + std::string(name) + "/rank" + std::to_string(rank) + ".json",
                             textOf({"", rank, rank, name[0] == 'b' ? 4 : 1}));
        }
        const auto model = loadPath(folder.path("all"));
        QVERIFY(!model && model.error().kind == Error::Kind::Unsupported);
        QCOMPARE(std::count(model.error().message.begin(), model.error().message.end(), '\n'), 2);
    }
    void aWholeFolderOfRuns_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("runs");
        QTest::addColumn<QString>("one");
        int firstStep = 1;
        for (const char* name : {"a", "b", "compare/c"}) {
            for (const int rank : {0, 1})
                m_runs.write(std::string(name) + "/rank" + std::to_string(rank) + ".json",
                             textOf({"", rank, rank, firstStep}));
            firstStep += 3;
        }
        QTest::newRow("planted") << QString::fromStdString(m_runs.path("")) << 3
                                 << QStringLiteral("compare/c (ranks 0, 1)");
        if (!oracleFolder().isEmpty())
            QTest::newRow("oracle") << oracleFolder() + QStringLiteral("/inputs") << 14
                                    << QStringLiteral("compare/37cu_384threads (ranks 0, 1)");
    }
    void aWholeFolderOfRuns()
    {
        QFETCH(QString, folder);
        QFETCH(int, runs);
        QFETCH(QString, one);
        const auto plan = planLoad({folder.toStdString()}, {});
        QVERIFY(plan);
        QVERIFY2(static_cast<int>(plan->runs.size()) == runs, qPrintable(namesOf(plan->runs)));
        QVERIFY2(namesOf(plan->runs).contains(one), qPrintable(namesOf(plan->runs)));
    }
    void processesAreTwoRunsOfTwoCycles_data()
    {
        QTest::addColumn<QString>("folder");
        planned(m_cycles,
                {ofWorker("alpha_1", 0), ofWorker("alpha_1", secondNs, -1, 6),
                 ofWorker("alpha_2", 300 * secondNs), ofWorker("alpha_2", 301 * secondNs, -1, 6)});
        QTest::newRow("planted") << QString::fromStdString(m_cycles.path("all"));
        if (!tracesFolder().isEmpty())
            QTest::newRow("recorded") << tracesFolder() + QStringLiteral("/multirank/quentin_cycles");
    }
    void processesAreTwoRunsOfTwoCycles()
    {
        QFETCH(QString, folder);
        const auto plan = planLoad({folder.toStdString()}, {});
        QVERIFY(plan);
        QCOMPARE(plan->runs.size(), std::size_t{2});
        for (const FoundRun& run : plan->runs) {
            QCOMPARE(run.paths.size(), std::size_t{2});
            const auto one = planLoad(run.paths, {});
            QVERIFY(one);
            QCOMPARE(one->iterationsOffered, (std::vector<std::int64_t>{1, 2}));
            const auto model = loadTrace(*one, {});
            QVERIFY(model);
            QCOMPARE((*model)->ranks(), std::vector<std::int32_t>{0});
            QCOMPARE((*model)->timelines.front().steps.front().number, 6); // the second cycle
            LoadOptions first;
            first.iteration = {IterationChoice::Mode::One, 1};
            const auto before = loadTrace(*planLoad(run.paths, first), {});
            QVERIFY(before);
            QCOMPARE((*before)->timelines.front().steps.front().number, 1);
        }
    }
    void ranksAreOneRunWithoutIterations_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("generated") << generatedRun();
        for (const char* name : {"param_dlrm_8rank", "hta_sampled_2rank", "tokenomics_2rank"}) {
            if (!tracesFolder().isEmpty())
                QTest::newRow(name) << tracesFolder() + QStringLiteral("/multirank/") + QLatin1String(name);
        }
    }
    void ranksAreOneRunWithoutIterations()
    {
        QFETCH(QString, folder);
        const auto one = planLoad({folder.toStdString()}, {});
        QVERIFY(one && one->runs.empty() && one->iterationsOffered.empty());
    }

private:
    struct FolderCase
    {
        const char* what;
        const char* runs;
        std::vector<PlantedTrace> traces;
    };
    static const std::vector<FolderCase>& folders()
    {
        static const std::vector<FolderCase> cases{
            // One run.
            {"a folder for each rank", "", {{"rank0/trace.json", 0, 0}, {"rank1/trace.json", 0, 1}}},
            {"nodes with ranks of their own", "", {{"node0/rank0.json", 0, 0}, {"node1/rank1.json", 0, 1}}},
            {"hosts with ranks of their own", "", {{"alpha/rank0.json", 0, 0}, {"beta/rank1.json", 0, 1}}},
            {"nodes that count from 0", "", {{"node0/rank0.json", 0}, {"node1/rank0.json", 1}}},
            {"hosts that count from 0", "", {{"alpha/rank0.json", 0}, {"beta/rank0.json", 1000}}},
            {"iterations", "", {{"iteration_1/rank0.json", 0, 0}, {"iteration_2/rank0.json", hourNs, 0, 6}}},
            {"nested parts",
             "",
             {{"profile_traces/iteration_10/rank0.json", 0, 0},
              {"profile_traces/iteration_10/rank1.json", 0, 1}}},
            {"a backup of a file",
             "",
             {{"rank0.json", 0, 0}, {"rank1.json", 0, 1}, {"old/rank0.json", 0, 0}}},
            {"processes at the same time", "", {ofWorker("alpha_1", 0), ofWorker("alpha_2", 1000)}},
            {"processes of two hosts, minutes apart",
             "",
             {ofWorker("alpha_1", 0), ofWorker("beta_2", 300 * secondNs)}},
            {"files without a rank at the same time", "", {{"x/trace.json", 0}, {"y/trace.json", 5000}}},
            // Several.
            {"two runs",
             "a (ranks 0, 1), b (ranks 0, 1)",
             {{"a/rank0.json", 0, 0},
              {"a/rank1.json", 0, 1},
              {"b/rank0.json", 0, 0, 4},
              {"b/rank1.json", 0, 1, 4}}},
            {"two runs by name, an hour apart",
             "a (rank 0), b (rank 0)",
             {{"a/rank0.json", 0}, {"b/rank0.json", hourNs}}},
            {"identical runs", "a (rank 0), b (rank 0)", {{"a/rank0.json", 0, 0}, {"b/rank0.json", 0, 0}}},
            {"runs with parts",
             "a (ranks 0, 1), b (ranks 0, 1)",
             {{"a/torch_profiler/rank0/trace.json", 0, 0},
              {"a/torch_profiler/rank1/trace.json", 0, 1},
              {"b/torch_profiler/rank0/trace.json", 0, 0, 4},
              {"b/torch_profiler/rank1/trace.json", 0, 1, 4}}},
            {"runs below runs",
             "x/a (rank 0), x/b (rank 0), y (rank 0)",
             {{"x/a/rank0.json", 0, 0}, {"x/b/rank0.json", 0, 0, 4}, {"y/rank0.json", 0, 0, 7}}},
            {"deep runs",
             "1/2/3/4/5/a (rank 0), 1/2/3/4/5/b (rank 0), c (rank 0), d (rank 0)",
             {{"1/2/3/4/5/a/rank0.json", 0, 0},
              {"1/2/3/4/5/b/rank0.json", 0, 0, 4},
              {"c/rank0.json", 0, 0, 7},
              {"d/rank0.json", 0, 0, 9}}},
            {"hosts of two jobs",
             "one (ranks 0, 1), two (ranks 0, 1)",
             {{"one/alpha/rank0.json", 0, 0},
              {"one/beta/rank1.json", 0, 1},
              {"two/alpha/rank0.json", 0, 0, 4},
              {"two/beta/rank1.json", 0, 1, 4}}},
            {"a run beside its files",
             "a (rank 0), rank0.json and 1 more (ranks 0, 1)",
             {{"rank0.json", 0, 0}, {"rank1.json", 0, 1}, {"a/rank0.json", 0, 0, 4}}},
            {"files without a rank, years apart",
             "x (1 trace), y (1 trace)",
             {{"x/trace.json", 0}, {"y/trace.json", 30'000 * hourNs}}},
            {"two processes of one host, one after the other",
             "alpha_1 (1 trace), alpha_2 (1 trace)",
             {ofWorker("alpha_1", 0), ofWorker("alpha_2", 300 * secondNs)}},
            {"two jobs in one folder",
             "alpha_1.1752181589050000000.pt.trace.json and 1 more (ranks 0, 1), "
             "alpha_3.1752188789050000000.pt.trace.json and 1 more (ranks 0, 1)",
             {ofWorker("alpha_1", 0, 0), ofWorker("alpha_2", 0, 1), ofWorker("alpha_3", 2 * hourNs, 0),
              ofWorker("alpha_4", 2 * hourNs, 1)}},
            {"a worker of two jobs",
             "worker0.1752181589050000000.pt.trace.json (rank 0), "
             "worker0.1752188789050000000.pt.trace.json (rank 0)",
             {ofWorker("worker0", 0, 0), ofWorker("worker0", 2 * hourNs, 0)}},
        };
        return cases;
    }

    struct CycleCase
    {
        const char* what;
        std::vector<std::int64_t> iterations;
        std::vector<std::int32_t> ranks;
        std::vector<PlantedTrace> traces;
    };
    static const std::vector<CycleCase>& cycles()
    {
        static const std::vector<CycleCase> cases{
            {"two of a process", {1, 2}, {0}, {ofWorker("alpha_1", 0), ofWorker("alpha_1", secondNs, -1, 6)}},
            {"three of a process",
             {1, 2, 3},
             {0},
             {ofWorker("alpha_1", 0), ofWorker("alpha_1", secondNs, -1, 6),
              ofWorker("alpha_1", 2 * secondNs, -1, 11)}},
            {"hours apart", {1, 2}, {0}, {ofWorker("alpha_1", 0), ofWorker("alpha_1", 30 * hourNs, -1, 6)}},
            {"of two ranks",
             {1, 2},
             {0, 1},
             {ofWorker("alpha_1", 0, 0), ofWorker("alpha_2", 0, 1), ofWorker("alpha_1", secondNs, 0, 6),
              ofWorker("alpha_2", secondNs, 1, 6)}},
            {"of two processes without ranks",
             {1, 2},
             {0, 1},
             {ofWorker("alpha_1", 0), ofWorker("alpha_2", 0), ofWorker("alpha_1", secondNs, -1, 6),
              ofWorker("alpha_2", secondNs, -1, 6)}},
            {"of two hosts with clocks apart",
             {1, 2},
             {0, 1},
             {ofWorker("alpha_1", 0, 0), ofWorker("beta_2", 20 * secondNs, 1),
              ofWorker("alpha_1", 60 * secondNs, 0, 6), ofWorker("beta_2", 80 * secondNs, 1, 6)}},
            {"of workers",
             {1, 2},
             {0, 1},
             {ofWorker("worker0", 0, 0), ofWorker("worker1", 0, 1), ofWorker("worker0", secondNs, 0, 6),
              ofWorker("worker1", secondNs, 1, 6)}},
            {"of a rank that says it",
             {1, 2},
             {4},
             {{"a.json", 0, 4, 1, 77}, {"b.json", secondNs, 4, 6, 77}}},
            {"of two ranks that say it, hours apart",
             {1, 2},
             {0, 1},
             {{"a.json", 0, 0, 1, 77},
              {"b.json", 0, 1, 1, 78},
              {"c.json", 3 * hourNs, 0, 6, 77},
              {"d.json", 3 * hourNs, 1, 6, 78}}},
            {"no cycles: two processes", {}, {0, 1}, {ofWorker("alpha_1", 0), ofWorker("alpha_2", 0)}},
        };
        return cases;
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFoundRuns)
#include "tst_found_runs.moc"
