// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Queries on the slices of one track, answered from the sorted columns.

#include "model/trace_model.h"
#include "model/track.h"

#include <functional>
#include <optional>

namespace collscope {

/// First row whose start is >= timeNs. O(log n).
std::size_t firstStartingAt(const SliceColumns& slices, std::int64_t timeNs);
/// Like the overload above, in O(log(result - hint)), for a hint that is not later than the result. This and
/// the following functions need the index of a complete track.
std::size_t firstStartingAt(const SliceColumns& slices, std::int64_t timeNs, std::size_t hint);
/// First row that starts at or after timeNs, or a slightly later row that is faster to find and starts no
/// later than latestNs.
std::size_t firstStartingAbout(const SliceColumns& slices, std::int64_t timeNs, std::int64_t latestNs,
                               std::size_t hint);
/// Total duration of the outermost slices (depth 0) among the rows [begin, end). O(1).
std::int64_t outermostNs(const SliceColumns& slices, std::size_t begin, std::size_t end);
/// Time before timeNs that outermost slices cover; `row` = firstStartingAt(slices, timeNs). O(1).
std::int64_t outermostNsBefore(const SliceColumns& slices, std::int64_t timeNs, std::size_t row);
/// The longest row in [begin, end); begin < end. O(rows / 16).
std::size_t longestRow(const SliceColumns& slices, std::size_t begin, std::size_t end);
/// First row that can overlap a range that starts at timeNs (all rows before it end at or before timeNs).
/// O(log n).
std::size_t firstReaching(const SliceColumns& slices, std::int64_t timeNs);
/// True if any slice is a GPU kernel, computing or communicating. O(rows before the first one).
bool holdsKernels(const SliceColumns& slices);
/// Calls f(row) for each slice that overlaps the range (a zero-length slice counts where it starts).
void forEachOverlapping(const SliceColumns& slices, TimeRange range,
                        const std::function<void(std::size_t)>& f);
/// The slice at a time and depth, with a tolerance of toleranceNs on both sides; the closest slice wins.
std::optional<std::uint32_t> sliceAt(const SliceColumns& slices, std::int64_t timeNs, int depth,
                                     std::int64_t toleranceNs);
/// The launching CPU slice of a GPU slice, or the first GPU slice of a launch; nullopt if not found.
std::optional<SliceRef> linkedSlice(const TraceModel& model, SliceRef slice);
/// Like linkedSlice(). For a CPU slice without a link, returns the first link of the slices inside it.
/// O(slices inside).
std::optional<SliceRef> firstLinked(const TraceModel& model, SliceRef slice);

} // namespace collscope
