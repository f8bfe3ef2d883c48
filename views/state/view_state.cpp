// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/state/view_state.h"

#include <utility>

namespace collscope {

ViewState::ViewState(QObject* parent)
    : QObject(parent)
    , m_viewport(m_run)
    , m_selection(m_run)
{ }

void ViewState::setModel(TraceModelPtr model)
{
    m_run.setModel(std::move(model));
    m_selection.reset();
    m_emphasis.reset();
    m_preferences.reset();
    m_viewport.reset();
    emit m_run.modelChanged();
    emit m_viewport.visibleRangeChanged(m_viewport.visibleRange());
}

void ViewState::setCollectives(RunCollectivesPtr collectives, LaidOutGroupsPtr groups)
{
    const bool wasInitial = m_viewport.isInitial();
    m_run.setCollectives(std::move(collectives));
    updateClocks(wasInitial, std::move(groups));
    emit m_run.collectivesChanged();
}

void ViewState::setGroups(LaidOutGroupsPtr groups)
{
    m_run.m_groups = std::move(groups);
    emit m_run.groupsChanged();
}

void ViewState::setExposure(ExposurePtr exposure)
{
    m_run.m_exposure = std::move(exposure);
    emit m_run.exposureChanged();
}

void ViewState::setGhost(GhostLanesPtr ghost)
{
    if (m_run.m_ghost == ghost)
        return;
    m_run.m_ghost = std::move(ghost);
    emit m_run.ghostChanged();
}

void ViewState::setGaps(const GapLanes& gaps)
{
    m_run.setGaps(gaps);
    emit m_run.gapsChanged();
}

void ViewState::setClockChoice(ClockChoice choice)
{
    if (choice == m_run.clockChoice())
        return;
    const bool wasInitial = m_viewport.isInitial();
    m_run.m_clockChoice = choice;
    updateClocks(wasInitial, nullptr);
}

void ViewState::updateClocks(bool wasInitial, LaidOutGroupsPtr groups)
{
    const bool haveMoved = m_run.updateClocks();
    if (groups)
        m_run.m_groups = std::move(groups);
    if (!haveMoved)
        return;
    emit m_run.clocksChanged();
    m_selection.setPeak(std::nullopt); // its position on the axis has changed
    // If the view has not moved since the run was opened, keep showing the initial step.
    m_viewport.setVisibleRange(wasInitial ? m_run.initialView() : m_viewport.visibleRange());
}

void ViewState::revealSlice(SliceRef slice, bool keepView)
{
    if (!m_run.model() || !slice)
        return;
    m_preferences.setRankHidden(m_run.model()->timelineOf(slice).rank, false);
    const TimeRange range = m_run.rangeOf(slice);
    const TimeRange visible = m_viewport.visibleRange();
    // A view that shows the slice stays, so that the user does not lose orientation.
    if (!keepView || !visible.contains(range.beginNs) || !visible.contains(range.endNs))
        m_viewport.showSlice(range);
    m_selection.setSlice(slice);
    emit revealRequested(slice);
}

void ViewState::clearSelection()
{
    m_selection.setSlice({});
    m_selection.setRange(std::nullopt);
    m_selection.setPeak(std::nullopt);
    m_emphasis.setEvidence({}, {});
}

} // namespace collscope
