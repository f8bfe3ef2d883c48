// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/pipeline_controller.h"

#include "app/controllers/match_controller.h"
#include "app/controllers/metrics_controller.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "views/collectives/pipeline_view.h"

namespace collscope {

PipelineController::PipelineController(WindowContext& context, const MatchController& match,
                                       const MetricsController& metrics)
    : Controller(context)
    , m_metrics(metrics)
    , m_view(new PipelineView(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_ranks#pipeline");
    connect(&state().run(), &RunContext::modelChanged, this, [this] { m_job.cancel(); });
    connect(&match, &MatchController::matched, this, &PipelineController::measure);
}

void PipelineController::measure()
{
    if (m_view->hasStages())
        m_job.start(state().run().model(), m_metrics.options(), measureAllSteps);
}

bool PipelineController::isComputing() const
{
    return m_view->isComputing();
}

void PipelineController::onMeasured(const BubbleTablePtr& bubbles)
{
    m_view->setBubbles(bubbles);
}

} // namespace collscope
