// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files that do not belong together although neither their times nor the sizes they say tell it: copies of a
// rank, ranks of another job at the same time, steps that are counted from elsewhere.

#include "model/queries/recordings.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

constexpr int ranksOfRun = 8;

WorkloadDescription usualRun()
{
    WorkloadDescription description;
    description.dataParallel = 4;
    description.steps = 6;
    return description;
}

std::vector<std::string> filesOf(const WorkloadDescription& description)
{
    const RunPlan plan = planRun(description);
    std::vector<std::string> texts;
    for (const PlannedRank& rank : plan.ranks)
        texts.push_back(kinetoJson(plan, rank));
    return texts;
}

std::string changed(std::string text, const std::string& what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

std::string sayingNothing(const std::string& text)
{
    return changed(text, "\"distributedInfo\"", "\"formerInfo\"");
}

TraceModelPtr loaded(const std::vector<std::string>& texts)
{
    const RunFolder folder;
    for (std::size_t rank = 0; rank < texts.size(); ++rank)
        folder.write("run/rank" + std::to_string(rank) + "_trace.json", texts[rank]);
    return folder.load("run");
}

bool saysSoBefore(const MetricResult& result, const std::string& what)
{
    return std::any_of(result.warnings.begin(), result.warnings.end(),
                       [&](const std::string& warning) { return warning.find(what) != std::string::npos; });
}

/// Each rank computes and calls; `call` and `kernel` say what.
template<typename CallOf, typename KernelOf>
TraceModelPtr smallRun(const CallOf& callOf, const KernelOf& kernelOf)
{
    SmallRun run(4);
    for (int rank = 0; rank < 4; ++rank) {
        for (int i = 0; i < 20; ++i) {
            const double begin = 1000.0 * i;
            run.kernel(rank, begin, 300 + rank, 7, kernelOf(rank, i));
            run.call(rank, begin + 400 + rank, 200 - rank, callOf(rank, i));
        }
    }
    return run.load();
}

SmallCall allReduce(int elements, const char* description = "")
{
    SmallCall call;
    call.ranks = "[0, 1, 2, 3]";
    call.groupSize = 4;
    call.inElements = call.outElements = elements;
    call.description = description;
    return call;
}

bool isOneJob(const TraceModelPtr& run)
{
    return run && !findProblem(run->problems, "jobs_differ") && severalRecordings(*run).empty();
}

/// Several jobs, and nothing else is said of them that may be false; `why` stands in the sentence.
bool areSeveralJobs(const TraceModelPtr& run, const std::string& why)
{
    const Diagnostic* const found = run ? findProblem(run->problems, "jobs_differ") : nullptr;
    return found && found->severity == Severity::DataLoss && found->explanation.find(why) != std::string::npos
        && !findProblem(run->problems, "ranks_missing") && !findProblem(run->problems, "steps_differ")
        && !measured(*run, "gpu_busy").value && !measured(*run, "straggler").value
        && measured(*run, "straggler").reason.find(why) != std::string::npos;
}

} // namespace

