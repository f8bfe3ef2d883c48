// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/history/history_controller.h"

#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "model/trace_model.h"
#include "views/history/job_view.h"

namespace collscope {

HistoryController::HistoryController(WindowContext& context)
    : Controller(context)
    , m_view(new JobView(&context.state, context.tabs))
{
    setHelpPlace(m_view, "history");
}

void HistoryController::start()
{
    const TraceModelPtr model = state().run().model();
    if (!model || !model->history)
        return;
    m_job.ask([history = model->history](QPromise<JobCasePtr>& promise, const std::stop_token&) {
        promise.addResult(examineJob(history));
    });
}

void HistoryController::cancel()
{
    m_job.cancel();
}

void HistoryController::show(const JobCasePtr& own)
{
    m_view->setJob(own);
    // Without a timeline the summary cannot answer, and a hang is the better answer.
    const TraceModelPtr& model = state().run().model();
    if (model && model->timelines.empty() && !model->hang)
        context().chooseTab(m_view);
}

} // namespace collscope
