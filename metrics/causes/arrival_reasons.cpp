// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reasons why waiting time cannot be attributed, and warnings about the reliability of the ranks' times.

#include "metrics/causes/arrivals.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

/// The most frequent reason of the unmatched calls in the window; nullopt if all of its calls are matched.
std::optional<UnmatchedReason> commonReason(Analysis& analysis)
{
    std::map<UnmatchedReason, std::int64_t> counts;
    for (const Unmatched& unmatched : analysis.matching().unmatched)
        counts[unmatched.reason] += analysis.callOf(unmatched.call).inWindow() ? 1 : 0;
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most != counts.end() && most->second > 0 ? std::optional(most->first) : std::nullopt;
}

/// Describes what incomplete collectives lack. A rank with unmatched calls may have made the missing call.
std::string lackText(Analysis& analysis)
{
    std::set<std::uint32_t> untold; // ranks with unmatched calls
    for (const Unmatched& unmatched : analysis.matching().unmatched) {
        if (unmatched.reason != UnmatchedReason::OthersNotLoaded
            && unmatched.reason != UnmatchedReason::PartnersUnknown)
            untold.insert(unmatched.call.rank);
    }
    for (const CollectiveInstance* instance : analysis.instancesInWindow()) {
        if (instance->memberCount < 2 || instance->absent == 0)
            continue;
        std::size_t present = 0;
        for (const CallRef member : analysis.matching().membersOf(*instance))
            present += untold.contains(member.rank) ? 1U : 0U;
        if (present < untold.size())
            return "the call of a loaded rank is missing or could not be matched";
    }
    return "the trace of a loaded rank lacks the call";
}

} // namespace

std::optional<MetricResult> needsTwoRanks(Analysis& analysis, const Selection& communicating)
{
    // Of one rank on a CPU, it does not matter that its summary does not tell the order of the program.
    const std::vector<RankWindows>& all = analysis.allRanks().ranks;
    const bool isAlone
        = analysis.model().isSummarized() && all.size() == 1 && isCpuRun(analysis.model(), all);
    const Selection& selection = communicating.failure && isAlone ? analysis.allRanks() : communicating;
    if (selection.failure)
        return selection.failure;
    if (selection.ranks.size() >= 2)
        return std::nullopt;
    const std::string rank = std::to_string(selection.ranks.front().rank);
    const std::size_t present = analysis.model().ranks().size();
    if (analysis.options().rank && present > 1)
        return noValue(selection, MetricState::NotApplicable,
                       "This compares ranks, but only rank " + rank + " is selected. Select all "
                           + std::to_string(present) + " ranks.");
    return noValue(selection, MetricState::NotApplicable,
                   "This compares ranks, but only rank " + rank + " has a timeline in the window ("
                       + selection.window + "). If the run has more ranks, open their traces as well.");
}

std::optional<MetricResult> needsArrivals(Analysis& analysis, const Arrivals& arrivals)
{
    const Selection& selection = analysis.communicating();
    if (!arrivals.matched.empty())
        return std::nullopt;
    std::int64_t calls = 0;
    std::int64_t pointToPoint = 0;
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.aroundWindow()) {
            calls += call.inWindow() ? 1 : 0;
            pointToPoint += call.inWindow() && call.kind == KernelClass::SendRecv ? 1 : 0;
        }
    }
    const Matching& matching = analysis.matching();
    const auto why = commonReason(analysis);
    const bool isTold = why == UnmatchedReason::SmallerGroups
        || (!matching.complete
            && why == UnmatchedReason::Ambiguous); // already stated by the reason of the calls
    std::string reason = "No communication call in the window (" + selection.window
        + ") could be matched with the same call of another rank (" + countText(calls, "call") + ")";
    if (calls == 0)
        reason = std::string(selection.isOfCpu ? "No collective of a CPU backend started"
                                               : "No kernel recognised as communication ran")
            + " in the window (" + selection.window + ")";
    else if (arrivals.byOrderAlone > 0)
        reason = "Only call order matches " + countText(arrivals.byOrderAlone, "collective")
            + " in the window (" + selection.window
            + "), and end times do not confirm the match: waiting time cannot be attributed";
    else if (arrivals.lacking > 0)
        reason = "In " + countText(arrivals.lacking, "collective")
            + " that several ranks share in the window (" + selection.window + "), " + lackText(analysis)
            + ". That rank may have arrived last, so waiting time cannot be attributed";
    else if (arrivals.withoutRoot > 0)
        reason = "The ranks that had to wait are unknown for " + countText(arrivals.withoutRoot, "collective")
            + " in the window (" + selection.window
            + ") (root of a broadcast or reduce not identified, or unknown type of communication), so "
              "waiting time cannot be attributed";
    else if (arrivals.shared.unmatched == 0 && arrivals.shared.othersNotLoaded > 0)
        reason += ": the traces of the other ranks in their process groups are not loaded";
    else if (!matching.complete && !isTold)
        reason += selection.isOfCpu
            ? ": the trace lists several process groups but does not state which group a call belongs to"
            : ": the trace names no process groups, several streams communicate, and end times do not "
              "identify the matching calls on other ranks";
    else if (matching.mismatched > 0 && !isTold)
        reason += ": name, type or size differs between the ranks in "
            + countText(matching.mismatched, "collective") + " of the run";
    else if (pointToPoint == calls && !isTold)
        reason += ": these are sends and receives, which have no common start";
    else if (why)
        reason += ": " + std::string(unmatchedReasonText(*why));
    return noValue(selection, MetricState::NotApplicable, reason + ".");
}

