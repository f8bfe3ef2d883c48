// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The args block of kernels and collectives: the keys that are kept, and their conversion. Private to the
// Kineto reader.

#include "model/collective.h"
#include "model/columns.h"
#include "model/cpu_calls.h"
#include "model/string_table.h"
#include "model/timeline.h"

#include <string_view>

namespace collscope {

/// Text of the args that metrics and views need; empty if the event does not have the arg. Views into the
/// event's text.
struct KinetoArgs
{
    std::string_view device, stream, correlation, externalId, registers, sharedMemory, blocksPerSm, occupancy,
        bytes;
    std::string_view collectiveName, inElements, outElements, groupSize, elementType, groupName,
        groupDescription;
    std::string_view groupRanks, sequence, commsId, rank, sourceRank, destinationRank, grid, block;
    std::string_view inSplit, outSplit;
    std::string_view hloCategory, modelFlops, bytesAccessed; ///< of an XLA profile
    std::string_view totalAllocated, totalReserved, deviceType, deviceId; ///< of a "[memory]" event
    std::string_view mergedRank, rawPid; ///< of a file merged by TraceLens
    std::string_view step; ///< the number of the step that the event belongs to
    std::string_view waitedStream, recordCorrelation; ///< of a cuda_sync event
    std::string_view peer, count, ncclType, ncclSequence, commHash, channel; ///< of NCCL's example profiler
    std::string_view inputShapes, inputTypes, inputValues; ///< of an operator, as JSON lists
};

/// The field for a key of the args object; nullptr for keys that are not used. `rawKey` points to the
/// character after the key's opening quote.
std::string_view* kinetoArgField(KinetoArgs& args, const char* rawKey);
/// A correlation or External id; 0 if it is missing or not a 32-bit number.
std::uint32_t kinetoId(std::string_view text);
KernelDetail kinetoDetail(const KinetoArgs& args);
SyncDetail kinetoSync(const KinetoArgs& args);
CollectiveCall kinetoCollective(const KinetoArgs& args, KernelClass kind, bool onGpu, StringTable& strings);
/// Reads a collective from the args of a CPU backend's span, or of the operator that calls it
/// (model/cpu_calls.h).
CollectiveCall kinetoCpuCall(const KinetoArgs& args, const CpuCallName& name, StringTable& strings);

} // namespace collscope
