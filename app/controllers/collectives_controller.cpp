// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/collectives_controller.h"

#include "app/controllers/match_controller.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "views/collectives/collectives_table.h"
#include "views/collectives/lateness_map.h"

namespace collscope {

CollectivesController::CollectivesController(WindowContext& context, const MatchController& match)
    : Controller(context)
    , m_table(new CollectivesTable(&context.state, context.tabs))
    , m_map(new LatenessMap(&context.state, context.tabs))
{
    setHelpPlace(m_table, "views_ranks#collectives");
    setHelpPlace(m_map, "views_ranks#lateness");
    connect(&match, &MatchController::matched, this, &CollectivesController::list);
    connect(&state().run(), &RunContext::clocksChanged, this, &CollectivesController::list);
    connect(&m_job, &CollectiveRowsJob::listed, this, [this](const CollectiveRowsPtr& collectives) {
        m_table->setCollectives(collectives);
        m_map->setCollectives(collectives);
        emit ready();
    });
    connect(m_map, &LatenessMap::gridWanted, this,
            [this](const CollectiveRowsPtr& collectives, const LatenessRequest& request) {
                m_job.layOut(collectives, request);
            });
    connect(&m_job, &CollectiveRowsJob::laidOut, this, [this](const LatenessGridPtr& grid) {
        m_map->setGrid(grid);
        emit ready();
    });
}

void CollectivesController::list()
{
    if (!state().run().model() || !state().run().collectives() || context().run.isMatching)
        return;
    m_job.list(state().run().model(), state().run().collectives(), state().run().clockChoice());
}

} // namespace collscope
