// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/network/network_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "metrics/export/network_report.h"
#include "model/trace_model.h"
#include "views/network/network_view.h"

namespace collscope {

NetworkController::NetworkController(WindowContext& context, const MetricsController& metrics)
    : Controller(context)
    , m_metrics(metrics)
    , m_view(new NetworkView(&context.state, context.tabs))
{
    setHelpPlace(m_view, "network");
    connect(&metrics, &MetricsController::begun, this, &NetworkController::examine);
}

/// With the options of the metrics, and whenever they are computed: the bandwidths are of the counted steps.
void NetworkController::examine()
{
    const TraceModelPtr model = state().run().model();
    if (!model || !model->network)
        return;
    m_job.start(model, m_metrics.options(), [](const TraceModel& own, const MetricOptions& options) {
        Analysis analysis(own, options);
        return networkCase(analysis);
    });
}

void NetworkController::show(const NetworkCasePtr& own)
{
    m_view->setCase(own);
    // Without a timeline the summary cannot answer; what else the run has is the better answer.
    const TraceModel& model = *state().run().model();
    if (model.timelines.empty() && !model.hang && !model.history && model.memory.empty())
        context().chooseTab(m_view);
}

} // namespace collscope
