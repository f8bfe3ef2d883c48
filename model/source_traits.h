// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Properties of each input format, one row per format. Discovery, assembly and the doctor use them. A new
// format needs its SourceKind, a row in source_traits.cpp and a reader.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace collscope {

enum class SourceKind : std::uint8_t
{
    Kineto,
    Nsys,
    Nvf1,
    WorkloadCard,
    TorchTitan,
    Benchmark,
    TrainingLog,
    GateLog,
    GpuCount,
    MemorySnapshot,
    ExecutionTrace,
    Xplane,
    FlightRecorder,
    WatchdogLog,
    NcclRas,
    StackDump,
    NcclInspector,
    StepLog,
    HardwareSamples,
    SystemLog,
    NcclLog,
    NcclTests,
    Rocprof,
    Perfetto
};

struct SourceTraits
{
    SourceKind kind = SourceKind::Kineto;
    std::string_view name; ///< for JSON and the rank tree: "kineto"
    /// How the names of its files end, in lower case; without a dot: a whole name. Of the files in a folder,
    /// only those are examined that are named as files of some format.
    std::array<std::string_view, 4> endings{};
    /// Parts of the names of files without an ending, which end with a number: "rank" of nccl_trace_rank_7. A
    /// name that is nothing but a number is one of them.
    std::array<std::string_view, 3> numbered{};
    /// Contains slices of ranks or devices: the file can be a run by itself.
    bool holdsTimeline = false;
    /// Each event is an object of its own in a JSON text: its arguments can be read again later, and a copy
    /// can be written without the damaged ones.
    bool holdsEventObjects = false;
    /// Contains events that are accounted for: shown + excluded = events in the file.
    bool countsEvents = false;
    /// Each file belongs to a rank, given by its content, its name or the order of the names.
    bool isRanked = false;
    /// Each file is one rank in one profiler iteration: these files have the iterations that are offered,
    /// --max-ranks counts them, and without one of them a rank lacks data.
    bool isIterated = false;
    /// Says how a job ended (model/hang/hang_evidence.h): such a file is not a rank with data.
    bool tellsOfHang = false;
    /// Says what happened to the job, its hardware or its network outside the traces (model/witnesses).
    bool isWitness = false;
    /// Recorded on a rank or GPU alongside its timeline: a folder with such files is a run, not just a
    /// description of one.
    bool accompaniesRanks = false;
    /// Describes the job without measuring anything. A run uses at most one file of each such kind.
    bool describesJob = false;
    /// A number about the job, without anything to display.
    bool isFigure = false;
};

/// One row per format, in the order of the enumeration.
std::span<const SourceTraits> allSourceTraits();
const SourceTraits& sourceTraits(SourceKind kind);
std::string_view sourceKindName(SourceKind kind);
/// Whether a file name in lower case is one of a format's.
bool isNamedAsInput(std::string_view lowerName);

/// The last format. Part files of reduced runs store numbers up to it.
inline constexpr SourceKind lastSourceKind = SourceKind::Perfetto;

} // namespace collscope
