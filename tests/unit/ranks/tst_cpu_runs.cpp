// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Jobs without GPUs: collectives of gloo (and what is spelled alike) in timelines and execution traces. The
// numbers of the real traces, where they are here, were worked out from their JSON by a script of its own:
// operators sorted by ts, the k-th "gloo:" span of a name given to the k-th operator that calls it, then the
// begins of the four ranks' spans of one operator compared.

#include "metrics/causes/cause_answer.h"
#include "metrics/causes/explain.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/cpu_rank.h"
#include "tests/support/texts/gloo_jobs.h"
#include "tests/support/texts/kineto_text.h"

#include <cmath>

namespace collscope {

namespace {

TraceModelPtr loadRun(const QString& folder)
{
    const auto model = loadPath(folder.toStdString());
    return model ? *model : nullptr;
}

bool holdsProblem(const TraceModel& model, std::string_view code)
{
    const auto& entries = model.problems.entries();
    return std::any_of(entries.begin(), entries.end(),
                       [&](const Diagnostic& problem) { return problem.code == code; });
}

/// Skews of all collectives on the clocks as they are, ns, added up.
std::int64_t sumOfSkews(const TraceModel& model, const RunCollectives& run)
{
    const ClockMap asTheyAre;
    CollectiveTimer timer = run.timer(model, asTheyAre);
    std::int64_t sum = 0;
    for (const CollectiveInstance& instance : run.matching.instances)
        sum += timer.of(instance).skewNs();
    return sum;
}

} // namespace

class TestCpuRuns : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

