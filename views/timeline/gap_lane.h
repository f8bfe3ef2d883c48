// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The thin lane below the first row of a rank: when its GPU was idle, in the colour of the cause.

#include "metrics/findings/gap_table.h"
#include "views/common/time_axis.h"
#include "views/rows/timeline_row.h"

#include <QPainter>
#include <QPalette>

#include <span>

namespace collscope {

/// `lanes` and `axis` as in TimelinePainter::paintRow(). Of several gaps in a pixel, the longest of the
/// first 32 gives the colour. O(pixels x log gaps).
void paintGaps(QPainter& painter, const QRect& lanes, const TimelineRow& row, std::span<const LaneGap> gaps,
               const TimeAxis& axis, const QPalette& palette);

/// The gap at a pixel from the left of the lanes; of several, that which gives the colour.
std::optional<LaneGap> gapAt(std::span<const LaneGap> gaps, const TimeAxis& axis, int pixel);

} // namespace collscope
