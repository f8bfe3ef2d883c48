// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Assigns the communication calls of all ranks to process groups. A group is identified by its ranks: one
// name may denote different groups on different ranks, and one group may have a different name on each rank.

#include "metrics/calls/calls.h"

namespace collscope {

/// Calls of several ranks that can be matched with each other.
struct ProcessGroup
{
    enum class Kind : std::uint8_t
    {
        Collective,
        Pair, ///< sends and receives between two ranks that the trace names
        Unpaired, ///< sends and receives whose partners the trace does not name
        Stream ///< without metadata: the calls of the stream with the same index on every rank
    };
    /// The calls of one rank in time order, or in program order for a CPU backend.
    struct Lane
    {
        std::uint32_t rank = 0; ///< index into the list of RankCalls
        std::vector<std::uint32_t> calls; ///< into its calls
    };

    Kind kind = Kind::Collective;
    std::string text; ///< "dp0 [0, 2]"
    std::string name; ///< name on the first rank that uses it; empty if the trace names none
    std::string description; ///< "mesh_tp"
    std::int64_t from = -1, to = -1; ///< the ranks of a Pair, as the trace numbers them
    std::int32_t size = 0; ///< number of ranks according to the trace; 0 = unknown
    std::vector<std::int32_t>
        ranks; ///< ranks listed in the trace, ascending; empty: not listed, or abbreviated
    std::int64_t iteration = -1; ///< profiler iteration, -1 = none
    std::int32_t recording = 0; ///< index of the job if the run contains several (recordings.h)
    ParallelismKind parallelismKind = ParallelismKind::Unknown;
    std::vector<Lane> lanes; ///< by rank
    std::size_t expected = 0; ///< number of loaded ranks expected in each call; 0 = unknown
    /// For kind Stream: some rank has several streams, so the corresponding stream of another rank is a
    /// guess.
    bool isOneOfSeveral = false;
    /// Largest distance between the ends of its collectives if times confirmed the order; 0 = not confirmed.
    std::int64_t endsBarNs = 0;
};

struct GroupedCalls
{
    std::vector<ProcessGroup> groups; ///< in the order of their first call on the lowest rank
    /// Calls without a group, although the trace names groups or lists several.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ungrouped; ///< rank, call
    bool isNamed = false; ///< at least one call names its process group
    std::vector<std::string> warnings; ///< names used by several groups, groups with several names
};

/// Groups the calls of one list of RankCalls; lanes refer to its indices. O(calls).
GroupedCalls groupCalls(const TraceModel& model, const std::vector<RankCalls>& ranks);

} // namespace collscope
