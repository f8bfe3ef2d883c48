// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/known_communication.h"
#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/findings/finding_groups.h"
#include "model/text/capitalised.h"
#include "model/text/needs_events.h"
#include "model/text/rank_ranges.h"

#include <algorithm>

namespace collscope {

namespace {

/// Problems of the run that a reader must know first: their code and the kind of finding.
constexpr std::pair<std::string_view, FindingKind> factsOfRun[]
    = {{"ranks_missing", FindingKind::RanksMissing},
       {"max_ranks", FindingKind::RanksMissing},
       {"jobs_differ", FindingKind::SeveralRuns},
       {"communication_not_recognised", FindingKind::UnrecognisedCommunication},
       {"clocks_apart", FindingKind::ClocksApart}};

/// Per step, over the ranks that pay.
std::int64_t costOnPayersNs(const Partition& partition, const Finding& finding)
{
    std::int64_t cells = 0;
    auto paid = finding.nsByRank.begin();
    for (const RankShare& rank : partition.ranks) {
        while (paid != finding.nsByRank.end() && paid->first < rank.rank)
            ++paid;
        if (paid != finding.nsByRank.end() && paid->first == rank.rank)
            cells += static_cast<std::int64_t>(rank.steps.size());
    }
    return cells > 0 ? finding.ns / cells : 0;
}

/// Sets the two costs. Rounded down, so that costs never add up to more than the step.
void setCosts(const Partition& partition, Finding& finding)
{
    if (!isAboutTime(finding.kind) || partition.cells == 0)
        return;
    finding.costNs = finding.ns / partition.cells;
    finding.costOnRanksNs = costOnPayersNs(partition, finding);
}

/// What needs the times of single kernels and calls.
void addWhatEventsShow(const FindingInput& input, bool areSameSteps)
{
    LateGroups late = addCommunication(input);
    // Ranks are not compared in different steps.
    const std::vector<SlowRank> slow
        = areSameSteps ? findSlowRanks(input) : std::vector<SlowRank>(input.partition.ranks.size());
    addLateRanks(input, slow, late);
    addSlowRanks(input, slow);
    addOutlierSteps(input, slow);
}

/// Likewise, as far as sums show it. Waits are between ranks.
void addWhatSumsShow(const FindingInput& input)
{
    std::vector<FindingKind>& notLookedFor = input.findings.notLookedFor;
    addSummarizedCommunication(input);
    if (input.findings.unsplit > 0 && input.analysis.model().ranks().size() > 1)
        notLookedFor = {FindingKind::LateRank, FindingKind::UnbalancedWork, FindingKind::UnbalancedExperts,
                        FindingKind::SlowCollectives, FindingKind::PipelineBubble};
    if (!mayHaveSlowRanks(input)) {
        addOutlierSteps(input, std::vector<SlowRank>(input.partition.ranks.size()));
        return;
    }
    // What computes longer on a slow rank does not make an outlier.
    notLookedFor.push_back(FindingKind::SlowKernelsOnRank);
    notLookedFor.push_back(FindingKind::OutlierSteps);
}

} // namespace

void addRunFacts(const FindingInput& input)
{
    for (const auto& [code, kind] : factsOfRun) {
        for (const Diagnostic& problem : input.analysis.model().problems.entries()) {
            if (problem.code != code || problem.severity == Severity::Info)
                continue;
            Finding& finding = input.findings.all.emplace_back();
            finding.kind = kind;
            finding.title = problem.explanation;
            finding.count = static_cast<std::int64_t>(problem.count);
            std::erase(input.findings.warnings, finding.title); // the finding says it
        }
    }
    if (!hasNoSteps(input.analysis.selection()))
        return;
    Finding& finding = input.findings.all.emplace_back();
    finding.kind = FindingKind::NoSteps;
    finding.title = "No step markers were found: all times are of the whole trace.";
    std::erase(input.findings.warnings, noStepsWarning); // the finding says it
}

std::string loneStepText(const Partition& partition, const std::map<std::int64_t, std::int64_t>& nsByStep)
{
    constexpr std::size_t fewest = 3;
    std::size_t steps = 0;
    for (const RankShare& rank : partition.ranks)
        steps = std::max(steps, rank.steps.size());
    if (steps < fewest || nsByStep.empty())
        return {};
    std::int64_t allNs = 0;
    for (const auto& [step, ns] : nsByStep)
        allNs += ns;
    const auto most = std::max_element(nsByStep.begin(), nsByStep.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const std::string step = std::to_string(most->first);
    if (most->second == allNs)
        return ", in step " + step + " alone";
    return 10 * most->second >= 9 * allNs ? ", " + percentText(most->second, allNs) + " of it in step " + step
                                          : std::string();
}

std::string costText(const Findings& findings, const Finding& finding)
{
    if (findings.cells == 0)
        return {};
    const std::string cost = timeText(finding.ns / findings.cells);
    const std::size_t ranks = findings.ranks.size();
    return cost + (findings.isMeanOfSteps() ? " per step (" : " (")
        + percentText(finding.ns, findings.stepNs * findings.cells)
        + (finding.nsByRank.size() < ranks
               ? ", mean of " + countText(static_cast<std::int64_t>(ranks), "rank")
               : std::string())
        + ")";
}

std::string payersText(const FindingInput& input, const Finding& finding)
{
    const std::size_t all = input.partition.ranks.size();
    const std::size_t payers = finding.nsByRank.size();
    if (payers == all)
        return {};
    const std::string there
        = (payers > 1 ? ", on average " : ", ") + timeText(costOnPayersNs(input.partition, finding)) + " on ";
    constexpr std::size_t few = 4;
    if (payers > few)
        return there + std::to_string(payers) + " of them";
    std::vector<std::int32_t> ranks = finding.payers();
    std::sort(ranks.begin(), ranks.end());
    return there + rankRangesText(ranks);
}

double shareOf(const Findings& findings, const Finding& finding)
{
    const auto wholeNs = static_cast<double>(findings.stepNs) * static_cast<double>(findings.cells);
    return isAboutTime(finding.kind) && wholeNs > 0 ? static_cast<double>(finding.ns) / wholeNs : 0;
}

const Finding* Findings::worst() const
{
    const auto first = std::find_if(all.begin(), all.end(),
                                    [](const Finding& finding) { return isAboutTime(finding.kind); });
    return first != all.end() ? &*first : nullptr;
}

bool Findings::hasLargeCost() const
{
    return worst() && shareOf(*this, *worst()) > matteringShare;
}

std::string Findings::headline() const
{
    if (hasLargeCost())
        return worst()->title;
    std::string text = joinsGpus ? "at least one GPU of each rank" : "this run";
    if (coverage < completeCoverage)
        text.insert(0, "inside its steps, ");
    return capitalised(text) + " computes " + percentText(parts.of(Part::Compute), stepNs) + " of the time.";
}

std::string Findings::whyUnknown(Part part) const
{
    const bool isCommunication = part == Part::Communication || part == Part::Waiting;
    if (isCommunication && !communicationUnknown.empty())
        return communicationUnknown;
    return part == Part::Waiting && !areWaitsKnown()
        ? "Communication contains it, because " + std::string(whyUnsplit()) + "."
        : std::string();
}

Result<Findings> findCosts(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (selection.failure)
        return Error{Error::Kind::NotFound, selection.failure->reason};
    const bool isSummarized = analysis.model().isSummarized();
    if (isSummarized && analysis.options().range)
        return Error{Error::Kind::NotFound, summariesLack("sums of a range")};
    const Partition& partition = partitionOf(analysis);
    Findings findings;
    static_cast<CountedTime&>(findings) = countedTimeOf(analysis);
    findings.parts = partition.perStep();
    findings.stepNs = partition.stepNs();
    static_cast<SplitCalls&>(findings) = partition;
    findings.warnings = selection.warnings;
    if (const auto unknown = communicationUnknown(analysis, selection))
        findings.communicationUnknown = unknown->reason;
    findings.ranks.reserve(partition.ranks.size());
    findings.steps.reserve(static_cast<std::size_t>(partition.cells));
    for (const RankShare& rank : partition.ranks) {
        RankParts& parts = findings.ranks.emplace_back();
        parts.rank = rank.rank;
        for (const StepShare& step : rank.steps) {
            parts.parts += step.parts;
            const std::size_t timeline = analysis.model().indexOf(*rank.timelines[step.part]);
            findings.steps.push_back({rank.rank, step.step.number,
                                      analysis.clocks().toAxis(timeline, step.step.range), step.parts});
        }
    }
    if (partition.ranks.size() > 1 && (!isSummarized || analysis.options().collectives))
        findings.clocks = analysis.run().clocks.summary(analysis.options().clocks);
    const FindingInput input{analysis, partition, findings};
    addWarnings(input);
    const bool areSameSteps = !findings.isPerStep || addShiftedSteps(input);
    addRunFacts(input);
    addProfilerOverhead(input);
    addNetworkTrouble(input);
    addHardwareTroubles(input);
    addJobSlowed(input);
    addIdleTime(input);
    addCopies(input);
    if (partition.isSummarized)
        addWhatSumsShow(input);
    else
        addWhatEventsShow(input, areSameSteps);
    for (Finding& finding : findings.all)
        setCosts(partition, finding);
    std::stable_sort(findings.all.begin(), findings.all.end(), [](const Finding& a, const Finding& b) {
        return isAboutTime(a.kind) != isAboutTime(b.kind) ? !isAboutTime(a.kind) : a.costNs > b.costNs;
    });
    return findings;
}

} // namespace collscope
