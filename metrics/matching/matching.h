// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collectives matched over several ranks, with the rule used, and with the reason if a call has no partner.
// See matching.md.

#include "metrics/calls/process_groups.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Rule by which the calls of a collective were matched: the first of these that the trace supports and that
/// does not contradict the calls.
enum class MatchRule : std::uint8_t
{
    CommunicatorSequence, ///< Comms Id and Seq
    GroupSequence, ///< process group and Seq
    GroupOrder, ///< order in the process group; if ranks made different calls, aligned by content
    StepOrder, ///< order in the process group within each step
    StreamOrder, ///< order on the stream: the trace has no metadata
    EndTimes ///< simultaneous ends: the trace has no metadata, and several streams communicate
};
constexpr int matchRuleCount = static_cast<int>(MatchRule::EndTimes) + 1;
/// "Comms Id and Seq", "process group and Seq", ...
std::string_view matchRuleName(MatchRule rule);

/// Evidence that the calls of a collective belong together.
enum class MatchConfidence : std::uint8_t
{
    Named, ///< the profiler's numbers
    Confirmed, ///< order, confirmed by the ends of the kernels; with few calls, by their steps
    ProgramOrder, ///< calls of a CPU backend in program order; nothing refutes it
    OrderAlone ///< order, without confirmation: waiting time is not attributed
};
constexpr int matchConfidenceCount = static_cast<int>(MatchConfidence::OrderAlone) + 1;
/// "profiler sequence numbers", "end times or steps", "program order", "order alone".
std::string_view matchConfidenceName(MatchConfidence confidence);

/// One call: indices into the list of RankCalls and into its calls.
struct CallRef
{
    std::uint32_t rank = 0;
    std::uint32_t call = 0;
    friend bool operator==(CallRef, CallRef) = default;
};

/// Why a collective lacks calls of loaded ranks.
enum class Gap : std::uint8_t
{
    None, ///< it is complete, or the call is in no collective
    NoCall, ///< their traces do not contain the call
    OtherCall, ///< they made a different call at this position, shown by its end
    EndsApart ///< their call at this position ended at a different time
};

/// One collective: the call of each present rank.
struct CollectiveInstance
{
    std::uint32_t group = 0; ///< into Matching::groups
    std::uint32_t firstMember = 0; ///< into Matching::members
    std::uint32_t memberCount = 0;
    std::int32_t absent = 0; ///< loaded ranks of the group that did not make this call
    MatchRule rule = MatchRule::GroupSequence;
    MatchConfidence confidence = MatchConfidence::Named;
    Gap gap = Gap::None;
    /// Whether all ranks of its group are members, as far as the traces show. Otherwise the others may have
    /// waited for a missing rank, and even the shortest kernel may contain waiting (noteMissingRanks()).
    bool isWhole = true;
};

enum class UnmatchedReason : std::uint8_t
{
    NoGroup, ///< the trace names no process group, and other evidence is missing
    PartnersUnknown, ///< a batch of sends and receives, or a group whose ranks the trace does not list
    Differs, ///< name, type or size differs on the other ranks
    NoSuchCall, ///< no trace of another loaded rank of the group contains this call
    OthersNotLoaded, ///< the traces of the group's other ranks are not loaded
    Ambiguous, ///< the ranks' traces contain different calls there, so the match is ambiguous
    EndsApart, ///< the call at the same position ended at a different time: not the same collective
    EndedBefore, ///< one of the two calls ended before the other one started
    NobodyInTime, ///< several streams without groups, and no call of another rank ended at that time
    SmallerGroups ///< no groups, and other ranks share only some calls of its rank
};
/// As a clause: "the trace names no process group ...".
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
    std::vector<CollectiveInstance> instances; ///< by start on their lowest rank; unmatched calls: one member
    std::vector<Unmatched> unmatched; ///< calls that are not in an instance of at least two members
    std::int64_t calls = 0; ///< all communication calls
    /// Excluded collectives: name, type or size differ between the ranks, although numbers or ends show that
    /// these calls are the same collective.
    std::int64_t mismatched = 0;
    /// The largest distance between ends of calls that have the same position in order and were not matched
    /// because of it.
    std::int64_t apartNs = 0;
    std::int64_t skipped
        = 0; ///< excluded calls: no process group, and neither order nor ends identify partners
    std::string rule; ///< as text: by process group and Seq, by process group and call order, ...
    bool complete = true; ///< false: some calls could not be matched (several streams and no group)
    /// Warnings for all values derived from the matches: names used by several groups, calls that differ.
    std::vector<std::string> warnings;

    std::span<const CallRef> membersOf(const CollectiveInstance& instance) const
    {
        return {members.data() + instance.firstMember, instance.memberCount};
    }
    const ProcessGroup& groupOf(const CollectiveInstance& instance) const { return groups[instance.group]; }
    /// Number of calls in instances with at least two members.
    std::int64_t matchedCalls() const;
    /// Number of collectives of several ranks that are matched by order alone.
    std::int64_t byOrderAlone() const;
};

} // namespace collscope
