// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A place in a row -> what is drawn there: the inverse of draw_list. No widget.

#include "views/timeline/draw_list.h"

#include <optional>

namespace collscope {

/// The slice of a row at a time and level, widened by toleranceNs on both sides; the closest wins, and of
/// those that share the last level the innermost, which is the one drawn on top. None on a summary and on
/// rows of process groups. `timeNs` is the timeline's own.
std::optional<SliceRef> sliceAtLevel(const TraceModel& model, const TimelineRow& row, std::int64_t timeNs,
                                     int level, std::int64_t toleranceNs);

/// The drawn instants nearest to x, nullopt if none is within `tolerance` px. O(log instants).
std::optional<DrawInstant> instantAt(const InstantColumns& instants, const TimeAxis& axis, double x,
                                     double tolerance);

} // namespace collscope
