// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_overlays.h"

#include "model/queries/slice_query.h"
#include "views/common/mark_painter.h"
#include "views/common/theme.h"
#include "views/timeline/timeline_geometry.h"
#include "views/timeline/timeline_painter.h"
#include "views/timeline/timeline_rows.h"
#include "views/timeline/timeline_ruler.h"

#include <QAbstractScrollArea>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// Paints all members of the selected collective, connected from rank to rank to show the fan over the ranks.
void paintSelectedCollective(QPainter& painter, const TimelineGeometry& geometry, const QPalette& palette)
{
    const ViewState& state = geometry.state();
    const QRect lanes = geometry.lanesRect();
    const auto instance = state.selection().collective();
    if (!instance)
        return;
    const Surfaces colors = surfaces(palette);
    const RunCollectives& run = *state.run().collectives();
    const TimeAxis time = geometry.axis();
    painter.save();
    painter.setClipRect(lanes);
    const auto xOf = [&](std::int64_t ns) {
        constexpr double beyond = 50; // px; painters do not handle coordinates far outside the viewport well
        return lanes.left() + std::floor(std::clamp(time.xOf(ns), -beyond, time.width() + beyond)) + 0.5;
    };
    std::optional<std::pair<QPointF, QPointF>> above; // lower corners of the previous member
    for (const CallRef member : run.matching.membersOf(run.matching.instances[*instance])) {
        const SliceRef slice = run.callOf(member).slice;
        const TimelineRow* row = geometry.rows().layout().rowOf(slice.track);
        if (!row)
            continue;
        const TimeRange range = state.run().rangeOf(slice);
        const double top = geometry.topOf(*row);
        const QRect area = geometry.areaOf(*row);
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
        const QRectF box = geometry.rectOf(slice);
        if (!box.isEmpty() && slice != state.selection().slice())
            TimelinePainter::paintOutline(painter, box, palette, 1);
    }
    if (const QRectF box = geometry.rectOfCollective(*instance); !box.isEmpty()) {
        painter.setClipRect(geometry.areaOf(
            *geometry.rows().layout().rowOfLane(geometry.rows().groups().span(*instance)->lane)));
        TimelinePainter::paintOutline(painter, box, palette);
    }
    painter.restore();
}

} // namespace

void paintOverlays(QPainter& painter, const TimelineGeometry& geometry, const TimelineGesture& gesture,
                   const QPalette& palette)
{
    const ViewState& state = geometry.state();
    const QWidget& viewport = *geometry.area().viewport();
    const QRect lanes = geometry.lanesRect();
    const Surfaces colors = surfaces(palette);
    const TimeAxis time = geometry.axis();
    painter.save();
    painter.setClipRect(lanes.left(), 0, lanes.width(), viewport.height());
    const auto x = [&](std::int64_t ns) { return lanes.left() + static_cast<int>(std::floor(time.xOf(ns))); };
    const auto shade = [&](TimeRange range, QColor color) {
        color.setAlpha(38);
        painter.fillRect(x(range.beginNs), rulerHeight, std::max(1, x(range.endNs) - x(range.beginNs)),
                         viewport.height(), color);
        color.setAlpha(150);
        painter.fillRect(x(range.beginNs), rulerHeight, 1, viewport.height(), color);
        painter.fillRect(x(range.endNs), rulerHeight, 1, viewport.height(), color);
    };
    if (const auto range = state.selection().range())
        shade(*range, colors.accent);
    if (gesture.zoomRange)
        shade(*gesture.zoomRange, colors.dimText);
    paintSelectedCollective(painter, geometry, palette);
    const auto outline = [&](SliceRef slice) {
        const QRectF box = geometry.rectOf(slice);
        if (!box.isEmpty()) {
            painter.setClipRect(geometry.areaOf(*geometry.rows().layout().rowOf(slice.track)));
            TimelinePainter::paintOutline(painter, box, palette);
        }
        return box;
    };
    const SliceRef selected = state.selection().slice();
    painter.save();
    for (const SliceRef other : state.selection().otherSlices())
        outline(other);
    const QRectF box = outline(selected);
    painter.restore();
    if (!box.isEmpty()) {
        painter.save();
        painter.setClipRect(lanes);
        if (const auto linked = linkedSlice(*state.run().model(), selected)) {
            const QRectF other = geometry.rectOf(*linked);
            const bool onGpu = state.run().model()->track(selected.track).kind == TrackKind::GpuStream;
            const auto begin = [](const QRectF& r) { return QPointF(r.left(), r.center().y()); };
            if (!other.isEmpty())
                TimelinePainter::paintFlow(painter, begin(onGpu ? other : box), begin(onGpu ? box : other),
                                           palette);
        }
        painter.restore();
    }
    paintMarkLines(painter, QRect(lanes.left(), rulerHeight, lanes.width(), viewport.height()), time,
                   *state.run().edits(), palette);
    if (const auto hover = state.selection().hoverTime()) {
        QPen pen(colors.dimText, 1, Qt::DashLine);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.drawLine(x(*hover), 0, x(*hover), viewport.height());
    }
    const RangeLabel label = geometry.rangeLabel();
    const bool isOver = viewport.underMouse() && label.button.box.contains(gesture.position);
    paintRangeLabel(painter, label, isOver, palette);
    painter.restore();
}

} // namespace collscope
