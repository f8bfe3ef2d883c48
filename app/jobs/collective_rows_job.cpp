// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/collective_rows_job.h"

#include "app/runtime/stop_request.h"

namespace collscope {

void CollectiveRowsJob::list(TraceModelPtr model, RunCollectivesPtr run, ClockChoice choice)
{
    m_grid.cancel();
    m_rows.ask([model = std::move(model), run = std::move(run), choice](QPromise<CollectiveRowsPtr>& promise,
                                                                        const std::stop_token& stop) {
        if (CollectiveRowsPtr rows = listCollectives(model, run, choice, asksWhetherToStop(stop)))
            promise.addResult(std::move(rows));
    });
}

void CollectiveRowsJob::layOut(CollectiveRowsPtr collectives, const LatenessRequest& request)
{
    m_grid.ask([collectives = std::move(collectives), request](QPromise<LatenessGridPtr>& promise,
                                                               const std::stop_token& stop) {
        if (LatenessGridPtr grid = layOutLateness(collectives, request, asksWhetherToStop(stop)))
            promise.addResult(std::move(grid));
    });
}

void CollectiveRowsJob::cancel()
{
    m_rows.cancel();
    m_grid.cancel();
}

} // namespace collscope
