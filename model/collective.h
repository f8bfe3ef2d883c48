// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One rank's part in a collective: group, order and message sizes as the profiler records them.

#include "model/ids.h"
#include "model/kernels/kernel_class.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace collscope {

/// A communication kernel with its metadata, a record_param_comms CPU event, or a collective executed by a
/// CPU. Unknown values are nullopt, never 0.
struct CollectiveCall
{
    KernelClass kind = KernelClass::OtherCommunication; ///< one of the communication classes
    SliceRef slice; ///< the kernel (or the CPU event, see onGpu)
    /// False: a CPU-side record_param_comms event, kept for counts and for joining; or, if `order` is known,
    /// a collective of a CPU backend (cpu_calls.h), whose slice has the duration of the collective.
    bool onGpu = true;
    bool fromExecutionTrace = false; ///< the metadata is taken from the execution trace
    StringId name; ///< the `Collective name` argument
    StringId group; ///< Process Group Name
    StringId groupDescription; ///< "mesh_tp", "default_pg", ...
    StringId groupRanks; ///< text of the rank list, possibly abbreviated by the profiler
    StringId elementType; ///< "BFloat16", ...
    /// Text of the split lists of an all-to-all with unequal parts ("[100, 200]"), possibly abbreviated.
    StringId inSplit, outSplit;
    std::optional<std::int32_t> groupSize;
    std::optional<std::int64_t> sequence; ///< Seq
    std::optional<std::int64_t> commsId;
    std::optional<std::int64_t> inElements, outElements;
    /// Message size S as defined for messageBytes(), from a profiler that counts bytes instead of elements
    /// (NCCL's NVTX payloads).
    std::optional<std::int64_t> payloadBytes;
    std::optional<std::int64_t> sourceRank, destinationRank; ///< as the profiler numbers the group's ranks
    /// CPU backends only: position among the timeline's calls, in the order in which the training made them.
    /// Several threads execute the calls, so they need not start in that order.
    std::optional<std::int64_t> order;

    bool isOfCpu() const { return !onGpu && order.has_value(); }
};

/// Calls f on each string id of a call, to map the ids to another table.
template<typename F>
void forEachString(CollectiveCall& call, F&& f)
{
    f(call.name), f(call.group), f(call.groupDescription), f(call.groupRanks), f(call.elementType),
        f(call.inSplit), f(call.outSplit);
}

/// Size of one element in bytes ("BFloat16" -> 2; prefixes nccl, c10::, torch. accepted); nullopt if unknown.
std::optional<int> elementSizeBytes(std::string_view elementType);

/// Message size S of the bus-bandwidth convention of nccl-tests (NVIDIA/nccl-tests, doc/PERFORMANCE.md): Out
/// for AllGather, In otherwise (Out if In is missing); payloadBytes if the profiler does not record elements.
std::optional<std::uint64_t> messageBytes(const CollectiveCall& call, std::string_view elementType);

} // namespace collscope
