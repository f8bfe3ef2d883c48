// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Loads one run after the other off the GUI thread and keeps of each what the runs table needs.

#include "metrics/export/written_report.h"
#include "model/hardware_database.h"
#include "model/kernel_rules.h"

#include <QFutureWatcher>
#include <QObject>
#include <QStringList>
#include <QThreadPool>

#include <memory>

namespace collscope {

/// A row of the table that is to be filled.
struct ListedRun
{
    std::string label; ///< its path, or its folder and name where it is some of the folder's files
    std::vector<std::string> paths; ///< what to open
};

/// What is left of a run when its model is gone again; or, before all others, which runs there are.
struct LoadedRun
{
    RunResults results;
    std::string problem; ///< why it could not be loaded; empty = it could
    bool isList = false;
    std::vector<ListedRun> runs = {}; ///< of the list
    std::vector<std::string> others = {}; ///< subfolders in which nothing is a run
};

class RunsJob : public QObject
{
    Q_OBJECT

public:
    explicit RunsJob(QObject* parent = nullptr);
    ~RunsJob() override; ///< cancels and waits

    /// Lists the runs of these folders, then loads one after the other and evaluates the requests for each; a
    /// newer call makes this one void.
    void start(const QStringList& folders, const std::vector<MetricRequest>& requests,
               const std::shared_ptr<const HardwareDatabase>& hardware);
    /// Rules for kernel names with which the runs are loaded from now on.
    void setKernelRules(std::vector<KernelRule> rules) { m_kernelRules = std::move(rules); }
    bool isRunning() const { return m_watcher.isRunning(); }

signals:
    void runsFound(const std::shared_ptr<const collscope::LoadedRun>& list);
    void runLoaded(const std::shared_ptr<const collscope::LoadedRun>& run);

private:
    QFutureWatcher<std::shared_ptr<const LoadedRun>> m_watcher;
    QThreadPool m_pool;
    std::vector<KernelRule> m_kernelRules;
};

} // namespace collscope
