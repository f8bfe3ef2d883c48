// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The label of the selected range: its length and a summary of its events.

#include "metrics/analysis/range_summary.h"

#include <QPainter>
#include <QPalette>

#include <vector>

namespace collscope {

/// Texts and geometry of the label. Parts keep their width while a range is dragged.
struct RangeLabel
{
    struct Part
    {
        QString text;
        QRect box;
    };
    QRect box; ///< empty: no label
    std::vector<Part> parts; ///< from left to right
    Part button; ///< "use for metrics"; its box is empty if it does not fit

    QString text() const; ///< the parts joined with " · "
};

/// Lays out the label of `range`, which is on the axis and lies between `left` and `right` in painter px.
/// `strip` is the area available for labels. If `summary` is nullptr or belongs to another range, its numbers
/// are shown as pending. The least important parts are omitted if the range is narrow.
RangeLabel layOutRangeLabel(const QFontMetrics& metrics, const QRect& strip, double left, double right,
                            TimeRange range, const RangeSummary* summary);
void paintRangeLabel(QPainter& painter, const RangeLabel& label, bool isOverButton, const QPalette& palette);

/// One-line summary of a range: "3 412 slices, 275 k/s, GPUs busy 82.9 %".
QString rangeText(const RangeSummary& summary);
/// Multi-line summary of a range that includes the GPU of each rank.
QString rangeToolTip(const RangeSummary& summary);

} // namespace collscope
