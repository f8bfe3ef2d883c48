// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Drawing of marks, shared by all views on the time axis.

#include "views/common/time_axis.h"
#include "views/state/run_edits.h"

#include <QPainter>
#include <QPalette>

namespace collscope {

/// Paints a line through `area` for each visible mark; dashed for the temporary one.
void paintMarkLines(QPainter& painter, const QRect& area, const TimeAxis& axis, const RunEdits& edits,
                    const QPalette& palette);
/// Paints a flag for each visible mark, with its note if it does not reach the next flag.
void paintMarkFlags(QPainter& painter, const QRect& ruler, const TimeAxis& axis, const RunEdits& edits,
                    const QPalette& palette);
/// The mark whose flag is at x (px from the left of the ruler); the later one if two overlap.
std::optional<std::int64_t> markFlagAt(const TimeAxis& axis, const RunEdits& edits, double x);

} // namespace collscope
