// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Matches the collectives of a run across its ranks and aligns their clocks, off the GUI thread. A newer
// request makes older answers void.

#include "app/latest_answer.h"
#include "metrics/run_collectives.h"

#include <QObject>

namespace collscope {

class CollectivesJob : public QObject
{
    Q_OBJECT

public:
    explicit CollectivesJob(QObject* parent = nullptr)
        : QObject(parent)
    { }

    /// Answers with finished(), also for a run without collectives.
    void start(TraceModelPtr model, const MetricOptions& options);
    void cancel() { m_answer.cancel(); }

signals:
    void finished(const collscope::RunCollectivesPtr& collectives);

private:
    LatestAnswer<RunCollectivesPtr> m_answer{
        [this](const RunCollectivesPtr& collectives) { emit finished(collectives); }};
};

} // namespace collscope