    /// Writes a planted job; answers its folder.
    QString plantedRun(GlooJob job, PlantedGloo* planted = nullptr) const
    {
        const std::string folder = m_folder.path("gloo" + std::to_string(static_cast<int>(job)));
        const PlantedGloo written = writeGlooJob(job, folder);
        if (planted)
            *planted = written;
        return QString::fromStdString(folder);
    }
    /// The planted job and, if it is here, a recording like it.
    void addRuns(GlooJob job, const char* real) const
    {
        QTest::addColumn<QString>("run");
        QTest::newRow("planted") << plantedRun(job);
        if (const QString run = glooRecording(real); !run.isEmpty())
            QTest::newRow(real) << run;
    }

private slots:
    void stragglers_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<int>("collectives"); // of each rank, all of them all-reduces of 166016 floats
        QTest::addColumn<double>("skewUs"); // all of them together
        QTest::addColumn<double>("second"); // of the second collective, ms; rank 2 comes last to it
        for (const auto& [name, job] :
             {std::pair("planted", GlooJob::Straggler), std::pair("planted 1.13", GlooJob::Legacy)}) {
            PlantedGloo planted;
            const QString run = plantedRun(job, &planted);
            QTest::newRow(name) << run << planted.collectives << planted.skewUs << 300.2;
        }
        const auto real = [](const char* name, int collectives, double skewUs, double second) {
            if (const QString run = glooRecording(name); !run.isEmpty())
                QTest::newRow(name) << run << collectives << skewUs << second;
        };
        real("torch214_ddp4_straggler", 6, 865418.863, 349.71);
        real("torch26_ddp4_straggler", 4, 584985.233, 325.15);
        real("torch113_ddp4_straggler", 6, 975353.0, 301.01);
    }
    void stragglers()
    {
        QFETCH(QString, run);
        QFETCH(int, collectives);
        QFETCH(double, skewUs);
        QFETCH(double, second);
        const TraceModelPtr model = loadRun(run);
        QVERIFY(model);
        const RunCollectivesPtr matched = matchRun(*model, {});
        QCOMPARE(matched->ranks.size(), std::size_t{4});
        for (const RankCalls& rank : matched->ranks)
            QCOMPARE(static_cast<int>(rank.calls.size()), collectives);
        QCOMPARE(static_cast<int>(matched->matching.instances.size()), collectives);
        for (const CollectiveInstance& instance : matched->matching.instances)
            QCOMPARE(instance.memberCount, 4U);
        const bool isLegacy = model->timelines.front().isLegacyProfile;
        if (!isLegacy) // each of whose files counts from its own beginning
            QCOMPARE(static_cast<double>(sumOfSkews(*model, *matched)) / 1e3, skewUs);
        const ClockMap asTheyAre;
        CollectiveTimer timer = matched->timer(*model, asTheyAre);
        const CollectiveTimes times = timer.of(matched->matching.instances[1]);
        const CallRef last = matched->matching.membersOf(matched->matching.instances[1])[times.last];
        QCOMPARE(matched->ranks[last.rank].rank, 2);
        if (!isLegacy)
            QVERIFY(std::abs(static_cast<double>(times.skewNs()) / 1e6 - second) < 0.01);
        const MetricResult straggler = measure(*model, "straggler");
        QVERIFY2(straggler.state == MetricState::Value, straggler.reason.c_str());
        QCOMPARE(numberOf(straggler, "straggler_rank"), 2.0);
        QCOMPARE(textOf(straggler, "verdict"), std::string("one_rank"));
        const MetricResult calls = measure(*model, "coll_call_num");
        QCOMPARE(calls.value, std::optional(1.0));
        if (!isLegacy) // which says no shapes
            QCOMPARE(measure(*model, "communication_volume").value, std::optional(166016 * 4 / 1e9));
    }
    void explainsTheStep_data() { addRuns(GlooJob::Straggler, "torch214_ddp4_straggler"); }
    void explainsTheStep()
    {
        QFETCH(QString, run);
        const TraceModelPtr model = loadRun(run);
        QVERIFY(model);
        Analysis analysis(*model, {});
        const auto explained = explainStep(analysis, 3);
        QVERIFY2(explained, explained ? "" : explained.error().message.c_str());
        QCOMPARE(explained->chain.rank, 2);
        QVERIFY(explained->chain.verdict == CauseVerdict::LateRank);
        for (const CauseClause& clause : explained->chain.clauses)
            QVERIFY2(clause.text.find("GPU") == std::string::npos, clause.text.c_str());
    }
    void everyKind_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<int>("collectives");
        QTest::addColumn<double>("skewUs");
        PlantedGloo planted;
        const QString run = plantedRun(GlooJob::Kinds, &planted);
        QTest::newRow("planted") << run << planted.collectives << planted.skewUs;
        const auto real = [](const char* name, int collectives, double skewUs) {
            if (const QString folder = glooRecording(name); !folder.isEmpty())
                QTest::newRow(name) << folder << collectives << skewUs;
        };
        real("torch214_tp4", 60, 344250.304);
        real("torch214_a2a4", 108, 164661.101);
        real("torch214_ddp4_et", 3, 730895.757);
    }
    /// Two threads of gloo run the calls, in an order that differs between the ranks.
    void everyKind()
    {
        QFETCH(QString, run);
        QFETCH(int, collectives);
        QFETCH(double, skewUs);
        const TraceModelPtr model = loadRun(run);
        QVERIFY(model);
        const RunCollectivesPtr matched = matchRun(*model, {});
        QCOMPARE(static_cast<int>(matched->matching.instances.size()), collectives);
        QCOMPARE(matched->matching.mismatched, std::int64_t{0});
        for (const CollectiveInstance& instance : matched->matching.instances)
            QCOMPARE(instance.memberCount, 4U);
        QCOMPARE(static_cast<double>(sumOfSkews(*model, *matched)) / 1e3, skewUs);
    }
    void kindsAndSizes_data() { addRuns(GlooJob::Kinds, "torch214_tp4"); }
    void kindsAndSizes()
    {
        QFETCH(QString, run);
        const TraceModelPtr model = loadRun(run);
        QVERIFY(model);
        std::map<KernelClass, int> kinds;
        const RunCollectivesPtr matched = matchRun(*model, {});
        for (const Call& call : matched->ranks.front().calls) {
            ++kinds[call.kind];
            QCOMPARE(call.groupSize, 4);
            // All-gathers of [32, 64] floats from four ranks, reduce-scatters (which gloo runs as
            // all-reduces) of [32, 256], broadcasts of [256, 256]. A barrier has no message.
            const std::map<KernelClass, std::optional<std::uint64_t>> sizes{
                {KernelClass::AllGather, 32U * 64 * 4 * 4},
                {KernelClass::ReduceScatter, 32U * 256 * 4},
                {KernelClass::Broadcast, 256U * 256 * 4},
                {KernelClass::OtherCommunication, std::nullopt}};
            QCOMPARE(call.bytes, sizes.at(call.kind));
        }
        QCOMPARE(kinds,
                 (std::map<KernelClass, int>{{KernelClass::AllGather, 24},
                                             {KernelClass::ReduceScatter, 24},
                                             {KernelClass::Broadcast, 6},
                                             {KernelClass::OtherCommunication, 6}}));
    }
    void sendsHavePartners_data() { addRuns(GlooJob::Pipeline, "torch214_pp4_card"); }
    void sendsHavePartners()
    {
        QFETCH(QString, run);
        const TraceModelPtr model = loadRun(run);
        QVERIFY(model);
        const RunCollectivesPtr matched = matchRun(*model, {});
        // Each of three neighbours sends 24 tensors of [64, 256] floats either way.
        QCOMPARE(matched->matching.instances.size(), std::size_t{3 * 2 * 24});
        for (const CollectiveInstance& instance : matched->matching.instances) {
            QCOMPARE(instance.memberCount, 2U);
            QVERIFY(matched->callOf(matched->matching.membersOf(instance).front()).bytes == 64U * 256 * 4);
        }
    }
    void executionTracesAlone_data() { addRuns(GlooJob::ExecutionTraces, "torch214_et_only"); }
    void executionTracesAlone()
    {
        QFETCH(QString, run);
        const TraceModelPtr model = loadRun(run);
        QVERIFY(model);
        const MetricResult calls = measure(*model, "coll_call_num");
        QCOMPARE(calls.value,
                 std::optional(4.0)); // 4 c10d::allreduce_, and not their 4 gloo:all_reduce again
        const double volume = measure(*model, "collective_vol_allreduce_gb").value.value_or(0);
        QVERIFY(std::abs(volume - 4 * 166016 * 4 / 1e9) < 1e-12);
        QCOMPARE(placeRanks(*model, {}, {}).ranks.size(), std::size_t{4});
    }
    void executionTraceWithoutCalls()
    {
        const TraceModelPtr model = m_folder.writeAndLoad(
            "et/torch_et_0.json",
            "{\"schema\":\"1.1.1-chakra.0.0.4\",\"pid\":1,\"nodes\":[{\"id\":1,\"name\":\"aten::mm\","
            "\"inputs\":{\"values\":[],\"shapes\":[],\"types\":[]},\"attrs\":[]}]}");
        QVERIFY(model);
        QVERIFY(measure(*model, "coll_call_num").state == MetricState::MissingInput);
        QVERIFY(measure(*model, "communication_volume").state == MetricState::MissingInput);
    }
    void metricsOfGpusDoNotApply_data() { addRuns(GlooJob::Straggler, "torch214_ddp4_straggler"); }
    void metricsOfGpusDoNotApply()
    {
        QFETCH(QString, run);
        const TraceModelPtr model = loadRun(run);
        QVERIFY(model);
        for (const char* name : {"comm_comp_overlap", "cpu_overhead", "gpu_step_score", "memory_peak"}) {
            const MetricResult result = measure(*model, name);
            QVERIFY2(result.state == MetricState::NotApplicable, name);
            QVERIFY2(result.reason.find("used only CPUs (backend gloo)") != std::string::npos,
                     result.reason.c_str());
        }
        QVERIFY(measure(*model, "avg_step_time").value);
    }
    /// Metrics of communication say that there is none, and not that they are about GPUs.
    void runsWithoutCollectives()
    {
        for (int rank = 0; rank < 2; ++rank) {
            CpuRank file(rank, oneGroup);
            for (int step = 0; step < 4; ++step) {
                file.step(step, 1000 * step, 900);
                file.event("cpu_op", "aten::mm", 1, 1000 * step + 100, 500);
            }
            m_folder.write("silent/rank" + std::to_string(rank) + "_trace.json", file.text());
        }
        const TraceModelPtr model = m_folder.load("silent");
        QVERIFY(model);
        const std::string_view said
            = "(backend gloo), and the trace contains no collectives of a CPU backend";
        for (const char* name : {"straggler", "coll_call_num", "communication_volume"}) {
            const MetricResult result = measure(*model, name);
            QVERIFY2(result.state == MetricState::MissingInput, name);
            QVERIFY2(result.reason.find(said) != std::string::npos, result.reason.c_str());
        }
        Analysis analysis(*model, {});
        const auto explained = explainStep(analysis, 2);
        QVERIFY(!explained);
        QVERIFY2(explained.error().message.find(said) != std::string::npos,
                 explained.error().message.c_str());
        QVERIFY(measure(*model, "comm_comp_overlap").reason.find("no GPU work to measure")
                != std::string::npos);
    }
    /// A rank's trace lacks a call, and nothing names the group: then no sentence names it either.
    void groupsWithoutAName()
    {
        for (int rank = 0; rank < 2; ++rank) {
            CpuRank file(rank, ",\"backend\":\"gloo\"");
            for (int step = 0; step < 4; ++step) {
                file.step(step, 100'000 * step, 90'000);
                for (int i = 0; i < 2; ++i) {
                    if (rank == 0 || step != 1 || i != 0)
                        file.allReduce(100'000 * step + 20'000 * i + 5000, 2000, 100);
                }
            }
            m_folder.write("unnamed/rank" + std::to_string(rank) + "_trace.json", file.text());
        }
        const TraceModelPtr model = m_folder.load("unnamed");
        QVERIFY(model);
        const RunCollectivesPtr run = matchRun(*model, {});
        QVERIFY(run->matching.groups.front().text.empty());
        QCOMPARE(run->matching.rule, std::string("by call order within each step"));
        QVERIFY(!run->matching.warnings.empty());
        for (const std::string& warning : run->matching.warnings)
            QVERIFY2(warning.find("process group") == std::string::npos, warning.c_str());
        QVERIFY2(run->matching.warnings.front().find("for every rank: the calls were matched step by step")
                     != std::string::npos,
                 run->matching.warnings.front().c_str());
    }
    void legacyProfiles_data() { addRuns(GlooJob::Legacy, "torch113_ddp4_straggler"); }
    void legacyProfiles()
    {
        QFETCH(QString, run);
        const TraceModelPtr model = loadRun(run);
        QVERIFY(model);
        QVERIFY(holdsProblem(*model, "legacy_profile"));
        QVERIFY(holdsProblem(*model, "no_common_clock"));
        bool hasOperators = false;
        for (const Track& track : model->tracks) {
            const auto& categories = track.slices.category;
            hasOperators
                |= std::find(categories.begin(), categories.end(), SliceCategory::CpuOp) != categories.end();
        }
        QVERIFY(hasOperators);
        QVERIFY(!holdsProblem(*loadRun(plantedRun(GlooJob::Straggler)), "no_common_clock"));
    }
    /// Whoever profiles a GPU job without its GPUs is told how to record them, as before.
    void gpuJobWithoutGpuWork()
    {
        KinetoText rank(0, 1);
        rank.cpuOp("aten::mm", 1, 10, 5);
        const TraceModelPtr model = rank.load();
        QVERIFY(model);
        const MetricResult overlap = measure(*model, "comm_comp_overlap");
        QVERIFY(overlap.state == MetricState::MissingInput);
        QVERIFY(overlap.reason.find("ProfilerActivity.CUDA") != std::string::npos);
    }
    /// Metrics of GPUs do not see what gloo does beside them.
    void sideGroupOfGpuJob()
    {
        for (const bool hasSide : {false, true}) {
            KinetoText rank(0, 2);
            KinetoText other(1, 2);
            for (KinetoText* own : {&rank, &other}) {
                own->collective("allreduce", "default_pg", 7, 100, 50, own->launch(1, 90));
                own->kernel("gemm", 8, 100, 200, own->launch(1, 95));
                if (hasSide) {
                    own->cpuOp("c10d::allreduce_", 1, 80, 30);
                    own->annotation("gloo:all_reduce", 2, 60, 500);
                }
            }
            rank.also(other);
            const TraceModelPtr model = rank.load();
            QVERIFY(model);
            for (const Timeline& timeline : model->timelines)
                QCOMPARE(timeline.collectives.size(), std::size_t{1});
            QCOMPARE(matchRun(*model, {})->ranks.front().calls.size(), std::size_t{1});
            const MetricResult calls = measure(*model, "coll_call_num", allSteps());
            QCOMPARE(calls.value, std::optional(1.0));
            QVERIFY2(std::isnan(numberOf(calls, "collectives_issued")), "the profiler names no call of NCCL");
        }
    }
    void backends_data()
    {
        QTest::addColumn<QString>("backend");
        for (const char* backend : {"gloo", "mpi", "ucc", "xccl"})
            QTest::newRow(backend) << QString::fromLatin1(backend);
    }
    /// Rank 1 comes 40 ms late to the second of three.
    void backends()
    {
        QFETCH(QString, backend);
        const std::string name = backend.toStdString();
        for (int rank = 0; rank < 2; ++rank) {
            CpuRank file(rank, oneGroup);
            file.step(1, 0, 300'000);
            file.allReduce(10'000, 2000, 100, 2, name);
            const double late = rank == 1 ? 40'000 : 0;
            file.allReduce(100'000 + late, 42'000 - late, 100, 3, name);
            file.allReduce(200'000, 2000, 100, 2, name);
            m_folder.write(name + "/rank" + std::to_string(rank) + "_trace.json", file.text());
        }
        const TraceModelPtr model = m_folder.load(name);
        QVERIFY(model);
        const MetricResult straggler = measure(*model, "straggler", allSteps());
        QVERIFY2(straggler.state == MetricState::Value, straggler.reason.c_str());
        QCOMPARE(numberOf(straggler, "straggler_rank"), 1.0);
        QCOMPARE(numberOf(straggler, "skew_max_us"), 40'000.0);
        QCOMPARE(measure(*model, "coll_call_num", allSteps()).value, std::optional(3.0));
        // The last one to come needs no waiting: 2 ms for 400 bytes between two ranks (bus factor 1).
        QCOMPARE(measure(*model, "bandwidth_utilization_allreduce_group_6", allSteps()).value.value_or(0) > 0,
                 true);
    }
    /// Threads take calls from one queue, and may begin in another order than they were made in.
    void orderOfTheCalls()
    {
        for (int rank = 0; rank < 2; ++rank) {
            CpuRank file(rank, oneGroup);
            file.step(1, 0, 1000);
            const auto span = [&](const char* name, int thread, double ts) {
                file.event("user_annotation", std::string("gloo:") + name, thread, ts, 100,
                           "\"Input Dims\":[[8]],\"Input type\":[\"float\"]");
            };
            file.event("cpu_op", "c10d::broadcast_", 1, 10, 2);
            file.event("cpu_op", "c10d::allreduce_", 1, 14, 2);
            span(rank == 0 ? "broadcast" : "all_reduce", 2, 20);
            span(rank == 0 ? "all_reduce" : "broadcast", 3, 21);
            m_folder.write("order/rank" + std::to_string(rank) + "_trace.json", file.text());
        }
        const TraceModelPtr model = m_folder.load("order");
        QVERIFY(model);
        const RunCollectivesPtr run = matchRun(*model, {});
        QCOMPARE(run->matching.mismatched, std::int64_t{0});
        QCOMPARE(run->matching.matchedCalls(), std::int64_t{4});
    }
    /// Which of two groups a call is in, the trace does not say: so nothing is compared.
    void severalGroups()
    {
        for (int rank = 0; rank < 2; ++rank) {
            CpuRank file(rank, twoGroups);
            file.step(1, 0, 300'000);
            file.allReduce(10'000, 2000, 100);
            m_folder.write("groups/rank" + std::to_string(rank) + "_trace.json", file.text());
        }
        const TraceModelPtr model = m_folder.load("groups");
        QVERIFY(model);
        const RunCollectivesPtr run = matchRun(*model, {});
        QCOMPARE(run->matching.matchedCalls(), std::int64_t{0});
        QVERIFY(measure(*model, "straggler", allSteps()).state == MetricState::NotApplicable);
        QCOMPARE(measure(*model, "coll_call_num", allSteps()).value, std::optional(1.0));
    }
    /// Operators alone say when a collective was called, and nothing of how long it took.
    void operatorsAlone()
    {
        for (int rank = 0; rank < 2; ++rank) {
            CpuRank file(rank, oneGroup);
            file.step(1, 0, 300'000);
            for (int i = 0; i < 4; ++i)
                file.event("cpu_op", "c10d::allreduce_", 1, 10'000 + 50'000 * i + rank * 7000, 50,
                           "\"Input Dims\":[[[64]],[]],\"Input type\":[\"TensorList\",\"\"]");
            m_folder.write("operators/rank" + std::to_string(rank) + "_trace.json", file.text());
        }
        const TraceModelPtr model = m_folder.load("operators");
        QVERIFY(model);
        const RunCollectivesPtr run = matchRun(*model, {});
        QCOMPARE(run->matching.matchedCalls(), std::int64_t{8});
        QVERIFY(!run->clocks.isTrusted); // their ends would align away that rank 1 is always 7 ms late
        QCOMPARE(sumOfSkews(*model, *run), std::int64_t{4 * 7'000'000});
        QCOMPARE(measure(*model, "coll_call_num", allSteps()).value, std::optional(4.0));
        QVERIFY(measure(*model, "bandwidth_utilization_allreduce_group_6", allSteps()).state
                != MetricState::Value);
    }
    /// What a library for GPUs was called for is not what ran.
    void operatorsOfNccl()
    {
        for (int rank = 0; rank < 2; ++rank) {
            CpuRank file(rank, ",\"backend\":\"nccl\"");
            file.step(1, 0, 300'000);
            file.event("cpu_op", "c10d::allreduce_", 1, 10'000, 50);
            file.event("cpu_op", "record_param_comms", 1, 10'010, 20,
                       "\"Collective name\":\"allreduce\",\"In msg nelems\":4,\"Group size\":2");
            m_folder.write("nccl/rank" + std::to_string(rank) + "_trace.json", file.text());
        }
        const TraceModelPtr model = m_folder.load("nccl");
        QVERIFY(model);
        QCOMPARE(matchRun(*model, {})->ranks.size(), std::size_t{0});
        QVERIFY(measure(*model, "straggler", allSteps()).state != MetricState::Value);
    }
    void hostMemory()
    {
        for (int rank = 0; rank < 2; ++rank) {
            CpuRank file(rank, oneGroup);
            file.step(1, 0, 1000);
            std::string text = file.text();
            text.insert(
                text.size() - 2,
                ",{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"s\":\"t\",\"name\":\"[memory]\",\"pid\":7,"
                "\"tid\":1,\"ts\":20,\"args\":{\"Total Reserved\":0,\"Total Allocated\":"
                    + std::to_string((rank + 1) << 20) + ",\"Bytes\":4,\"Device Id\":-1,\"Device Type\":0}}");
            m_folder.write("memory/rank" + std::to_string(rank) + "_trace.json", text);
        }
        const TraceModelPtr model = m_folder.load("memory");
        QVERIFY(model);
        const MetricResult peak = measure(*model, "memory_peak");
        QVERIFY(peak.state == MetricState::NotApplicable);
        QVERIFY2(peak.reason.find("host memory only: a rank had at most 2 MiB") != std::string::npos,
                 peak.reason.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCpuRuns)
#include "tst_cpu_runs.moc"
