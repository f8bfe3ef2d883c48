// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/collectives_job.h"

namespace collscope {

void CollectivesJob::start(TraceModelPtr model, const MetricOptions& options)
{
    m_answer.ask([model = std::move(model), options](QPromise<RunCollectivesPtr>& promise) {
        MetricOptions cancellable = options;
        cancellable.cancelled = [&] { return promise.isCanceled(); };
        if (RunCollectivesPtr collectives = matchRun(*model, cancellable))
            promise.addResult(std::move(collectives));
    });
}

} // namespace collscope
