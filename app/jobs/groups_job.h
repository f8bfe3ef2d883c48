// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lays out the process groups of a run for its timeline, off the GUI thread.

#include "app/jobs/analysis_job.h"
#include "views/state/view_state.h"

namespace collscope {

/// Provides RunContext::groups() where collectives or clocks have changed without them. Lives in the GUI
/// thread.
class GroupsJob : public QObject
{
    Q_OBJECT

public:
    /// `state` outlives the job.
    explicit GroupsJob(ViewState* state);

    bool isPending() const { return m_job.isPending(); }

private:
    void start();

    ViewState* m_state;
    AnalysisJob<LaidOutGroupsPtr> m_job{[this](const auto& groups) { m_state->setGroups(groups); }};
};

} // namespace collscope
