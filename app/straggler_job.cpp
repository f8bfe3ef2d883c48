// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/straggler_job.h"

namespace collscope {

void StragglerJob::start(TraceModelPtr model, const MetricOptions& options)
{
    m_answer.ask([model = std::move(model), options](QPromise<StragglerReportPtr>& promise) {
        MetricOptions cancellable = options;
        cancellable.cancelled = [&] { return promise.isCanceled(); };
        Analysis analysis(*model, cancellable);
        auto report = std::make_shared<StragglerReport>(reportStragglers(analysis));
        if (!promise.isCanceled())
            promise.addResult(std::move(report));
    });
}

} // namespace collscope
