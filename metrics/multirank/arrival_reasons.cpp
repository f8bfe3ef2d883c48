// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Why nobody can be said to have waited, and how far the times that say so can be trusted.

#include "metrics/multirank/arrivals.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

/// Why most unmatched calls of the window are so; nullopt if there are none.
std::optional<UnmatchedReason> commonReason(Analysis& analysis)
{
    std::map<UnmatchedReason, std::int64_t> counts;
    for (const Unmatched& unmatched : analysis.matching().unmatched)
        counts[unmatched.reason] += analysis.callOf(unmatched.call).inWindow() ? 1 : 0;
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most != counts.end() && most->second > 0 ? std::optional(most->first) : std::nullopt;
}

/// What the collectives that lack members lack. A rank with calls of its own that could not be matched may
/// have made the very call.
std::string lackText(Analysis& analysis)
{
    std::set<std::uint32_t> untold; // ranks with such calls
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
            return "the call of a rank whose trace is there is missing or could not be matched";
    }
    return "a rank whose trace is there has no such call";
}

} // namespace

std::optional<MetricResult> needsTwoRanks(Analysis& analysis, const Selection& selection)
{
    if (selection.failure)
        return selection.failure;
    if (selection.ranks.size() >= 2)
        return std::nullopt;
    const std::string rank = std::to_string(selection.ranks.front().rank);
    const std::size_t present = analysis.model().ranks().size();
    if (analysis.options().rank && present > 1)
        return noValue(selection, MetricState::NotApplicable,
                       "This compares ranks, and one was chosen (rank " + rank + "): ask for all "
                           + std::to_string(present) + ".");
    return noValue(selection, MetricState::NotApplicable,
                   "This compares ranks, and only rank " + rank + " has a timeline in the window ("
                       + selection.window + "). If the run has others, open their traces with it.");
}

std::optional<MetricResult> needsArrivals(Analysis& analysis, const Arrivals& arrivals)
{
    const Selection& selection = analysis.communicating();
    if (!arrivals.matched.empty())
        return std::nullopt;
    std::int64_t calls = 0;
    std::int64_t pointToPoint = 0;
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.calls) {
            calls += call.inWindow() ? 1 : 0;
            pointToPoint += call.inWindow() && call.kind == KernelClass::SendRecv ? 1 : 0;
        }
    }
    const Matching& matching = analysis.matching();
    const auto why = commonReason(analysis);
    const bool isTold = why == UnmatchedReason::SmallerGroups
        || (!matching.complete && why == UnmatchedReason::Ambiguous); // by the reason of the calls themselves
    std::string reason = "None of the " + countText(calls, "communication call") + " in the window ("
        + selection.window + ") could be matched with the same call of another rank";
    if (calls == 0)
        reason = std::string(selection.isOfCpu ? "No collective of a CPU backend began"
                                               : "No kernel that is known as communication ran")
            + " in the window (" + selection.window + ")";
    else if (arrivals.byOrderAlone > 0)
        reason = "Nothing but their order matches " + countText(arrivals.byOrderAlone, "collective")
            + " of the window (" + selection.window
            + "): the moments at which they ended do not confirm it, so that "
              "nobody can be said to have waited";
    else if (arrivals.lacking > 0)
        reason = "Of all " + countText(arrivals.lacking, "collective") + " of the window (" + selection.window
            + ") that several ranks share, " + lackText(analysis)
            + ": it may be the one that came last, so that nobody can be said to have waited";
    else if (arrivals.withoutRoot > 0)
        reason = "The trace does not say the root of " + countText(arrivals.withoutRoot, "collective")
            + " of the window (" + selection.window
            + ") that has one (broadcast, reduce), so that nobody can be said to have waited";
    else if (arrivals.shared.unmatched == 0 && arrivals.shared.othersNotLoaded > 0)
        reason += ": the traces of the other ranks of their groups are not loaded";
    else if (!matching.complete && !isTold)
        reason += selection.isOfCpu
            ? ": the trace lists several process groups and does not say which of them a call is in"
            : ": the trace names no process groups, several streams communicate, and their ends do "
              "not tell which calls of other ranks they are";
    else if (matching.mismatched > 0 && !isTold)
        reason += ": " + countText(matching.mismatched, "collective")
            + " of the run differ in name, type or size "
              "between the ranks";
    else if (pointToPoint == calls && !isTold)
        reason += ": they are sends and receives, which have no common begin";
    else if (why)
        reason += ": " + std::string(unmatchedReasonText(*why));
    return noValue(selection, MetricState::NotApplicable, reason + ".");
}

