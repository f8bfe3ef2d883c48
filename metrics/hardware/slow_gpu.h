// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether the GPU of a rank explains that the rank computes slowly.

#include "metrics/hardware/hardware_view.h"

namespace collscope {

struct SlowGpu
{
    enum class Kind : std::uint8_t
    {
        No, ///< nothing is known, or the GPU ran like the others
        Slow, ///< it ran slower than the others in the time concerned
        TooCoarse ///< it ran slower about that time, but its samples are too far apart to show more
    };
    Kind kind = Kind::No;
    std::string text; ///< "its GPU ran at 1,215 MHz, the others at 1,980 MHz: power cap (12 samples ...)"
};

/// The clock of the rank's GPU in the ranges, beside those of the other ranks' GPUs in the same time.
/// `ranges`: ns since the epoch, ascending.
SlowGpu slowGpuOf(Analysis& analysis, std::int32_t rank, const std::vector<TimeRange>& ranges);

/// Windows of a rank as wall-clock ranges: those whose step number `isWanted`.
std::vector<TimeRange> wallRangesOf(Analysis& analysis, std::int32_t rank,
                                    const std::function<bool(std::int64_t step)>& isWanted);
/// The windows of a marked step, of one rank or all, of timelines with a wall clock.
std::vector<TimeRange> wallStepsOf(const TraceModel& model, std::optional<std::int32_t> rank,
                                   std::int64_t number);

} // namespace collscope
