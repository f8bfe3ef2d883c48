// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Questions about the slices of one track, answered from the sorted columns.

#include "model/trace_model.h"
#include "model/track.h"

#include <functional>
#include <optional>

namespace collscope {

/// First row whose start is >= timeNs. O(log n).
std::size_t firstStartingAt(const SliceColumns& slices, std::int64_t timeNs);
/// The same, in O(log(answer - hint)), for a hint that is no later than the answer.
std::size_t firstStartingAt(const SliceColumns& slices, std::int64_t timeNs, std::size_t hint);
/// First row that can overlap a range beginning at timeNs (rows before it all end at or before it). O(log n).
std::size_t firstReaching(const SliceColumns& slices, std::int64_t timeNs);
/// True if any slice is a GPU kernel, computing or communicating. O(rows before the first one).
bool holdsKernels(const SliceColumns& slices);
/// Calls f(row) for each slice that overlaps the range (a zero-length slice counts where it starts).
void forEachOverlapping(const SliceColumns& slices, TimeRange range,
                        const std::function<void(std::size_t)>& f);
/// The slice at a time and depth, widened by toleranceNs on both sides; the closest wins.
std::optional<std::uint32_t> sliceAt(const SliceColumns& slices, std::int64_t timeNs, int depth,
                                     std::int64_t toleranceNs);
/// The launching CPU slice of a GPU slice, or the first GPU slice of a launch; nullopt if there is none.
std::optional<SliceRef> linkedSlice(const TraceModel& model, SliceRef slice);

} // namespace collscope
