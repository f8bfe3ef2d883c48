// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Computes all metrics off the GUI thread. A newer request makes older answers void.

#include "metrics/metric.h"

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>

#include <memory>

namespace collscope {

class MetricJob : public QObject
{
    Q_OBJECT

public:
    using Results = std::vector<std::pair<MetricRequest, MetricResult>>;

    explicit MetricJob(QObject* parent = nullptr);
    ~MetricJob() override; ///< cancels and waits

    void start(TraceModelPtr model, const MetricOptions& options);
    void cancel() { m_watcher.cancel(); }
    bool isRunning() const { return m_watcher.isRunning(); }

signals:
    void finished(const std::shared_ptr<collscope::MetricJob::Results>& results);

private:
    QFutureWatcher<std::shared_ptr<Results>> m_watcher;
    QThreadPool m_pool;
};

} // namespace collscope
