// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files of several jobs, merged from summaries: they are told apart as one process that reads all files does
// it, in the same words. COLLSCOPE_SEEDS=N mixes more runs.

#include "metrics/summary/summarized_events.h"
#include "model/building/run_findings.h"
#include "model/queries/recordings.h"
#include "tests/support/runs/reduced_folder.h"
#include "tests/support/runs/simulated_calls.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <filesystem>

namespace collscope {

namespace {

/// Calls of one rank at equal distances; times in us.
struct OwnCalls
{
    int count = 40;
    double everyUs = 8400;
    double aheadUs = 0; ///< the clock
    double gains = 0; ///< and by so much more per us
    int firstNumber = 1; ///< 0: without numbers
    SmallCall call = {};
};

SmallCall allReduceOf(std::int64_t elements, const char* ranks = "[0, 1, 2, 3]", int size = 4)
{
    SmallCall call;
    call.ranks = ranks;
    call.groupSize = size;
    call.inElements = call.outElements = elements;
    return call;
}

void addCalls(SmallRun& run, int rank, const OwnCalls& calls, const std::string& kernel = "gemm")
{
    const auto onClock = [&](double us) { return us + calls.aheadUs + calls.gains * us; };
    for (int i = 0; i < calls.count; ++i) {
        const double endUs = calls.everyUs * (i + 1) + (i % 3) * 100;
        const double lengthUs = 400 + 100 * (rank % 2);
        SmallCall call = calls.call;
        call.sequence = calls.firstNumber > 0 ? i + calls.firstNumber : 0;
        run.kernel(rank, onClock(endUs - calls.everyUs + 500), 3000, 7, kernel);
        run.call(rank, onClock(endUs - lengthUs), onClock(endUs) - onClock(endUs - lengthUs), call);
    }
}

/// The findings about the whole run.
std::string findingsOf(const TraceModel& model)
{
    std::string text;
    for (const Diagnostic& problem : model.problems.entries()) {
        if (isRunFinding(problem.code))
            text += std::to_string(static_cast<int>(problem.severity)) + ' ' + problem.code + ": "
                + problem.explanation + '\n';
    }
    for (const Timeline& timeline : model.timelines)
        text += std::to_string(timeline.rank) + ": " + std::to_string(timeline.recording) + ' '
            + std::to_string(static_cast<int>(timeline.apart)) + '\n';
    return text;
}

} // namespace

class TestMixedSummaries : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;
    int m_runs = 0, m_mixed = 0;

    std::string newFolder() { return m_folder.path("run" + std::to_string(++m_runs)); }

