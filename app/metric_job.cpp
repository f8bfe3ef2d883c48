// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/metric_job.h"

#include <QPromise>
#include <QtConcurrent>

namespace collscope {

MetricJob::MetricJob(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    connect(&m_watcher, &QFutureWatcher<std::shared_ptr<Results>>::finished, this, [this] {
        if (!m_watcher.isCanceled())
            emit finished(m_watcher.result());
    });
}

MetricJob::~MetricJob()
{
    m_watcher.disconnect(this);
    m_watcher.cancel();
    m_watcher.waitForFinished();
    m_pool.waitForDone();
}

void MetricJob::start(TraceModelPtr model, const MetricOptions& options)
{
    m_watcher.cancel();
    const auto compute = [model = std::move(model), options](QPromise<std::shared_ptr<Results>>& promise) {
        auto results = std::make_shared<Results>();
        MetricOptions cancellable = options;
        cancellable.cancelled = [&] { return promise.isCanceled(); };
        for (const MetricDescriptor* metric : allMetrics()) {
            if (promise.isCanceled())
                return;
            const MetricRequest request = *findMetric(metric->id);
            results->emplace_back(request, evaluate(*model, request, cancellable));
        }
        promise.addResult(std::move(results));
    };
    // Setting the new future disconnects the old one: its answer is never delivered.
    m_watcher.setFuture(QtConcurrent::run(&m_pool, compute));
}

} // namespace collscope
