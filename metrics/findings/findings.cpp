// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/findings/finding_groups.h"
#include "model/text/rank_ranges.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace collscope {

namespace {

/// Problems of the run that a reader must know first: their code and the kind of finding.
constexpr std::pair<std::string_view, FindingKind> factsOfRun[]
    = {{"ranks_missing", FindingKind::RanksMissing},
       {"max_ranks", FindingKind::RanksMissing},
       {"jobs_differ", FindingKind::SeveralRuns},
       {"communication_not_recognised", FindingKind::UnrecognisedCommunication},
       {"clocks_apart", FindingKind::ClocksApart}};

/// Sets the two costs. Rounded down, so that costs never add up to more than the step.
void setCosts(const Partition& partition, Finding& finding)
{
    if (!isAboutTime(finding.kind) || partition.cells == 0)
        return;
    finding.costNs = finding.ns / partition.cells;
    std::int64_t cells = 0; // of the ranks that pay
    auto paid = finding.nsByRank.begin();
    for (const RankShare& rank : partition.ranks) {
        while (paid != finding.nsByRank.end() && paid->first < rank.rank)
            ++paid;
        if (paid != finding.nsByRank.end() && paid->first == rank.rank)
            cells += static_cast<std::int64_t>(rank.steps.size());
    }
    finding.costOnRanksNs = cells > 0 ? finding.ns / cells : 0;
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
        }
    }
    if (!hasNoSteps(input.analysis.selection()))
        return;
    Finding& finding = input.findings.all.emplace_back();
    finding.kind = FindingKind::NoSteps;
    finding.title = "No step markers were found: all times are of the whole trace.";
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
    return 10 * most->second >= 9 * allNs ? ", in step " + std::to_string(most->first) + " alone"
                                          : std::string();
}

std::string costText(const Findings& findings, const Finding& finding)
{
    if (findings.cells == 0)
        return {};
    const std::string cost = timeText(finding.ns / findings.cells);
    return cost + (findings.isMeanOfSteps() ? " per step (" : " (")
        + percentText(finding.ns, findings.stepNs * findings.cells) + ")";
}

std::string payersText(const FindingInput& input, const Finding& finding)
{
    const std::size_t all = input.partition.ranks.size();
    const std::size_t payers = finding.nsByRank.size();
    if (payers == all)
        return {};
    constexpr std::size_t few = 4;
    if (payers > few)
        return " on " + std::to_string(payers) + " of " + std::to_string(all) + " ranks";
    std::vector<std::int32_t> ranks = finding.payers();
    std::sort(ranks.begin(), ranks.end());
    return " on " + rankRangesText(ranks);
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
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text + " computes " + percentText(parts.of(Part::Compute), stepNs) + " of the time.";
}

namespace {

/// Says where steps of one number are different steps: a rank that counts from its own begin. All ranks
/// launch a collective in the same step of the program, whatever its number. When it runs may differ by a
/// step.
void addShiftedSteps(const FindingInput& input)
{
    const TraceModel& model = input.analysis.model();
    const RunCollectives& run = input.analysis.run();
    std::int64_t all = 0;
    std::int64_t shifted = 0;
    for (const CollectiveInstance& instance : run.matching.instances) {
        std::set<std::int64_t> numbers;
        std::int64_t ranks = 0; // that are in a counted step
        for (const CallRef member : run.matching.membersOf(instance)) {
            const Call& call = run.callOf(member);
            const RankShare* const rank = input.partition.shareOf(run.ranks[member.rank].rank);
            const std::uint32_t correlation
                = model.track(call.slice.track).slices.correlation[call.slice.row];
            const SliceRef launch = correlation != 0 ? call.timeline->launchOf(correlation) : SliceRef();
            const StepShare* const step
                = rank && launch ? rank->stepAt(*call.timeline, model.rangeOf(launch).beginNs) : nullptr;
            if (!step)
                continue;
            numbers.insert(step->step.number);
            ++ranks;
        }
        all += ranks > 1 ? 1 : 0;
        shifted += numbers.size() > 1 ? 1 : 0;
    }
    if (2 * shifted > all)
        input.findings.warnings.push_back(
            "In " + std::to_string(shifted) + " of " + countText(all, "collective")
            + " the ranks are in steps of different numbers: steps of one number are not the same steps, and "
              "means over ranks mix them.");
}

/// Says what the sums do not show: time between the steps, and GPUs that are taken as one.
void addWarnings(const FindingInput& input)
{
    Findings& findings = input.findings;
    std::int64_t spanNs = 0;
    std::vector<std::int32_t> severalGpus;
    for (const RankShare& rank : input.partition.ranks) {
        std::vector<TimeRange> spans(rank.timelines.size());
        for (const StepShare& step : rank.steps) {
            TimeRange& span = spans[step.part];
            span = span.isEmpty() ? step.step.range : span.united(step.step.range);
        }
        for (const TimeRange span : spans)
            spanNs += span.lengthNs();
        if (std::any_of(rank.timelines.begin(), rank.timelines.end(), [&](const Timeline* timeline) {
                return hasSeveralGpus(input.analysis.model(), *timeline);
            }))
            severalGpus.push_back(rank.rank);
    }
    if (findings.isPerStep && spanNs > 0)
        findings.coverage = static_cast<double>(input.partition.windowNs) / static_cast<double>(spanNs);
    if (findings.coverage < completeCoverage)
        findings.warnings.push_back(
            "The steps cover " + percentText(input.partition.windowNs, spanNs)
            + " of the time from the first to the last one. What happens between them "
              "is not counted.");
    findings.joinsGpus = !severalGpus.empty();
    if (findings.joinsGpus)
        findings.warnings.push_back("The trace of " + rankRangesText(severalGpus)
                                    + " contains work of several GPUs: it is measured as one GPU.");
}

} // namespace

Result<Findings> findCosts(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (selection.failure)
        return Error{Error::Kind::NotFound, selection.failure->reason};
    const Partition& partition = partitionOf(analysis);
    Findings findings;
    static_cast<CountedTime&>(findings) = countedTimeOf(analysis);
    findings.parts = partition.perStep();
    findings.stepNs = partition.stepNs();
    findings.calls = partition.counted;
    findings.unsplit = partition.unsplit;
    findings.warnings = selection.warnings;
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
    if (partition.ranks.size() > 1)
        findings.clocks = analysis.run().clocks.summary(analysis.options().clocks);
    const FindingInput input{analysis, partition, findings};
    addWarnings(input);
    if (findings.isPerStep)
        addShiftedSteps(input);
    addRunFacts(input);
    addProfilerOverhead(input);
    addIdleTime(input);
    addCopies(input);
    LateGroups late = addCommunication(input);
    const std::vector<SlowRank> slow = findSlowRanks(input);
    addLateRanks(input, slow, late);
    addSlowRanks(input, slow);
    addOutlierSteps(input, slow);
    for (Finding& finding : findings.all)
        setCosts(partition, finding);
    std::stable_sort(findings.all.begin(), findings.all.end(), [](const Finding& a, const Finding& b) {
        return isAboutTime(a.kind) != isAboutTime(b.kind) ? !isAboutTime(a.kind) : a.costNs > b.costNs;
    });
    return findings;
}

} // namespace collscope
