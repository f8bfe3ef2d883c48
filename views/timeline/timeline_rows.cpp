// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_rows.h"

#include "views/common/format.h"

#include <algorithm>

namespace collscope {

TimelineRows::TimelineRows(ViewState* state, QObject* parent)
    : QObject(parent)
    , m_state(state)
{
    const auto emphasise = [this] {
        updateGroupEvidence();
        emit changed();
    };
    connect(&state->emphasis(), &Emphasis::evidenceChanged, this, emphasise);
    connect(&state->emphasis(), &Emphasis::matchesChanged, this, emphasise);
    connect(&state->run(), &RunContext::ghostChanged, this, &TimelineRows::rebuild);
    connect(&state->run(), &RunContext::collectivesChanged, this, &TimelineRows::onCollectivesChanged);
    connect(&state->run(), &RunContext::clocksChanged, this, &TimelineRows::onCollectivesChanged);
    connect(&state->run(), &RunContext::groupsChanged, this, &TimelineRows::onGroupsChanged);
    connect(&state->preferences(), &ViewPreferences::hiddenRanksChanged, this, &TimelineRows::rebuild);
    connect(&state->preferences(), &ViewPreferences::firstRanksChanged, this, &TimelineRows::rebuild);
    connect(&state->preferences(), &ViewPreferences::rankFoldsChanged, this, &TimelineRows::rebuild);
    connect(state->run().edits(), &RunEdits::changed, this, &TimelineRows::onEdited);
    connect(&state->preferences(), &ViewPreferences::rowFilterChanged, this, [this] {
        m_choices.filter = NameFilter(m_state->preferences().rowFilter());
        // Rows of collapsed ranks would not be found.
        if (m_isCollapsedToFit && !m_choices.filter.isEmpty()) {
            m_choices.collapsedRanks.clear();
            m_isCollapsedToFit = false;
        }
        rebuild();
    });
}

void TimelineRows::reset()
{
    m_groups.reset();
    m_densities.clear();
    m_groupEvidence.clear();
    m_choices = {};
    m_isCollapsedToFit = false;
    openRanksWithoutStreams();
    m_choices.filter = NameFilter(m_state->preferences().rowFilter());
    m_choices.pins = m_state->run().edits()->pins();
    m_focus.reset();
}

/// Opens ranks without GPU streams, of which the threads are the only content.
void TimelineRows::openRanksWithoutStreams()
{
    const TraceModelPtr& model = m_state->run().model();
    for (std::uint32_t i = 0; model && i < model->timelines.size(); ++i) {
        const std::vector<TrackId>& tracks = model->timelines[i].tracks;
        if (std::none_of(tracks.begin(), tracks.end(),
                         [&](TrackId id) { return model->track(id).kind == TrackKind::GpuStream; }))
            m_choices.openThreads.insert(i);
    }
}

void TimelineRows::rebuild()
{
    m_choices.hiddenRanks.clear();
    m_choices.firstRanks = m_state->preferences().firstRanks();
    const int groupsBefore = m_layout.groupsHeight();
    m_choices.rankNotes.clear();
    m_choices.showsGhost = m_state->run().ghost() != nullptr;
    m_layout = {};
    if (const TraceModelPtr& model = m_state->run().model()) {
        for (const std::int32_t rank : model->ranks()) {
            if (m_state->preferences().isRankHidden(rank) || m_state->preferences().isRankFolded(rank))
                m_choices.hiddenRanks.insert(rank);
            // What a row stands for matters more than its place in the mesh.
            if (const std::size_t folded = m_state->preferences().foldedInto(rank))
                m_choices.rankNotes[rank] = tr("and %1 alike").arg(folded);
            else if (const std::string label = m_state->run().mesh().labelOf(rank); !label.empty())
                m_choices.rankNotes[rank] = toText(label);
        }
        m_layout = m_groups
            ? TimelineLayout(*model, m_choices, m_groups->lanes, m_groups->run->matching.groups)
            : TimelineLayout(*model, m_choices, GroupLanes(), {});
        updateDensities();
    }
    emit rebuilt(groupsBefore);
}

void TimelineRows::updateDensities()
{
    if (m_groups != m_state->run().groups())
        return; // nothing of them is shown
    std::map<std::vector<std::size_t>, GroupDensity> densities;
    for (const TimelineRow& row : m_layout.rows()) {
        if (row.kind != RowKind::GroupSummary || m_groups->densities.contains(row.lanes))
            continue;
        if (const auto known = m_densities.find(row.lanes); known != m_densities.end())
            densities.insert(*known);
        else
            densities.try_emplace(row.lanes, m_groups->lanes, row.lanes);
    }
    m_densities = std::move(densities);
}

const GroupLanes& TimelineRows::groups() const
{
    static const GroupLanes none;
    return m_groups && m_groups == m_state->run().groups() ? m_groups->lanes : none;
}

const GroupDensity* TimelineRows::densityOf(const TimelineRow& row) const
{
    if (!m_groups || m_groups != m_state->run().groups())
        return nullptr;
    const auto known = m_groups->densities.find(row.lanes);
    return known == m_groups->densities.end() ? &m_densities.at(row.lanes) : &known->second;
}

/// Takes the groups of new collectives, if they are there. On other clocks the rows stay until these are laid
/// out again.
void TimelineRows::onCollectivesChanged()
{
    const LaidOutGroupsPtr& groups = m_state->run().groups();
    if (groups)
        return onGroupsChanged();
    if (m_groups && m_groups->run != m_state->run().collectives()) {
        m_groups.reset();
        m_densities.clear();
    }
    updateGroupEvidence();
    rebuild();
}

void TimelineRows::onGroupsChanged()
{
    m_groups = m_state->run().groups();
    m_densities.clear();
    updateGroupEvidence();
    rebuild();
    if (m_isCollapsedToFit && !m_choices.openGroups && 2 * m_layout.groupsHeight() > m_heightToFit)
        setGroupsOpen(false);
}

void TimelineRows::updateGroupEvidence()
{
    m_groupEvidence.clear();
    if (!m_state->run().collectives() || !m_state->emphasis().isActive())
        return;
    m_groupEvidence.resize(m_state->run().collectives()->matching.instances.size(), false);
    const auto add = [&](SliceRef slice) {
        if (const auto instance = m_state->run().collectives()->instanceOf(slice))
            m_groupEvidence[*instance] = true;
    };
    std::for_each(m_state->emphasis().evidence().begin(), m_state->emphasis().evidence().end(), add);
    if (!m_state->emphasis().evidence().empty())
        return;
    for (const SliceMatches::InTrack& found : m_state->emphasis().matches()->tracks) {
        if (!m_state->run().model()->track(found.track).communication)
            continue; // most matches are not collectives
        for (const std::uint32_t row : found.rows)
            add({found.track, row});
    }
}

void TimelineRows::setThreadsOpen(bool open)
{
    m_choices.openThreads.clear();
    if (open && m_state->run().model()) {
        for (std::uint32_t i = 0; i < m_state->run().model()->timelines.size(); ++i)
            m_choices.openThreads.insert(i);
    }
    rebuild();
}

bool TimelineRows::areThreadsOpen() const
{
    return m_state->run().model() && m_choices.openThreads.size() == m_state->run().model()->timelines.size();
}

void TimelineRows::setGroupsOpen(bool open)
{
    m_choices.openGroups = open;
    rebuild();
}

void TimelineRows::toggle(const TimelineRow& row)
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
        flip(m_choices.collapsedRanks, m_state->run().model()->timeline(row.timeline).rank);
        break;
    case RowToggle::Threads:
        flip(m_choices.openThreads, row.timeline.value);
        break;
    }
    rebuild();
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

