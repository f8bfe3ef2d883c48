// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What PyTorch's Flight Recorder wrote of one process: its last calls of collectives and point-to-point
// operations, its process groups, and how far it got in each. The schema is that of PyTorch's
// torch/csrc/distributed/c10d/FlightRecorderDetail.hpp, versions 1.1 to 2.10. A value that a version lacks is
// unknown, never 0.

#include "model/call_stacks.h"
#include "model/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

/// A process group as one process knows it.
struct FlightGroup
{
    StringId name, description;
    std::vector<std::int32_t> ranks; ///< global, in the order of the group; empty = not stated
    bool isConfigured = false; ///< in the list of the process's communicators, not only named by a call
};

/// How far the process is in one group, by the counters that it keeps outside the ring. In a group with
/// point-to-point calls, these write their own numbers into the same counters.
struct FlightStatus
{
    std::int64_t pgId = 0; ///< number of the group in this process, different in other processes
    std::int64_t enqueued = -1, started = -1, completed = -1; ///< -1 = none yet
};

/// What was called with which arguments: the same for thousands of calls.
struct FlightSignature
{
    static constexpr std::int64_t unknown = -1;
    StringId operation; ///< without the backend: "all_reduce", "send", "coalesced"
    std::int32_t peer = -1; ///< of send and recv: the rank in the group; -1 = none
    bool isPointToPoint = false;
    StringId inputSizes, outputSizes; ///< "[[4096, 1, 5120]]"
    StringId inputTypes, outputTypes; ///< "BFloat16"; several are separated by ", "
    std::int64_t inputElements = unknown, outputElements = unknown; ///< of all tensors
    std::int64_t timeoutMs = unknown;
    friend bool operator==(const FlightSignature&, const FlightSignature&) = default;
};

enum class FlightState : std::uint8_t
{
    Scheduled, ///< not known to have started: without TORCH_NCCL_ENABLE_TIMING, however far it is
    Started,
    Completed
};

/// The calls in the ring, oldest first, as columns.
struct FlightCalls
{
    static constexpr std::int64_t noTime = INT64_MIN;
    std::vector<std::uint32_t> record; ///< number of the call in the process
    std::vector<std::uint16_t> group; ///< index into FlightRecord::groups
    std::vector<FlightState> state;
    std::vector<bool> retired; ///< the watchdog is done with it; if it is not completed, it timed out
    std::vector<std::int64_t> collective; ///< number among the collectives of the group; -1 = not stated
    /// Number among this process's point-to-point calls in the group; -1 = not stated.
    std::vector<std::int64_t> pointToPoint;
    std::vector<std::int64_t> createdNs; ///< since the epoch, by the CPU
    /// When somebody looked: never early, but possibly very late. Empty if no call of the file has one.
    std::vector<std::int64_t> startedNs, completedNs;
    std::vector<std::uint32_t> signature; ///< index into FlightRecord::signatures
    std::vector<StackId> stack;

    std::size_t size() const { return record.size(); }
};

/// One dump.
struct FlightRecord
{
    static constexpr std::uint32_t mostGroups = 0xFFFF;
    SourceId source;
    std::string file; ///< its name, for evidence
    std::optional<std::int32_t> rank;
    std::int32_t major = 0, minor = 0; ///< of the schema
    std::string library; ///< version of NCCL, or of the library of another backend
    std::optional<std::int64_t> fileTimeNs; ///< when the file was written, by the file system
    bool isCutOff = false; ///< some calls are not known: the newest, or damaged ones
    bool hasGroups = false; ///< the dump lists the communicators of its process
    bool hasCalls = false; ///< false: dumped without calls
    std::vector<FlightGroup> groups;
    std::vector<std::int64_t> pgIds; ///< of each group; -1 if no call names the group
    std::vector<FlightStatus> statuses; ///< empty before version 2.3
    FlightCalls calls;
    std::vector<FlightSignature> signatures;
    CallStacks stacks;

    const FlightSignature& signatureOf(std::size_t call) const { return signatures[calls.signature[call]]; }
    bool isCompleted(std::size_t call) const { return calls.state[call] == FlightState::Completed; }
};

/// Calls f on each string id of a dump, to map the ids to another table.
template<typename F>
void forEachString(FlightRecord& record, F&& f)
{
    for (FlightGroup& group : record.groups)
        f(group.name), f(group.description);
    for (FlightSignature& own : record.signatures)
        f(own.operation), f(own.inputSizes), f(own.outputSizes), f(own.inputTypes), f(own.outputTypes);
    for (StackFrame& frame : record.stacks.frames)
        f(frame.function), f(frame.file);
}

} // namespace collscope
