// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/metric_job.h"

#include "metrics/analysis.h"

namespace collscope {

void MetricJob::start(TraceModelPtr model, const MetricOptions& options, MetricCatalog catalog)
{
    m_answer.ask([model = std::move(model), options,
                  catalog = std::move(catalog)](QPromise<std::shared_ptr<Results>>& promise) {
        auto results = std::make_shared<Results>();
        MetricOptions cancellable = options;
        cancellable.cancelled = [&] { return promise.isCanceled(); };
        Analysis analysis(*model, cancellable);
        for (const MetricRequest& request : catalog.all()) {
            if (promise.isCanceled())
                return;
            results->emplace_back(request, evaluate(analysis, request));
        }
        promise.addResult(std::move(results));
    });
}

} // namespace collscope
