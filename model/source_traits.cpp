// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/source_traits.h"

#include <iterator>

namespace collscope {

namespace {

constexpr SourceTraits rows[] = {
    {.kind = SourceKind::Kineto,
     .name = "kineto",
     .holdsTimeline = true,
     .countsEvents = true,
     .isRanked = true},
    {.kind = SourceKind::Nsys, .name = "nsys", .holdsTimeline = true, .countsEvents = true, .isRanked = true},
    {.kind = SourceKind::Nvf1, .name = "nvf1", .countsEvents = true, .accompaniesRanks = true},
    {.kind = SourceKind::WorkloadCard, .name = "card", .describesJob = true},
    {.kind = SourceKind::TorchTitan, .name = "torchtitan", .describesJob = true},
    {.kind = SourceKind::Benchmark, .name = "benchmark"},
    {.kind = SourceKind::TrainingLog, .name = "training log"},
    {.kind = SourceKind::GateLog, .name = "gate log"},
    {.kind = SourceKind::GpuCount, .name = "gpu count", .isFigure = true},
    {.kind = SourceKind::MemorySnapshot,
     .name = "pickle",
     .countsEvents = true,
     .isRanked = true,
     .accompaniesRanks = true},
    {.kind = SourceKind::ExecutionTrace,
     .name = "et",
     .countsEvents = true,
     .isRanked = true,
     .accompaniesRanks = true},
    {.kind = SourceKind::Xplane, .name = "xplane", .holdsTimeline = true, .isNamedOnly = true},
};

constexpr bool areInOrder()
{
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        if (static_cast<std::size_t>(rows[i].kind) != i)
            return false;
    }
    return std::size(rows) == static_cast<std::size_t>(lastSourceKind) + 1;
}
static_assert(areInOrder(), "each SourceKind has a row, in the order of the enumeration");

} // namespace

std::span<const SourceTraits> allSourceTraits()
{
    return rows;
}

const SourceTraits& sourceTraits(SourceKind kind)
{
    return rows[static_cast<std::size_t>(kind)];
}

std::string_view sourceKindName(SourceKind kind)
{
    return sourceTraits(kind).name;
}

} // namespace collscope
