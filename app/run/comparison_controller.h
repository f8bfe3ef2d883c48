// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"

#include <QPointer>

#include <vector>

namespace collscope {

class ComparisonWindow;
class MatchController;
class MetricsController;
class RunController;
struct LoadOptions;
struct RunRequest;

/// Compares the current run with other runs, in windows of their own.
class ComparisonController : public Controller
{
    Q_OBJECT

public:
    ComparisonController(WindowContext& context, const RunController& run, const MatchController& match,
                         MetricsController& metrics);
    ~ComparisonController() override;

    /// Compares the current run, or the run being loaded, with another run.
    void compareWith(const QStringList& paths, const LoadOptions& options);
    ComparisonWindow* window() const;

private:
    void chooseTest();
    /// Opens the comparison that was requested, if there is one: the run is loaded and its clocks are known.
    void openWanted();

    const RunController& m_run;
    MetricsController& m_metrics;
    std::vector<RunRequest> m_wantedTests; ///< until the run to compare with is loaded
    QPointer<ComparisonWindow> m_window; ///< of the run that was open at the last request
    std::vector<QPointer<ComparisonWindow>> m_all; ///< of all runs; owned while they are open
};

} // namespace collscope