void addClockWarnings(Analysis& analysis, const Arrivals* arrivals, MetricResult& result)
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
            else if (perNode > 0) // the card says how the ranks are spread
                hosts.insert("node " + std::to_string(rank.rank / perNode));
        }
    }
    const ClockAlignment& alignment = analysis.run().clocks;
    const ClockChoice choice = analysis.options().clocks;
    result.inputs.push_back(alignment.summary(choice));
    const bool isAligned = alignment.isUsed(choice);
    if (isAligned && alignment.components > 1)
        result.warnings.push_back(
            "The ranks form " + std::to_string(alignment.components)
            + " sets that share no collective: times between the sets are not aligned.");
    if (!isAligned && !alignment.isTrusted && hosts.size() > 1)
        result.warnings.push_back(
            "The ranks ran on " + std::to_string(hosts.size())
            + " hosts, whose clocks differ: times between ranks of different hosts hold "
              "that difference too.");
    if (!isAligned && !alignment.isTrusted && !wallClock && files.size() > 1)
        result.warnings.emplace_back("Not every file has a wall clock: the ranks are compared as if their "
                                     "files counted from the same moment.");
    if (!isAligned && choice == ClockChoice::Raw && alignment.isNeeded)
        result.warnings.push_back(alignment.summary(choice));
    if (arrivals && arrivals->isByDuration)
        result.warnings.emplace_back(
            "The clocks of the ranks fit worse than " + numberText(nsToUs(poorFitNs))
            + " \u00b5s: who waited is judged by durations, each minus the shortest of its collective.");
    if (arrivals && arrivals->byOrderAlone > 0)
        result.warnings.push_back(
            countText(arrivals->byOrderAlone, "collective")
            + " left out: nothing but their order matches them, and the moments at which "
              "they ended do not confirm it.");
    if (arrivals && arrivals->lacking > 0)
        result.inputs.push_back(countText(arrivals->lacking, "collective") + " left out: "
                                + lackText(analysis) + ", and may be the one that came last.");
    if (arrivals && arrivals->withoutRoot > 0)
        result.inputs.push_back(countText(arrivals->withoutRoot, "collective")
                                + " left out: a root that leaves early makes nobody wait, and the trace does "
                                  "not say which rank it is.");
    if (arrivals && arrivals->notSignificant > 0)
        result.inputs.push_back(countText(arrivals->notSignificant, "collective")
                                + " whose skew is smaller than the clocks can tell ("
                                + numberText(nsToUs(arrivals->significantByClocksNs))
                                + " \u00b5s) made nobody late.");
    if (arrivals && arrivals->lastUnknown > 0)
        result.inputs.push_back("In " + countText(arrivals->lastUnknown, "collective")
                                + " several ranks came last within what the clocks can tell ("
                                + numberText(nsToUs(arrivals->orderNs)) + " \u00b5s): their waits, "
                                + numberText(nsToUs(arrivals->lastUnknownNs))
                                + " \u00b5s in all, are imposed by no rank.");
    if (arrivals && arrivals->outOfOrder > 0)
        result.warnings.push_back(
            "In " + std::to_string(arrivals->outOfOrder) + " of "
            + countText(static_cast<std::int64_t>(arrivals->matched.size()), "collective")
            + " a rank left before the last one came, by up to " + numberText(nsToUs(arrivals->clockErrorNs))
            + " \u00b5s, which cannot be: the ranks' clocks are apart, or a file lacks "
              "calls so that the wrong ones were matched. Skews and waits are wrong by at "
              "least as much.");
}

} // namespace collscope
