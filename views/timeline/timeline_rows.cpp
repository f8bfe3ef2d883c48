// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// State of the timeline's rows: open, collapsed, pinned, filtered, focused.

#include "views/format.h"
#include "views/theme.h"
#include "views/timeline/timeline_layout.h"
#include "views/timeline/timeline_ruler.h"
#include "views/timeline/timeline_view.h"

#include <QLineEdit>
#include <QScrollBar>
#include <QShortcut>

#include <algorithm>

namespace collscope {

namespace { } // namespace

void TimelineView::rebuildLayout()
{
    m_choices.hiddenRanks.clear();
    const int groupsBefore = m_layout.groupsHeight();
    m_choices.rankNotes.clear();
    m_layout = {};
    m_densities.clear();
    if (const TraceModelPtr& model = m_state->model()) {
        for (const std::int32_t rank : model->ranks()) {
            if (m_state->isRankHidden(rank))
                m_choices.hiddenRanks.insert(rank);
            if (const std::string label = m_state->mesh().labelOf(rank); !label.empty())
                m_choices.rankNotes[rank] = toText(label);
        }
        const RunCollectivesPtr& run = m_state->collectives();
        m_layout = run ? TimelineLayout(*model, m_choices, m_groups, run->matching.groups)
                       : TimelineLayout(*model, m_choices, GroupLanes(), {});
        for (const TimelineRow& row : m_layout.rows()) {
            if (row.kind == RowKind::GroupSummary)
                m_densities.emplace(row.lanes.front(), GroupDensity(m_groups, row.lanes));
        }
    }
    updateScrollBar();
    // Adding or removing lanes above the visible rows must not move the visible rows.
    if (verticalScrollBar()->value() > groupsBefore)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + m_layout.groupsHeight() - groupsBefore);
    viewport()->update();
    emit rowsChanged();
}

void TimelineView::updateScrollBar()
{
    const int visible = viewport()->height() - timelineTopHeight;
    verticalScrollBar()->setRange(0, std::max(0, m_layout.height() - visible));
    verticalScrollBar()->setPageStep(std::max(visible - pinnedInSight(), 1));
    verticalScrollBar()->setSingleStep(24);
}

int TimelineView::topOf(const TimelineRow& row) const
{
    return timelineTopHeight + row.y - (row.isPinned ? 0 : verticalScrollBar()->value());
}

/// Visible height of the pinned rows, which leave at least a third to the others.
int TimelineView::pinnedInSight() const
{
    return std::min(m_layout.pinnedHeight(), lanesRect().height() * 2 / 3);
}

QRect TimelineView::areaOf(const TimelineRow& row) const
{
    const QRect lanes = lanesRect();
    const int pinned = pinnedInSight();
    return row.isPinned ? QRect(lanes.left(), lanes.top(), lanes.width(), pinned)
                        : lanes.adjusted(0, pinned, 0, 0);
}

const TimelineRow* TimelineView::rowAtViewport(int y) const
{
    const int inRows = y - timelineTopHeight;
    if (inRows < 0)
        return nullptr;
    return m_layout.rowAt(inRows < pinnedInSight() ? inRows : inRows + verticalScrollBar()->value());
}

void TimelineView::setThreadsOpen(bool open)
{
    m_choices.openThreads.clear();
    if (open && m_state->model()) {
        for (std::uint32_t i = 0; i < m_state->model()->timelines.size(); ++i)
            m_choices.openThreads.insert(i);
    }
    rebuildLayout();
}

bool TimelineView::areThreadsOpen() const
{
    return m_state->model() && m_choices.openThreads.size() == m_state->model()->timelines.size();
}

void TimelineView::setGroupsOpen(bool open)
{
    m_choices.openGroups = open;
    rebuildLayout();
}

void TimelineView::toggleRow(const TimelineRow& row)
{
    const auto flip = [](auto& set, auto value) {
        if (!set.insert(value).second)
            set.erase(value);
    };
    switch (row.toggle) {
    case RowToggle::None:
        return;
    case RowToggle::Groups:
        m_choices.openGroups = !row.isExpanded;
        break;
    case RowToggle::Rank:
        flip(m_choices.collapsedRanks, m_state->model()->timeline(row.timeline).rank);
        break;
    case RowToggle::Threads:
        flip(m_choices.openThreads, row.timeline.value);
        break;
    }
    rebuildLayout();
    if (m_focus && m_layout.rowOfKey(*m_focus))
        return;
    // The focused row is collapsed, so the row that represents it gets the focus.
    const auto first
        = std::find_if(m_layout.rows().begin(), m_layout.rows().end(), [&row](const TimelineRow& other) {
              return !other.isPinned && other.timeline == row.timeline;
          });
    if (first != m_layout.rows().end())
        m_focus = first->key;
}

void TimelineView::setRanksCollapsed(bool collapsed)
{
    std::set<std::int32_t> ranks;
    for (const TimelineRow& row : m_layout.rows()) {
        if (row.timeline && !row.isPinned)
            ranks.insert(m_state->model()->timeline(row.timeline).rank);
    }
    for (const std::int32_t rank : ranks) {
        if (collapsed)
            m_choices.collapsedRanks.insert(rank);
        else
            m_choices.collapsedRanks.erase(rank);
    }
    rebuildLayout();
}

void TimelineView::setOpen(const std::set<std::int32_t>& collapsedRanks,
                           const std::set<std::uint32_t>& openThreads, std::optional<bool> openGroups,
                           double scale)
{
    m_choices.collapsedRanks = collapsedRanks;
    m_choices.openThreads = openThreads;
    m_choices.openGroups = openGroups;
    m_choices.scale = std::clamp(scale, smallestRowScale, largestRowScale);
    rebuildLayout();
}

