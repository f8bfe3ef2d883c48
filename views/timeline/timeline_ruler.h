// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The time ruler and the steps lane above the rows.

#include "views/common/time_axis.h"

#include <QPainter>
#include <QPalette>

namespace collscope {

class ClockMap;
class MomentText;
struct TraceModel;

constexpr int rulerHeight = 24; ///< px
constexpr int stepsHeight = 24;
/// Height of the area above the timeline's rows.
constexpr int timelineTopHeight = rulerHeight + stepsHeight;

/// Paints ticks and their labels into `area`, whose left edge is the start of the axis.
void paintRuler(QPainter& painter, const QRect& area, const TimeAxis& axis, const MomentText& moments,
                const QPalette& palette);
/// Paints thin lines through the rows at the major ticks.
void paintGrid(QPainter& painter, const QRect& area, const TimeAxis& axis, const MomentText& moments,
               const QPalette& palette);
/// Paints the steps of the first rank that has step markers, with name and duration.
void paintSteps(QPainter& painter, const QRect& area, const TimeAxis& axis, const TraceModel& model,
                const ClockMap& clocks, const QPalette& palette);

} // namespace collscope
