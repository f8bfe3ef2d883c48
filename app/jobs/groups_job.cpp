// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/groups_job.h"

#include "views/rows/group_lanes.h"

namespace collscope {

GroupsJob::GroupsJob(ViewState* state)
    : m_state(state)
{
    connect(&state->run(), &RunContext::modelChanged, this, &GroupsJob::start);
    connect(&state->run(), &RunContext::collectivesChanged, this, &GroupsJob::start);
    connect(&state->run(), &RunContext::clocksChanged, this, &GroupsJob::start);
}

void GroupsJob::start()
{
    m_job.cancel();
    const RunContext& run = m_state->run();
    if (!run.model() || !run.collectives() || run.groups())
        return;
    m_job.start(run.model(), MetricOptions(),
                [collectives = run.collectives(), clocks = run.clockChoice()](const TraceModel& model,
                                                                              const MetricOptions& options) {
                    return layOutGroups(model, collectives, clocks, options.cancelled);
                });
}

} // namespace collscope
