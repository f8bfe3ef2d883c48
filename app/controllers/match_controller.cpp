// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/match_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/controllers/session_controller.h"
#include "app/parts/window_context.h"
#include "views/rows/group_lanes.h"

namespace collscope {

MatchController::MatchController(WindowContext& context, SessionController& session,
                                 MetricsController& metrics)
    : Controller(context)
    , m_session(session)
    , m_metrics(metrics)
    , m_groups(&context.state)
{
    connect(this, &MatchController::matched, &metrics, &MetricsController::compute);
}

void MatchController::start()
{
    context().run.isMatching = true;
    using Matched = std::shared_ptr<const MatchedRun>;
    m_job.start(state().run().model(), m_metrics.options(),
                [clocks = state().run().clockChoice()](const TraceModel& model,
                                                       const MetricOptions& options) -> Matched {
                    const RunCollectivesPtr collectives = matchRun(model, options);
                    if (!collectives || options.cancelled())
                        return nullptr;
                    return std::make_shared<const MatchedRun>(
                        MatchedRun{collectives, layOutGroups(model, collectives, clocks, options.cancelled)});
                });
}

void MatchController::cancel()
{
    m_job.cancel();
    context().run.isMatching = false;
}

bool MatchController::isComputing() const
{
    return context().run.isMatching || m_groups.isPending();
}

void MatchController::onMatched(const MatchedRun& found)
{
    context().run.isMatching = false;
    // If other clocks were chosen meanwhile, the groups are laid out again.
    const bool areOnClocks = found.groups && found.groups->clocks == state().run().clockChoice();
    m_session.setCollectives(found.collectives, areOnClocks ? found.groups : nullptr);
    emit matched();
}

} // namespace collscope