void addClockWarnings(Analysis& analysis, const ClockAlignment& alignment, const Arrivals* arrivals,
                      MetricResult& result)
{
    std::set<std::string> hosts;
    std::set<SourceId> files;
    bool wallClock = true;
    const std::int64_t perNode = analysis.workload().ranksPerNode.value_or(0);
    for (const RankWindows& rank : analysis.communicating().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            wallClock &= part.timeline->hasWallClock;
            files.insert(part.timeline->source);
            if (part.timeline->host)
                hosts.emplace(analysis.model().text(part.timeline->host));
            else if (perNode > 0) // the workload card states the distribution of the ranks
                hosts.insert("node " + std::to_string(rank.rank / perNode));
        }
    }
    const ClockChoice choice = analysis.options().clocks;
    result.inputs.push_back(alignment.summary(choice));
    const bool isAligned = alignment.isUsed(choice);
    if (isAligned && alignment.components > 1)
        result.warnings.push_back(
            "The ranks form " + std::to_string(alignment.components)
            + " sets without a common collective: clocks are not aligned between the sets.");
    if (!isAligned && !alignment.isTrusted && hosts.size() > 1)
        result.warnings.push_back("The ranks ran on " + std::to_string(hosts.size())
                                  + " hosts, whose clocks differ: times between ranks on different hosts "
                                    "include the clock difference.");
    if (!isAligned && !alignment.isTrusted && !wallClock && files.size() > 1)
        result.warnings.emplace_back("Some files have no wall clock: the ranks are compared as if the clocks "
                                     "of all files started at the same moment.");
    if (!isAligned && choice == ClockChoice::Raw && alignment.isNeeded)
        result.warnings.push_back(alignment.summary(choice));
    if (arrivals && arrivals->isByDuration)
        result.warnings.emplace_back("The residual of the ranks' clocks exceeds "
                                     + numberText(nsToUs(poorFitNs))
                                     + " \u00b5s: waits are derived from durations instead, each minus the "
                                       "shortest of its collective.");
    if (arrivals && arrivals->byOrderAlone > 0)
        result.warnings.push_back(
            countText(arrivals->byOrderAlone, "collective")
            + " excluded: matched by order alone, and end times do not confirm the match.");
    if (arrivals && arrivals->lacking > 0)
        result.inputs.push_back(countText(arrivals->lacking, "collective") + " excluded: "
                                + lackText(analysis) + ", and that rank may have arrived last.");
    if (arrivals && arrivals->withoutRoot > 0)
        result.inputs.push_back(
            countText(arrivals->withoutRoot, "collective")
            + " excluded: a root that finishes early does not make other ranks wait, and the ranks that had "
              "to wait are unknown (root not identified, or unknown type of communication).");
    if (arrivals && arrivals->notSignificant > 0)
        result.inputs.push_back("In " + countText(arrivals->notSignificant, "collective")
                                + " the skew is below the clock uncertainty ("
                                + numberText(nsToUs(arrivals->significantByClocksNs))
                                + " \u00b5s): no rank counts as late.");
    if (arrivals && arrivals->lastUnknown > 0)
        result.inputs.push_back("In " + countText(arrivals->lastUnknown, "collective")
                                + " several ranks arrived last within the clock uncertainty ("
                                + numberText(nsToUs(arrivals->orderNs)) + " \u00b5s): the waits, "
                                + numberText(nsToUs(arrivals->lastUnknownNs))
                                + " \u00b5s in total, are not attributed to any rank.");
    if (arrivals && arrivals->outOfOrder > 0)
        result.warnings.push_back(
            "In " + std::to_string(arrivals->outOfOrder) + " of " + countText(arrivals->counted, "collective")
            + " a rank ended up to " + numberText(nsToUs(arrivals->clockErrorNs))
            + " \u00b5s before the last rank arrived, which is impossible: the ranks' clocks differ, or a "
              "file lacks calls and the wrong calls were matched. Skews and waits are off by at least that "
              "amount.");
}

} // namespace collscope
