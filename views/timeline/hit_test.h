// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A place in a row -> what is drawn there: the inverse of draw_list. No widget.

#include "views/timeline/draw_list.h"

#include <optional>

namespace collscope {

/// The slice that is painted on a column of pixels of a row's level, the topmost of several; else the nearest
/// within `tolerance` px. Where slices share a pixel it is the one whose colour the pixel has, the longest of
/// them. None on a summary and on rows of process groups. `axis` is the one that the row is drawn with;
/// `column` counts from the left of the lanes. As fast as drawing the row.
std::optional<SliceRef> sliceAtColumn(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis,
                                      int column, int level, int tolerance);

/// The drawn instants nearest to x, nullopt if none is within `tolerance` px. O(log instants).
std::optional<DrawInstant> instantAt(const InstantColumns& instants, const TimeAxis& axis, double x,
                                     double tolerance);

} // namespace collscope
