// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/selection_controller.h"

#include "app/parts/help_window.h"
#include "app/parts/window_context.h"

namespace collscope {

SelectionController::SelectionController(WindowContext& context)
    : Controller(context)
    , m_view(new SelectionDetails(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_other#selection");
    connect(&state().selection(), &ViewSelection::sliceChanged, this,
            [this](SliceRef slice) { m_job.start(state().run().model(), slice); });
    connect(&state().run(), &RunContext::modelChanged, &m_job, &ArgsJob::cancel);
    connect(&m_job, &ArgsJob::finished, m_view, &SelectionDetails::setArgs);
}

} // namespace collscope
