// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of a run folded into sums, group by group, from the summaries of its ranks: who was last,
// how long ranks waited, what could not be matched. The numbers are those that matching and timing all calls
// in memory give. See folding.md.

#include "metrics/matching/match_gaps.h"
#include "metrics/matching/wait_rule.h"
#include "metrics/summary/group_join.h"

#include <algorithm>
#include <map>

namespace collscope {

/// On which clocks and in which window collectives are folded.
struct FoldOptions
{
    ClockMap clocks; ///< of the timelines of SummarizedRun::model()
    bool byDuration = false; ///< see CollectiveTimer
    /// By rank, the steps that count. Empty: the whole file counts, and is in no step.
    std::vector<std::vector<Step>> windows = {};
    std::int64_t significantNs = lateNs; ///< see Arrivals
    std::int64_t significantByClocksNs = lateNs;
    std::int64_t orderNs = 1;
    Parallel parallel = {};
};

/// What the matching of a group tells, of the whole files.
struct FoldedMatches
{
    std::int64_t calls = 0;
    std::int64_t ofSeveral = 0; ///< collectives of at least two ranks
    std::int64_t matchedCalls = 0; ///< calls in these
    std::int64_t lacking = 0; ///< of `ofSeveral`: without a call of a loaded rank
    std::int64_t differing = 0; ///< left out: calls with one number that are not alike
    std::map<UnmatchedReason, std::int64_t> unmatched; ///< calls by reason, as Matching::unmatched
    SharedCalls shared; ///< of the window
    std::int64_t missingInWindow = 0; ///< collectives of the window with a Gap::NoCall
};

/// The collectives of the window in which it is known who waited.
struct FoldedWaits
{
    std::int64_t collectives = 0;
    std::int64_t incomplete = 0; ///< of these: the run lacks a rank of the group
    std::int64_t lacking = 0; ///< not counted: a loaded rank lacks the call
    std::int64_t withoutRoot = 0; ///< not counted: unknown root or type
    std::int64_t skewNs = 0; ///< sum of the longest waits, as GroupSkew::skewNs
    std::int64_t longestNs = 0;
    std::int64_t significantNs = 0; ///< the part of skewNs in significant collectives
    std::int64_t waitNs = 0; ///< sum over members
    std::int64_t arrivalsNs = 0; ///< sum of the times from first to last start
};

struct FoldedGroup
{
    NeedsDetail needs = NeedsDetail::Nothing; ///< all else is 0 unless Nothing
    MatchRule rule = MatchRule::GroupSequence;
    FoldedMatches matches;
    FoldedWaits waits;
};

/// One rank in the counted collectives, as RankWait.
struct FoldedRank
{
    std::int64_t calls = 0;
    std::int64_t ownNs = 0; ///< its waits
    std::int64_t ownByDurationNs = 0;
    std::int64_t latenessNs = 0;
    std::int64_t timesLast = 0; ///< in significant collectives of which the last rank is known
    std::int64_t imposedNs = 0; ///< waits of all ranks in these

