// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Visible range -> rectangles: a pure function of model, rows and axis. Never more than about one rectangle
// per pixel and lane.

#include "views/time_axis.h"
#include "views/timeline/timeline_layout.h"

#include <vector>

namespace collscope {

/// px per column of a row that sums several rows up.
inline constexpr double densityStep = 3;

struct DrawRect
{
    double x = 0, width = 0; ///< px from the left of the lanes; clipped to the visible part
    int level = 0; ///< of the row
    SliceRef slice; ///< none for density
    KernelClass kernelClass = KernelClass::None;
    StringId name; ///< what to write on it; none where nothing fits
    float coverage = 1.0f; ///< < 1: many slices share the pixel and cover only this part of it
};

/// Whole columns of pixels, [left, right), in px from the left of the lanes.
struct PixelColumns
{
    int left = 0, right = 0;

    int width() const { return right - left; }
    /// One of so few columns has no edge, and lies on top of wider ones: a wide one can spare the pixel.
    bool areNarrow() const { return width() <= 3; }
};
/// Where a rectangle is painted.
PixelColumns columnsOf(const DrawRect& rect);

/// Narrowest rectangle, in px, that gets a label.
constexpr double minLabelWidth = 24;

/// `axis` shows the row's own time: what is visible on the common axis, mapped back by the clock of its
/// timeline. Nothing for rows of process groups.
std::vector<DrawRect> drawRow(const TraceModel& model, const TimelineRow& row, const TimeAxis& axis);

/// Events without a duration that share a pixel column.
struct DrawInstant
{
    double x = 0; ///< px from the left of the lanes, a whole column
    std::size_t first = 0; ///< row of the first of them in Track::instants
    std::size_t count = 1;
};

/// The visible instants of a track, one entry per pixel column. O(pixels x log instants), however many there
/// are.
std::vector<DrawInstant> drawInstants(const InstantColumns& instants, const TimeAxis& axis);

} // namespace collscope