class TestMixedRuns : public QObject
{
    Q_OBJECT

private slots:
    void aCopyCountsOnce_data()
    {
        QTest::addColumn<bool>("doOthersSay");
        QTest::newRow("nobody says which rank it is") << false;
        QTest::newRow("all but the copy say it") << true;
    }
    void aCopyCountsOnce()
    {
        QFETCH(const bool, doOthersSay);
        std::vector<std::string> texts = filesOf(usualRun());
        const TraceModelPtr plain = loaded(texts);
        const std::string copy = sayingNothing(texts[1]);
        for (std::string& text : texts)
            text = doOthersSay ? text : sayingNothing(text);
        QVERIFY(!findProblem(loaded(texts)->problems, "ranks_copied"));
        texts.push_back(copy);
        const TraceModelPtr run = loaded(texts);
        QVERIFY(run && plain);
        const Diagnostic* const found = findProblem(run->problems, "ranks_copied");
        QVERIFY(found && found->severity == Severity::DataLoss);
        QVERIFY2(found->explanation.find("those of rank 1, to the nanosecond: rank 8.") != std::string::npos,
                 found->explanation.c_str());
        QVERIFY(isOneJob(run));
        for (const char* metric : {"comm_comp_overlap", "avg_step_time", "straggler"}) {
            const MetricResult result = measured(*run, metric);
            QVERIFY2(result.value.has_value(), result.reason.c_str());
            COLLSCOPE_CLOSE(*result.value, measured(*plain, metric).value.value_or(-1));
            QVERIFY(
                saysSoBefore(result, "Excluded because the events are the same as those of rank 1: rank 8."));
            QCOMPARE(result.scope, std::string("8 ranks"));
        }
        MetricOptions alone;
        alone.rank = 8;
        QVERIFY(measured(*run, "comm_comp_overlap", alone).value.has_value());
    }
    void aCopyMaySayThatItIsAnotherRank()
    {
        std::vector<std::string> texts = filesOf(usualRun());
        const std::string said = "\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": ";
        QVERIFY(texts[2].find(said + "2") != std::string::npos);
        texts[5] = changed(texts[2], said + "2", said + "5");
        const TraceModelPtr run = loaded(texts);
        const Diagnostic* const found = run ? findProblem(run->problems, "ranks_copied") : nullptr;
        QVERIFY(found);
        QVERIFY2(found->explanation.find("those of rank 2, to the nanosecond: rank 5.") != std::string::npos,
                 found->explanation.c_str());
    }
    void aFileWithoutEventsIsAMissingRank()
    {
        std::vector<std::string> texts = filesOf(usualRun());
        texts[3] = "{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": 3, \"world_size\": "
            + std::to_string(ranksOfRun) + "}, \"traceEvents\": []}";
        const TraceModelPtr run = loaded(texts);
        const Diagnostic* const found = run ? findProblem(run->problems, "ranks_missing") : nullptr;
        QVERIFY(found && found->severity == Severity::DataLoss);
        QVERIFY2(found->explanation.find("7 of the run's 8 ranks") != std::string::npos
                     && found->explanation.find("Reason for rank 3: its file contains no events.")
                         != std::string::npos,
                 found->explanation.c_str());
        QVERIFY(!findProblem(run->problems, "steps_missing"));
    }
    void aCopyDoesNotStandForAMissingRank()
    {
        std::vector<std::string> texts = filesOf(usualRun());
        texts[7] = sayingNothing(texts[6]);
        const TraceModelPtr run = loaded(texts);
        QVERIFY(run && findProblem(run->problems, "ranks_copied"));
        const Diagnostic* const found = findProblem(run->problems, "ranks_missing");
        QVERIFY(found && found->explanation.find("7 of the run's 8 ranks") != std::string::npos);
    }
    void oneRankTooMany()
    {
        std::vector<std::string> texts = filesOf(usualRun());
        WorkloadDescription other = usualRun();
        other.steps = 5;
        texts.push_back(sayingNothing(filesOf(other)[2]));
        const TraceModelPtr run = loaded(texts);
        QVERIFY(areSeveralJobs(run, "state a run of 8 ranks, but there are more"));
        const std::string& text = findProblem(run->problems, "jobs_differ")->explanation;
        QVERIFY2(text.find("ranks 0-7 at ") != std::string::npos
                     && text.find("; rank 8 at ") != std::string::npos,
                 text.c_str());
    }
    void moreRanksThanTheCardSaysIsANotice()
    {
        std::vector<std::string> texts = filesOf(usualRun());
        const RunFolder folder;
        for (std::size_t rank = 0; rank < texts.size(); ++rank)
            folder.write("run/rank" + std::to_string(rank) + "_trace.json", sayingNothing(texts[rank]));
        folder.write("run/workload_card.yaml",
                     "version: 1\nworkload:\n  model:\n    phase: training\n  hardware:\n"
                     "    xpu_spec:\n      type: GPU\n      total_count: 4\n");
        const TraceModelPtr run = folder.load("run");
        const Diagnostic* const found = run ? findProblem(run->problems, "ranks_in_excess") : nullptr;
        QVERIFY(found && found->severity == Severity::Notice);
        QVERIFY2(found->explanation.find("8 ranks are loaded, but the run has 4 (total_count") == 0,
                 found->explanation.c_str());
        QVERIFY(measured(*run, "comm_comp_overlap").value.has_value());
    }

