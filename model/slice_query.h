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
/// The same, in O(log(answer - hint)), for a hint that is no later than the answer. This and what follows
/// need the index of a complete track.
std::size_t firstStartingAt(const SliceColumns& slices, std::int64_t timeNs, std::size_t hint);
/// First row that starts at or after timeNs, or one a little later that is faster to find: any that starts at
/// most at latestNs.
std::size_t firstStartingAbout(const SliceColumns& slices, std::int64_t timeNs, std::int64_t latestNs,
                               std::size_t hint);
/// Durations of the outermost slices (depth 0) among the rows [begin, end). O(1).
std::int64_t outermostNs(const SliceColumns& slices, std::size_t begin, std::size_t end);
/// Time before timeNs that an outermost slice covers; `row` = firstStartingAt(slices, timeNs). O(1).
std::int64_t outermostNsBefore(const SliceColumns& slices, std::int64_t timeNs, std::size_t row);
/// The row of [begin, end) that lasts longest; begin < end. O(rows / 16).
std::size_t longestRow(const SliceColumns& slices, std::size_t begin, std::size_t end);
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
/// The same, and for a CPU slice without a link the first one among the slices in it. O(slices in it).
std::optional<SliceRef> firstLinked(const TraceModel& model, SliceRef slice);

} // namespace collscope
