// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/metric.h"
#include "model/containers/run_sort.h"
#include "model/readers/trace_names.h"
#include "tests/support/suite/stop_requests.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QElapsedTimer>
#include <QTemporaryDir>

#include <algorithm>
#include <ctime>
#include <limits>

namespace collscope {

namespace {

namespace fs = std::filesystem;

/// A whole Kineto file of one kernel; `rank` < 0 leaves out who wrote it.
std::string trace(int rank, int startUs = 0)
{
    std::string text = "{\"schemaVersion\": 1, ";
    if (rank >= 0)
        text += "\"distributedInfo\": {\"rank\": " + std::to_string(rank) + ", \"world_size\": 4}, ";
    return text
        + "\"traceEvents\": [{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":"
        + std::to_string(startUs) + ",\"dur\":5}]}";
}

class Folder
{
public:
    fs::path path() const { return m_folder.path().toStdString(); }
    void add(const std::string& name, std::string_view content) const
    {
        fs::create_directories((path() / name).parent_path());
        writeFile(path() / name, content);
    }
    LoadPlan plan(const LoadOptions& options = {}) const
    {
        auto result = planLoad({path().string()}, options);
        if (!result)
            qFatal("%s", result.error().message.c_str());
        return std::move(*result);
    }
    std::vector<std::string> names(const LoadPlan& plan) const
    {
        std::vector<std::string> result;
        for (const PlannedFile& file : plan.files)
            result.push_back(fs::path(file.file.path).lexically_relative(path()).string());
        return result;
    }

private:
    QTemporaryDir m_folder;
};

using Names = std::vector<std::string>;

} // namespace

class TestTraceDirectory : public QObject
{
    Q_OBJECT

private slots:
    /// A folder of many files: sorting their names asks, too.
    void sortingCanBeCancelled_data()
    {
        QTest::addColumn<int>("count");
        for (const int count : {0, 1, 4096, 4097, 100'000})
            QTest::newRow(QByteArray::number(count).constData()) << count;
    }
    void sortingCanBeCancelled()
    {
        QFETCH(const int, count);
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i)
            numbers.push_back(i * 2654435761u); // in no order
        std::vector<std::uint32_t> sorted = numbers;
        std::sort(sorted.begin(), sorted.end());
        int compared = 0;
        /// Sorts, and requests a stop at that comparison.
        const auto sort = [&](int last) {
            compared = 0;
            std::stop_source user;
            const auto before = [&](std::uint32_t a, std::uint32_t b) {
                if (++compared == last)
                    user.request_stop();
                return a < b;
            };
            std::vector<std::uint32_t> copy = numbers;
            const bool isSorted = sortUnlessCancelled(copy.begin(), copy.end(), before, user.get_token());
            return isSorted ? std::optional(copy) : std::nullopt;
        };
        QCOMPARE(sort(-1), std::optional(sorted));
        const int all = compared;
        if (count <= 4096)
            return; // one piece, before which it asks
        constexpr int mostOfPiece = 4096 * 30;
        for (const int last : {1, all / 4}) {
            QVERIFY(!sort(last));
            QVERIFY(compared < last + mostOfPiece); // soon
            QVERIFY(compared < all);
        }
        std::vector<std::uint32_t> untouched = numbers;
        QVERIFY(!sortUnlessCancelled(untouched.begin(), untouched.end(), std::less(), stopRequested()));
        QVERIFY(untouched == numbers);
    }
    /// PowerShell's `>` writes UTF-16.
    void textInUtf16IsSaid()
    {
        const std::string text = trace(0);
        std::string wide;
        for (const char c : text)
            wide += std::string(1, c) + '\0';
        const Folder folder;
        folder.add("marked.json", "\xFF\xFE" + wide);
        folder.add("unmarked.json", wide);
        folder.add("sound.json", text);
        const LoadPlan plan = folder.plan();
        QCOMPARE(folder.names(plan), (Names{"sound.json"}));
        QCOMPARE(plan.wrecks.size(), std::size_t{2});
        const Diagnostic* const finding = findProblem(plan.problems, "utf16");
        QVERIFY(finding && finding->severity == Severity::DataLoss);
        QVERIFY(finding->explanation.find("iconv") != std::string::npos);
    }
    /// Any number of files that are not traces: each is looked at once, and the user may stop that.
    void foreignFilesCanBeLeft()
    {
        const Folder folder;
        constexpr int files = 1000;
        for (int i = 0; i < files; ++i)
            folder.add("f" + std::to_string(i) + ".json", "{\"x\": 1}");
        QElapsedTimer timer;
        timer.start();
        const auto whole = planLoad({folder.path().string()}, {});
        const qint64 wholeNs = timer.nsecsElapsed();
        QVERIFY(whole && whole->problems.entries().size() == std::size_t{files});
        const auto plan = planLoad({folder.path().string()}, {}, stopRequested());
        QVERIFY(!plan && plan.error().kind == Error::Kind::Cancelled);
        // While it goes on; the fastest of some tries, because other programs run, too.
        qint64 leastNs = wholeNs;
        for (int i = 0; i < 5; ++i) {
            const StopAfter soon(std::chrono::milliseconds(1));
            timer.start();
            const auto left = planLoad({folder.path().string()}, {}, soon.token());
            if (!left && left.error().kind == Error::Kind::Cancelled)
                leastNs = std::min(leastNs, timer.nsecsElapsed());
        }
        QVERIFY2(leastNs < wholeNs / 2, (std::to_string(leastNs) + " of " + std::to_string(wholeNs)).c_str());
    }
    void findingsOfManyFilesTakeTimeInProportion()
    {
        const auto ticksOf = [](int files) {
            std::clock_t least = std::numeric_limits<std::clock_t>::max();
            for (int round = 0; round < 3; ++round) {
                const std::clock_t begin = std::clock();
                Diagnostics problems;
                for (int i = 0; i < 2 * files; ++i) // each twice
                    problems.add(Severity::Notice, "not_recognised", "f" + std::to_string(i % files), 0, "");
                least = std::min(least, std::clock() - begin);
                if (problems.entries().size() != static_cast<std::size_t>(files)
                    || problems.entries().back().count != 2)
                    return std::clock_t{-1};
            }
            return least;
        };
        const std::clock_t quarter = ticksOf(10'000);
        const std::clock_t whole = ticksOf(40'000);
        QVERIFY(quarter >= 0 && whole >= 0);
        QVERIFY(whole < 10 * std::max<std::clock_t>(quarter, CLOCKS_PER_SEC / 100));
    }

    /// Traces in an archive would be read as one trace of many ranks.
    void archivesAreRefused_data()
    {
        QTest::addColumn<QByteArray>("content");
        std::string tar(1024, '\0');
        tar.replace(0, 17, "rank0_trace.json\0", 17);
        tar.replace(257, 5, "ustar");
        tar += trace(0);
        QTest::newRow("tar") << QByteArray::fromStdString(tar);
        QTest::newRow("tar.gz") << QByteArray::fromStdString(gzipped(tar));
        QTest::newRow("zip") << QByteArray("PK\x03\x04 rank0_trace.json {\"traceEvents\": [");
        QTest::newRow("zst") << QByteArray("\x28\xB5\x2F\xFD{\"traceEvents\": [");
        QTest::newRow("xz") << QByteArray("\xFD"
                                          "7zXZ\0{\"traceEvents\": [",
                                          24);
    }
    void archivesAreRefused()
    {
        QFETCH(const QByteArray, content);
        const Folder folder;
        folder.add("rank0_trace.json", trace(0));
        folder.add("traces.json.gz", {content.constData(), static_cast<std::size_t>(content.size())});
        const LoadPlan plan = folder.plan();
        QCOMPARE(folder.names(plan), Names{"rank0_trace.json"});
        const Diagnostic* problem = findProblem(plan.problems, "packed");
        QVERIFY(problem && problem->explanation.find("unpack it") != std::string::npos);
        // Alone, it is what the answer is about.
        const Folder alone;
        alone.add("traces.json.gz", {content.constData(), static_cast<std::size_t>(content.size())});
        for (const std::string& path : {alone.path().string(), (alone.path() / "traces.json.gz").string()}) {
            const auto nothing = loadPath(path);
            QVERIFY(!nothing && nothing.error().message.find("unpack it") != std::string::npos);
        }
    }
    void foldersOfSeveralRunsAreTold()
    {
        const Folder folder;
        for (const char* name :
             {"a/rank0_trace.json", "a/rank1_trace.json", "b/rank0_trace.json", "b/rank1_trace.json"})
            folder.add(name, trace(name[6] - '0'));
        const auto mixed = loadPath(folder.path().string());
        QVERIFY(!mixed && mixed.error().kind == Error::Kind::Unsupported);
        QVERIFY(mixed.error().message.find("\n  b: ranks 0, 1, ") != std::string::npos);
        // Whoever says that they are one run gets one, and is told what that means.
        LoadOptions asOne;
        asOne.asOneRun = true;
        const auto joined = loadPath(folder.path().string(), asOne);
        QVERIFY(joined);
        const Diagnostic* problem = findProblem((*joined)->problems, "several_runs");
        QVERIFY(problem && problem->count == 1);
        QVERIFY(problem->explanation.find((folder.path() / "b").string()) != std::string::npos);
        const auto one = loadPath((folder.path() / "a").string());
        QVERIFY(one && !findProblem((*one)->problems, "several_runs"));
        // A folder for each rank is one run, and so is one for each iteration.
        const Folder byRank, byIteration;
        byRank.add("rank0/trace.json", trace(0));
        byRank.add("rank1/trace.json", trace(1));
        byIteration.add("iteration_5/rank0_trace.json", trace(0));
        byIteration.add("iteration_9/rank0_trace.json", trace(0));
        LoadOptions all;
        all.iteration.mode = IterationChoice::Mode::All;
        for (const auto& run : {loadPath(byRank.path().string()), loadPath(byIteration.path().string()),
                                loadPath(byIteration.path().string(), all)})
            QVERIFY(run && !findProblem((*run)->problems, "several_runs"));
    }
    void ranksInNames_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("rank");
        const auto row = [](const char* path, int rank) { QTest::newRow(path) << QByteArray(path) << rank; };
        row("rank3_trace.json", 3);
        row("rank_12.json.gz", 12);
        row("kineto_rank7_step2.json", 7);
        row("run/rank 5.json", 5);
        row("Rank-4.pt.trace.json", 4);
        row("torch_profiler/rank2/trace.json", 2);
        row("torch_profiler/rank_02/anything.json", 2);
        row("kineto_trace_6.json", 6);
        row("run_9.json", 9);
        row("host_4242.1711964646.pt.trace.json", -1); // a time stamp, not a rank
        row("bench_1016001.json", -1);
        row("rank_1711964646.sqlite", -1); // nor where the word stands before it
        row("000012_step_3.pickle", 12);
        row("trace.json", -1);
    }
    void ranksInNames()
    {
        QFETCH(QByteArray, path);
        QFETCH(int, rank);
        QCOMPARE(rankFromPath(path.constData()).value_or(-1), rank);
    }
    void iterationsInPaths()
    {
        QCOMPARE(iterationFromPath("profile_traces/iteration_10/rank0_trace.json"), 10);
        QCOMPARE(iterationFromPath("iteration_3_exit/x.json"), 3);
        QCOMPARE(iterationFromPath("rank0_trace.json"), -1);
    }
    void contentDecidesNotTheName()
    {
        const Folder folder;
        folder.add("anything.json", trace(0));
        folder.add("nothing_trace.json", "{\"hello\": 1}");
        folder.add("notes.txt", "hello");
        folder.add("kineto_trace_1.json", "not json at all");
        QCOMPARE(folder.names(folder.plan()), (Names{"anything.json"}));
    }
    void naturalOrder()
    {
        const Folder folder;
        for (const int rank : {10, 2, 1, 0})
            folder.add("rank" + std::to_string(rank) + "_trace.json", trace(rank));
        QCOMPARE(folder.names(folder.plan()),
                 (Names{"rank0_trace.json", "rank1_trace.json", "rank2_trace.json", "rank10_trace.json"}));
    }
    void linkedFilesCountOnce()
    {
        const Folder folder;
        folder.add("profile_trace/rank0.json", trace(0));
        fs::create_symlink(folder.path() / "profile_trace/rank0.json", folder.path() / "kineto_trace_0.json");
        fs::create_hard_link(folder.path() / "profile_trace/rank0.json", folder.path() / "rank0_copy.json");
        fs::create_directory_symlink(folder.path(), folder.path() / "loop");
        fs::create_symlink(folder.path() / "gone.json", folder.path() / "broken.json");
        QCOMPARE(folder.plan().files.size(), std::size_t{1});
    }
    void theLastCompleteIterationIsChosen()
    {
        const Folder folder;
        for (const int iteration : {10, 20, 30}) {
            for (int rank = 0; rank < (iteration == 30 ? 1 : 2); ++rank)
                folder.add("profile_traces/iteration_" + std::to_string(iteration) + "/rank"
                               + std::to_string(rank) + "_trace.json",
                           trace(rank));
        }
        LoadPlan plan = folder.plan();
        QVERIFY(plan.iterationsOffered == (std::vector<std::int64_t>{10, 20, 30}));
        QCOMPARE(plan.files.size(), std::size_t{2});
        for (const PlannedFile& file : plan.files)
            QCOMPARE(file.file.iteration, 20);

        LoadOptions options;
        options.iteration = {IterationChoice::Mode::All, 0};
        QCOMPARE(folder.plan(options).files.size(), std::size_t{5});
        options.iteration = {IterationChoice::Mode::One, 30};
        plan = folder.plan(options);
        QCOMPARE(plan.files.size(), std::size_t{1});
        QCOMPARE(plan.files[0].file.iteration, 30);
        options.iteration = {IterationChoice::Mode::One, 999};
        const auto missing = planLoad({folder.path().string()}, options);
        QVERIFY(!missing);
        QVERIFY2(missing.error().message.find("10, 20, 30") != std::string::npos,
                 missing.error().message.c_str());
    }
    void stepsOfSeveralIterationsKeepTheirNumbers()
    {
        const Folder folder;
        for (const int iteration : {1, 2}) {
            std::string text = "{\"traceEvents\": [";
            for (int step = 0; step < 5; ++step)
                text += std::string(step > 0 ? "," : "")
                    + "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#"
                    + std::to_string(10 * iteration + step)
                    + "\",\"pid\":1,\"tid\":1,\"ts\":" + std::to_string(100 * (10 * iteration + step))
                    + ",\"dur\":" + std::to_string(50 + step) + "}";
            folder.add("iteration_" + std::to_string(iteration) + "/rank0_trace.json", text + "]}");
        }
        LoadOptions options;
        options.iteration.mode = IterationChoice::Mode::All;
        const auto model = loadPath(folder.path().string(), options);
        QVERIFY(model.has_value());
        const MetricResult result = evaluate(**model, *findMetric("avg_step_time"), MetricOptions());
        std::vector<std::int64_t> numbers;
        for (const MetricRow& row : result.rows) {
            if (row.step)
                numbers.push_back(*row.step);
        }
        QCOMPARE(numbers, (std::vector<std::int64_t>{11, 12, 13, 21, 22, 23}));
    }
    void ranksAreLimitedEvenly()
    {
        const Folder folder;
        for (int rank = 0; rank < 8; ++rank)
            folder.add("rank" + std::to_string(rank) + "_trace.json", trace(rank));
        LoadOptions options;
        options.maxRanks = 4;
        const LoadPlan plan = folder.plan(options);
        QCOMPARE(folder.names(plan),
                 (Names{"rank0_trace.json", "rank2_trace.json", "rank4_trace.json", "rank6_trace.json"}));
        QVERIFY(findProblem(plan.problems, "max_ranks") != nullptr);
    }
    void oneFileOfEachRank()
    {
        const Folder folder;
        folder.add("a.json", trace(1));
        folder.add("b.json", trace(1, 100));
        folder.add("c.json", trace(0));
        const auto model = loadPath(folder.path().string());
        QVERIFY(model.has_value());
        QVERIFY((*model)->ranks() == (std::vector<std::int32_t>{0, 1}));
        QCOMPARE((*model)->timelines.size(), std::size_t{2});
        QVERIFY(findProblem((*model)->problems, "duplicate_rank") != nullptr);
        for (const SourceInfo& source : (*model)->sources)
            QCOMPARE(source.eventsInFile, source.shown + source.excluded);
    }
    void theFileIsBelievedAboutItsRank()
    {
        const Folder folder;
        folder.add("rank5_trace.json", trace(2));
        folder.add("unnamed.json", trace(-1));
        const auto model = loadPath(folder.path().string());
        QVERIFY(model.has_value());
        QVERIFY((*model)->ranks() == (std::vector<std::int32_t>{0, 2}));
        QVERIFY(findProblem((*model)->problems, "rank_disagrees") != nullptr);
        QVERIFY(findProblem((*model)->problems, "rank_guessed") != nullptr);
        QCOMPARE((*model)->worldSize.value_or(0), 4);
    }
    void aPersonIsBelievedAboutRanks()
    {
        const Folder folder;
        folder.add("host0/rank5_trace.json", trace(2));
        folder.add("host1/rank5_trace.json", trace(2));
        folder.add("unnamed.json", trace(-1));
        LoadOptions options;
        options.ranks = {{"host1/rank5_trace.json", 7}, {"unnamed.json", 3}, {"med.json", 99}};
        const auto model = loadTrace(folder.plan(options), {});
        QVERIFY(model.has_value());
        QVERIFY((*model)->ranks() == (std::vector<std::int32_t>{2, 3, 7}));
        QVERIFY(findProblem((*model)->problems, "duplicate_rank") == nullptr);
        QVERIFY(findProblem((*model)->problems, "rank_guessed") == nullptr);
    }
    void cardsAboveTheRunAreFound()
    {
        const Folder folder;
        folder.add("workload_card.yaml", "workload:\n  model:\n    model_family: toy\n");
        folder.add("profile_traces/iteration_1/rank0_trace.json", trace(0));
        const auto model = loadPath((folder.path() / "profile_traces/iteration_1").string());
        QVERIFY(model.has_value());
        QVERIFY((*model)->card.has_value());
        QCOMPARE((*model)->card->modelFamily, std::string("toy"));
    }
    void cardsNamedAfterTheirFolderAreFoundAbove()
    {
        const Folder folder;
        folder.add("llama_tp4/llama_tp4.yaml", "workload:\n  model:\n    model_family: toy\n");
        folder.add("llama_tp4/other.yaml", "workload:\n  model:\n    model_family: wrong\n");
        folder.add("llama_tp4/profile_trace/rank0_trace.json", trace(0));
        const auto model = loadPath((folder.path() / "llama_tp4/profile_trace").string());
        QVERIFY(model.has_value() && (*model)->card.has_value());
        QCOMPARE((*model)->card->modelFamily, std::string("toy"));
    }
    void everyPathIsRemembered()
    {
        const Folder folder;
        folder.add("rank0_trace.json", trace(0));
        folder.add("rank1_trace.json", trace(1));
        const std::vector<std::string> paths
            = {(folder.path() / "rank0_trace.json").string(), (folder.path() / "rank1_trace.json").string()};
        const auto plan = planLoad(paths, {});
        QVERIFY(plan.has_value());
        const auto model = loadTrace(*plan, {});
        QVERIFY(model.has_value());
        QCOMPARE((*model)->paths, paths);
    }
    void nothingReadable()
    {
        const Folder folder;
        QVERIFY(!loadPath(folder.path().string()));
        folder.add("notes.txt", "hello");
        folder.add("workload_card.yaml", "workload:\n  model:\n    model_family: toy\n");
        const auto model = loadPath(folder.path().string());
        QVERIFY(!model);
        QVERIFY(model.error().kind == Error::Kind::NotFound);
        QVERIFY(!model.error().message.empty());
        QVERIFY(!planLoad({(folder.path() / "missing").string()}, {}));
    }
    void deepFoldersAreNamed()
    {
        const Folder folder;
        folder.add("a/b/c/d/rank0_trace.json", trace(0));
        const auto nothing = loadPath(folder.path().string());
        QVERIFY(!nothing);
        QVERIFY2(nothing.error().message.find((folder.path() / "a/b/c/d").string()) != std::string::npos,
                 nothing.error().message.c_str());
        folder.add("a/b/c/rank1_trace.json", trace(1));
        const LoadPlan plan = folder.plan();
        QCOMPARE(folder.names(plan), (Names{"a/b/c/rank1_trace.json"}));
        QVERIFY(findProblem(plan.problems, "too_deep"));
        QVERIFY(!findProblem(planLoad({(folder.path() / "a").string()}, {})->problems, "too_deep"));
    }
    void sideFilesOfOtherSystemsAreSkipped()
    {
        const Folder folder;
        folder.add("rank0_trace.json", trace(0));
        folder.add("._rank0_trace.json", std::string_view("\0\5\x16\7", 4));
        folder.add(".git/rank1_trace.json", trace(1));
        QCOMPARE(folder.names(folder.plan()), (Names{"rank0_trace.json"}));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestTraceDirectory)
#include "tst_trace_directory.moc"
