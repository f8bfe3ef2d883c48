// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Overlays on the rows of the timeline: selection, ranges, marks, cross-hair.

#include "model/queries/slice_query.h"
#include "views/mark_painter.h"
#include "views/theme.h"
#include "views/timeline/timeline_ruler.h"
#include "views/timeline/timeline_view.h"

#include <algorithm>
#include <cmath>

namespace collscope {

void TimelineView::paintOverlays(QPainter& painter, const QRect& lanes)
{
    const Surfaces colors = surfaces(palette());
    const TimeAxis time = axis();
    painter.save();
    painter.setClipRect(lanes.left(), 0, lanes.width(), viewport()->height());
    const auto x = [&](std::int64_t ns) { return lanes.left() + static_cast<int>(std::floor(time.xOf(ns))); };
    const auto shade = [&](TimeRange range, QColor color) {
        color.setAlpha(38);
        painter.fillRect(x(range.beginNs), rulerHeight, std::max(1, x(range.endNs) - x(range.beginNs)),
                         viewport()->height(), color);
        color.setAlpha(150);
        painter.fillRect(x(range.beginNs), rulerHeight, 1, viewport()->height(), color);
        painter.fillRect(x(range.endNs), rulerHeight, 1, viewport()->height(), color);
    };
    if (const auto range = m_state->selectedRange())
        shade(*range, colors.accent);
    if (m_zoomRange)
        shade(*m_zoomRange, colors.dimText);
    paintSelectedCollective(painter, lanes);
    const auto outline = [&](SliceRef slice) {
        const QRectF box = rectOf(slice);
        if (!box.isEmpty()) {
            painter.setClipRect(areaOf(*m_layout.rowOf(slice.track)));
            TimelinePainter::paintOutline(painter, box, palette());
        }
        return box;
    };
    const SliceRef selected = m_state->selectedSlice();
    painter.save();
    for (const SliceRef other : m_state->otherSlices())
        outline(other);
    const QRectF box = outline(selected);
    painter.restore();
    if (!box.isEmpty()) {
        painter.save();
        painter.setClipRect(lanes);
        if (const auto linked = linkedSlice(*m_state->model(), selected)) {
            const QRectF other = rectOf(*linked);
            const bool onGpu = m_state->model()->track(selected.track).kind == TrackKind::GpuStream;
            const auto begin = [](const QRectF& r) { return QPointF(r.left(), r.center().y()); };
            if (!other.isEmpty())
                TimelinePainter::paintFlow(painter, begin(onGpu ? other : box), begin(onGpu ? box : other),
                                           palette());
        }
        painter.restore();
    }
    paintMarkLines(painter, QRect(lanes.left(), rulerHeight, lanes.width(), viewport()->height()), time,
                   *m_state->edits(), palette());
    if (const auto hover = m_state->hoverTime()) {
        QPen pen(colors.dimText, 1, Qt::DashLine);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.drawLine(x(*hover), 0, x(*hover), viewport()->height());
    }
    const RangeLabel label = rangeLabel();
    const bool isOver = viewport()->underMouse() && label.button.box.contains(m_lastPosition);
    paintRangeLabel(painter, label, isOver, palette());
    painter.restore();
}

/// Paints all members of the selected collective, connected from rank to rank to show the fan over the ranks.
void TimelineView::paintSelectedCollective(QPainter& painter, const QRect& lanes)
{
    const auto instance = m_state->selectedInstance();
    if (!instance)
        return;
    const Surfaces colors = surfaces(palette());
    const RunCollectives& run = *m_state->collectives();
    const TimeAxis time = axis();
    painter.save();
    painter.setClipRect(lanes);
    const auto xOf = [&](std::int64_t ns) {
        constexpr double beyond = 50; // px; painters do not handle coordinates far outside the viewport well
        return lanes.left() + std::floor(std::clamp(time.xOf(ns), -beyond, time.width() + beyond)) + 0.5;
    };
    std::optional<std::pair<QPointF, QPointF>> above; // lower corners of the previous member
    for (const CallRef member : run.matching.membersOf(run.matching.instances[*instance])) {
        const SliceRef slice = run.callOf(member).slice;
        const TimelineRow* row = m_layout.rowOf(slice.track);
        if (!row)
            continue;
        const TimeRange range = m_state->rangeOf(slice);
        const double top = topOf(*row);
        const QRect area = areaOf(*row);
        const bool isInSight = top + row->height > area.top() && top < area.bottom();
        painter.setClipRect(area);
        const QPointF left(xOf(range.beginNs), top);
        const QPointF right(xOf(range.endNs), top);
        if (above && isInSight) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(colors.accent, 1.2));
            painter.drawLine(above->first, left);
            painter.setPen(QPen(colors.accent, 1.2, Qt::DotLine));
            painter.drawLine(above->second, right);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        const QPointF down(0, row->laneHeight);
        above.reset();
        if (isInSight)
            above = {left + down, right + down};
        const QRectF box = rectOf(slice);
        if (!box.isEmpty() && slice != m_state->selectedSlice())
            TimelinePainter::paintOutline(painter, box, palette(), 1);
    }
    if (const QRectF box = rectOfCollective(*instance); !box.isEmpty()) {
        painter.setClipRect(areaOf(*m_layout.rowOfLane(m_groups.span(*instance)->lane)));
        TimelinePainter::paintOutline(painter, box, palette());
    }
    painter.restore();
}

RangeLabel TimelineView::rangeLabel() const
{
    const auto range = m_state->selectedRange();
    if (!m_state->model() || !range)
        return {};
    const QRect lanes = lanesRect();
    const TimeAxis time = axis();
    return layOutRangeLabel(
        viewport()->fontMetrics(), QRect(lanes.left(), rulerHeight + 3, lanes.width(), stepsHeight - 6),
        time.xOf(range->beginNs), time.xOf(range->endNs), *range, m_state->rangeSummary().get());
}

void TimelineView::paintEmpty(QPainter& painter)
{
    painter.setPen(surfaces(palette()).dimText);
    const QString text = m_state->model() ? tr("This run has no timeline.\nAdd PyTorch profiler traces "
                                               "(*.pt.trace.json) or an Nsight Systems export (*.sqlite).")
                                          : tr("Open a trace directory, or drop one here.");
    painter.drawText(viewport()->rect(), Qt::AlignCenter, text);
}

} // namespace collscope
