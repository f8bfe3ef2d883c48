// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Loads one run after the other off the GUI thread and keeps of each what the runs table needs.

#include "metrics/export/report.h"
#include "model/knowledge.h"

#include <QFutureWatcher>
#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include <memory>

namespace collscope {

/// What is left of a run when its model is gone again.
struct LoadedRun
{
    RunResults results;
    std::string problem; ///< why it could not be loaded; empty = it could
};

class RunsJob : public QObject
{
    Q_OBJECT

public:
    explicit RunsJob(QObject* parent = nullptr);
    ~RunsJob() override; ///< cancels and waits

    /// Loads the runs in this order and evaluates the requests for each; a newer call makes this one void.
    void start(const QStringList& paths, const std::vector<MetricRequest>& requests,
               const std::shared_ptr<const Knowledge>& knowledge);
    bool isRunning() const { return m_watcher.isRunning(); }

signals:
    void runLoaded(const std::shared_ptr<const collscope::LoadedRun>& run);

private:
    QFutureWatcher<std::shared_ptr<const LoadedRun>> m_watcher;
    QThreadPool m_pool;
};

} // namespace collscope
