// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The findings of a run merged from summaries are those of one process, kind by kind, or are not told.

#include "metrics/causes/arrivals.h"
#include "metrics/export/findings_report.h"
#include "metrics/export/written_report.h"
#include "metrics/summary/summarized_findings.h"
#include "metrics/summary/summarized_straggler.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/findings_of.h"
#include "tests/support/runs/merged_summaries.h"
#include "tests/support/runs/summarized_folder.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QRegularExpression>

#include <filesystem>
#include <map>
#include <set>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// Kinds of exposed time, of which waits are a part or not.
bool isOfCalls(FindingKind kind)
{
    constexpr FindingKind ofCalls[]
        = {FindingKind::LateRank,        FindingKind::UnbalancedWork,       FindingKind::UnbalancedExperts,
           FindingKind::SlowCollectives, FindingKind::ExposedCommunication, FindingKind::PipelineBubble};
    return std::find(std::begin(ofCalls), std::end(ofCalls), kind) != std::end(ofCalls);
}

/// All that is told of a finding, except further places.
std::string textOf(const Findings& findings, const Finding& finding, bool withPlace)
{
    std::string text = std::string(findingId(finding.kind)) + "\n" + finding.title + "\n" + finding.group
        + "|" + finding.name + "|" + finding.cause + "\n" + std::string(adviceFor(finding)) + "\n"
        + std::to_string(finding.ns) + " " + std::to_string(finding.costNs) + " "
        + std::to_string(finding.costOnRanksNs) + " " + std::to_string(finding.count) + " "
        + numberText(shareOf(findings, finding)) + (finding.isEstimated ? " estimated" : " measured");
    for (const auto& [rank, ns] : finding.nsByRank)
        text += "\n" + std::to_string(rank) + ": " + std::to_string(ns);
    for (const std::int32_t rank : finding.ranks)
        text += " " + std::to_string(rank);
    if (withPlace && !finding.places.all().empty()) {
        const FindingPlace& worst = finding.places.all().front();
        text += "\nrank " + std::to_string(worst.rank) + ": " + std::to_string(worst.range.beginNs) + " to "
            + std::to_string(worst.range.endNs);
    }
    return text;
}

/// The findings of some kinds, in their order.
template<typename Counts>
QString textOf(const Findings& findings, bool withPlaces, const Counts& counts)
{
    std::string text;
    for (const Finding& finding : findings.all) {
        if (counts(finding.kind))
            text += textOf(findings, finding, withPlaces) + "\n\n";
    }
    return QString::fromStdString(text);
}

std::int64_t nsOfCalls(const Findings& findings)
{
    std::int64_t ns = 0;
    for (const Finding& finding : findings.all)
        ns += isOfCalls(finding.kind) ? finding.ns : 0;
    return ns;
}

/// Waits are communication where they are not known.
PartTimes withoutWaits(PartTimes parts)
{
    parts.add(Part::Communication, std::exchange(parts.ns[static_cast<std::size_t>(Part::Waiting)], 0));
    return parts;
}

} // namespace