    /// Compares what one process and the merge find. `said`: in the words about several jobs; empty: one job.
    void compare(const std::string& run, const std::optional<std::string>& said = std::nullopt)
    {
        const auto whole = loadPath(run);
        QVERIFY(whole.has_value());
        const Diagnostic* const expected = findProblem((*whole)->problems, "jobs_differ");
        m_mixed += expected ? 1 : 0;
        for (const std::uint32_t tasks : {1u, 3u}) {
            const std::string parts = run + "_parts" + std::to_string(tasks);
            QVERIFY(writeReduced(run, parts, tasks, Kept::Summaries, summarizeEvents));
            const auto merged = loadPath(parts);
            QVERIFY(merged.has_value());
            QVERIFY((*merged)->isSummarized());
            QCOMPARE(findingsOf(**merged), findingsOf(**whole));
            const Diagnostic* const found = findProblem((*merged)->problems, "jobs_differ");
            const std::string words = found ? found->explanation : std::string();
            if (said)
                QVERIFY2(said->empty() ? words.empty() : words.find(*said) != std::string::npos,
                         (*said + " / " + words).c_str());
            for (const char* metric : {"gpu_busy", "straggler"}) {
                const MetricResult one = measured(**whole, metric), other = measured(**merged, metric);
                if (expected || metric == std::string("gpu_busy")) {
                    QCOMPARE(other.value, one.value);
                    QCOMPARE(other.reason, one.reason);
                }
            }
        }
    }
    void compare(const SmallRun& run, const std::string& said)
    {
        const std::string folder = newFolder();
        run.write(folder);
        CHECKED(compare(folder, said));
    }

private slots:
    void ranksThatAreNotMembers()
    {
        SmallRun run(4);
        run.worldSize(0);
        for (int rank = 0; rank < 4; ++rank)
            addCalls(run, rank, {10, rank < 2 ? 8400.0 : 8404.0, 0, 0, 1, allReduceOf(1000, "[0, 1]", 2)});
        CHECKED(compare(run, "cannot all be its members"));
    }
    void otherCollectives()
    {
        for (const bool isMixed : {false, true}) {
            SmallRun run(4);
            for (int rank = 0; rank < 4; ++rank)
                addCalls(run, rank, {20, 8400, 0, 0, 0, allReduceOf(isMixed && rank > 1 ? 2000 : 1000)});
            CHECKED(compare(run, isMixed ? "contain different collectives" : ""));
        }
        // Barriers have no type of their own, and are told from other calls by their names.
        SmallRun run(4);
        for (int rank = 0; rank < 4; ++rank) {
            SmallCall call = allReduceOf(0);
            call.name = rank > 1 ? "barrier" : "monitored";
            call.kernel = "ncclDevKernel_Generic";
            addCalls(run, rank, {20, 8400, 0, 0, 0, call});
        }
        CHECKED(compare(run, "contain different collectives"));
    }
    /// Few calls, and more than the evidence keeps.
    void otherTimes_data()
    {
        QTest::addColumn<int>("calls");
        QTest::newRow("few") << 40;
        QTest::newRow("many") << 700;
    }
    void otherTimes()
    {
        QFETCH(const int, calls);
        struct Case
        {
            double everyUs, aheadUs, gains;
            const char* host;
            const char* said;
        };
        const Case cases[] = {{8400, 0, 0, "", ""},
                              {8400, 0, 100e-6, "", ""},
                              {8400, 7000, 0, "", ""},
                              {9000, 0, 0, "", "did not end together, even allowing for clock"},
                              {8400, 0, 0.02, "", "did not end together, even allowing for clock"},
                              {8400, 30'000, 0, "node0", "name the same host"}};
        for (const Case& second : cases) {
            SmallRun run(4);
            run.host(second.host);
            for (int rank = 0; rank < 4; ++rank) {
                OwnCalls own{calls, 8400, 0, 0, 1, allReduceOf(1'000'000)};
                if (rank > 1)
                    own = {calls, second.everyUs, second.aheadUs, second.gains, 1, own.call};
                addCalls(run, rank, own);
            }
            CHECKED(compare(run, second.said));
        }
    }
    /// Kernels of other names are evidence unless a call does not state its group.
    void otherKernels()
    {
        for (const bool areListed : {true, false}) {
            SmallRun run(4);
            for (int rank = 0; rank < 4; ++rank) {
                SmallCall call = rank < 2 ? allReduceOf(1000, "[0, 1]", 2) : allReduceOf(1000, "[2, 3]", 2);
                call.group = rank < 2 ? "a" : "b";
                addCalls(run, rank, {20, 8400, 0, 0, 1, call}, rank < 2 ? "ours" : "theirs");
                if (!areListed)
                    run.call(rank, 400'000, 10, SmallCall());
            }
            CHECKED(compare(run, areListed ? "hardly any kernels in common" : ""));
        }
    }

    /// Files of one of two jobs for each rank. Many are told apart, some cannot be: as in one process.
    void ranksOfTwoJobs()
    {
        const int asked = qEnvironmentVariableIntValue("COLLSCOPE_SEEDS");
        const int seeds = asked > 0 ? asked : share(40, 8), before = m_mixed;
        for (int seed = 1; seed <= seeds; ++seed) {
            const std::string folder = newFolder();
            std::filesystem::create_directories(folder);
            for (int job = 0; job < 2; ++job) {
                const std::string own = newFolder();
                std::filesystem::create_directories(own);
                writeJob(seed, job, own);
                for (const auto& entry : std::filesystem::directory_iterator(own)) {
                    const std::string name = entry.path().filename().string();
                    const int rank = std::atoi(name.substr(name.find_first_of("0123456789")).c_str());
                    if (((seed >> (rank % 5)) + rank) % 2 == job)
                        std::filesystem::copy_file(entry.path(), folder + '/' + name);
                }
            }
            CHECKED(compare(folder));
        }
        QVERIFY(m_mixed > before && m_mixed < before + seeds);
    }

    /// Real runs, and files of two of them.
    void realRanksOfTwoJobs()
    {
        if (tracesFolder().isEmpty())
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        const std::string gloo = tracesFolder().toStdString() + "/pytorch_gloo/";
        for (const char* other : {"torch214_tp4", "torch214_a2a4"}) {
            const std::string folder = newFolder();
            std::filesystem::create_directories(folder);
            for (int rank = 0; rank < 4; ++rank) {
                const std::string name = "/rank" + std::to_string(rank) + "_trace.json.gz";
                std::filesystem::copy_file(gloo + (rank < 2 ? "torch214_tp4" : other) + name, folder + name);
            }
            CHECKED(
                compare(folder, other == std::string("torch214_tp4") ? "" : "contain different collectives"));
        }
    }

private:
    /// A planted or a simulated job; the second of two is another one, of as many ranks, at about the same
    /// time.
    static void writeJob(int seed, int job, const std::string& folder)
    {
        if (seed % 2 == 0) {
            SimulatedPlan plan;
            plan.seed = static_cast<std::uint32_t>(1000 * job + seed);
            plan.ranks = 3 + seed % 4;
            plan.collectives = 30 + seed % 60 + 7 * job * (seed % 3);
            plan.metadata
                = seed % 5 == 0 ? SimulatedPlan::Metadata::Groups : SimulatedPlan::Metadata::Numbers;
            plan.offsetUs = 100 * (seed % 4);
            plan.dropped = seed % 3;
            plan.hasPairs = seed % 7 == 0;
            plan.namesPeers = true;
            const SimulatedRun run = simulate(plan);
            for (std::size_t rank = 0; rank < run.files.size(); ++rank)
                writeFile(folder + "/rank" + std::to_string(rank) + "_trace.json", run.files[rank]);
            return;
        }
        PlantedPlan plan = plannedBy(static_cast<std::uint64_t>(seed));
        if (job == 1) {
            plan.seed += 77;
            plan.layers += 1 + seed % 4;
            plan.noiseUs *= 1 + seed % 3;
            plan.extraUs += 200 * (seed % 5);
        }
        writePlanted(plan, folder);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMixedSummaries)
#include "tst_mixed_summaries.moc"
