// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/hang_controller.h"

#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "model/hang/hang_evidence.h"
#include "views/hang/hang_view.h"

namespace collscope {

HangController::HangController(WindowContext& context)
    : Controller(context)
    , m_view(new HangView(&context.state, context.tabs))
{
    setHelpPlace(m_view, "hang");
}

void HangController::start()
{
    const TraceModelPtr model = state().run().model();
    if (!model || !model->hang)
        return;
    m_job.ask([model](QPromise<HangCasePtr>& promise, const std::stop_token&) {
        promise.addResult(examineHang(*model->hang, model->strings, {}));
    });
}

void HangController::cancel()
{
    m_job.cancel();
}

void HangController::show(const HangCasePtr& own)
{
    m_view->setCase(own);
    // Without a timeline the summary cannot answer.
    if (state().run().model()->timelines.empty())
        context().chooseTab(m_view);
}

} // namespace collscope