void TimelineRows::collapseToFit(int height)
{
    setRanksCollapsed(true);
    m_isCollapsedToFit = true;
    m_heightToFit = height;
}

void TimelineRows::setRanksCollapsed(bool collapsed)
{
    m_isCollapsedToFit = false;
    std::set<std::int32_t> ranks;
    for (const TimelineRow& row : m_layout.rows()) {
        if (row.timeline && !row.isPinned)
            ranks.insert(m_state->run().model()->timeline(row.timeline).rank);
    }
    for (const std::int32_t rank : ranks) {
        if (collapsed)
            m_choices.collapsedRanks.insert(rank);
        else
            m_choices.collapsedRanks.erase(rank);
    }
    rebuild();
}

void TimelineRows::setOpen(const std::set<std::int32_t>& collapsedRanks,
                           const std::set<std::uint32_t>& openThreads, std::optional<bool> openGroups,
                           double scale)
{
    m_isCollapsedToFit = false;
    m_choices.collapsedRanks = collapsedRanks;
    m_choices.openThreads = openThreads;
    m_choices.openGroups = openGroups;
    m_choices.scale = std::clamp(scale, smallestRowScale, largestRowScale);
    rebuild();
}

void TimelineRows::scaleBy(double factor)
{
    m_choices.scale = std::clamp(m_choices.scale * factor, smallestRowScale, largestRowScale);
    rebuild();
}

const TimelineRow* TimelineRows::rowShowing(TrackId track)
{
    if (!m_layout.rowOf(track)) {
        m_state->preferences().setRowFilter({}); // an explicit request overrides the row filter
        const Track& shown = m_state->run().model()->track(track);
        m_choices.collapsedRanks.erase(m_state->run().model()->timeline(shown.timeline).rank);
        if (shown.kind != TrackKind::GpuStream)
            m_choices.openThreads.insert(shown.timeline.value);
        rebuild();
    }
    return m_layout.rowOf(track);
}

const TimelineRow* TimelineRows::focused() const
{
    if (m_state->selection().slice()) {
        if (const TimelineRow* row = m_layout.rowOf(m_state->selection().slice().track))
            return row;
    }
    return m_focus ? m_layout.rowOfKey(*m_focus) : nullptr;
}

void TimelineRows::focus(const TimelineRow& row)
{
    m_focus = row.key;
    const SliceRef selected = m_state->selection().slice();
    if (selected && m_layout.rowOf(selected.track) != &row)
        m_state->selection().setSlice({});
    emit changed();
}

void TimelineRows::moveFocus(const TimelineRow& row)
{
    m_focus = row.key;
    emit changed();
}

void TimelineRows::toggleFocused()
{
    const TimelineRow* row = focused();
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
    toggle(TimelineRow(*row)); // a copy, because the rows are rebuilt
}

void TimelineRows::toggleRankOfFocus()
{
    const TimelineRow* row = focused();
    if (!row || row->key.rank < 0)
        return;
    TimelineRow rank = *row;
    rank.toggle = RowToggle::Rank;
    toggle(rank);
}

void TimelineRows::togglePin()
{
    const TimelineRow* row = focused();
    if (row && row->canBePinned())
        m_state->run().edits()->setPinned(row->key, !row->isPinned);
    else
        emit noticed(tr("Select a slice or click a row name to pin that row"));
}

void TimelineRows::onEdited()
{
    if (m_choices.pins != m_state->run().edits()->pins()) {
        m_choices.pins = m_state->run().edits()->pins();
        rebuild();
    }
    emit changed();
}

} // namespace collscope
