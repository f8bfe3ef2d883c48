// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/end_agreement.h"
#include "metrics/matching/match_evidence.h"
#include "metrics/matching/wait_rule.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

/// Splits an instance: its members remain as collectives of one rank each.
void takeApart(const CollectiveInstance& instance, UnmatchedReason reason, Matching& matching,
               std::vector<CollectiveInstance>& kept)
{
    for (std::uint32_t i = 0; i < instance.memberCount; ++i) {
        CollectiveInstance alone = instance;
        alone.firstMember += i;
        alone.memberCount = 1;
        alone.absent = 0;
        alone.gap = Gap::EndsApart;
        kept.push_back(alone);
        matching.unmatched.push_back({matching.members[alone.firstMember], reason});
    }
}

void sortByBegin(const std::vector<RankCalls>& ranks, Matching& matching)
{
    const auto beginOf = [&](const CollectiveInstance& instance) {
        const CallRef first = matching.members[instance.firstMember];
        return ranks[first.rank].calls[first.call].range.beginNs;
    };
    std::stable_sort(
        matching.instances.begin(), matching.instances.end(),
        [&](const CollectiveInstance& a, const CollectiveInstance& b) { return beginOf(a) < beginOf(b); });
}

/// Assessment of one instance by the clocks of the run.
struct ClockVerdict
{
    bool areConnected = true; ///< the offsets between its members' clocks are known
    bool areTimed = true; ///< the ends of all members can confirm a match
    std::int64_t spreadNs = 0; ///< distance between the first and last end
    std::int64_t apartNs = 0; ///< time from the first end to the last start
    bool hasNothingToReceive = false; ///< the recv ended before the other side started
};

ClockVerdict askClocks(const TraceModel& model, const std::vector<RankCalls>& ranks,
                       const ClockAlignment& clocks, const ClockMap& map, std::span<const CallRef> members)
{
    ClockVerdict verdict;
    std::int64_t firstEnd = std::numeric_limits<std::int64_t>::max();
    std::int64_t lastEnd = std::numeric_limits<std::int64_t>::min();
    std::int64_t lastBegin = lastEnd;
    std::int64_t receivedNs = std::numeric_limits<std::int64_t>::max();
    std::optional<std::int32_t> component;
    for (const CallRef member : members) {
        const Call& call = ranks[member.rank].calls[member.call];
        const std::size_t timeline = model.indexOf(*call.timeline);
        const std::int32_t own = timeline < clocks.fits.size() ? clocks.fits[timeline].component : -1;
        verdict.areConnected &= own >= 0 && component.value_or(own) == own;
        component = own;
        verdict.areTimed &= confirmsByEnd(model, call);
        const TimeRange range = map.toAxis(timeline, call.range);
        firstEnd = std::min(firstEnd, range.endNs);
        lastEnd = std::max(lastEnd, range.endNs);
        lastBegin = std::max(lastBegin, range.beginNs);
        if (call.meta && model.text(call.meta->name) == "recv")
            receivedNs = range.endNs;
    }
    verdict.spreadNs = lastEnd - firstEnd;
    verdict.apartNs = lastBegin - firstEnd;
    verdict.hasNothingToReceive = lastBegin > receivedNs && lastBegin - receivedNs > closeEndsNs;
    return verdict;
}

/// The distance between ends that remains on the clocks. Wrong matches increase it and must not justify
/// themselves that way, so it is limited once the clocks are aligned.
std::int64_t leftNs(const ClockAlignment& clocks)
{
    const std::int64_t twiceNs = 2 * clocks.residualOf(ClockChoice::Auto);
    return clocks.isUsed(ClockChoice::Auto) ? std::min(twiceNs, farthestEndsNs) : twiceNs;
}

} // namespace

