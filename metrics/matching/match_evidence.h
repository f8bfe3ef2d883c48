// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Checks whether calls matched by order can be one collective: their kernels must have ended together. Clocks
// follow from the calls themselves, rank by rank, so that wrong pairs do not define the clocks that judge
// them.
// See matching.md.

#include "metrics/matching/call_slots.h"
#include "metrics/matching/clock_alignment.h"
#include "metrics/matching/end_agreement.h"

namespace collscope {

/// A group's collectives after a check of the times.
struct WeighedOrder
{
    struct Collective
    {
        std::vector<CallRef> members;
        MatchConfidence confidence = MatchConfidence::OrderAlone;
        Gap gap = Gap::None; ///< reason for missing members, if it is their ends
    };
    std::vector<Collective> collectives; ///< including those of one member
    std::vector<Unmatched> refused; ///< members that do not belong to the collective of their position
    bool isConfirmed = false; ///< the order is confirmed for all ranks of the group
    bool isContradicted = false; ///< the order of a rank is contradicted; its calls keep their positions
    std::int64_t apartNs = 0; ///< largest distance of a refused call's end from the others' ends
    std::int64_t barNs = 0; ///< largest distance between the ends of a confirmed collective
    /// Lead of the ranks' clocks (indices into the list of RankCalls) over the clock of one of them, measured
    /// from the group's own calls.
    std::map<std::uint32_t, EndFit> clocks;
};

/// Judges collectives matched by order. If the order of a rank's calls is refuted, the calls are matched by
/// their ends. O(members log members).
WeighedOrder weighOrder(const TraceModel& model, const std::vector<RankCalls>& ranks,
                        const ProcessGroup& group, const Slots& slots);

/// Combines the calls of several groups into one group.
ProcessGroup poolOf(const std::vector<ProcessGroup>& groups, const std::vector<std::uint32_t>& which);

/// Matches calls without an order by their ends alone. Returns no collectives if more than two ranks share
/// only some of their calls: the members of smaller groups that end at the same time cannot be determined.
WeighedOrder matchByEnds(const TraceModel& model, const std::vector<RankCalls>& ranks,
                         const ProcessGroup& group);

/// Whether streams are numbered alike on all ranks, as far as ends show: the order is not contradicted on any
/// stream, and all confirmed streams give the same clocks. O(streams^2).
bool streamsAgree(const std::vector<const WeighedOrder*>& streams);

/// Whether the order of the streams is confirmed only with clock offsets, while ends alone find partners for
/// more of the calls: then the streams are numbered differently.
bool endsFindMore(const TraceModel& model, const std::vector<RankCalls>& ranks, const ProcessGroup& pool,
                  const std::vector<const WeighedOrder*>& streams);

/// Judges matches by order again, on the clocks of the run: collectives that agree with these clocks become
/// confirmed, collectives that contradict them are split. isFinal: matches by order whose members all have
/// times, and whose ends are apart, become OrderAlone.
/// O(members).
void judgeByClocks(const TraceModel& model, const std::vector<RankCalls>& ranks, const ClockAlignment& clocks,
                   bool isFinal, Matching& matching);

/// Judges the matches of groups that never show clocks, as sends and receives, as settleClocks() does.
void judgeByKnownClocks(const TraceModel& model, const std::vector<RankCalls>& ranks,
                        const ClockAlignment& clocks, Matching& matching);

/// Determines the clocks of a run and the matches that agree with them: collectives identified by numbers
/// give clocks to judge those matched by order, then both together give the final clocks.
ClockAlignment settleClocks(const TraceModel& model, const std::vector<RankCalls>& ranks, Matching& matching,
                            const std::function<bool()>& cancelled);

} // namespace collscope
