// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a job that hung leaves beside its traces: dumps of the Flight Recorder, lines of watchdogs in logs,
// snapshots of NCCL's RAS, and stacks of Python processes.

#include "model/hang/flight_record.h"

namespace collscope {

/// A line that PyTorch's watchdog or launcher printed. What the line does not say is nullopt.
struct WatchdogLine
{
    enum class Kind : std::uint8_t
    {
        Timeout, ///< a call ran longer than its timeout
        Status, ///< how far the rank is in a group
        DumpSignal, ///< another rank's timeout was noticed: this rank was alive
        Stuck, ///< the watchdog itself made no progress: CUDA or Python's lock is held
        Exit ///< a process ended
    };
    Kind kind = Kind::Timeout;
    SourceId source;
    std::string file;
    std::uint64_t line = 0; ///< from 1
    std::optional<std::int32_t> rank; ///< of the whole job
    std::optional<std::int32_t> groupRank; ///< Status: rank in the group
    std::optional<std::int64_t> pgId;
    std::string groupName, groupDescription; ///< empty if not stated
    std::string operation; ///< Timeout: "ALLREDUCE"
    std::optional<std::int64_t> number; ///< of the call
    std::optional<std::int64_t> inputElements, outputElements, timeoutMs, ranMs;
    std::optional<std::int64_t> enqueued, completed;
    std::optional<std::int32_t> exitCode, localRank;
};

/// One communicator in a snapshot of NCCL's RAS subsystem (NCCL 2.28.7 and later, JSON).
struct RasCommunicator
{
    struct Count
    {
        std::string operation; ///< "AllReduce"
        std::int64_t calls = 0;
    };
    struct Member
    {
        std::int32_t rank = 0; ///< in the communicator
        std::vector<Count> counts;
        std::int64_t asyncError = 0;
    };
    struct Missing
    {
        std::int32_t rank = 0; ///< in the communicator
        bool isDead = false, isUnresponsive = false;
    };
    std::string hash;
    std::int32_t size = 0;
    std::vector<Member> members;
    std::vector<Missing> missing;
};

struct RasSnapshot
{
    SourceId source;
    std::string file;
    std::string time; ///< as written; sorts by time
    std::vector<RasCommunicator> communicators;
};

/// What py-spy printed of one process.
struct PythonStacks
{
    struct Frame
    {
        std::string function, file;
        std::int32_t line = 0;
    };
    struct Thread
    {
        std::string name;
        std::string state; ///< "active", "idle", "active+gil"
        std::vector<Frame> frames; ///< innermost first
    };
    SourceId source;
    std::string file;
    std::optional<std::int32_t> rank; ///< by the name of the file
    std::vector<Thread> threads;
};

struct HangEvidence
{
    std::vector<FlightRecord> records; ///< by rank
    std::vector<WatchdogLine> watchdogLines; ///< by file and line
    std::vector<RasSnapshot> ras; ///< by time
    std::vector<PythonStacks> stacks; ///< by rank

    bool isEmpty() const { return records.empty() && watchdogLines.empty() && ras.empty() && stacks.empty(); }
};

} // namespace collscope
