// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/cause_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/actions.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "metrics/findings/step_costs.h"
#include "views/collectives/cause_view.h"

namespace collscope {

CauseController::CauseController(WindowContext& context, const MetricsController& metrics)
    : Controller(context)
    , m_metrics(metrics)
    , m_view(new CauseView(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_ranks#why-slow");
    context.actions->bind(QStringLiteral("explainHere"), this, [this] { explainHere(); });
    connect(m_view, &CauseView::answerWanted, this, &CauseController::explain);
}

/// Explains over the whole run: the late rank need not be the selected rank.
void CauseController::explain(const CauseQuestion& question)
{
    m_job.start(state().run().model(), m_metrics.runOptions(),
                [question](const TraceModel& model, const MetricOptions& options) {
                    Analysis analysis(model, options);
                    return std::make_shared<const CauseAnswer>(answerWhyAndCosts(analysis, question));
                });
}

void CauseController::explainHere()
{
    context().showTab(m_view);
    m_view->explainHere();
}

void CauseController::onExplained(const CauseAnswerPtr& answer)
{
    m_view->setAnswer(answer);
    emit ready();
}

} // namespace collscope
