// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/metric_job.h"

#include "metrics/analysis.h"

namespace collscope {

void MetricJob::start(TraceModelPtr model, const MetricOptions& options)
{
    m_answer.ask([model = std::move(model), options](QPromise<std::shared_ptr<Results>>& promise) {
        auto results = std::make_shared<Results>();
        MetricOptions cancellable = options;
        cancellable.cancelled = [&] { return promise.isCanceled(); };
        Analysis analysis(*model, cancellable);
        for (const MetricDescriptor* metric : allMetrics()) {
            if (promise.isCanceled())
                return;
            const MetricRequest request = *findMetric(metric->id);
            results->emplace_back(request, evaluate(analysis, request));
        }
        promise.addResult(std::move(results));
    });
}

} // namespace collscope
