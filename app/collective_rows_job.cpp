// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/collective_rows_job.h"

namespace collscope {

void CollectiveRowsJob::list(TraceModelPtr model, RunCollectivesPtr run, ClockChoice choice)
{
    m_grid.cancel();
    m_rows.ask(
        [model = std::move(model), run = std::move(run), choice](QPromise<CollectiveRowsPtr>& promise) {
            if (CollectiveRowsPtr rows
                = listCollectives(model, run, choice, [&] { return promise.isCanceled(); }))
                promise.addResult(std::move(rows));
        });
}

void CollectiveRowsJob::layOut(CollectiveRowsPtr collectives, const LatenessRequest& request)
{
    m_grid.ask([collectives = std::move(collectives), request](QPromise<LatenessGridPtr>& promise) {
        if (LatenessGridPtr grid = layOutLateness(collectives, request, [&] { return promise.isCanceled(); }))
            promise.addResult(std::move(grid));
    });
}

void CollectiveRowsJob::cancel()
{
    m_rows.cancel();
    m_grid.cancel();
}

} // namespace collscope
