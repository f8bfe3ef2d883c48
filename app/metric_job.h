// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Computes metrics off the GUI thread. A newer request makes older answers void.

#include "app/latest_answer.h"
#include "metrics/metric.h"

#include <QObject>

#include <memory>

namespace collscope {

class MetricJob : public QObject
{
    Q_OBJECT

public:
    using Results = std::vector<std::pair<MetricRequest, MetricResult>>;

    explicit MetricJob(QObject* parent = nullptr)
        : QObject(parent)
    { }

    void start(TraceModelPtr model, const MetricOptions& options, std::vector<MetricRequest> requests);
    void cancel() { m_answer.cancel(); }
    bool isRunning() const { return m_answer.isRunning(); }

signals:
    void finished(const std::shared_ptr<collscope::MetricJob::Results>& results);

private:
    LatestAnswer<std::shared_ptr<Results>> m_answer{
        [this](const std::shared_ptr<Results>& results) { emit finished(results); }};
};

} // namespace collscope
