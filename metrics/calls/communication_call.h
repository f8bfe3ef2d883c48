// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A communication call of one rank, and the parallelism that it serves.

#include "model/kernels/collective_traits.h"
#include "model/trace_model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// The purpose of a process group.
enum class ParallelismKind : std::uint8_t
{
    TensorParallel,
    DataParallel,
    PipelineParallel,
    ContextParallel,
    ExpertParallel,
    Global, ///< the whole world: loss, gradient norm
    Unknown
};
constexpr int parallelismKindCount = static_cast<int>(ParallelismKind::Unknown) + 1;
/// "tp", "dp", "pp", "cp", "ep", "global", "unknown": the names used in the JSON.
std::string_view parallelismKindName(ParallelismKind parallelismKind);

/// The rule that determined a purpose; the first that applies.
enum class ParallelismRule : std::uint8_t
{
    GroupDescription,
    Mesh,
    Annotation,
    SingleDimension,
    CollectiveType,
    None
};

/// One communication kernel of one rank, or the copies that make up one collective.
struct Call
{
    SliceRef slice; ///< the first copy if there are several
    TimeRange range; ///< unclipped, on the axis
    KernelClass kind = KernelClass::OtherCommunication;
    const CollectiveCall* meta = nullptr; ///< metadata from the profiler; nullptr = none
    std::optional<std::uint64_t> bytes; ///< message size S
    std::int32_t groupSize = 0; ///< n of the process group; 0 = unknown
    ParallelismKind parallelismKind = ParallelismKind::Unknown;
    ParallelismRule rule = ParallelismRule::None;
    std::int32_t step = -1; ///< index into the window's steps of its timeline, by start; -1 = outside
    const Timeline* timeline = nullptr;

    bool inWindow() const { return step >= 0; }
    std::int64_t durationNs() const { return range.lengthNs(); }
};
/// Degrees of parallelism as far as the card, the TOML or the trace state them; used to label groups by their
/// ranks.
struct Mesh
{
    std::int64_t tp = 1, cp = 1, dpShard = 1, dpReplicate = 1, pp = 1, ep = 1;
    bool isKnown = false;
    std::string source = {}; ///< file that contains them
    std::int64_t worldSize() const { return tp * cp * dpShard * dpReplicate * pp; }
};

} // namespace collscope
