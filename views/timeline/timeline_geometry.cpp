// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_geometry.h"

#include "views/timeline/hit_test.h"
#include "views/timeline/timeline_painter.h"
#include "views/timeline/timeline_rows.h"
#include "views/timeline/timeline_ruler.h"

#include <QAbstractScrollArea>
#include <QCursor>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {
constexpr double instantTolerance = 4; ///< px: half a diamond
} // namespace

TimelineGeometry::TimelineGeometry(ViewState& state, const TimelineRows& rows, QAbstractScrollArea& area)
    : m_state(state)
    , m_rows(rows)
    , m_area(area)
{ }

QRect TimelineGeometry::lanesRect() const
{
    const QWidget& viewport = *m_area.viewport();
    return {timelineHeaderWidth, timelineTopHeight, std::max(1, viewport.width() - timelineHeaderWidth),
            std::max(0, viewport.height() - timelineTopHeight)};
}

TimeAxis TimelineGeometry::axis() const
{
    return {m_state.viewport().visibleRange(), static_cast<double>(lanesRect().width())};
}

TimeAxis TimelineGeometry::axisOf(TimelineId timeline) const
{
    return {m_state.run().clocks().fromAxis(timeline.value, m_state.viewport().visibleRange()),
            static_cast<double>(lanesRect().width())};
}

void TimelineGeometry::updateScrollBar()
{
    QScrollBar& bar = *m_area.verticalScrollBar();
    const int visible = m_area.viewport()->height() - timelineTopHeight;
    bar.setRange(0, std::max(0, m_rows.layout().height() - visible));
    bar.setPageStep(std::max(visible - pinnedInSight(), 1));
    bar.setSingleStep(24);
}

int TimelineGeometry::topOf(const TimelineRow& row) const
{
    return timelineTopHeight + row.y - (row.isPinned ? 0 : m_area.verticalScrollBar()->value());
}

/// Visible height of the pinned rows, which leave at least a third to the others.
int TimelineGeometry::pinnedInSight() const
{
    return std::min(m_rows.layout().pinnedHeight(), lanesRect().height() * 2 / 3);
}

QRect TimelineGeometry::areaOf(const TimelineRow& row) const
{
    const QRect lanes = lanesRect();
    const int pinned = pinnedInSight();
    return row.isPinned ? QRect(lanes.left(), lanes.top(), lanes.width(), pinned)
                        : lanes.adjusted(0, pinned, 0, 0);
}

const TimelineRow* TimelineGeometry::rowAt(int y) const
{
    const int inRows = y - timelineTopHeight;
    if (inRows < 0)
        return nullptr;
    const int scrolled = inRows < pinnedInSight() ? 0 : m_area.verticalScrollBar()->value();
    return m_rows.layout().rowAt(inRows + scrolled);
}

void TimelineGeometry::scrollTo(const TimelineRow& row, int level)
{
    if (row.isPinned)
        return;
    const QRect area = areaOf(row);
    const int top = topOf(row) + row.offsetOfLevel(level);
    QScrollBar& bar = *m_area.verticalScrollBar();
    if (top < area.top() || top + row.laneHeight > area.bottom())
        bar.setValue(bar.value() + top - area.center().y());
}

QRectF TimelineGeometry::rectOf(SliceRef slice) const
{
    const TimelineRow* row = slice ? m_rows.layout().rowOf(slice.track) : nullptr;
    if (!row)
        return {};
    const int level = row->levelOf(m_state.run().model()->track(slice.track).slices.depth[slice.row]);
    return boxInSight(m_state.run().rangeOf(slice), *row, level);
}

QRectF TimelineGeometry::rectOfCollective(std::uint32_t instance) const
{
    const CollectiveSpan* span = m_rows.groups().span(instance);
    const TimelineRow* row = span ? m_rows.layout().rowOfLane(span->lane) : nullptr;
    return row ? boxInSight({span->beginNs, span->endNs}, *row, span->level) : QRectF();
}

QRectF TimelineGeometry::rectOfInstant(TrackId track, std::size_t instant) const
{
    const TimelineRow* row = m_rows.layout().rowOf(track);
    if (!row || row->instantHeight == 0)
        return {};
    const TimeAxis time = axisOf(row->timeline);
    const QRect lanes = lanesRect();
    const double x = std::floor(time.xOf(m_state.run().model()->track(track).instants.timeNs[instant]));
    if (x < 0 || x >= time.width())
        return {};
    const QRectF rect(lanes.left() + x, topOf(*row), 1, row->instantHeight);
    return areaOf(*row).intersects(rect.toAlignedRect()) ? rect : QRectF();
}

RangeLabel TimelineGeometry::rangeLabel() const
{
    const auto range = m_state.selection().range();
    if (!m_state.run().model() || !range)
        return {};
    const QRect lanes = lanesRect();
    const TimeAxis time = axis();
    return layOutRangeLabel(m_area.viewport()->fontMetrics(),
                            QRect(lanes.left(), rulerHeight + 3, lanes.width(), stepsHeight - 6),
                            time.xOf(range->beginNs), time.xOf(range->endNs), *range,
                            m_state.selection().summary().get());
}

