// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Overlays on the rows of the timeline: selection, ranges, marks, cross-hair.

#include "model/units.h"

#include <QPoint>

#include <optional>

class QPainter;
class QPalette;

namespace collscope {

class TimelineGeometry;

/// What the mouse is doing.
struct TimelineGesture
{
    std::optional<TimeRange> zoomRange; ///< while dragging with the right button
    QPoint position; ///< the last one
};

void paintOverlays(QPainter& painter, const TimelineGeometry& geometry, const TimelineGesture& gesture,
                   const QPalette& palette);

} // namespace collscope
