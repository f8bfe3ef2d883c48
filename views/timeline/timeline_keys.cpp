// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Keyboard input of the timeline and the actions of its keys.

#include "model/queries/slice_query.h"
#include "views/axis_gestures.h"
#include "views/format.h"
#include "views/search/search_model.h"
#include "views/timeline/group_text.h"
#include "views/timeline/timeline_view.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <numeric>
#include <string_view>

namespace collscope {

namespace {

/// Returns the key by its physical position, which has different letters on other keyboard layouts (X11 and
/// Wayland: evdev code + 8).
int physicalKey(const QKeyEvent& event)
{
    switch (event.nativeScanCode()) {
    case 25:
        return Qt::Key_W;
    case 38:
        return Qt::Key_A;
    case 39:
        return Qt::Key_S;
    case 40:
        return Qt::Key_D;
    default:
        return event.key();
    }
}

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

bool TimelineView::event(QEvent* event)
{
    // These letters are commands of the timeline; shortcuts of other widgets must not intercept them.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const int letter = physicalKey(*key);
        if (!(key->modifiers() & ~Qt::ShiftModifier) && letter >= Qt::Key_A && letter <= Qt::Key_Z
            && std::string_view("ACDFMNPRSWZ").find(static_cast<char>(letter)) != std::string_view::npos)
            key->accept();
    }
    return QAbstractScrollArea::event(event);
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    if (m_state->model() && event->matches(QKeySequence::SelectAll))
        return m_state->setSelectedRange(m_state->runRange());
    if (m_state->model() && event->matches(QKeySequence::Copy))
        return copySelection();
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const int key = physicalKey(*event);
    if (plain && m_state->model()
        && (handleTimeKey(key) || handleSelectionKey(key, shift) || handleMarkKey(key, shift)))
        event->accept();
    else
        QAbstractScrollArea::keyPressEvent(event); // Esc too: the window handles it
}

bool TimelineView::handleTimeKey(int key)
{
    const std::int64_t length = m_state->visibleRange().lengthNs();
    const TimeRange run = m_state->runRange();
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        zoomOut();
        return true;
    case Qt::Key_A:
        panBySteps(*m_state, -1);
        return true;
    case Qt::Key_D:
        panBySteps(*m_state, 1);
        return true;
    case Qt::Key_0:
        fitAll();
        return true;
    case Qt::Key_F:
        fitSelection();
        return true;
    case Qt::Key_Z:
        if (m_state->selectedRange())
            m_state->showRange(*m_state->selectedRange());
        return true;
    case Qt::Key_Home:
        m_state->setVisibleRange({run.beginNs, run.beginNs + length});
        return true;
    case Qt::Key_End:
        m_state->setVisibleRange({run.endNs - length, run.endNs});
        return true;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        verticalScrollBar()->triggerAction(key == Qt::Key_PageUp ? QAbstractSlider::SliderPageStepSub
                                                                 : QAbstractSlider::SliderPageStepAdd);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Comma:
    case Qt::Key_Period:
        if (m_state->selectedSlice())
            return false; // the key moves between slices
        panBySteps(*m_state, key == Qt::Key_Left || key == Qt::Key_Comma ? -1 : 1);
        return true;
    default:
        return false;
    }
}

bool TimelineView::handleSelectionKey(int key, bool shift)
{
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Comma:
        selectNeighbour(-1);
        return true;
    case Qt::Key_Right:
    case Qt::Key_Period:
        selectNeighbour(1);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        selectOnNextRow(key == Qt::Key_Up ? -1 : 1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Asterisk:
        shift ? toggleRankOfFocus() : toggleFocusedRow();
        return true;
    case Qt::Key_BracketLeft:
        followLink(-1);
        return true;
    case Qt::Key_BracketRight:
        followLink(1);
        return true;
    case Qt::Key_P:
        togglePin();
        return true;
    case Qt::Key_C:
        walkCollective(shift ? -1 : 1);
        return true;
    case Qt::Key_R:
        if (m_state->selectedSlice())
            m_state->setSelectedRange(m_state->rangeOf(m_state->selectedSlice()));
        return true;
    default:
        return false;
    }
}

