// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The label of the selected range: how long it is, and what happens in it.

#include "metrics/range_summary.h"

#include <QPainter>
#include <QPalette>

#include <vector>

namespace collscope {

/// What stands on the label, and where. Parts keep their width while a range is dragged.
struct RangeLabel
{
    struct Part
    {
        QString text;
        QRect box;
    };
    QRect box; ///< empty: no label
    std::vector<Part> parts; ///< from left to right
    Part button; ///< "metrics of this"; its box is empty where there is no room

    QString text() const; ///< of the parts, parted by " · "
};

/// `range` on the axis, between `left` and `right` in px of the painter; `strip` is where a label can be.
/// `summary` may be that of another range, or nullptr: then what it tells is still to come. Where the range
/// is narrow, the least important parts are left out.
RangeLabel layOutRangeLabel(const QFontMetrics& metrics, const QRect& strip, double left, double right,
                            TimeRange range, const RangeSummary* summary);
void paintRangeLabel(QPainter& painter, const RangeLabel& label, bool isOverButton, const QPalette& palette);

/// What happens in a range, in one line: "3 412 slices, 275 k/s, GPUs busy 82.9 %".
QString rangeText(const RangeSummary& summary);
/// The same in full, line by line, with every rank's GPU.
QString rangeToolTip(const RangeSummary& summary);

} // namespace collscope