    void oneGroupHasTheSameCalls()
    {
        const auto gemm = [](int, int) { return "gemm"; };
        QVERIFY(isOneJob(smallRun([](int, int) { return allReduce(1000); }, gemm)));
        const std::string why = "contain different collectives of the same process group";
        // The sizes of an all-reduce agree on all ranks.
        QVERIFY(areSeveralJobs(
            smallRun([](int rank, int) { return allReduce(rank < 2 ? 1000 : 2000); }, gemm), why));
        // Another description of the same calls is not evidence.
        QVERIFY(isOneJob(
            smallRun([](int rank, int) { return allReduce(1000, rank < 2 ? "mesh_tp" : "other"); }, gemm)));
        // The parts of an all-to-all need not be of one size, and some calls may lack.
        const auto unequal = [](int rank, int) {
            SmallCall call = allReduce(1000 * (rank + 1));
            call.name = "all_to_allv";
            return call;
        };
        QVERIFY(isOneJob(smallRun(unequal, gemm)));
        QVERIFY(isOneJob(
            smallRun([](int rank, int i) { return allReduce(rank == 2 && i < 8 ? 5 : 1000); }, gemm)));
    }
    void ranksOfOneJobHaveKernelsInCommon()
    {
        const auto ownGroup = [](int rank, int) {
            SmallCall call = allReduce(1000);
            call.group = rank < 2 ? "a" : "b";
            call.ranks = rank < 2 ? "[0, 1]" : "[2, 3]";
            call.groupSize = 2;
            return call;
        };
        const auto shared = [](int, int) { return allReduce(1000); };
        const auto other = [](int rank, int) { return rank < 2 ? "ours" : "theirs"; };
        QVERIFY(areSeveralJobs(smallRun(ownGroup, other), "hardly any kernels in common"));
        // Who makes the same calls is of the same job.
        QVERIFY(isOneJob(smallRun(shared, other)));
        // A stage of a pipeline, and each rank by itself.
        QVERIFY(isOneJob(smallRun(ownGroup, [](int rank, int i) {
            return i % 4 == 0 ? "block" : rank < 2 ? "embedding" : "loss";
        })));
        QVERIFY(isOneJob(smallRun(ownGroup, [](int rank, int) { return "kernel_" + std::to_string(rank); })));
    }

    void stepsOfTheSameNumberAreTheSame()
    {
        std::vector<std::string> texts = filesOf(usualRun());
        for (int step = usualRun().firstStep + usualRun().steps; step-- > usualRun().firstStep;)
            texts[3] = changed(texts[3], "ProfilerStep#" + std::to_string(step) + "\"",
                               "ProfilerStep#" + std::to_string(step + 1) + "\"");
        const TraceModelPtr run = loaded(texts);
        const Diagnostic* const found = run ? findProblem(run->problems, "steps_differ") : nullptr;
        QVERIFY(found);
        QVERIFY2(found->explanation.find("6 steps each, but with different step numbers")
                     != std::string::npos,
                 found->explanation.c_str());
        const MetricResult delay = measured(*run, "straggler_delay");
        QVERIFY(!delay.value);
        QVERIFY2(delay.reason.find("lie in different steps on different ranks") != std::string::npos,
                 delay.reason.c_str());
        QVERIFY(measured(*loaded(filesOf(usualRun())), "straggler_delay").value.has_value());
    }
    void oneRankOfFewerSteps()
    {
        std::vector<std::string> texts = filesOf(usualRun());
        const TraceModelPtr whole = loaded(texts);
        WorkloadDescription fewer = usualRun();
        fewer.steps = 5;
        texts[3] = filesOf(fewer)[3];
        const TraceModelPtr run = loaded(texts);
        QVERIFY(run && findProblem(run->problems, "steps_differ"));
        const MetricResult delay = measured(*run, "straggler_delay");
        QVERIFY2(delay.value && delay.window == "inner steps common to all ranks", delay.reason.c_str());
    }

