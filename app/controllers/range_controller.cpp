// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/range_controller.h"

#include "app/controllers/search_controller.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "views/tables/range_panel.h"

namespace collscope {

RangeController::RangeController(WindowContext& context, SearchController& search)
    : Controller(context)
    , m_job(&context.state)
    , m_view(new RangePanel(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_other#range");
    connect(&m_job, &RangeJob::finished, this, &RangeController::ready);
    connect(m_view, &RangePanel::nameWanted, &search,
            [&search](const QString& name) { search.ask(SliceQuestion::ofName(name)); });
}

} // namespace collscope