const TimelineRow* TimelineView::focusedRow() const
{
    if (m_state->selectedSlice()) {
        if (const TimelineRow* row = m_layout.rowOf(m_state->selectedSlice().track))
            return row;
    }
    return m_focus ? m_layout.rowOfKey(*m_focus) : nullptr;
}

/// Clears the selection on other rows, which would otherwise keep the keyboard focus.
void TimelineView::focusRow(const TimelineRow& row)
{
    m_focus = row.key;
    const SliceRef selected = m_state->selectedSlice();
    if (selected && m_layout.rowOf(selected.track) != &row)
        m_state->setSelectedSlice({});
    viewport()->update();
}

void TimelineView::focusNextRow(int direction)
{
    const std::vector<TimelineRow>& rows = m_layout.rows();
    if (rows.empty())
        return;
    const TimelineRow* const from = focusedRow();
    const auto inSight = [this](const TimelineRow& row) { return topOf(row) >= areaOf(row).top(); };
    const auto next = from ? rows.begin() + (from - rows.data()) + direction
                           : std::find_if(rows.begin(), rows.end(), inSight);
    if (next < rows.begin() || next >= rows.end())
        return;
    m_focus = next->key;
    scrollTo(*next, 0);
    viewport()->update();
}

void TimelineView::toggleFocusedRow()
{
    const TimelineRow* row = focusedRow();
    if (!row)
        return;
    // A stream opens the threads of its rank.
    if (row->kind == RowKind::Stream) {
        const auto threads
            = std::find_if(m_layout.rows().begin(), m_layout.rows().end(), [row](const TimelineRow& other) {
                  return other.toggle == RowToggle::Threads && other.timeline == row->timeline;
              });
        row = threads == m_layout.rows().end() ? row : &*threads;
    }
    toggleRow(TimelineRow(*row)); // a copy, because the rows are rebuilt
}

void TimelineView::toggleRankOfFocus()
{
    const TimelineRow* row = focusedRow();
    if (!row || row->key.rank < 0)
        return;
    TimelineRow rank = *row;
    rank.toggle = RowToggle::Rank;
    toggleRow(rank);
}

void TimelineView::togglePin()
{
    const TimelineRow* row = focusedRow();
    if (row && row->canBePinned())
        m_state->edits()->setPinned(row->key, !row->isPinned);
    else
        emit noticed(tr("Select a slice or click a row name to pin that row"));
}

void TimelineView::onEdited()
{
    if (m_choices.pins != m_state->edits()->pins()) {
        m_choices.pins = m_state->edits()->pins();
        rebuildLayout();
    }
    viewport()->update();
}

void TimelineView::buildFilter()
{
    m_filter->setObjectName(QStringLiteral("rowFilter"));
    m_filter->setPlaceholderText(tr("Filter rows"));
    m_filter->setAccessibleName(tr("Row filter"));
    m_filter->setToolTip(
        tr("Part of a row name, such as rank 3, comm or stream 7, or a /regular expression/"));
    m_filter->setClearButtonEnabled(true);
    m_filter->hide();
    connect(m_filter, &QLineEdit::textChanged, m_state, &ViewState::setRowFilter);
    connect(m_filter, &QLineEdit::returnPressed, this, qOverload<>(&QWidget::setFocus));
    const auto* leave = new QShortcut(Qt::Key_Escape, m_filter, nullptr, nullptr, Qt::WidgetShortcut);
    connect(leave, &QShortcut::activated, this, [this] {
        m_filter->clear();
        setFocus();
    });
}

void TimelineView::editFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void TimelineView::onFilterChanged()
{
    showFilter();
    rebuildLayout();
}

void TimelineView::showFilter()
{
    m_choices.filter = NameFilter(m_state->rowFilter());
    if (m_filter->text() != m_state->rowFilter())
        m_filter->setText(m_state->rowFilter());
    QPalette colors;
    if (const Status filter = m_choices.filter.check(); !filter) {
        colors.setColor(QPalette::Text, surfaces(palette()).worse);
        emit noticed(toText(filter.error().message));
    }
    m_filter->setPalette(colors);
}

void TimelineView::goToTrack(TrackId track)
{
    const Timeline& timeline = m_state->model()->timeline(m_state->model()->track(track).timeline);
    m_state->setRankHidden(timeline.rank, false);
    if (!m_layout.rowOf(track)) {
        m_state->setRowFilter({});
        m_choices.collapsedRanks.erase(timeline.rank);
        if (m_state->model()->track(track).kind != TrackKind::GpuStream)
            m_choices.openThreads.insert(m_state->model()->track(track).timeline.value);
        rebuildLayout();
    }
    if (const TimelineRow* row = m_layout.rowOf(track)) {
        focusRow(*row);
        scrollTo(*row, 0);
    }
}

void TimelineView::scrollTo(const TimelineRow& row, int level)
{
    if (row.isPinned)
        return;
    const QRect area = areaOf(row);
    const int top = topOf(row) + row.offsetOfLevel(level);
    if (top < area.top() || top + row.laneHeight > area.bottom())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + top - area.center().y());
}

void TimelineView::reveal(SliceRef slice)
{
    const Track& track = m_state->model()->track(slice.track);
    if (!m_layout.rowOf(slice.track)) {
        m_state->setRowFilter({}); // an explicit request overrides the row filter
        m_choices.collapsedRanks.erase(m_state->model()->timelineOf(slice).rank);
        if (track.kind != TrackKind::GpuStream)
            m_choices.openThreads.insert(track.timeline.value);
        rebuildLayout();
    }
    if (const TimelineRow* row = m_layout.rowOf(slice.track))
        scrollTo(*row, row->levelOf(track.slices.depth[slice.row]));
    viewport()->update();
}

} // namespace collscope
