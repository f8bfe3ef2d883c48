// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Visible range -> rectangles: a pure function of model, rows and axis. Produces at most about one rectangle
// per pixel and lane.

#include "views/common/time_axis.h"
#include "views/rows/timeline_row.h"

#include <vector>

namespace collscope {

/// Width in px of a column in a row that summarises several rows.
inline constexpr double densityStep = 3;

struct DrawRect
{
    double x = 0, width = 0; ///< px from the left of the lanes; clipped to the visible part
    int level = 0; ///< level within the row
    SliceRef slice; ///< of density columns: a communication kernel that makes the column; else none
    KernelClass kernelClass = KernelClass::None;
    SliceCategory category = SliceCategory::Other; ///< of slices on CPU threads
    StringId name; ///< label; not set if no label fits
    float coverage = 1.0f; ///< < 1: several slices share the pixel and cover this fraction of it
};

/// Pixel columns [left, right), in px from the left of the lanes.
struct PixelColumns
{
    int left = 0, right = 0;

    int width() const { return right - left; }
    /// Narrow rectangles have no edge and are painted over wider rectangles, which can spare the pixel.
    bool areNarrow() const { return width() <= 3; }
};
/// The pixel columns in which a rectangle is painted.
PixelColumns columnsOf(const DrawRect& rect);

/// Narrowest rectangle, in px, that gets a label.
constexpr double minLabelWidth = 24;

/// Returns the rectangles of a row. `axis` is in the row's own time: the visible range of the common axis
/// mapped back by the clock of the row's timeline. Empty for rows of process groups.
std::vector<DrawRect> drawRow(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis);

/// Events without a duration that share a pixel column.
struct DrawInstant
{
    double x = 0; ///< px from the left of the lanes; an integral column
    std::size_t first = 0; ///< row of the first event in Track::instants
    std::size_t count = 1;
};

/// The visible instants of a track, one entry per pixel column. O(pixels x log instants).
std::vector<DrawInstant> drawInstants(const InstantColumns& instants, const TimeAxis& axis);

} // namespace collscope
