// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Device memory by CUDA memory snapshots (metrics.md 3.4.4). Their reader is not there yet: every metric here
// says so. Nothing is estimated in its place.

#include "metrics/analysis.h"

namespace collscope {

namespace {

/// The snapshot that is there and not read; empty if there is none.
std::string snapshotIn(const TraceModel& model)
{
    for (const Diagnostic& problem : model.problems.entries()) {
        if (problem.code == "not_drawn" && problem.file.ends_with(".pickle"))
            return problem.file;
    }
    return {};
}

MetricResult needsSnapshot(Analysis& analysis)
{
    const std::string found = snapshotIn(analysis.model());
    if (!found.empty())
        return MetricResult::missingInput("The CUDA memory snapshot " + found
                                          + " was found, but this version does not read snapshots yet.");
    return MetricResult::missingInput(
        "No CUDA memory snapshot was found: it needs "
        "memory_snapshot/iteration_<n>/rank<r>_memory_snapshot.pickle, as torch.cuda.memory._dump_snapshot "
        "writes it.");
}

constexpr MetricDescriptor ofSnapshot(std::string_view id, std::string_view title, std::string_view unit,
                                      MetricDirection direction, std::string_view meaning,
                                      std::string_view definition)
{
    return {id,      title,      "Memory", unit,         direction, "a CUDA memory snapshot (*.pickle)",
            meaning, definition, {},       needsSnapshot};
}

} // namespace

extern const MetricDescriptor memoryPeakMetric, memoryReservedMetric, memoryEfficiencyMetric,
    memoryFragmentationMetric, memoryAllocationPatternMetric, memoryMetric;

constexpr MetricDescriptor memoryPeakMetric = ofSnapshot(
    "memory_peak", "Peak memory", "bytes", MetricDirection::LowerIsBetter,
    "The most device memory that tensors held at one time.",
    "maximum of the allocated bytes while the snapshot's trace is replayed backwards from its end, "
    "maximum over ranks");

constexpr MetricDescriptor memoryReservedMetric
    = ofSnapshot("memory_reserved", "Reserved memory", "bytes", MetricDirection::LowerIsBetter,
                 "Device memory that the allocator holds, used or not.",
                 "sum of total_size of the snapshot's segments, maximum over ranks");

constexpr MetricDescriptor memoryEfficiencyMetric
    = ofSnapshot("memory_efficiency", "Memory efficiency", "ratio", MetricDirection::HigherIsBetter,
                 "Share of the reserved memory that is in use.",
                 "active bytes / reserved bytes of the snapshot's segments, sums over ranks");

constexpr MetricDescriptor memoryFragmentationMetric
    = ofSnapshot("memory_fragmentation", "Memory fragmentation", "ratio", MetricDirection::LowerIsBetter,
                 "Share of the reserved memory that no tensor uses.",
                 "(reserved - allocated bytes) / reserved bytes of the snapshot's segments, sums over ranks");

constexpr MetricDescriptor memoryAllocationPatternMetric = ofSnapshot(
    "memory_allocation_pattern", "Allocation pattern", "per second", MetricDirection::Neutral,
    "How often memory is allocated and freed, in which sizes and for how long.",
    "allocations and frees per second and per step, sizes (small: up to 1 MiB), median lifetime");

constexpr MetricDescriptor memoryMetric
    = ofSnapshot("memory", "Device memory", "bytes", MetricDirection::Neutral,
                 "Peak, reserved memory, efficiency, fragmentation and allocation pattern together.",
                 "the five memory metrics of a snapshot as one object");

} // namespace collscope
