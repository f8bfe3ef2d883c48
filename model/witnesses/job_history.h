// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The whole job: its steps and the speed of its communicators over hours.

#include "model/diagnostics.h"
#include "model/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// The programs whose logs state the time of steps.
enum class LogDialect : std::uint8_t
{
    TorchTitan,
    Megatron,
    Nemo,
    DeepSpeed,
    HuggingFace,
    Verl
};
/// "Megatron-LM".
std::string_view logDialectName(LogDialect dialect);

/// A line of a log about one step. What the line does not state is nullopt.
struct LoggedTime
{
    std::int64_t step = 0;
    std::optional<std::int64_t> durationNs; ///< of a step, as stated: often a mean since the last line
    /// When the line was written, as if it were in UTC. Most logs write the time of an unknown time zone.
    std::optional<std::int64_t> clockNs;
    std::optional<std::int64_t> elapsedNs; ///< since the training began, as progress bars state it
    std::int32_t writer = -1; ///< the rank that wrote it; -1: not stated
    LogDialect dialect = LogDialect::Megatron;
    bool clockIsUtc = false; ///< the line states its time zone, and it has been taken into account
    SourceId source;
};

/// What is alike in many operations.
struct OperationClass
{
    /// How the Inspector measured the time.
    enum class Timing : std::uint8_t
    {
        NotStated,
        KernelGpu, ///< "kernel_gpu": by the clock of the GPU
        KernelCpu, ///< "kernel_cpu": by callbacks of the CPU
        CollectiveCpu, ///< "collective_cpu": from the call to its end, on the CPU
        Other
    };
    std::string operation; ///< "AllReduce"; "Send" and "Recv" for point-to-point operations
    std::uint64_t bytes = 0; ///< of the message, as NCCL counts them
    std::int32_t peer = -1; ///< point-to-point: rank in the communicator
    Timing timing = Timing::NotStated;
    bool isPointToPoint = false;
    bool startIsStated
        = false; ///< else `timeUs` is the time of the dump: at or after the end of the operation
    friend bool operator==(const OperationClass&, const OperationClass&) = default;
};

/// The operations of one process in one communicator, as columns: 24 bytes each.
struct OperationColumns
{
    std::vector<std::int64_t> timeUs; ///< since the epoch; 0: not stated
    std::vector<std::uint32_t> operationClass; ///< index into JobHistory::classes
    std::vector<std::uint32_t> number; ///< of the operation: coll_sn or p2p_sn
    std::vector<float> durationUs; ///< coll_exec_time_us
    std::vector<float> busGbPerSecond; ///< as stated; NaN: not stated

    static constexpr std::size_t bytesPerRow = 8 + 4 + 4 + 4 + 4;
    std::size_t size() const { return timeUs.size(); }
    void append(const OperationColumns& other);
};

struct HistoryCommunicator
{
    std::string hash; ///< "0x9e7a479f95a66c"; empty in Prometheus text, which does not state it
    std::string name; ///< given by the application; empty if unknown
    std::int32_t ranks = 0; ///< in the communicator; 0: not stated
    std::int32_t nodes = 0; ///< 0: not stated
};

/// One process as a member of one communicator.
struct HistoryMember
{
    std::uint32_t communicator = 0;
    std::int32_t rank = -1; ///< in the communicator: the Inspector never states the rank in the job
    std::string host; ///< empty: not stated
    std::int64_t pid = -1; ///< -1: not stated
    std::string gpu; ///< "GPU0" of Prometheus text
    OperationColumns operations; ///< settle() puts them in the order of time and number
    std::optional<std::uint64_t> dropped; ///< operations that the Inspector says it lost from its ring
};

/// A mean that the Inspector wrote as Prometheus text: of the operations since the last dump.
struct BandwidthSample
{
    std::uint32_t member = 0;
    std::string operation, sizes; ///< "AllReduce", "4-5MB"
    std::string algorithm; ///< "RING_LL"; empty if not stated
    std::optional<double> busGbPerSecond, durationUs;
    std::optional<std::int64_t> timeNs; ///< only exporters add it
};

struct JobHistory
{
    std::vector<LoggedTime> steps; ///< in the order of the files
    std::vector<HistoryCommunicator> communicators;
    std::vector<HistoryMember> members;
    std::vector<OperationClass> classes;
    std::vector<BandwidthSample> samples;

    /// Adds what a file says; `source` is the file.
    void take(JobHistory&& other, SourceId source);
    /// Puts everything into order, once all files are taken, and reports what contradicts itself.
    void settle(Diagnostics& problems);

    std::uint64_t operationCount() const;
};

} // namespace collscope
