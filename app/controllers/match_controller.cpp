// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/match_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/controllers/session_controller.h"
#include "app/parts/window_context.h"

namespace collscope {

MatchController::MatchController(WindowContext& context, SessionController& session,
                                 MetricsController& metrics)
    : Controller(context)
    , m_session(session)
    , m_metrics(metrics)
{
    connect(this, &MatchController::matched, &metrics, &MetricsController::compute);
}

void MatchController::start()
{
    context().run.isMatching = true;
    m_job.start(state().run().model(), m_metrics.options(), matchRun);
}

void MatchController::cancel()
{
    m_job.cancel();
    context().run.isMatching = false;
}

bool MatchController::isComputing() const
{
    return context().run.isMatching;
}

void MatchController::onMatched(const RunCollectivesPtr& collectives)
{
    context().run.isMatching = false;
    m_session.setCollectives(collectives);
    emit matched();
}

} // namespace collscope
