// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the waits of a job end: at which ranks, or in which call that nobody finishes.

#include "metrics/hang/wait_graph.h"

namespace collscope {

enum class HangClass : std::uint8_t
{
    Cpu, ///< a rank did not make the call, or its CPU is inside it
    Gpu, ///< called, but the GPU does not get on
    CpuOrGpu, ///< did not start the call; the version of the dump does not say whether it called
    Dead, ///< no dump: a process that is gone, or a dump that was lost
    Operation, ///< members of a group called different operations
    Size,
    ElementType,
    Splits, ///< all-to-all: the sums of what is sent and received differ
    PeerOrder, ///< sends and receives that wait for each other
    Order ///< groups called in a different order
};
/// "cpu", "type", "p2p", ...
std::string_view hangClassName(HangClass own);

struct HangFinding
{
    HangClass hangClass = HangClass::Cpu;
    std::vector<std::uint32_t> accused; ///< ranks of the job, ascending
    std::vector<std::uint32_t> candidates; ///< ranks one or more of which are at fault; with accused: empty
    std::vector<std::uint32_t> points; ///< where somebody waits for them, directly
    std::uint32_t point = WaitGraph::noPoint; ///< of these, the one that was called first
    /// Gpu: a call that its peers have finished, and the accused has not. noPoint: started by others only.
    std::uint32_t standing = WaitGraph::noPoint;
    std::vector<std::uint32_t> victims; ///< ranks that wait for them, directly or through others
    std::size_t mostGroups = 0; ///< of the longest of these waits: the groups that it leads through
    bool isInside = false; ///< the CPU is inside the call
    bool isByRing = false; ///< candidates only because their rings do not show whether they made the call
    std::optional<ArgumentMismatch> mismatch;
    std::string death; ///< Dead, accused: the sentence that says how the first of them ended

    /// Both kinds.
    std::vector<std::uint32_t> named() const;
};

/// What follows from the ends of the waits. O(ranks + points).
std::vector<HangFinding> hangFindings(const HangJob& job, const WaitGraph& graph);

} // namespace collscope
