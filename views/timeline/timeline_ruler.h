// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The time ruler and the steps lane above the rows.

#include "views/time_axis.h"

#include <QPainter>
#include <QPalette>

namespace collscope {

class ClockMap;
class MomentText;
struct TraceModel;

constexpr int rulerHeight = 24; ///< px
constexpr int stepsHeight = 24;
/// What the rows of the timeline begin below.
constexpr int timelineTopHeight = rulerHeight + stepsHeight;

/// Ticks and their labels into `area`, whose left edge is the axis' begin.
void paintRuler(QPainter& painter, const QRect& area, const TimeAxis& axis, const MomentText& moments,
                const QPalette& palette);
/// Thin lines at the major ticks through the rows.
void paintGrid(QPainter& painter, const QRect& area, const TimeAxis& axis, const MomentText& moments,
               const QPalette& palette);
/// The steps of the first rank that has step markers, with name and duration.
void paintSteps(QPainter& painter, const QRect& area, const TimeAxis& axis, const TraceModel& model,
                const ClockMap& clocks, const QPalette& palette);

} // namespace collscope
