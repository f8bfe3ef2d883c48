// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A sampled curve -> the lines that a chart draws of it. No widget.

#include "metrics/sampled_curve.h"
#include "views/time_axis.h"

#include <QList>
#include <QPointF>

namespace collscope {

/// Points of one unbroken line: x in px of the axis (nanoseconds of a long run would not fit the chart's
/// float paths), y as sampled.
using CurvePiece = QList<QPointF>;

/// The curve as steps over the axis' range, in the curve's own time; one piece ends and the next begins where
/// for a pixel or more nothing was sampled. Where there are more samples than pixels, the lowest and highest
/// of each column, so that no peak is lost. O(width x log samples).
QList<CurvePiece> curvePieces(const SampledCurve& curve, const TimeAxis& axis);

} // namespace collscope