class TestSummarizedFindings : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;
    MergedSummaries m_summaries;
    int m_stragglers = 0, m_alone = 0;
    std::set<std::string> m_told; ///< kinds and causes that were compared

    /// What each rank shows alone: its calls have nobody to wait for.
    void compareAlone(const TraceModel& whole, const Findings& merged, const MetricOptions& options)
    {
        std::map<std::pair<std::int32_t, std::string>, std::pair<std::int64_t, std::int64_t>> alone, all;
        std::map<std::string, std::int64_t> counts, allCounts;
        for (const Timeline& timeline : whole.timelines) {
            const auto model = loadPath(whole.sources[timeline.source.value].path);
            if (!model || (*model)->timelines.size() != 1)
                return;
            Analysis analysis(**model, options);
            const Result<Findings> findings = findCosts(analysis);
            if (!findings)
                return;
            const auto isSameRank = [&](const StepParts& step) { return step.rank == timeline.rank; };
            if (std::count_if(merged.steps.begin(), merged.steps.end(), isSameRank)
                    != std::ssize(findings->steps)
                || (*model)->timelines.front().rank != timeline.rank)
                return;
            for (const Finding& finding : findings->all) {
                if (!isOfCalls(finding.kind))
                    continue;
                QVERIFY(finding.kind == FindingKind::ExposedCommunication);
                alone[{timeline.rank, finding.name}].first += finding.ns;
                counts[finding.name] += finding.count;
            }
        }
        for (const Finding& finding : merged.all) {
            if (finding.kind != FindingKind::ExposedCommunication)
                continue;
            allCounts[finding.name] += finding.count;
            for (const auto& [rank, ns] : finding.nsByRank)
                all[{rank, finding.name}].first += ns;
        }
        QCOMPARE(all, alone);
        QCOMPARE(allCounts, counts);
        m_alone += all.empty() ? 0 : 1;
    }

    void compareFindings(const TraceModel& whole, const TraceModel& merged, const MetricOptions& options)
    {
        Analysis one(whole, options), other(merged, options);
        const Result<Findings> expected = findCosts(one), found = findCostsOfRun(other);
        QCOMPARE(found.has_value(), expected.has_value());
        if (!expected)
            return;
        QVERIFY(found->isSummarized);
        QCOMPARE(found->stepNs, expected->stepNs);
        QCOMPARE(found->cells, expected->cells);
        QCOMPARE(found->window, expected->window);
        QCOMPARE(found->scope, expected->scope);
        QCOMPARE(found->coverage, expected->coverage);
        QCOMPARE(found->counted, expected->counted);
        QVERIFY(found->unsplit >= expected->unsplit);
        QCOMPARE(found->steps.size(), expected->steps.size());
        QCOMPARE(found->ranks.size(), expected->ranks.size());
        const bool areClocksKnown
            = std::none_of(found->warnings.begin(), found->warnings.end(), [](const std::string& warning) {
                  return warning.find("clocks as recorded") != std::string::npos;
              });
        QCOMPARE(found->clocks, areClocksKnown ? expected->clocks : std::string());
        for (std::size_t i = 0; i < found->steps.size(); ++i) {
            QCOMPARE(found->steps[i].number, expected->steps[i].number);
            QCOMPARE(found->steps[i].parts.ns, withoutWaits(expected->steps[i].parts).ns);
            if (areClocksKnown)
                QCOMPARE(found->steps[i].range.beginNs, expected->steps[i].range.beginNs);
        }
        const auto isTold = [&](FindingKind kind) {
            const auto& left = found->notLookedFor;
            return !isOfCalls(kind) && kind != FindingKind::Straggler
                && std::find(left.begin(), left.end(), kind) == left.end();
        };
        const QStringList told = textOf(*found, areClocksKnown, isTold).split(QLatin1Char('\n'));
        const QStringList wanted = textOf(*expected, areClocksKnown, isTold).split(QLatin1Char('\n'));
        for (qsizetype line = 0; line < std::min(told.size(), wanted.size()); ++line)
            QCOMPARE(told[line], wanted[line]);
        QCOMPARE(told.size(), wanted.size());
        QCOMPARE(nsOfCalls(*found), nsOfCalls(*expected));
        for (const Finding& finding : found->all)
            m_told.insert(std::string(findingId(finding.kind)) + " " + finding.cause);
        compareStragglers(one, other, *found);
        if (!options.rank)
            compareAlone(whole, *found, options);
        // It is said where something is missing.
        const std::string text = findingsText(*found, 100);
        static const QRegularExpression command(QStringLiteral("--keep all --ranks \\d[-,\\d]*\\."));
        QCOMPARE(QString::fromStdString(text).contains(command), !found->notLookedFor.empty());
    }

    void compareStragglers(Analysis& one, Analysis& other, const Findings& found)
    {
        const std::vector<const Finding*> late = allOf(found, FindingKind::Straggler);
        if (other.communicating().ranks.size() < 2 || !stragglerOfSummaries(other)) {
            QVERIFY(late.empty());
            return;
        }
        const Arrivals& arrivals = measureArrivals(one);
        QCOMPARE(late.size(), arrivals.verdict() == StragglerVerdict::OneRank ? 1U : 0U);
        if (late.empty())
            return;
        QCOMPARE(late.front()->title, arrivals.verdictText());
        QCOMPARE(late.front()->ranks, std::vector<std::int32_t>{arrivals.straggler()->rank});
        ++m_stragglers;
    }

    void compare(const std::string& run, const MetricOptions& options)
    {
        const auto whole = loadPath(run);
        // Execution traces tell more of calls; they are joined with events.
        if (!whole || (*whole)->timelines.empty() || !(*whole)->executionTraces.empty())
            return;
        for (const std::uint32_t tasks : {1u, 5u}) {
            const auto merged = loadPath(m_summaries.folderOf(run, tasks));
            QVERIFY2(merged, run.c_str());
            compareFindings(**whole, **merged, options);
            if (QTest::currentTestFailed())
                return;
        }
    }

    /// The findings of the summaries of ranks [first, end), which share two collectives; each also makes
    /// `alone` calls in a group of its own.
    Findings findingsOfSums(int first, int end, int alone)
    {
        CollectiveRun run;
        for (int rank = first; rank < end; ++rank) {
            run.step(rank, 1, 0, 10'000);
            run.compute(rank, 10, 500);
            const std::string all = "[" + std::to_string(first) + ", " + std::to_string(first + 1) + "]";
            for (int i = 1; i <= 2; ++i)
                run.call(rank, "AllReduce", 1000 * i + 3 * rank, 100, allreduce(i, all, 2));
            for (int i = 1; i <= alone; ++i)
                run.call(rank, "AllReduce", 3000 + 200 * i, 100,
                         allreduce(i, "[" + std::to_string(rank) + "]", 1));
        }
        run.load();
        const auto merged = loadPath(m_summaries.folderOf(run.folder(), 1));
        if (!merged)
            throw std::runtime_error(merged.error().message);
        Analysis analysis(**merged, {});
        auto found = findCostsOfRun(analysis);
        if (!found)
            throw std::runtime_error(found.error().message);
        return std::move(*found);
    }

private slots:
    void plantedRuns_data()
    {
        QTest::addColumn<int>("seed");
        for (const int seed : {3, 11, 29, 42})
            QTest::addRow("planted %d", seed) << seed;
    }
    void plantedRuns()
    {
        QFETCH(const int, seed);
        const std::string folder = m_folder.path("planted" + std::to_string(seed));
        fs::create_directories(folder);
        writePlanted(plannedBy(static_cast<std::uint64_t>(seed)), folder);
        compare(folder, {});
        MetricOptions all;
        all.steps.mode = StepChoice::Mode::All;
        compare(folder, all);
        MetricOptions one;
        one.steps = {StepChoice::Mode::Range, 1, 1};
        compare(folder, one);
        MetricOptions rank;
        rank.rank = 0;
        compare(folder, rank);
    }
    void recordedRuns_data() { addRecordedRuns(); }
    void recordedRuns()
    {
        QFETCH(const QString, run);
        compare(run.toStdString(), {});
    }
    /// Ranks that exist are named, whatever their numbers are.
    void ranksToPlanExist()
    {
        const Findings found = findingsOfSums(100, 102, 0);
        QVERIFY(mentions(found.warnings, " late_rank"));
        QVERIFY(mentions(found.warnings, "--ranks 100-101."));
    }
    /// One rank has nobody to be compared with.
    void oneRankWaitsForNobody()
    {
        const Findings found = findingsOfSums(3, 4, 0);
        QVERIFY(found.unsplit > 0);
        QVERIFY(std::find(found.notLookedFor.begin(), found.notLookedFor.end(), FindingKind::LateRank)
                == found.notLookedFor.end());
    }
    /// Sums split no call that others take part in, be they few.
    void fewSharedCallsHideWaits()
    {
        const Findings found = findingsOfSums(0, 2, 20);
        QVERIFY(2 * found.unsplit < found.counted);
        QVERIFY(!found.areWaitsKnown());
        QVERIFY(findingsText(found, 10).find("waiting 0") == std::string::npos);
    }
    /// What was compared above: a test that meets nothing tests nothing.
    void kindsThatWereTold()
    {
        QVERIFY(m_alone > 0);
        QVERIFY(m_stragglers > 0);
        for (const char* kind :
             {"exposed_communication ", "gpu_idle cpu_bound", "launch_bound launch_overhead"})
            QVERIFY2(m_told.contains(kind), kind);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSummarizedFindings)
#include "tst_summarized_findings.moc"
