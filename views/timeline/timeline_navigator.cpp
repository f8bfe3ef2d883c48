// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_navigator.h"

#include "model/queries/slice_query.h"
#include "views/common/format.h"
#include "views/rows/group_text.h"
#include "views/search/search_model.h"
#include "views/timeline/timeline_geometry.h"
#include "views/timeline/timeline_rows.h"

#include <QAbstractScrollArea>
#include <QCursor>

#include <algorithm>
#include <numeric>

namespace collscope {

namespace {

/// Returns the row of the slice that encloses this one; nullopt for an outermost slice.
std::optional<std::uint32_t> parentOf(const SliceColumns& slices, std::uint32_t row)
{
    for (std::uint32_t i = slices.depth[row] > 0 ? row : 0; i-- > 0;) {
        if (slices.depth[i] < slices.depth[row])
            return i;
    }
    return std::nullopt;
}

/// Returns the row of the first slice that this one encloses.
std::optional<std::uint32_t> childOf(const SliceColumns& slices, std::uint32_t row)
{
    const std::uint32_t next = row + 1;
    const bool isChild = next < slices.size() && slices.depth[next] > slices.depth[row];
    return isChild ? std::optional(next) : std::nullopt;
}

} // namespace

TimelineNavigator::TimelineNavigator(TimelineGeometry& geometry, TimelineRows& rows, QObject* parent)
    : QObject(parent)
    , m_geometry(geometry)
    , m_rows(rows)
    , m_state(geometry.state())
{
    connect(&m_state.selection(), &ViewSelection::sliceChanged, this, [this] { m_centredOnly = false; });
}

void TimelineNavigator::zoomAtCursor(double factor)
{
    const QWidget& viewport = *m_geometry.area().viewport();
    const QPoint cursor = viewport.mapFromGlobal(QCursor::pos());
    const QRect lanes = m_geometry.lanesRect();
    const bool inside = lanes.contains(cursor) && viewport.underMouse();
    const TimeRange visible = m_state.viewport().visibleRange();
    m_state.viewport().zoomAround(inside ? m_geometry.axis().timeAt(cursor.x() - lanes.left())
                                         : visible.beginNs + visible.lengthNs() / 2,
                                  factor);
}

void TimelineNavigator::fitAll()
{
    if (m_state.run().model())
        m_state.viewport().showRange(m_state.run().range());
}

void TimelineNavigator::fitSelection()
{
    if (!m_state.run().model())
        return;
    if (m_state.selection().slice()) {
        const TimeRange range = m_state.run().rangeOf(m_state.selection().slice());
        m_state.viewport().showRange(range, !m_centredOnly);
        m_centredOnly = !m_centredOnly;
    } else {
        m_state.viewport().showRange(m_state.selection().range().value_or(m_state.run().initialView()));
    }
}

void TimelineNavigator::selectNeighbour(int direction)
{
    const SliceRef selected = m_state.selection().slice();
    const SliceColumns& slices = m_state.run().model()->track(selected.track).slices;
    // The neighbour on the same level: the children of a CPU slice do not count as its successors.
    auto row = static_cast<std::int64_t>(selected.row) + direction;
    while (row >= 0 && row < static_cast<std::int64_t>(slices.size())
           && slices.depth[static_cast<std::size_t>(row)] != slices.depth[selected.row])
        row += direction;
    if (row < 0 || row >= static_cast<std::int64_t>(slices.size()))
        return;
    const SliceRef next{selected.track, static_cast<std::uint32_t>(row)};
    m_state.selection().setSlice(next);
    const TimeRange range = m_state.run().rangeOf(next);
    if (!m_state.viewport().visibleRange().contains(range.beginNs))
        m_state.viewport().showRange(range, true);
}

/// The slice of a row that is closest to a time; the outermost if there are several.
std::optional<SliceRef> TimelineNavigator::nearestOn(const TimelineRow& row, std::int64_t axisNs) const
{
    const TrackId track = row.tracks.front();
    const SliceColumns& slices = m_state.run().model()->track(track).slices;
    if (slices.size() == 0)
        return std::nullopt;
    const std::int64_t timeNs = m_state.run().clocks().fromAxis(row.timeline.value, axisNs);
    const auto distance = [&](std::size_t i) {
        const TimeRange range = slices.range(i);
        return std::max<std::int64_t>({range.beginNs - timeNs, timeNs - range.endNs, 0});
    };
    const std::size_t next = firstStartingAt(slices, timeNs);
    std::size_t best = std::min(next, slices.size() - 1);
    if (next > 0 && distance(next - 1) < distance(best))
        best = next - 1;
    // Prefer the outermost slice: navigating to a thread should not select its innermost call.
    while (const auto parent = parentOf(slices, static_cast<std::uint32_t>(best))) {
        if (distance(*parent) > distance(best))
            break;
        best = *parent;
    }
    return SliceRef{track, static_cast<std::uint32_t>(best)};
}

void TimelineNavigator::selectOnNextRow(int direction)
{
    const SliceRef selected = m_state.selection().slice();
    const TimelineRow* const from = selected ? m_rows.layout().rowOf(selected.track) : nullptr;
    if (!from) {
        focusNextRow(direction);
        return;
    }
    const TimeRange range = m_state.run().rangeOf(selected);
    const std::int64_t middle = range.beginNs + range.lengthNs() / 2;
    const std::vector<TimelineRow>& rows = m_rows.layout().rows();
    for (std::ptrdiff_t i = from - rows.data() + direction; i >= 0 && i < std::ssize(rows); i += direction) {
        const TimelineRow& row = rows[static_cast<std::size_t>(i)];
        const auto slice = row.showsTrack() ? nearestOn(row, middle) : std::nullopt;
        if (slice) {
            m_state.revealSlice(*slice, true);
            return;
        }
    }
}

void TimelineNavigator::focusNextRow(int direction)
{
    const std::vector<TimelineRow>& rows = m_rows.layout().rows();
    if (rows.empty())
        return;
    const TimelineRow* const from = m_rows.focused();
    const auto inSight
        = [this](const TimelineRow& row) { return m_geometry.topOf(row) >= m_geometry.areaOf(row).top(); };
    const auto next = from ? rows.begin() + (from - rows.data()) + direction
                           : std::find_if(rows.begin(), rows.end(), inSight);
    if (next < rows.begin() || next >= rows.end())
        return;
    m_rows.moveFocus(*next);
    m_geometry.scrollTo(*next, 0);
}

void TimelineNavigator::selectInStack(int direction)
{
    const SliceRef selected = m_state.selection().slice();
    if (!m_state.run().model() || !selected)
        return;
    const SliceColumns& slices = m_state.run().model()->track(selected.track).slices;
    const auto row = direction < 0 ? parentOf(slices, selected.row) : childOf(slices, selected.row);
    if (row)
        m_state.revealSlice({selected.track, *row}, true);
    else
        emit noticed(direction < 0 ? tr("The selected slice has no parent slice")
                                   : tr("The selected slice has no child slice"));
}

/// Copies the selected slices in the same format as the table of slices.
void TimelineNavigator::copySelection()
{
    std::vector<SliceRef> slices = m_state.selection().otherSlices();
    if (m_state.selection().slice())
        slices.push_back(m_state.selection().slice());
    if (slices.empty()) {
        emit noticed(tr("Select a slice to copy; Ctrl+click adds more"));
        return;
    }
    SearchModel rows(&m_state);
    rows.setSlices(slices);
    QList<int> all(rows.rowCount());
    std::iota(all.begin(), all.end(), 0);
    copyRows(rows, all);
    emit noticed(tr("Copied %n slice(s)", nullptr, static_cast<int>(slices.size())));
}

void TimelineNavigator::walkCollective(int direction)
{
    if (!m_state.run().model())
        return;
    const auto instance = m_state.selection().collective();
    const RunCollectivesPtr& run = m_state.run().collectives();
    if (!instance) {
        emit noticed(m_state.selection().slice() ? tr(
                         "The selected slice does not belong to a collective that was matched across ranks")
                                                 : tr("Select a collective first to step through its ranks"));
        return;
    }
    const auto members = run->matching.membersOf(run->matching.instances[*instance]);
    const auto selected = std::find_if(members.begin(), members.end(), [&](CallRef member) {
        return run->callOf(member).slice == m_state.selection().slice();
    });
    const auto count = static_cast<std::ptrdiff_t>(members.size());
    const std::ptrdiff_t next = (selected - members.begin() + direction + count) % count;
    const CallRef member = members[static_cast<std::size_t>(next)];
    m_state.revealSlice(run->callOf(member).slice, true);
    emit noticed(tr("%1 on rank %2 (%3 of %4)")
                     .arg(collectiveTitle(*run, *instance))
                     .arg(run->ranks[member.rank].rank)
                     .arg(next + 1)
                     .arg(count));
}

void TimelineNavigator::followLink(int direction)
{
    const SliceRef selected = m_state.selection().slice();
    if (!m_state.run().model() || !selected) {
        emit noticed(tr("Select a kernel or its launch call first to follow the link between them"));
        return;
    }
    const bool onGpu = m_state.run().model()->track(selected.track).kind == TrackKind::GpuStream;
    const std::optional<SliceRef> linked
        = onGpu == (direction < 0) ? firstLinked(*m_state.run().model(), selected) : std::nullopt;
    if (linked)
        m_state.revealSlice(*linked);
    else if (onGpu)
        emit noticed(direction < 0 ? tr("The trace does not record which call launched this")
                                   : tr("Kernels have no outgoing link; press [ to go to the launch call"));
    else
        emit noticed(direction > 0
                         ? tr("This slice did not launch any GPU work")
                         : tr("CPU slices have no incoming link; press ] to go to the launched GPU work"));
}

void TimelineNavigator::goToTrack(TrackId track)
{
    const Timeline& timeline = m_state.run().model()->timeline(m_state.run().model()->track(track).timeline);
    m_state.preferences().setRankHidden(timeline.rank, false);
    if (const TimelineRow* row = m_rows.rowShowing(track)) {
        m_rows.focus(*row);
        m_geometry.scrollTo(*row, 0);
    }
}

void TimelineNavigator::reveal(SliceRef slice)
{
    const Track& track = m_state.run().model()->track(slice.track);
    if (const TimelineRow* row = m_rows.rowShowing(slice.track))
        m_geometry.scrollTo(*row, row->levelOf(track.slices.depth[slice.row]));
    m_geometry.area().viewport()->update();
}

void TimelineNavigator::setTemporaryMark()
{
    if (m_state.run().model())
        m_state.run().edits()->setTemporaryMark(m_geometry.timeAtCursor());
}

void TimelineNavigator::keepMark()
{
    if (m_state.run().model())
        m_state.run().edits()->keepMark(m_geometry.timeAtCursor());
}

void TimelineNavigator::walkMarks(int direction)
{
    RunEdits& edits = *m_state.run().edits();
    const TimeRange visible = m_state.viewport().visibleRange();
    const std::int64_t from = edits.currentMark().value_or(visible.beginNs + visible.lengthNs() / 2);
    if (const auto next = edits.neighbour(from, direction)) {
        edits.setCurrentMark(*next);
        m_state.viewport().showRange({*next, *next}, true);
        return;
    }
    emit noticed(edits.marks().empty() && !edits.temporaryMark()
                     ? tr("No marks yet. Press Shift+M to set one at the cursor")
                     : direction > 0 ? tr("This is the last mark")
                                     : tr("This is the first mark"));
}

void TimelineNavigator::removeMark()
{
    if (const auto current = m_state.run().edits()->currentMark())
        m_state.run().edits()->removeMark(*current);
}

} // namespace collscope
