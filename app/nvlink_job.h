// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Adds up the NVLink counters of a run and finds its peaks off the GUI thread. A newer request makes older
// answers void.

#include "views/nvlink_chart.h"

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>

#include <memory>

namespace collscope {

class NvlinkJob : public QObject
{
    Q_OBJECT

public:
    using Curves = std::shared_ptr<const NvlinkCurves>;

    explicit NvlinkJob(QObject* parent = nullptr);
    ~NvlinkJob() override; ///< cancels and waits

    /// Answers with finished(), also for a run without counters.
    void start(TraceModelPtr model);
    void cancel() { m_watcher.cancel(); }

signals:
    void finished(const collscope::NvlinkJob::Curves& curves);

private:
    QFutureWatcher<Curves> m_watcher;
    QThreadPool m_pool;
};

} // namespace collscope