bool TimelineView::handleMarkKey(int key, bool shift)
{
    switch (key) {
    case Qt::Key_M:
        shift ? keepMark() : setTemporaryMark();
        return true;
    case Qt::Key_N:
        walkMarks(shift ? -1 : 1);
        return true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        removeMark();
        return true;
    default:
        return false;
    }
}

void TimelineView::showSlice(SliceRef slice)
{
    m_state->revealSlice(slice, true);
}

void TimelineView::selectNeighbour(int direction)
{
    const SliceRef selected = m_state->selectedSlice();
    const SliceColumns& slices = m_state->model()->track(selected.track).slices;
    // The neighbour on the same level: the children of a CPU slice do not count as its successors.
    auto row = static_cast<std::int64_t>(selected.row) + direction;
    while (row >= 0 && row < static_cast<std::int64_t>(slices.size())
           && slices.depth[static_cast<std::size_t>(row)] != slices.depth[selected.row])
        row += direction;
    if (row < 0 || row >= static_cast<std::int64_t>(slices.size()))
        return;
    const SliceRef next{selected.track, static_cast<std::uint32_t>(row)};
    m_state->setSelectedSlice(next);
    const TimeRange range = m_state->rangeOf(next);
    if (!m_state->visibleRange().contains(range.beginNs))
        m_state->showRange(range, true);
}

