// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Collectives folded from summaries of the ranks: the numbers are those of the whole model, and those that a
// run was made with; and no bytes do harm.

#include "metrics/causes/arrivals.h"
#include "metrics/core/statistics.h"
#include "metrics/summary/folded_clocks.h"
#include "metrics/summary/folded_collectives.h"
#include "metrics/summary/folded_straggler.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/simulated_calls.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/planted_run.h"

#include <QDir>
#include <QTemporaryDir>

#include <bit>
#include <filesystem>

namespace collscope {

namespace {

struct SummarizedFolder
{
    TraceModelPtr model; ///< of all files
    SummarizedRunPtr run; ///< of the summaries of each file, read alone
};

std::vector<std::string> filesIn(const std::string& folder)
{
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().string().find(".json") != std::string::npos)
            files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The summary of a rank, after it was bytes.
RankSummary throughBytes(const EncodedCalls& calls)
{
    auto read = decodeCalls(encodeCalls(calls));
    if (!read)
        throw std::runtime_error(read.error().message);
    const SummarizedCalls head = read->head;
    return {head, std::make_shared<ChunksInMemory>(std::move(*read))};
}

SummarizedFolder summarizeFolder(const std::string& folder, std::size_t callsPerChunk = 7)
{
    SummarizedFolder result;
    const auto model = loadPath(folder);
    if (!model)
        throw std::runtime_error(model.error().message);
    result.model = *model;
    std::vector<RankSummary> ranks;
    for (const std::string& file : filesIn(folder)) {
        const auto alone = loadPath(file);
        if (!alone)
            throw std::runtime_error(alone.error().message);
        const auto calls = summarizeCalls(**alone, MetricOptions(), callsPerChunk);
        if (calls)
            ranks.push_back(throughBytes(*calls));
    }
    auto run = SummarizedRun::make(std::move(ranks));
    if (!run)
        throw std::runtime_error(run.error().message);
    result.run = *run;
    return result;
}

std::int64_t usNs(double us)
{
    return static_cast<std::int64_t>(us * 1000);
}

/// Compares a fold of the window with the arrivals that the metrics use.
void compareWithArrivals(const SummarizedFolder& folder, MetricOptions options)
{
    options.clocks = ClockChoice::Raw;
    Analysis analysis(*folder.model, options);
    const Arrivals& arrivals = measureArrivals(analysis);
    const auto windows = selectWindows(*folder.run, options);
    QVERIFY(windows.has_value());
    FoldOptions fold;
    fold.windows = windowsOf(*windows);
    fold.significantNs = arrivals.significantNs;
    fold.significantByClocksNs = arrivals.significantByClocksNs;
    fold.orderNs = arrivals.orderNs;
    const FoldedRun folded = foldCollectives(*folder.run, fold);
    QVERIFY(folded.areCollectivesComplete);

    struct Sums
    {
        std::int64_t skewNs = 0, longestNs = 0, significantNs = 0, collectives = 0;
    };
    std::map<std::string, Sums> byName;
    std::int64_t lacking = 0, withoutRoot = 0, incomplete = 0, mismatched = 0, missing = 0;
    SharedCalls shared = folded.sharedWithoutGroup;
    std::map<UnmatchedReason, std::int64_t> unmatched;
    for (std::size_t g = 0; g < folded.groups.size(); ++g) {
        const FoldedGroup& group = folded.groups[g];
        QCOMPARE(group.needs, NeedsDetail::Nothing);
        lacking += group.waits.lacking;
        withoutRoot += group.waits.withoutRoot;
        incomplete += group.waits.incomplete;
        mismatched += group.matches.differing;
        missing += group.matches.missingInWindow;
        shared.all += group.matches.shared.all;
        shared.unmatched += group.matches.shared.unmatched;
        shared.othersNotLoaded += group.matches.shared.othersNotLoaded;
        for (const auto& [reason, calls] : group.matches.unmatched)
            unmatched[reason] += calls;
        if (group.waits.collectives == 0)
            continue;
        Sums& sums = byName[folder.run->groups()[g].group.text];
        sums.skewNs += group.waits.skewNs;
        sums.longestNs = std::max(sums.longestNs, group.waits.longestNs);
        sums.significantNs += group.waits.significantNs;
        sums.collectives += group.waits.collectives;
    }
    QCOMPARE(byName.size(), arrivals.groups.size());
    for (const GroupSkew& group : arrivals.groups) {
        QVERIFY(byName.contains(group.group));
        const Sums& sums = byName.at(group.group);
        QCOMPARE(sums.skewNs, group.skewNs);
        QCOMPARE(sums.longestNs, group.longestNs);
        QCOMPARE(sums.significantNs, group.significantNs);
        QCOMPARE(sums.collectives, static_cast<std::int64_t>(group.arrivals.size()));
    }
    QCOMPARE(lacking, arrivals.lacking);
    QCOMPARE(withoutRoot, arrivals.withoutRoot);
    QCOMPARE(incomplete, arrivals.incomplete);
    QCOMPARE(mismatched, analysis.matching().mismatched);
    QCOMPARE(shared.all, arrivals.shared.all);
    QCOMPARE(shared.unmatched, arrivals.shared.unmatched);
    QCOMPARE(shared.othersNotLoaded, arrivals.shared.othersNotLoaded);
    std::map<UnmatchedReason, std::int64_t> expected;
    for (const Unmatched& call : analysis.matching().unmatched)
        ++expected[call.reason];
    QVERIFY(unmatched == expected);
    const std::int64_t missingThere
        = std::count_if(analysis.instancesInWindow().begin(), analysis.instancesInWindow().end(),
                        [](const CollectiveInstance* instance) { return instance->gap == Gap::NoCall; });
    QCOMPARE(missing, missingThere);

    QCOMPARE(folded.ranks.size(), arrivals.ranks.size());
    for (std::size_t i = 0; i < folded.ranks.size(); ++i) {
        const RankWait& there = arrivals.ranks[i];
        const FoldedRank& here = folded.ranks[i];
        QCOMPARE(folder.run->ranks()[i].rank, there.rank);
        QCOMPARE(here.ownNs, there.ownNs);
        QCOMPARE(here.ownByDurationNs, there.ownByDurationNs);
        QCOMPARE(here.calls, there.calls);
        QCOMPARE(here.timesLast, there.timesLast);
        QCOMPARE(here.imposedNs, there.imposedNs);
    }

    // Lateness by step and rank, added up from the timer.
    std::map<std::pair<std::int64_t, std::uint32_t>, std::pair<std::int64_t, std::int64_t>> cells;
    CollectiveTimer timer = analysis.timer();
    for (const Arrival& arrival : arrivals.matched) {
        timer.of(*arrival.instance);
        const auto members = analysis.matching().membersOf(*arrival.instance);
        const CallRef first = members[arrival.times.first];
        const Step* const step = stepOf(analysis.communicating().ranks[first.rank], analysis.callOf(first));
        QVERIFY(step != nullptr);
        for (std::size_t m = 0; m < members.size(); ++m) {
            auto& [latenessNs, waitNs] = cells[{step->number, members[m].rank}];
            latenessNs += timer.lateness()[m];
            waitNs += timer.waits()[m];
        }
    }
    std::size_t count = 0;
    for (std::uint32_t rank = 0; rank < folded.steps.size(); ++rank) {
        for (const auto& [step, cell] : folded.steps[rank].cells()) {
            ++count;
            QVERIFY(cells.contains({step, rank}));
            QCOMPARE(cell.latenessNs, cells.at({step, rank}).first);
            QCOMPARE(cell.waitNs, cells.at({step, rank}).second);
        }
    }
    QCOMPARE(count, cells.size());
}

/// Compares the clocks of the summaries with those of the whole model, to the last bit.
void compareClocks(const SummarizedFolder& folder)
{
    const RunCollectivesPtr whole = matchRun(*folder.model, MetricOptions());
    const Result<ClockAlignment> clocks = foldClocks(*folder.run);
    QVERIFY2(clocks.has_value(), clocks ? "" : clocks.error().message.c_str());
    QCOMPARE(clocks->collectives, whole->clocks.collectives);
    QCOMPARE(clocks->residualNs, whole->clocks.residualNs);
    QCOMPARE(clocks->rawResidualNs, whole->clocks.rawResidualNs);
    QCOMPARE(clocks->impossible, whole->clocks.impossible);
    QCOMPARE(clocks->components, whole->clocks.components);
    QCOMPARE(clocks->hasDrift, whole->clocks.hasDrift);
    QCOMPARE(clocks->isNeeded, whole->clocks.isNeeded);
    QCOMPARE(clocks->isTrusted, whole->clocks.isTrusted);
    QCOMPARE(clocks->fits.size(), whole->clocks.fits.size());
    for (std::size_t i = 0; i < clocks->fits.size(); ++i) {
        const ClockFit& here = clocks->fits[i];
        const ClockFit& there = whole->clocks.fits[i];
        QCOMPARE(here.offsetNs, there.offsetNs);
        QCOMPARE(std::bit_cast<std::uint64_t>(here.drift), std::bit_cast<std::uint64_t>(there.drift));
        QCOMPARE(here.pivotNs, there.pivotNs);
        QCOMPARE(here.component, there.component);
        QCOMPARE(here.collectives, there.collectives);
    }
}

/// Compares the straggler of the summaries with the metric, to the last digit.
void compareStraggler(const SummarizedFolder& folder, const MetricOptions& options)
{
    const MetricResult metric = metricOf(*folder.model, "straggler", options);
    const Result<FoldedStraggler> folded = foldStraggler(*folder.run, options);
    QVERIFY2(folded.has_value(), folded ? "" : folded.error().message.c_str());
    QVERIFY(folded->value == metric.value);
    QCOMPARE(folded->rows.size(), metric.rows.size());
    for (std::size_t i = 0; i < metric.rows.size(); ++i) {
        QVERIFY(folded->rows[i].rank == metric.rows[i].rank);
        QVERIFY(folded->rows[i].step == metric.rows[i].step);
        QVERIFY(folded->rows[i].value == metric.rows[i].value);
    }
    QVERIFY(meanOf(folded->skewsUs) == numberOf(metric, {"skew_mean_us"}));
    QVERIFY(medianOf(folded->skewsUs) == numberOf(metric, {"skew_p50_us"}));
    QVERIFY(percentileOf(folded->skewsUs, 0.95) == numberOf(metric, {"skew_p95_us"}));

    Analysis analysis(*folder.model, options);
    const Arrivals& there = measureArrivals(analysis);
    const Arrivals& here = folded->arrivals;
    QCOMPARE(here.verdict(), there.verdict());
    QCOMPARE(here.verdictText(), there.verdictText());
    QCOMPARE(here.counted, static_cast<std::int64_t>(there.matched.size()));
    QCOMPARE(here.straggler() ? here.straggler()->rank : -1,
             there.straggler() ? there.straggler()->rank : -1);
    for (const auto number :
         {&Arrivals::incomplete, &Arrivals::staged, &Arrivals::pointToPoint, &Arrivals::byOrderAlone,
          &Arrivals::lacking, &Arrivals::withoutRoot, &Arrivals::outOfOrder, &Arrivals::clockErrorNs,
          &Arrivals::significantNs, &Arrivals::significantByClocksNs, &Arrivals::orderNs, &Arrivals::windowNs,
          &Arrivals::notSignificant, &Arrivals::lastUnknown, &Arrivals::lastUnknownNs,
          &Arrivals::causeUnknownWaitNs, &Arrivals::causeUnknownNs})
        QCOMPARE(here.*number, there.*number);
    QCOMPARE(here.isByDuration, there.isByDuration);
    QCOMPARE(here.shared.all, there.shared.all);
    QCOMPARE(here.shared.unmatched, there.shared.unmatched);
    QCOMPARE(here.ranks.size(), there.ranks.size());
    for (std::size_t i = 0; i < there.ranks.size(); ++i) {
        QCOMPARE(here.ranks[i].rank, there.ranks[i].rank);
        for (const auto number :
             {&RankWait::ownNs, &RankWait::ownByDurationNs, &RankWait::imposedNs, &RankWait::causedNs,
              &RankWait::possiblyCausedNs, &RankWait::soleNs, &RankWait::delayNs, &RankWait::earlyNs,
              &RankWait::timesEarly, &RankWait::timesLast, &RankWait::calls})
            QCOMPARE(here.ranks[i].*number, there.ranks[i].*number);
    }
    QCOMPARE(here.groups.size(), there.groups.size());
    for (std::size_t i = 0; i < there.groups.size(); ++i) {
        QCOMPARE(here.groups[i].group, there.groups[i].group);
        QCOMPARE(here.groups[i].skewNs, there.groups[i].skewNs);
        QCOMPARE(here.groups[i].longestNs, there.groups[i].longestNs);
        QCOMPARE(here.groups[i].significantNs, there.groups[i].significantNs);
        QCOMPARE(folded->collectivesOfGroup[i], static_cast<std::int64_t>(there.groups[i].arrivals.size()));
    }
}

/// The files of a simulated run in a folder.
void writeSimulated(const SimulatedPlan& plan, const QTemporaryDir& folder)
{
    const SimulatedRun run = simulate(plan);
    for (std::size_t rank = 0; rank < run.files.size(); ++rank)
        std::ofstream(folder.path().toStdString() + "/rank" + std::to_string(rank) + "_trace.json")
            << run.files[rank];
}

MetricOptions innerSteps()
{
    return {};
}

CallText allreduce(int sequence, const std::string& ranks = "[0, 1]", int size = 2)
{
    return {"allreduce", 1000, 1000, size, "g" + ranks, ranks, sequence};
}

} // namespace

class TestFoldedCollectives : public QObject
{
    Q_OBJECT

private slots:
    /// The example of blame.md, by hand: rank 0 is 5 ms late, and rank 1 passes that on.
    void plantedWaitsComeOut()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 3; ++rank)
            run.step(rank, 7, 0, 100'000);
        run.call(0, "AllReduce", 15'000, 1000, allreduce(1));
        run.call(1, "AllReduce", 10'000, 6000, allreduce(1));
        run.call(1, "AllReduce", 17'000, 1000, allreduce(1, "[1, 2]"));
        run.call(2, "AllReduce", 12'000, 6000, allreduce(1, "[1, 2]"));
        run.call(0, "AllReduce", 20'000, 900, allreduce(2));
        run.call(1, "AllReduce", 20'000, 900, allreduce(2));
        run.load();
        const SummarizedFolder folder = summarizeFolder(run.folder());
        const auto windows = selectWindows(*folder.run, allSteps());
        QVERIFY(windows.has_value());
        FoldOptions options;
        options.windows = windowsOf(*windows);
        const FoldedRun folded = foldCollectives(*folder.run, options);
        QCOMPARE(folded.groups.size(), std::size_t{2});
        QCOMPARE(folded.groups[0].waits.collectives, 2);
        QCOMPARE(folded.groups[0].waits.skewNs, usNs(5000));
        QCOMPARE(folded.groups[1].waits.collectives, 1);
        QCOMPARE(folded.groups[1].waits.waitNs, usNs(5000));
        QCOMPARE(folded.ranks[0].imposedNs, usNs(5000));
        QCOMPARE(folded.ranks[0].timesLast, 1);
        QCOMPARE(folded.ranks[1].ownNs, usNs(5000));
        QCOMPARE(folded.ranks[1].latenessNs, usNs(5000));
        QCOMPARE(folded.ranks[2].ownNs, usNs(5000));
        QCOMPARE(folded.steps[0].cells().size(), std::size_t{1});
        QCOMPARE(folded.steps[0].cells().front().first, 7);
        QCOMPARE(folded.steps[0].cells().front().second.latenessNs, usNs(5000));
    }

    void equalsTheWholeModel_data()
    {
        QTest::addColumn<quint64>("seed");
        for (quint64 seed = 1; seed <= 12; ++seed)
            QTest::addRow("seed %llu", static_cast<unsigned long long>(seed)) << seed;
    }
    void equalsTheWholeModel()
    {
        QFETCH(quint64, seed);
        PlantedPlan plan = plannedBy(seed);
        plan.writesSequence = true;
        const QTemporaryDir folder;
        writePlanted(plan, folder.path().toStdString());
        const SummarizedFolder summarized = summarizeFolder(folder.path().toStdString());
        if (summarized.run->ranks().size() < 2)
            QSKIP("one rank has a file");
        CHECKED(compareWithArrivals(summarized, allSteps()));
        CHECKED(compareWithArrivals(summarized, innerSteps()));
        CHECKED(compareClocks(summarized));
        CHECKED(compareStraggler(summarized, innerSteps()));
        CHECKED(compareStraggler(summarized, allSteps()));
        MetricOptions lastSteps;
        lastSteps.steps = {StepChoice::Mode::Range, 3, 4}; // with a time before the window
        lastSteps.clocks = ClockChoice::Aligned;
        CHECKED(compareStraggler(summarized, lastSteps));
    }

    /// The rank that was made slow is blamed, also where clocks are off and ends scatter too much to tell
    /// waits.
    void plantedStragglerIsBlamed_data()
    {
        QTest::addColumn<double>("endJitterUs");
        QTest::addColumn<bool>("byDuration");
        QTest::newRow("good clocks") << 0.3 << false;
        QTest::newRow("poor clocks") << 120.0 << true;
    }
    void plantedStragglerIsBlamed()
    {
        QFETCH(double, endJitterUs);
        QFETCH(bool, byDuration);
        PlantedPlan plan;
        plan.ranks = 8;
        plan.tensorParallel = 2;
        plan.steps = 8;
        plan.cause = PlantedCause::SlowKernel;
        plan.culprit = 5;
        plan.extraUs = 5000;
        plan.endJitterUs = endJitterUs;
        plan.offsetUs = {{1, 900}, {5, -1500}, {7, 30}};
        plan.driftPpm = {{2, 8}};
        const QTemporaryDir folder;
        writePlanted(plan, folder.path().toStdString());
        const SummarizedFolder summarized = summarizeFolder(folder.path().toStdString());
        const Result<FoldedStraggler> folded = foldStraggler(*summarized.run, {});
        QVERIFY(folded.has_value());
        QCOMPARE(folded->arrivals.isByDuration, byDuration);
        QCOMPARE(folded->arrivals.verdict(), StragglerVerdict::OneRank);
        QCOMPARE(folded->arrivals.straggler()->rank, 5);
        CHECKED(compareClocks(summarized));
        CHECKED(compareStraggler(summarized, innerSteps()));
        CHECKED(compareStraggler(summarized, allSteps()));
    }

    /// Sends and receives are matched by order, which summaries do not have: nobody is blamed.
    void pipelinesAreRefused()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 10'000);
            for (int sequence = 1; sequence <= 4; ++sequence)
                run.call(rank, "AllReduce", sequence * 1000 + 10 * rank, 100, allreduce(sequence));
        }
        run.call(0, "SendRecv", 6000, 100, {"send", 10, 10, 2, "p", "[0, 1]", 1, "Float", 0, 1});
        run.call(1, "SendRecv", 6000, 100, {"recv", 10, 10, 2, "p", "[0, 1]", 1, "Float", 0, 1});
        run.load();
        const SummarizedFolder folder = summarizeFolder(run.folder());
        const FoldedRun folded = foldCollectives(*folder.run, {});
        QVERIFY(folded.areCollectivesComplete);
        QCOMPARE(folded.groups.at(1).needs, NeedsDetail::PointToPoint);
        QCOMPARE(folded.groups.at(0).waits.collectives, 4);
        CHECKED(compareClocks(folder));
        const Result<FoldedStraggler> straggler = foldStraggler(*folder.run, allSteps());
        QVERIFY(!straggler.has_value());
        QVERIFY(straggler.error().message.find("sends and receives") != std::string::npos);
    }

    /// Clocks that drift, dropped calls, roots, and more collectives than the fit uses.
    void simulatedRunsEqualTheWholeModel_data()
    {
        QTest::addColumn<int>("seed");
        QTest::addColumn<int>("collectives");
        for (int seed = 1; seed <= 8; ++seed)
            QTest::addRow("seed %d", seed) << seed << (seed % 4 == 0 ? 2300 : 90);
    }
    void simulatedRunsEqualTheWholeModel()
    {
        QFETCH(int, seed);
        QFETCH(int, collectives);
        SimulatedPlan plan;
        plan.seed = static_cast<std::uint32_t>(seed);
        plan.ranks = 2 + seed % 5;
        plan.streams = 1 + seed % 2;
        plan.collectives = collectives;
        plan.metadata = SimulatedPlan::Metadata::Numbers;
        plan.offsetUs = seed % 3 == 0 ? 0 : 400;
        plan.driftPpm = seed % 2 == 0 ? 40 : 0;
        plan.dropped = seed % 3;
        plan.truncated = seed % 4 == 1 ? 2 : 0;
        plan.hasRoots = seed % 3 == 1;
        plan.namesRoots = true;
        const QTemporaryDir folder;
        writeSimulated(plan, folder);
        const SummarizedFolder summarized = summarizeFolder(folder.path().toStdString(), 100);
        CHECKED(compareClocks(summarized));
        CHECKED(compareWithArrivals(summarized, allSteps()));
        CHECKED(compareStraggler(summarized, allSteps()));
    }

    /// Dropped calls, calls that differ, calls without numbers, a group of one rank: by hand.
    void leftOutCallsAreCounted()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 3; ++rank)
            run.step(rank, 1, 0, 100'000);
        const std::string all = "[0, 1, 2]";
        for (int sequence = 1; sequence <= 60; ++sequence) {
            for (int rank = 0; rank < 3; ++rank) {
                CallText text = allreduce(sequence, all, 3);
                if (sequence == 30 && rank == 2)
                    text.inElements = 999; // differs
                if (sequence != 20 || rank != 1) // dropped
                    run.call(rank, "AllReduce", sequence * 1000 + rank, 500 - rank, text);
            }
        }
        for (int rank = 0; rank < 2; ++rank)
            run.call(rank, "AllReduce", 70'000, 500, allreduce(-1)); // without Seq
        run.call(2, "AllReduce", 80'000, 500, allreduce(5, "[2]", 1));
        run.load();
        const SummarizedFolder folder = summarizeFolder(run.folder());
        const FoldedRun folded = foldCollectives(*folder.run, {});
        QCOMPARE(folded.groups.size(), std::size_t{3});
        const FoldedGroup& big = folded.groups[0];
        QCOMPARE(big.needs, NeedsDetail::Nothing);
        QCOMPARE(big.matches.calls, 179);
        QCOMPARE(big.matches.ofSeveral, 59);
        QCOMPARE(big.matches.lacking, 1);
        QCOMPARE(big.matches.differing, 1);
        QCOMPARE(big.matches.unmatched.at(UnmatchedReason::Differs), 3);
        QCOMPARE(big.waits.collectives, 58);
        QCOMPARE(big.waits.lacking, 1);
        QCOMPARE(big.waits.skewNs, usNs(58 * 2));
        QCOMPARE(big.waits.waitNs, usNs(58 * 3));
        QCOMPARE(folded.groups[1].needs, NeedsDetail::NoNumbers);
        QCOMPARE(folded.groups[1].waits.collectives, 0);
        QVERIFY(!folded.areCollectivesComplete);
        QCOMPARE(folded.groups[2].needs, NeedsDetail::Nothing);
        QVERIFY(folded.groups[2].matches.unmatched.empty());
    }

    /// Numbers that contradict the calls are no numbers: another rule may fit better, and nothing is guessed.
    void contradictingNumbersAreRefused()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 2; ++rank)
            run.step(rank, 1, 0, 100'000);
        for (int sequence = 1; sequence <= 40; ++sequence) {
            for (int rank = 0; rank < 2; ++rank) {
                CallText text = allreduce(sequence);
                text.inElements = text.outElements = 100 * (sequence + (rank == 1 ? 1 : 0));
                run.call(rank, "AllReduce", sequence * 1000, 500, text);
            }
        }
        run.load();
        const FoldedRun folded = foldCollectives(*summarizeFolder(run.folder()).run, {});
        QCOMPARE(folded.groups.size(), std::size_t{1});
        QCOMPARE(folded.groups[0].needs, NeedsDetail::NumbersContradict);
        QCOMPARE(folded.groups[0].matches.ofSeveral, 0);
    }

    void realTracesEqualTheWholeModel_data()
    {
        QTest::addColumn<QString>("folder");
        const QDir traces(tracesFolder());
        for (const char* name : {"multirank/hta_sampled_2rank", "multirank/param_dlrm_8rank/kineto",
                                 "multirank/tokenomics_2rank"}) {
            if (traces.exists(QString::fromLatin1(name)))
                QTest::newRow(name) << traces.filePath(QString::fromLatin1(name));
        }
        QTest::newRow("generated") << generatedRun();
    }
    void realTracesEqualTheWholeModel()
    {
        QFETCH(QString, folder);
        const SummarizedFolder summarized = summarizeFolder(folder.toStdString(), CallChunks::mostCalls);
        const FoldedRun folded = foldCollectives(*summarized.run, {});
        if (!folded.areCollectivesComplete) {
            // None of the real ones numbers its calls: they are refused, not guessed.
            for (const FoldedGroup& group : folded.groups) {
                QVERIFY(group.needs != NeedsDetail::Nothing);
                QCOMPARE(group.matches.ofSeveral, 0);
                QCOMPARE(group.waits.collectives, 0);
            }
            return;
        }
        CHECKED(compareWithArrivals(summarized, allSteps()));
        CHECKED(compareWithArrivals(summarized, innerSteps()));
    }

    void bytesComeBack()
    {
        const EncodedCalls calls = fewCalls();
        const std::string bytes = encodeCalls(calls);
        const auto read = decodeCalls(bytes);
        QVERIFY(read.has_value());
        QCOMPARE(encodeCalls(*read), bytes);
        QCOMPARE(read->head.rank, 1);
        QCOMPARE(read->head.groups.size(), calls.head.groups.size());
        QCOMPARE(read->head.kinds.size(), calls.head.kinds.size());
        CallColumns extreme;
        for (const std::int64_t sequence : {CallColumns::noSequence, std::int64_t{-5}, std::int64_t{0},
                                            std::numeric_limits<std::int64_t>::max()}) {
            extreme.sequence.push_back(sequence);
            extreme.beginNs.push_back(sequence < 0 ? -1'000'000'000'000'000'000 : 1'700'000'000'000'000'001);
            extreme.durationNs.push_back(static_cast<std::int64_t>(extreme.size()) - 1);
            extreme.what.push_back(static_cast<std::uint32_t>(extreme.size() % 2));
            extreme.feltNs.push_back(sequence == 0 ? CallColumns::alwaysFelt : extreme.durationNs.back() / 2);
            extreme.endsHidden.push_back(sequence == 0);
        }
        const auto again = decodeChunk(encodeChunk(extreme), 2);
        QVERIFY(again.has_value());
        QVERIFY(again->sequence == extreme.sequence && again->beginNs == extreme.beginNs
                && again->durationNs == extreme.durationNs && again->what == extreme.what
                && again->feltNs == extreme.feltNs && again->endsHidden == extreme.endsHidden);
        QVERIFY(!decodeChunk(encodeChunk(extreme), 1)); // it has two kinds
    }

    /// Every byte changed in every way, and every shorter text: an error, or a value that can be folded.
    void damagedBytesDoNoHarm()
    {
        const EncodedCalls few = fewCalls();
        const std::string sound = encodeCalls(few);
        QVERIFY(sound.size() < 1000);
        int refused = 0;
        const auto tryBytes = [&](const std::string& bytes) {
            auto read = decodeCalls(bytes);
            if (!read) {
                ++refused;
                return;
            }
            std::vector<RankSummary> ranks;
            ranks.push_back(throughBytes(few));
            ranks.front().head.rank = 12345;
            const SummarizedCalls head = read->head;
            ranks.push_back({head, std::make_shared<ChunksInMemory>(std::move(*read))});
            if (const auto run = SummarizedRun::make(std::move(ranks)))
                foldCollectives(**run, {});
        };
        for (std::size_t size = 0; size < sound.size(); ++size)
            tryBytes(sound.substr(0, size));
        QCOMPARE(refused, static_cast<int>(sound.size())); // it ends where it ends
        for (std::size_t at = 0; at < sound.size(); ++at) {
            for (int value = 0; value < 256; value += share(1, 5)) {
                std::string bytes = sound;
                bytes[at] = static_cast<char>(value);
                tryBytes(bytes);
            }
        }
    }

private:
    /// The calls of rank 1 of a small run.
    static EncodedCalls fewCalls()
    {
        CollectiveRun run;
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 5000);
            run.compute(rank, 900, 1300);
            for (int sequence = 1; sequence <= 4; ++sequence)
                run.call(rank, "AllReduce", sequence * 1000 + rank, 100, allreduce(sequence));
            run.call(rank, "AllGather", 5000, 100, {"_allgather_base", 10, 20, 2, "h", "[0, 1]", 9});
        }
        const TraceModelPtr model = run.load();
        return *summarizeCalls(*model, 1, MetricOptions(), 3);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFoldedCollectives)
#include "tst_folded_collectives.moc"
