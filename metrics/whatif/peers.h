// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which ranks do the same work in a step, and how long the same piece of work takes on them.

#include "metrics/whatif/run_replay.h"

#include <map>
#include <set>
#include <tuple>

namespace collscope {

/// Like medianOf(), but of whole ns and in place: sorts them. Precondition: not empty.
std::int64_t medianNs(std::vector<std::int64_t>& values);

/// A piece of a step's work of one rank that other ranks do, too.
struct WorkPiece
{
    std::uint32_t first = 0; ///< into the nodes of the PeerTable
    std::uint32_t count = 0; ///< nodes that make it up; 0: it takes no time
};

/// What one rank did in one step.
struct StepWork
{
    std::uint64_t gpuKey = 0; ///< the same for ranks that launched the same sequence of work
    std::uint64_t cpuKey = 0; ///< the same for ranks whose threads made the same sequences of calls
    std::uint64_t meetingKey = 0; ///< the same for ranks with the same sequence of collectives
    std::vector<std::uint32_t> gpu; ///< node of each piece of GPU work, or the transfer, in launch order
    std::vector<WorkPiece> cpu; ///< between two calls, by thread in the order in which these begin
    /// Of the transfers in `gpu`: those that are the same one of their kind in the step, as PeerTable numbers
    /// them.
    std::vector<std::uint32_t> places;
    std::vector<std::int64_t> meetings; ///< when the collectives were launched
    std::vector<std::uint32_t> gpuSegments, cpuSegments; ///< which of them each piece comes before
    std::int64_t ns = 0; ///< what the rank did itself
    std::int64_t transfersNs = 0; ///< of its collectives
};

/// How a rank's durations were compared.
enum class PeerBasis : std::uint8_t
{
    None, ///< no rank does the same work
    Peers, ///< piece by piece
    GpuOnly, ///< the GPU's work piece by piece; the threads make other calls
    Segments ///< sums between collectives: the ranks do not do the same work
};

/// Ranks that a rank is compared with in a step.
struct Peers
{
    PeerBasis basis = PeerBasis::None;
    std::vector<std::uint32_t> ranks; ///< indices into RunGraph::ranks
};

class PeerTable
{
public:
    /// O(nodes log nodes). The collectives and the run must outlive the table.
    PeerTable(const TraceModel& model, const RunCollectives& collectives, const RunGraph& run);

    struct Comparison
    {
        PeerBasis basis = PeerBasis::None;
        std::vector<std::int32_t> peers; ///< ranks that were compared with, in any step
        double uncomparedTransfersNs = 0; ///< per step: of collectives in which all peers take part, too
        std::int64_t savedNs = 0; ///< recorded durations - those that it gives, over all steps
    };
    /// Gives a rank the durations of its peers, and the collectives of its groups those of other groups.
    Comparison likePeers(std::uint32_t rank, RunTimes& times) const;
    /// About how much likePeers() would save, from sums alone. O(ranks x steps).
    std::int64_t excessNs(std::uint32_t rank) const;
    /// Gives every rank that does more than its peers, in a step, the usual duration of each piece of work.
    Comparison nobodyLate(RunTimes& times) const;

private:
    friend class PeerComparer;
    StepWork readStep(const TraceModel& model, std::uint32_t rank, std::size_t step);
    void readGpu(const TraceModel& model, std::uint32_t rank, Step step, StepWork& work);
    void readCpu(std::uint32_t rank, std::size_t index, StepWork& work);
    void addSums(StepWork& work) const;
    bool isLate(std::uint32_t rank, std::size_t step, const std::vector<std::uint32_t>& peers) const;
    Peers peersOf(std::uint32_t rank, std::size_t step) const;

    /// Collectives that can be compared: kind, number of ranks, bytes.
    using Alike = std::tuple<KernelClass, std::int32_t, std::optional<std::uint64_t>>;
    using SlotKey = std::tuple<std::int64_t, Alike, std::uint32_t>; ///< step, kind, how many came before
    Alike alikeOf(std::uint32_t instance) const;
    std::uint32_t addToSlot(const SlotKey& key, std::uint32_t transfer);

    const RunCollectives& m_collectives;
    const RunGraph& m_run;
    std::map<SlotKey, std::uint32_t> m_slotOf;
    std::vector<std::set<std::uint32_t>> m_slots; ///< transfers
    std::vector<std::uint32_t> m_nodes; ///< of the pieces of threads
    std::vector<std::vector<StepWork>> m_steps; ///< by rank, by step
};

} // namespace collscope
