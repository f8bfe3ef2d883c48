// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Works out who the ranks waited for, over the window of the metrics, off the GUI thread. A newer request
// makes older answers void.

#include "app/latest_answer.h"
#include "metrics/straggler_report.h"

#include <QObject>

namespace collscope {

class StragglerJob : public QObject
{
    Q_OBJECT

public:
    explicit StragglerJob(QObject* parent = nullptr)
        : QObject(parent)
    { }

    void start(TraceModelPtr model, const MetricOptions& options);
    void cancel() { m_answer.cancel(); }
    bool isRunning() const { return m_answer.isRunning(); }

signals:
    void finished(const collscope::StragglerReportPtr& report);

private:
    LatestAnswer<StragglerReportPtr> m_answer{
        [this](const StragglerReportPtr& report) { emit finished(report); }};
};

} // namespace collscope