void judgeByClocks(const TraceModel& model, const std::vector<RankCalls>& ranks, const ClockAlignment& clocks,
                   bool isFinal, Matching& matching)
{
    const ClockMap map = clocks.map(ClockChoice::Auto);
    std::vector<CollectiveInstance> kept;
    kept.reserve(matching.instances.size());
    bool isChanged = false;
    for (CollectiveInstance instance : matching.instances) {
        if (instance.memberCount < 2 || instance.confidence == MatchConfidence::Named) {
            kept.push_back(instance);
            continue;
        }
        const ClockVerdict verdict = askClocks(model, ranks, clocks, map, matching.membersOf(instance));
        const std::int64_t barNs
            = std::max(matching.groupOf(instance).endsBarNs, closeEndsNs) + leftNs(clocks);
        const bool areTogether = verdict.spreadNs <= barNs;
        const bool isKnown = clocks.isTrusted && verdict.areConnected && verdict.areTimed;
        // Ends of threads scatter, so only an impossible order refutes the program order.
        const bool isOfProgram = instance.confidence == MatchConfidence::ProgramOrder;
        const bool isPair = matching.groupOf(instance).kind == ProcessGroup::Kind::Pair;
        const bool isRefuted = isOfProgram ? verdict.apartNs > barNs : !areTogether;
        if (isKnown && isRefuted && (!isPair || verdict.hasNothingToReceive)) {
            takeApart(instance,
                      verdict.apartNs > closeEndsNs ? UnmatchedReason::EndedBefore
                                                    : UnmatchedReason::EndsApart,
                      matching, kept);
            matching.apartNs = std::max(matching.apartNs, verdict.spreadNs);
            isChanged = true;
            continue;
        }
        if (isOfProgram) {
            kept.push_back(instance);
            continue;
        }
        if (isKnown && areTogether)
            instance.confidence = MatchConfidence::Confirmed;
        else if ((isKnown || isFinal) && verdict.areTimed && !areTogether)
            instance.confidence = MatchConfidence::OrderAlone;
        kept.push_back(instance);
    }
    matching.instances = std::move(kept);
    if (isChanged)
        sortByBegin(ranks, matching);
}

namespace {

bool isByEnds(const CollectiveInstance& instance)
{
    return instance.memberCount > 1 && instance.confidence == MatchConfidence::Confirmed;
}

/// Splits impossible collectives. If the ends of all collectives do not fit any clock offsets, some were
/// matched wrongly: collectives confirmed only by ends that are impossible even on the best-fitting clocks
/// are split, and the others of their group become unconfirmed. Returns whether any collective was
/// split.
bool takeApartImpossible(const TraceModel& model, const std::vector<RankCalls>& ranks,
                         const ClockAlignment& clocks, Matching& matching)
{
    const ClockMap map(clocks.fits);
    std::vector<bool> isImpossible(matching.instances.size(), false);
    std::vector<bool> isDoubtful(matching.groups.size(), false);
    for (std::size_t i = 0; i < matching.instances.size(); ++i) {
        const CollectiveInstance& instance = matching.instances[i];
        if (!isByEnds(instance) || matching.groupOf(instance).kind == ProcessGroup::Kind::Pair)
            continue;
        const ClockVerdict verdict = askClocks(model, ranks, clocks, map, matching.membersOf(instance));
        isImpossible[i] = verdict.areConnected && verdict.areTimed && verdict.apartNs > lateNs;
        isDoubtful[instance.group] = isDoubtful[instance.group] || isImpossible[i];
        matching.apartNs = std::max(matching.apartNs, isImpossible[i] ? verdict.spreadNs : 0);
    }
    std::vector<CollectiveInstance> kept;
    for (std::size_t i = 0; i < matching.instances.size(); ++i) {
        CollectiveInstance instance = matching.instances[i];
        if (isImpossible[i]) {
            takeApart(instance, UnmatchedReason::EndedBefore, matching, kept);
            continue;
        }
        if (isByEnds(instance) && isDoubtful[instance.group])
            instance.confidence = MatchConfidence::OrderAlone;
        kept.push_back(instance);
    }
    matching.instances = std::move(kept);
    sortByBegin(ranks, matching);
    return std::find(isImpossible.begin(), isImpossible.end(), true) != isImpossible.end();
}

} // namespace

void judgeByKnownClocks(const TraceModel& model, const std::vector<RankCalls>& ranks,
                        const ClockAlignment& clocks, Matching& matching)
{
    judgeByClocks(model, ranks, clocks, false, matching);
    if (!clocks.isTrusted)
        takeApartImpossible(model, ranks, clocks, matching);
    judgeByClocks(model, ranks, clocks, true, matching);
}

ClockAlignment settleClocks(const TraceModel& model, const std::vector<RankCalls>& ranks, Matching& matching,
                            const std::function<bool()>& cancelled)
{
    const auto isByOrder = [](const CollectiveInstance& instance) {
        return instance.memberCount > 1 && instance.confidence != MatchConfidence::Named;
    };
    if (std::none_of(matching.instances.begin(), matching.instances.end(), isByOrder))
        return alignClocks(model, ranks, matching, ClockEvidence::All, cancelled);
    const ClockAlignment named = alignClocks(model, ranks, matching, ClockEvidence::Named, cancelled);
    judgeByClocks(model, ranks, named, false, matching);
    ClockAlignment clocks = alignClocks(model, ranks, matching, ClockEvidence::All, cancelled);
    if (!clocks.isTrusted && takeApartImpossible(model, ranks, clocks, matching))
        clocks = alignClocks(model, ranks, matching, ClockEvidence::All, cancelled);
    judgeByClocks(model, ranks, clocks, true, matching);
    return clocks;
}

} // namespace collscope
