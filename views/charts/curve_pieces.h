// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sampled curve -> the lines that a chart draws. Contains no widget code.

#include "metrics/core/sampled_curve.h"
#include "views/common/time_axis.h"

#include <QList>
#include <QPointF>

namespace collscope {

/// Points of one unbroken line: x in px of the axis (nanoseconds of a long run would exceed the precision of
/// the chart's float paths), y as sampled.
using CurvePiece = QList<QPointF>;

/// Returns the curve as steps over the axis' range, in the curve's own time. Gaps of at least one pixel
/// without samples separate the pieces. With more samples than pixels, each column keeps its lowest and
/// highest sample, so that peaks are preserved. O(width x log samples).
QList<CurvePiece> curvePieces(const SampledCurve& curve, const TimeAxis& axis);

} // namespace collscope
