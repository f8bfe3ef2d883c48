// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/summaries/rank_summaries_controller.h"

#include "app/controllers/straggler_controller.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "views/summaries/rank_summaries_view.h"
#include "views/summary/finding_strip.h"
#include "views/summary/summary_view.h"

namespace collscope {

RankSummariesController::RankSummariesController(WindowContext& context,
                                                 const StragglerController& stragglers,
                                                 const SummaryView& findings, const FindingStrip& strip,
                                                 RankSummariesView& view)
    : Controller(context)
    , m_view(view)
    , m_job([&view](const StepLatenessPtr& lateness) { view.setLateness(lateness); })
{
    setHelpPlace(&m_view, "cluster#opening-summaries");
    connect(&stragglers, &StragglerController::found, this, &RankSummariesController::take);
    connect(&state().preferences(), &ViewPreferences::hiddenRanksChanged, this,
            &RankSummariesController::layOut);
    connect(&findings, &SummaryView::rankChosen, &m_view, &RankSummariesView::choose);
    connect(&strip, &FindingStrip::rankChosen, &m_view, &RankSummariesView::choose);
    connect(&state().run(), &RunContext::modelChanged, this, [this] {
        m_job.cancel(); // its map is of the run before
        m_waits = nullptr;
    });
}

void RankSummariesController::take(const StragglerReportPtr& report, const StepWaitsPtr& waits)
{
    if (!state().run().model()->isSummarized())
        return;
    m_waits = waits;
    m_view.setReport(report);
    layOut();
}

void RankSummariesController::layOut()
{
    if (!m_waits) {
        m_job.cancel();
        return m_view.setLateness(nullptr);
    }
    m_job.ask([waits = m_waits, hidden = state().preferences().hiddenRanks()](
                  QPromise<StepLatenessPtr>& promise, const std::stop_token& stop) {
        auto lateness = std::make_shared<const StepLateness>(waits, hidden);
        if (!stop.stop_requested())
            promise.addResult(std::move(lateness));
    });
}

} // namespace collscope
