// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/straggler_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "views/collectives/straggler_panel.h"

namespace collscope {

StragglerController::StragglerController(WindowContext& context, const MetricsController& metrics)
    : Controller(context)
    , m_metrics(metrics)
    , m_view(new StragglerPanel(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_ranks#stragglers");
    connect(&metrics, &MetricsController::begun, this, &StragglerController::find);
}

/// With the options of the metrics, and whenever they are computed.
void StragglerController::find()
{
    m_job.start(state().run().model(), m_metrics.options(),
                [](const TraceModel& model, const MetricOptions& options) {
                    Analysis analysis(model, options);
                    return std::make_shared<const StragglerReport>(reportStragglers(analysis));
                });
}

void StragglerController::onFound(const StragglerReportPtr& report)
{
    m_view->setReport(report);
    emit ready();
}

} // namespace collscope
