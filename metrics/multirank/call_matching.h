// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which calls of several ranks are one collective, by which rule, and which calls found no partner and why.

#include "metrics/multirank/process_groups.h"

#include <span>

namespace collscope {

/// How the calls of a collective found each other; the first of these that the trace allows and that holds
/// up.
enum class MatchRule : std::uint8_t
{
    CommunicatorSequence, ///< Comms Id and Seq
    GroupSequence, ///< process group and Seq
    GroupOrder, ///< order in the process group; where ranks made different calls, aligned on their content
    StepOrder, ///< order in the process group within each step
    StreamOrder, ///< order on the stream: the trace has no metadata
    EndTimes ///< ends at one moment: the trace has no metadata, and several streams communicate
};
constexpr int matchRuleCount = static_cast<int>(MatchRule::EndTimes) + 1;
/// "Comms Id and Seq", "process group and Seq", ...
std::string_view matchRuleName(MatchRule rule);

/// What makes it certain that the calls of a collective belong together.
enum class MatchConfidence : std::uint8_t
{
    Named, ///< the profiler's numbers say so
    Confirmed, ///< order says so, and the moments at which the kernels ended agree; of few calls, their steps
    ProgramOrder, ///< all ranks recorded the same calls of a CPU backend, in the order that the program made
                  ///< them
    OrderAlone ///< order says so, and nothing confirms it: nobody is said to have waited
};
constexpr int matchConfidenceCount = static_cast<int>(MatchConfidence::OrderAlone) + 1;
/// "numbers of the profiler", "confirmed by ends or steps", "order of the program", "order alone".
std::string_view matchConfidenceName(MatchConfidence confidence);

/// One call: indices into the list of RankCalls and into its calls.
struct CallRef
{
    std::uint32_t rank = 0;
    std::uint32_t call = 0;
    friend bool operator==(CallRef, CallRef) = default;
};

/// Why a collective lacks calls of ranks that are loaded.
enum class Gap : std::uint8_t
{
    None, ///< it lacks none, or the call is in no collective at all
    NoCall, ///< their traces hold no such call
    OtherCall, ///< they made another call at this place: its end says so
    EndsApart ///< the call that they have in its place ended at another time
};

/// One collective: what each rank that is present did for it.
struct CollectiveInstance
{
    std::uint32_t group = 0; ///< into Matching::groups
    std::uint32_t firstMember = 0; ///< into Matching::members
    std::uint32_t memberCount = 0;
    std::int32_t absent = 0; ///< ranks of the group that are loaded but did not make this call
    MatchRule rule = MatchRule::GroupSequence;
    MatchConfidence confidence = MatchConfidence::Named;
    Gap gap = Gap::None;
    /// All ranks of its group are members, as far as the traces tell. Else one that is not there may be the
    /// one that the others waited for, and even the shortest kernel may hold waiting (noteMissingRanks()).
    bool isWhole = true;
};

enum class UnmatchedReason : std::uint8_t
{
    NoGroup, ///< the trace names no process group, and nothing else tells
    PartnersUnknown, ///< a batch of sends and receives, or a group whose ranks the trace does not list
    Differs, ///< name, type or size is another on the other ranks
    NoSuchCall, ///< no other loaded rank of the group has this call in its trace
    OthersNotLoaded, ///< the traces of the group's other ranks are not there
    Ambiguous, ///< the ranks' traces hold different calls there, so that none can be told apart
    EndsApart, ///< the call that order gives it ended at another time: they are not one collective
    EndedBefore, ///< one of the two had ended before the other one began
    NobodyInTime, ///< several streams without groups, and no call of another rank ended when it did
    SmallerGroups ///< no groups, and other ranks share some calls of its rank and not others
};
/// In words: "the trace names no process group ...".
std::string_view unmatchedReasonText(UnmatchedReason reason);

struct Unmatched
{
    CallRef call;
    UnmatchedReason reason = UnmatchedReason::NoGroup;
};

struct Matching
{
    std::vector<ProcessGroup> groups; ///< without their lanes
    std::vector<CallRef> members; ///< of all instances, by rank within each
    std::vector<CollectiveInstance>
        instances; ///< in the order of their first rank's begin; alone: one member
    std::vector<Unmatched> unmatched; ///< calls of no instance with two members
    std::int64_t calls = 0; ///< all communication calls
    /// Collectives left out: name, type or size differ between the ranks, and their numbers or their ends say
    /// that these calls are the same collective.
    std::int64_t mismatched = 0;
    /// The largest distance between ends of calls that only their order puts together, and that are therefore
    /// kept apart.
    std::int64_t apartNs = 0;
    std::int64_t skipped = 0; ///< calls left out: no process group, and neither order nor ends tell
    std::string rule; ///< in words: by process group and Seq, by process group and order of the calls, ...
    bool complete = true; ///< false: some calls could not be matched (several streams and no group)
    /// What a reader of any value made of these should know: names that stand for several groups, calls that
    /// differ.
    std::vector<std::string> warnings;

    std::span<const CallRef> membersOf(const CollectiveInstance& instance) const
    {
        return {members.data() + instance.firstMember, instance.memberCount};
    }
    const ProcessGroup& groupOf(const CollectiveInstance& instance) const { return groups[instance.group]; }
    /// Calls that are part of an instance with at least two members.
    std::int64_t matchedCalls() const;
    /// Collectives of several ranks that nothing but their order puts together.
    std::int64_t byOrderAlone() const;
};

/// Matches calls across ranks, group by group (process_groups.h), by Comms Id and Seq, else by Seq, else by
/// the order of the calls in their group; if the ranks made different calls, the orders are aligned on what
/// the calls have in common (name, type, sizes; among equals the nearest in time), so that a dropped call
/// shifts nothing; where that is too much, order within each step. A rule is trusted only if at least 95 % of
/// the collectives that it finds agree in name, type and size; else the next one is tried. Point-to-point
/// calls are matched per pair of ranks, in order. What order puts together must have ended together
/// (match_evidence.h); where several streams communicate without groups, only that tells.
Matching matchCalls(
    const TraceModel& model, const std::vector<RankCalls>& ranks,
    const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
