// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the contents of the timeline are in its viewport, and what is at a position.

#include "views/common/range_label.h"
#include "views/common/time_axis.h"
#include "views/rows/draw_list.h"
#include "views/timeline/gap_lane.h"

#include <QRectF>

#include <optional>

class QAbstractScrollArea;

namespace collscope {

class TimelineRows;
class ViewState;
struct TimelineRow;

class TimelineGeometry
{
public:
    /// `area`: scrolls the rows.
    TimelineGeometry(ViewState& state, const TimelineRows& rows, QAbstractScrollArea& area);

    ViewState& state() const { return m_state; }
    const TimelineRows& rows() const { return m_rows; }
    QAbstractScrollArea& area() const { return m_area; }

    /// The lanes in viewport coordinates; charts below share their left edge and width.
    QRect lanesRect() const;
    /// The visible range of the common axis.
    TimeAxis axis() const;
    /// The visible range in a timeline's own time.
    TimeAxis axisOf(TimelineId timeline) const;
    /// The top of a row in the viewport.
    int topOf(const TimelineRow& row) const;
    /// The part of the viewport that shows a row; pinned rows are above the others.
    QRect areaOf(const TimelineRow& row) const;
    int pinnedInSight() const; ///< px; height of the visible pinned rows
    const TimelineRow* rowAt(int y) const;
    void updateScrollBar();
    void scrollTo(const TimelineRow& row, int level);

    /// The rectangle of a slice in viewport coordinates; empty if its row or time is not visible.
    QRectF rectOf(SliceRef slice) const;
    /// The rectangle of a collective on the lane of its process group; empty if it is not visible.
    QRectF rectOfCollective(std::uint32_t instance) const;
    /// The rectangle of an instant of a track in viewport coordinates; empty if it is not visible.
    QRectF rectOfInstant(TrackId track, std::size_t instant) const;
    /// The label of the selected range in viewport coordinates; empty if the range is not visible.
    RangeLabel rangeLabel() const;
    /// Whether any highlighted slice (Emphasis::evidence) is visible. O(highlighted slices).
    bool isEvidenceInSight() const;

    /// The slice under a viewport position; on the lane of a process group, the kernel of the rank that
    /// arrived last.
    std::optional<SliceRef> sliceAt(QPoint position) const;
    /// The collective under a viewport position on the lane of its process group.
    std::optional<std::uint32_t> collectiveAt(QPoint position) const;
    /// The idle time under a viewport position on the lane of a rank.
    std::optional<LaneGap> gapAt(QPoint position) const;
    std::optional<DrawInstant> instantAt(const TimelineRow& row, QPoint position) const;
    /// The time under the mouse in any view, otherwise in the middle of this one.
    std::int64_t timeAtCursor() const;

private:
    QRectF boxInSight(TimeRange range, const TimelineRow& row, int level) const;

    ViewState& m_state;
    const TimelineRows& m_rows;
    QAbstractScrollArea& m_area;
};

} // namespace collscope
