// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Marks, as every view on the time axis draws them.

#include "views/run_edits.h"
#include "views/time_axis.h"

#include <QPainter>
#include <QPalette>

namespace collscope {

/// A line through `area` for each mark in sight; dashed for the temporary one.
void paintMarkLines(QPainter& painter, const QRect& area, const TimeAxis& axis, const RunEdits& edits,
                    const QPalette& palette);
/// A flag for each mark in sight, with its note where that does not run into the next flag.
void paintMarkFlags(QPainter& painter, const QRect& ruler, const TimeAxis& axis, const RunEdits& edits,
                    const QPalette& palette);
/// The mark whose flag is at x (px from the left of the ruler), the later one of two.
std::optional<std::int64_t> markFlagAt(const TimeAxis& axis, const RunEdits& edits, double x);

} // namespace collscope