    void ofTwoCopiesNoneHasLessWork()
    {
        const std::vector<std::string> texts = filesOf(usualRun());
        const RunFolder folder;
        for (std::size_t rank = 0; rank < 4; ++rank)
            folder.write("run/rank" + std::to_string(rank) + "_trace.json", texts[rank]);
        folder.write("run/copy_of_rank1_trace.json", texts[1] + "\n");
        const TraceModelPtr run = folder.load("run");
        const Diagnostic* const found = run ? findProblem(run->problems, "duplicate_rank") : nullptr;
        QVERIFY(found && found->explanation.find("with the same amount of GPU work") != std::string::npos);
    }
    void theChosenCycleIsTold()
    {
        WorkloadDescription second = usualRun();
        second.firstStep += second.steps;
        second.wallClockNs += 1'000'000'000;
        const RunFolder folder;
        for (int rank = 0; rank < ranksOfRun; ++rank) {
            const auto at = static_cast<std::size_t>(rank);
            const std::string name = "run/rank" + std::to_string(rank);
            folder.write(name + "_trace.json", filesOf(usualRun())[at]);
            folder.write(name + "_iter2_trace.json", filesOf(second)[at]);
        }
        const TraceModelPtr run = folder.load("run");
        const Diagnostic* const found = run ? findProblem(run->problems, "cycle_chosen") : nullptr;
        QVERIFY(found && found->severity == Severity::Notice);
        QVERIFY2(found->explanation.find("2 profiler cycles, of which only cycle 2 is loaded")
                     != std::string::npos,
                 found->explanation.c_str());
        LoadOptions first;
        first.iteration = {IterationChoice::Mode::One, 1};
        const auto asked = loadPath(folder.path("run"), first);
        QVERIFY(asked && !findProblem((*asked)->problems, "cycle_chosen"));
    }
    void oneKernelIsNotNoneOfThem()
    {
        SmallRun run(2);
        run.kernel(0, 0, 10);
        run.cpu(1, "aten::mm", 0, 10);
        const TraceModelPtr model = run.load();
        const Diagnostic* const found
            = model ? findProblem(model->problems, "communication_not_recognised") : nullptr;
        QVERIFY(found && found->explanation.find("The only kernel was not recognised") == 0);
    }

    void wholeRunsAreOfOneJob_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("generated") << generatedRun();
        if (tracesFolder().isEmpty())
            return;
        for (const char* folder : {"multirank/hta_sampled_2rank", "multirank/param_dlrm_8rank",
                                   "multirank/tokenomics_2rank", "pytorch_gloo/torch113_ddp4_straggler",
                                   "pytorch_gloo/torch214_a2a4", "pytorch_gloo/torch214_ddp4_et",
                                   "pytorch_gloo/torch214_ddp4_straggler", "pytorch_gloo/torch214_pp4_card",
                                   "pytorch_gloo/torch214_tp4", "pytorch_gloo/torch26_ddp4_straggler"})
            QTest::newRow(folder) << tracesFolder() + QLatin1Char('/') + QString::fromLatin1(folder);
    }
    void wholeRunsAreOfOneJob()
    {
        QFETCH(const QString, folder);
        const auto run = loadPath(folder.toStdString());
        QVERIFY(run);
        QVERIFY(isOneJob(*run));
        QVERIFY(!findProblem((*run)->problems, "ranks_copied"));
        QVERIFY(!findProblem((*run)->problems, "ranks_in_excess"));
    }
    void realRanksOfTwoJobs()
    {
        const QString gloo = tracesFolder() + QStringLiteral("/pytorch_gloo/");
        if (tracesFolder().isEmpty())
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        const RunFolder folder;
        std::filesystem::create_directories(folder.path("run"));
        for (int rank = 0; rank < 4; ++rank) {
            const QString name = QStringLiteral("/rank%1_trace.json.gz").arg(rank);
            const QString job = rank < 2 ? QStringLiteral("torch214_tp4") : QStringLiteral("torch214_a2a4");
            std::filesystem::copy_file((gloo + job + name).toStdString(),
                                       folder.path("run") + name.toStdString());
        }
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run);
        const Diagnostic* const found = findProblem(run->problems, "jobs_differ");
        QVERIFY(found && found->explanation.find("contain different collectives") != std::string::npos);
        QVERIFY(!measured(*run, "avg_step_time").value && !measured(*run, "straggler_delay").value);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMixedRuns)
#include "tst_mixed_runs.moc"