bool TimelineGeometry::isEvidenceInSight() const
{
    const TimeRange visible = m_state.viewport().visibleRange();
    const RunCollectivesPtr& run = m_state.run().collectives();
    const auto isSeen = [&](SliceRef slice) {
        if (!m_state.run().rangeOf(slice).overlaps(visible))
            return false;
        const auto instance = run ? run->instanceOf(slice) : std::nullopt;
        return !rectOf(slice).isEmpty() || (instance && !rectOfCollective(*instance).isEmpty());
    };
    const auto& slices = m_state.emphasis().evidence();
    const auto& ranges = m_state.emphasis().evidenceRanges();
    return std::any_of(slices.begin(), slices.end(), isSeen)
        || std::any_of(ranges.begin(), ranges.end(),
                       [&](TimeRange range) { return range.overlaps(visible); });
}

/// The painted box of an axis range on a level; empty if it is not visible.
QRectF TimelineGeometry::boxInSight(TimeRange range, const TimelineRow& row, int level) const
{
    const QRect lanes = lanesRect();
    const TimeAxis time = axis();
    const double left = std::max(time.xOf(range.beginNs), 0.0);
    const double right = std::min(std::max(time.xOf(range.endNs), time.xOf(range.beginNs) + 1), time.width());
    const QRectF rect(lanes.left() + std::floor(left), topOf(row) + row.offsetOfLevel(level),
                      std::max(1.0, std::floor(right) - std::floor(left)), row.laneHeight);
    return right > 0 && left < time.width() && areaOf(row).intersects(rect.toAlignedRect()) ? rect : QRectF();
}

std::optional<SliceRef> TimelineGeometry::sliceAt(QPoint position) const
{
    if (const auto instance = collectiveAt(position)) {
        const RunCollectives& run = *m_state.run().collectives();
        return run.callOf(lastArriver(*m_state.run().model(), run, m_state.run().clocks(), *instance)).slice;
    }
    const QRect lanes = lanesRect();
    const TimelineRow* row = position.x() < lanes.left() ? nullptr : rowAt(position.y());
    if (!row || !row->showsTrack())
        return std::nullopt;
    const int inLevels = position.y() - topOf(*row) - row->offsetOfLevel(0);
    if (inLevels < 0 || inLevels >= row->levels * row->laneHeight)
        return std::nullopt; // in the strip of instants, or on the lane of gaps
    constexpr int tolerance = 2;
    return sliceAtColumn(*m_state.run().model(), *row, axisOf(row->timeline), position.x() - lanes.left(),
                         inLevels / std::max(row->laneHeight, 1), tolerance);
}

std::optional<std::uint32_t> TimelineGeometry::collectiveAt(QPoint position) const
{
    const QRect lanes = lanesRect();
    const TimelineRow* row = position.x() < lanes.left() ? nullptr : rowAt(position.y());
    const GroupLanes& groups = m_rows.groups();
    if (!row || row->kind != RowKind::Group || groups.lanes().empty())
        return std::nullopt;
    const TimeAxis time = axis();
    return collscope::collectiveAt(
        groups, groups.lanes()[row->lanes.front()], time.timeAt(position.x() - lanes.left()),
        (position.y() - topOf(*row) - row->offsetOfLevel(0)) / std::max(row->laneHeight, 1),
        2 * time.nsPerPixel());
}

std::optional<LaneGap> TimelineGeometry::gapAt(QPoint position) const
{
    const QRect lanes = lanesRect();
    const TimelineRow* row = position.x() < lanes.left() ? nullptr : rowAt(position.y());
    if (!row || position.y() < topOf(*row) + row->height)
        return std::nullopt;
    return collscope::gapAt(m_state.run().gapsOf(row->timeline), axisOf(row->timeline),
                            position.x() - lanes.left());
}

std::optional<DrawInstant> TimelineGeometry::instantAt(const TimelineRow& row, QPoint position) const
{
    if (row.instantHeight == 0 || position.y() >= topOf(row) + row.offsetOfLevel(0))
        return std::nullopt;
    return collscope::instantAt(m_state.run().model()->track(row.tracks.front()).instants,
                                axisOf(row.timeline), position.x() - lanesRect().left() + 0.5,
                                instantTolerance);
}

std::int64_t TimelineGeometry::timeAtCursor() const
{
    // The last hover time is not used, because the view may have moved under a resting mouse.
    const QWidget& viewport = *m_area.viewport();
    const QPoint cursor = viewport.mapFromGlobal(QCursor::pos());
    const QRect lanes = lanesRect();
    if (viewport.underMouse() && cursor.x() >= lanes.left())
        return axis().timeAt(cursor.x() - lanes.left());
    const TimeRange visible = m_state.viewport().visibleRange();
    const auto hover = m_state.selection().hoverTime();
    return hover && visible.contains(*hover) ? *hover : visible.beginNs + visible.lengthNs() / 2;
}

} // namespace collscope