    FoldedRank& operator+=(const FoldedRank& other);
};

/// One rank in the counted collectives that began in a step.
struct FoldedCell
{
    std::int64_t latenessNs = 0;
    std::int64_t waitNs = 0;
    std::int64_t calls = 0;
};

/// Values by number, ascending, in a third of the memory of std::map.
template<typename Value>
class ValuesByNumber
{
public:
    void reserve(std::size_t count) { m_values.reserve(count); }
    /// The value of a number; a new one if there is none. Fast for the last number, and for a new higher one.
    Value& at(std::int64_t number)
    {
        if (!m_values.empty() && m_values.back().first == number)
            return m_values.back().second;
        const auto place
            = std::lower_bound(m_values.begin(), m_values.end(), number,
                               [](const auto& value, std::int64_t other) { return value.first < other; });
        if (place != m_values.end() && place->first == number)
            return place->second;
        return m_values.insert(place, {number, {}})->second;
    }
    const std::vector<std::pair<std::int64_t, Value>>& all() const { return m_values; }

private:
    std::vector<std::pair<std::int64_t, Value>> m_values;
};

/// Cells of one rank by the number of their step; only steps with collectives.
class FoldedSteps : public ValuesByNumber<FoldedCell>
{
public:
    void add(const FoldedSteps& other);
    const std::vector<std::pair<std::int64_t, FoldedCell>>& cells() const { return all(); }
};

struct FoldedRun
{
    std::vector<FoldedGroup> groups; ///< as SummarizedRun::groups()
    std::vector<FoldedRank> ranks; ///< as SummarizedRun::ranks()
    /// By rank: its cells by step, which is that of the rank that arrived first.
    std::vector<FoldedSteps> steps;
    std::int64_t withoutGroup = 0; ///< calls whose trace names no group, while others do
    SharedCalls sharedWithoutGroup; ///< these, in the window
    /// Whether all groups were folded, apart from sends and receives, which are not collectives.
    bool areCollectivesComplete = true;
};

/// The steps that the options choose, of the steps that all ranks have, as Analysis::communicating(). Error:
/// there are none, or some ranks have none of them.
Result<Selection> selectWindows(const SummarizedRun& run, const MetricOptions& options);
/// By rank, the steps of a selection.
std::vector<std::vector<Step>> windowsOf(Selection selection);

/// The rule by which a group's calls are matched, if their numbers hold up; else why they cannot be joined.
struct JoinRule
{
    NeedsDetail needs = NeedsDetail::Nothing;
    MatchRule rule = MatchRule::GroupSequence;
};

/// Calls f(calls, areAlike) for each collective in the order of numbers: by Comms Id and Seq, else by Seq.
/// Whether the numbers hold up is known at the end, so f may be called for a rule that does not:
/// restart(rule) is called before each attempt.
template<typename Restart, typename F>
JoinRule joinGroup(const SummarizedRun& run, const SummarizedRun::Group& group, const Restart& restart,
                   F&& f);

/// Folds all groups, each independently of the others. Memory: one chunk of each rank of the groups on hand.
FoldedRun foldCollectives(const SummarizedRun& run, const FoldOptions& options);

// ---- implementation

/// Whether numbers identify collectives: at least 95 % of those of several ranks are alike, see matching.md.
struct NumbersCheck
{
    std::int64_t several = 0, differ = 0;

    void add(std::size_t members, bool areAlike)
    {
        several += members > 1 ? 1 : 0;
        differ += areAlike ? 0 : 1;
    }
    bool holdUp(std::size_t lanes) const { return lanes < 2 || (several > 0 && differ * 20 <= several); }
};

/// The rules that may match the calls of a group that needs no detail, the best one first.
inline std::vector<MatchRule> rulesFor(const SummarizedRun::Group& group)
{
    if (!group.isNumbered)
        return {MatchRule::GroupOrder}; // it has one rank
    if (group.hasCommunicators)
        return {MatchRule::CommunicatorSequence, MatchRule::GroupSequence};
    return {MatchRule::GroupSequence};
}

template<typename Restart, typename F>
JoinRule joinGroup(const SummarizedRun& run, const SummarizedRun::Group& group, const Restart& restart, F&& f)
{
    if (group.needs != NeedsDetail::Nothing)
        return {group.needs, MatchRule::GroupSequence};
    NeedsDetail needs = NeedsDetail::NumbersContradict;
    for (const MatchRule rule : rulesFor(group)) {
        restart(rule);
        NumbersCheck check;
        GroupJoin join(run, group, laneOrderOf(rule));
        while (join.next()) {
            const bool areAlike = join.areAlike();
            check.add(join.calls().size(), areAlike);
            f(join.calls(), areAlike);
        }
        if (join.failure() == NeedsDetail::Nothing && check.holdUp(group.lanes.size()))
            return {NeedsDetail::Nothing, rule};
        if (join.failure() != NeedsDetail::Nothing)
            needs = join.failure();
        if (needs == NeedsDetail::Damaged)
            break;
    }
    return {needs, MatchRule::GroupSequence};
}

} // namespace collscope
