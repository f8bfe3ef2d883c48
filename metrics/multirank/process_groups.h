// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which communication calls of all ranks belong to one process group. A group is the ranks it has: its name
// may stand for different groups on different ranks, and one group may have another name on each.

#include "metrics/calls.h"

namespace collscope {

/// The calls of several ranks that can be the same collectives.
struct ProcessGroup
{
    enum class Kind : std::uint8_t
    {
        Collective,
        Pair, ///< sends and receives between two ranks that the trace names
        Unpaired, ///< sends and receives whose partners the trace does not name
        Stream ///< no metadata at all: the calls of one stream, the same in order on every rank
    };
    /// The calls of one rank, in time order.
    struct Lane
    {
        std::uint32_t rank = 0; ///< index into the list of RankCalls
        std::vector<std::uint32_t> calls; ///< into its calls
    };

    Kind kind = Kind::Collective;
    std::string text; ///< "dp0 [0, 2]"
    std::string name; ///< of the first rank that uses it; empty if the trace names none
    std::string description; ///< "mesh_tp"
    std::int32_t size = 0; ///< ranks as the trace says; 0 = unknown
    std::vector<std::int32_t>
        ranks; ///< as the trace lists them, ascending; empty: not listed, or abbreviated
    std::int64_t iteration = -1; ///< profiler iteration, -1 = none
    std::int32_t recording = 0; ///< of the job, where the run holds several (recordings.h)
    ParallelismKind parallelismKind = ParallelismKind::Unknown;
    std::vector<Lane> lanes; ///< by rank
    std::size_t expected = 0; ///< loaded ranks that should take part in each call; 0 = unknown
    /// Of kind Stream: a rank has others too. Which stream of another rank is the same one is a guess.
    bool isOneOfSeveral = false;
    /// By how far ends of its collectives may disagree, where times confirmed the order; 0 = they did not.
    std::int64_t endsBarNs = 0;
};

struct GroupedCalls
{
    std::vector<ProcessGroup> groups; ///< in order of their first call on the lowest rank
    /// Calls in no group: the trace names groups, but not theirs.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ungrouped; ///< rank, call
    bool isNamed = false; ///< any call names its process group
    std::vector<std::string> warnings; ///< names that stand for several groups, groups with several names
};

/// O(calls). The ranks are those of one listing (RankCalls), in its order.
GroupedCalls groupCalls(const TraceModel& model, const std::vector<RankCalls>& ranks);

} // namespace collscope
