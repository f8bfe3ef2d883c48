// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/bubbles_job.h"

namespace collscope {

void BubblesJob::start(TraceModelPtr model, const MetricOptions& options)
{
    m_answer.ask([model = std::move(model), options](QPromise<Table>& promise) {
        MetricOptions cancellable = options;
        cancellable.cancelled = [&] { return promise.isCanceled(); };
        Table bubbles = measureAllSteps(*model, cancellable);
        if (!promise.isCanceled())
            promise.addResult(std::move(bubbles));
    });
}

} // namespace collscope
