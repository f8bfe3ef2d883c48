// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/straggler_controller.h"

#include "app/help_window.h"
#include "app/window_context.h"
#include "views/collectives/straggler_panel.h"

namespace collscope {

StragglerController::StragglerController(WindowContext& context)
    : Controller(context)
    , m_view(new StragglerPanel(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_ranks#stragglers");
}

void StragglerController::find(const MetricOptions& options)
{
    m_isPending = true;
    m_job.start(state().model(), options, [](const TraceModel& model, const MetricOptions& cancellable) {
        Analysis analysis(model, cancellable);
        return std::make_shared<const StragglerReport>(reportStragglers(analysis));
    });
}

void StragglerController::cancel()
{
    m_job.cancel();
    m_isPending = false;
}

void StragglerController::onFound(const StragglerReportPtr& report)
{
    m_isPending = false;
    m_view->setReport(report);
    emit ready();
}

} // namespace collscope
