// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Position in a row -> the object drawn there: the inverse of draw_list. Contains no widget code.

#include "views/rows/draw_list.h"

#include <optional>

namespace collscope {

/// Returns the topmost slice painted in a pixel column of a row's level, otherwise the nearest slice within
/// `tolerance` px. If slices share a pixel, this is the longest one, whose colour the pixel has. nullopt on
/// summaries and rows of process groups. `axis` is the axis with which the row is drawn; `column` counts from
/// the left of the lanes. Costs as much as drawing the row.
std::optional<SliceRef> sliceAtColumn(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis,
                                      int column, int level, int tolerance);

/// Returns the drawn instants nearest to x; nullopt if none is within `tolerance` px. O(log instants).
std::optional<DrawInstant> instantAt(const InstantColumns& instants, const TimeAxis& axis, double x,
                                     double tolerance);

} // namespace collscope
