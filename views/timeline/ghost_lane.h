// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The thin lane above a stream: its work as it would be in a scenario.

#include "metrics/whatif/ghost_lanes.h"
#include "model/trace_model.h"
#include "views/common/time_axis.h"
#include "views/rows/timeline_row.h"

#include <QPainter>
#include <QPalette>

namespace collscope {

/// `lanes` and `axis` as in TimelinePainter::paintRow(). Of several pieces of work in a pixel, the first
/// gives the colour. O(pixels x log slices).
void paintGhost(QPainter& painter, const QRect& lanes, const TimelineRow& row, const TraceModel& model,
                const GhostLanes& ghost, const TimeAxis& axis, const QPalette& palette);

} // namespace collscope