std::optional<SliceRef> TimelineView::nearestOn(const TimelineRow& row, std::int64_t axisNs) const
{
    const TrackId track = row.tracks.front();
    const SliceColumns& slices = m_state->model()->track(track).slices;
    if (slices.size() == 0)
        return std::nullopt;
    const std::int64_t timeNs = m_state->clocks().fromAxis(row.timeline.value, axisNs);
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

void TimelineView::selectOnNextRow(int direction)
{
    const SliceRef selected = m_state->selectedSlice();
    const TimelineRow* const from = selected ? m_layout.rowOf(selected.track) : nullptr;
    if (!from) {
        focusNextRow(direction);
        return;
    }
    const TimeRange range = m_state->rangeOf(selected);
    const std::int64_t middle = range.beginNs + range.lengthNs() / 2;
    const std::vector<TimelineRow>& rows = m_layout.rows();
    for (std::ptrdiff_t i = from - rows.data() + direction; i >= 0 && i < std::ssize(rows); i += direction) {
        const TimelineRow& row = rows[static_cast<std::size_t>(i)];
        const auto slice = row.showsTrack() ? nearestOn(row, middle) : std::nullopt;
        if (slice) {
            showSlice(*slice);
            return;
        }
    }
}

void TimelineView::selectInStack(int direction)
{
    const SliceRef selected = m_state->selectedSlice();
    if (!m_state->model() || !selected)
        return;
    const SliceColumns& slices = m_state->model()->track(selected.track).slices;
    const auto row = direction < 0 ? parentOf(slices, selected.row) : childOf(slices, selected.row);
    if (row)
        showSlice({selected.track, *row});
    else
        emit noticed(direction < 0 ? tr("The selected slice has no parent slice")
                                   : tr("The selected slice has no child slice"));
}

/// Copies the selected slices in the same format as the table of slices.
void TimelineView::copySelection()
{
    std::vector<SliceRef> slices = m_state->otherSlices();
    if (m_state->selectedSlice())
        slices.push_back(m_state->selectedSlice());
    if (slices.empty()) {
        emit noticed(tr("Select a slice to copy; Ctrl+click adds more"));
        return;
    }
    SearchModel rows(m_state);
    rows.setSlices(slices);
    QList<int> all(rows.rowCount());
    std::iota(all.begin(), all.end(), 0);
    copyRows(rows, all);
    emit noticed(tr("Copied %n slice(s)", nullptr, static_cast<int>(slices.size())));
}

void TimelineView::walkCollective(int direction)
{
    if (!m_state->model())
        return;
    const auto instance = m_state->selectedInstance();
    const RunCollectivesPtr& run = m_state->collectives();
    if (!instance) {
        emit noticed(m_state->selectedSlice() ? tr(
                         "The selected slice does not belong to a collective that was matched across ranks")
                                              : tr("Select a collective first to step through its ranks"));
        return;
    }
    const auto members = run->matching.membersOf(run->matching.instances[*instance]);
    const auto selected = std::find_if(members.begin(), members.end(), [&](CallRef member) {
        return run->callOf(member).slice == m_state->selectedSlice();
    });
    const auto count = static_cast<std::ptrdiff_t>(members.size());
    const std::ptrdiff_t next = (selected - members.begin() + direction + count) % count;
    const CallRef member = members[static_cast<std::size_t>(next)];
    m_state->revealSlice(run->callOf(member).slice, true);
    emit noticed(tr("%1 on rank %2 (%3 of %4)")
                     .arg(collectiveTitle(*run, *instance))
                     .arg(run->ranks[member.rank].rank)
                     .arg(next + 1)
                     .arg(count));
}

void TimelineView::followLink(int direction)
{
    const SliceRef selected = m_state->selectedSlice();
    if (!m_state->model() || !selected) {
        emit noticed(tr("Select a kernel or its launch call first to follow the link between them"));
        return;
    }
    const bool onGpu = m_state->model()->track(selected.track).kind == TrackKind::GpuStream;
    const std::optional<SliceRef> linked
        = onGpu == (direction < 0) ? firstLinked(*m_state->model(), selected) : std::nullopt;
    if (linked)
        m_state->revealSlice(*linked);
    else if (onGpu)
        emit noticed(direction < 0 ? tr("The trace does not record which call launched this")
                                   : tr("Kernels have no outgoing link; press [ to go to the launch call"));
    else
        emit noticed(direction > 0
                         ? tr("This slice did not launch any GPU work")
                         : tr("CPU slices have no incoming link; press ] to go to the launched GPU work"));
}

std::int64_t TimelineView::timeAtCursor() const
{
    // The last hover time is not used, because the view may have moved under a resting mouse.
    const QPoint cursor = viewport()->mapFromGlobal(QCursor::pos());
    const QRect lanes = lanesRect();
    if (viewport()->underMouse() && cursor.x() >= lanes.left())
        return axis().timeAt(cursor.x() - lanes.left());
    const TimeRange visible = m_state->visibleRange();
    const auto hover = m_state->hoverTime();
    return hover && visible.contains(*hover) ? *hover : visible.beginNs + visible.lengthNs() / 2;
}

void TimelineView::setTemporaryMark()
{
    if (m_state->model())
        m_state->edits()->setTemporaryMark(timeAtCursor());
}

void TimelineView::keepMark()
{
    if (m_state->model())
        m_state->edits()->keepMark(timeAtCursor());
}

void TimelineView::walkMarks(int direction)
{
    RunEdits& edits = *m_state->edits();
    const TimeRange visible = m_state->visibleRange();
    const std::int64_t from = edits.currentMark().value_or(visible.beginNs + visible.lengthNs() / 2);
    if (const auto next = edits.neighbour(from, direction)) {
        edits.setCurrentMark(*next);
        m_state->showRange({*next, *next}, true);
        return;
    }
    emit noticed(edits.marks().empty() && !edits.temporaryMark()
                     ? tr("No marks yet. Press Shift+M to set one at the cursor")
                     : direction > 0 ? tr("This is the last mark")
                                     : tr("This is the first mark"));
}

void TimelineView::removeMark()
{
    if (const auto current = m_state->edits()->currentMark())
        m_state->edits()->removeMark(*current);
}

} // namespace collscope
