// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether calls that order puts together can have been one collective: their kernels must have ended
// together. Clocks follow from the calls themselves, rank by rank, so that wrong pairs do not define the
// clocks that they are judged by.

#include "metrics/multirank/call_slots.h"
#include "metrics/multirank/clock_alignment.h"
#include "metrics/multirank/end_agreement.h"

namespace collscope {

/// What is left of a group's collectives when times have been asked.
struct WeighedOrder
{
    struct Collective
    {
        std::vector<CallRef> members;
        MatchConfidence confidence = MatchConfidence::OrderAlone;
        Gap gap = Gap::None; ///< why members are missing, where their ends are the reason
    };
    std::vector<Collective> collectives; ///< of one member too
    std::vector<Unmatched> refused; ///< members that cannot belong to what order gave them
    bool isConfirmed = false; ///< for all ranks of the group
    bool isContradicted = false; ///< the order of a rank, whose calls were left where it put them
    std::int64_t apartNs = 0; ///< the ends of refused ones are up to this far from where they should be
    std::int64_t barNs = 0; ///< ends of confirmed ones are no further apart
    /// How far the clocks of its ranks (indices into the list of RankCalls) are ahead of that of one of them,
    /// as its own calls say.
    std::map<std::uint32_t, EndFit> clocks;
};

/// Judges collectives by order. Where the order of a rank's calls is refuted, its calls are looked for by
/// their ends. O(members log members).
WeighedOrder weighOrder(const TraceModel& model, const std::vector<RankCalls>& ranks,
                        const ProcessGroup& group, const Slots& slots);

/// The calls of several groups as those of one.
ProcessGroup poolOf(const std::vector<ProcessGroup>& groups, const std::vector<std::uint32_t>& which);

/// Collectives among calls that no order puts together, by their ends alone. None where ranks share some of
/// their calls and not others, and there are more than two: which ranks are in a smaller group that ends when
/// another one does cannot be told.
WeighedOrder matchByEnds(const TraceModel& model, const std::vector<RankCalls>& ranks,
                         const ProcessGroup& group);

/// Whether streams are numbered alike on all ranks and serve the same ones, as far as ends tell: the order of
/// the calls on none is contradicted, and those that are confirmed say the same of the clocks. O(streams^2).
bool streamsAgree(const std::vector<const WeighedOrder*>& streams);

/// Whether order confirms streams only on clocks that are apart, while ends alone find partners for more of
/// the calls of their pool: then the order is that of streams that are numbered otherwise.
bool endsFindMore(const TraceModel& model, const std::vector<RankCalls>& ranks, const ProcessGroup& pool,
                  const std::vector<const WeighedOrder*>& streams);

/// Judges again what order put together, on the clocks of the run: those that other collectives have
/// confirmed become so too, those that these clocks refute are taken apart. isFinal: what no clock can
/// confirm any more is order alone. O(members).
void judgeByClocks(const TraceModel& model, const std::vector<RankCalls>& ranks, const ClockAlignment& clocks,
                   bool isFinal, Matching& matching);

/// The clocks of a run, and the matches that hold on them: collectives that the profiler's numbers name
/// settle clocks that those by order are judged by, then both settle them.
ClockAlignment settleClocks(const TraceModel& model, const std::vector<RankCalls>& ranks, Matching& matching,
                            const std::function<bool()>& cancelled);

} // namespace collscope
