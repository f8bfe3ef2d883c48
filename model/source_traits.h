// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What each input format is: one row per format, which discovery, assembly and the doctor ask. A new format
// needs its SourceKind, a row in source_traits.cpp and a reader.

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
    Xplane
};

struct SourceTraits
{
    SourceKind kind = SourceKind::Kineto;
    std::string_view name; ///< in JSON and in the rank tree: "kineto"
    /// Slices of ranks or devices: the file can be a run by itself.
    bool holdsTimeline = false;
    /// Events that the ledger counts: shown + excluded = events in the file.
    bool countsEvents = false;
    /// Each file belongs to a rank, which its content, its name or the order of the names gives.
    bool isRanked = false;
    /// Recorded on a rank or GPU beside its timeline: a folder with such files is a run, not a note about
    /// one.
    bool accompaniesRanks = false;
    /// Describes the job and measures nothing; a run has at most one file of each such kind in use.
    bool describesJob = false;
    /// A number about the job, without anything to show.
    bool isFigure = false;
    /// The reader only names the file: nothing of it can be shown.
    bool isNamedOnly = false;
};

/// One row per format, in the order of the enumeration.
std::span<const SourceTraits> allSourceTraits();
const SourceTraits& sourceTraits(SourceKind kind);
std::string_view sourceKindName(SourceKind kind);

/// The last format: part files of reduced runs store numbers up to it.
inline constexpr SourceKind lastSourceKind = SourceKind::Xplane;

} // namespace collscope
