// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Loads runs one after the other off the GUI thread and keeps the data that the runs table needs.

#include "app/files/run_folders.h"
#include "metrics/export/written_report.h"
#include "model/building/kernel_rules.h"
#include "model/hardware_database.h"
#include "model/result.h"

#include <QFutureWatcher>
#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include <memory>
#include <stop_token>

namespace collscope {

/// The data kept of a run after its model is released; or, first of all, the list of runs.
struct LoadedRun
{
    RunResults results;
    Status status; ///< an error: why it could not be loaded
    bool isList = false;
    std::vector<ListedRun> runs = {}; ///< if isList
    std::vector<std::string> others = {}; ///< subfolders that contain no runs
};

class RunsJob : public QObject
{
    Q_OBJECT

public:
    explicit RunsJob(QObject* parent = nullptr);
    ~RunsJob() override; ///< cancels and waits

    /// Lists the runs of these folders, then loads them one after the other and evaluates the requests for
    /// each. A newer call discards this one.
    void start(const QStringList& folders, const std::vector<MetricRequest>& requests,
               const std::shared_ptr<const HardwareDatabase>& hardware);
    /// Sets the kernel rules for runs loaded from now on.
    void setKernelRules(std::vector<KernelRule> rules) { m_kernelRules = std::move(rules); }
    bool isRunning() const { return m_watcher.isRunning(); }

signals:
    void runsFound(const std::shared_ptr<const collscope::LoadedRun>& list);
    void runLoaded(const std::shared_ptr<const collscope::LoadedRun>& run);

private:
    QFutureWatcher<std::shared_ptr<const LoadedRun>> m_watcher;
    QThreadPool m_pool;
    std::stop_source m_stop; ///< of the last start()
    std::vector<KernelRule> m_kernelRules;
};

} // namespace collscope
