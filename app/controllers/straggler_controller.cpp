// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/straggler_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "metrics/summary/summarized_report.h"
#include "metrics/summary/summarized_straggler.h"
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

StragglerController::AnswerPtr StragglerController::answer(Analysis& analysis)
{
    Answer answer;
    if (!analysis.model().isSummarized()) {
        answer.report = std::make_shared<const StragglerReport>(reportStragglers(analysis));
        return std::make_shared<const Answer>(std::move(answer));
    }
    answer.report = std::make_shared<const StragglerReport>(reportOfSummaries(analysis));
    if (answer.report->reason.empty())
        answer.waits = stepWaitsOf(*stragglerOfSummaries(analysis));
    return std::make_shared<const Answer>(std::move(answer));
}

/// With the options of the metrics, and whenever they are computed.
void StragglerController::find()
{
    m_job.start(state().run().model(), m_metrics.options(),
                [shared = m_metrics.straggler()](const TraceModel& model, const MetricOptions& options) {
                    Analysis analysis(model, options);
                    if (shared)
                        shared->lendTo(analysis);
                    return answer(analysis);
                });
}

void StragglerController::onFound(const AnswerPtr& answer)
{
    m_view->setReport(answer->report);
    emit found(answer->report, answer->waits);
    emit ready();
}

} // namespace collscope
