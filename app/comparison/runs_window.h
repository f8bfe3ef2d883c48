// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The window of many runs: one row per run, filled as the runs are loaded one after the other.

#include "app/jobs/runs_job.h"
#include "views/tables/run_table.h"
#include "views/widgets/banner.h"

#include <QHash>
#include <QWidget>

namespace collscope {

class RunsWindow : public QWidget
{
    Q_OBJECT

public:
    /// `requests`: the metrics to evaluate, all of which are in the CSV.
    RunsWindow(std::vector<MetricRequest> requests, std::shared_ptr<const HardwareDatabase> hardware,
               QWidget* parent = nullptr);

    /// Finds the runs of these folders (runsIn() of each), shows them and loads them.
    void openFolders(const QStringList& folders);
    RunTable* table() const { return m_table; }
    bool isLoading() const { return m_job.isRunning(); }
    /// Sets the kernel rules for runs loaded from now on.
    void setKernelRules(std::vector<KernelRule> rules) { m_job.setKernelRules(std::move(rules)); }
    /// Returns the runs that pass the filter, as written by collscope --batch RUN... --csv -.
    QByteArray csv() const;

signals:
    void runActivated(const QStringList& paths);

private:
    void chooseFolder();
    void saveCsv();
    void onRunsFound(const LoadedRun& list);
    void onRunLoaded(const LoadedRun& run);

    std::vector<MetricRequest> m_requests;
    std::shared_ptr<const HardwareDatabase> m_hardware;
    RunsJob m_job;
    Banner* m_banner;
    RunTable* m_table;
    std::vector<RunResults> m_loaded;
    QHash<QString, QStringList> m_paths; ///< paths to open, by row
};

} // namespace collscope
