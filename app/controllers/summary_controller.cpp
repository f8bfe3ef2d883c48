// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/summary_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "metrics/analysis/analysis.h"

namespace collscope {

SummaryController::SummaryController(WindowContext& context, const MetricsController& metrics)
    : Controller(context)
    , m_metrics(metrics)
    , m_view(new SummaryView(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_other#summary");
    connect(&metrics, &MetricsController::begun, this, &SummaryController::find);
}

/// With the options of the metrics, and whenever they are computed.
void SummaryController::find()
{
    m_job.start(state().run().model(), m_metrics.options(),
                [](const TraceModel& model, const MetricOptions& options) {
                    Analysis analysis(model, options);
                    return std::make_shared<const Result<Findings>>(findCosts(analysis));
                });
}

} // namespace collscope
