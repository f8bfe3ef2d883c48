// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"
#include "model/readers/run/found_runs.h"

namespace collscope {

class ComparisonController;
class MetricsController;
class RunChooser;
class RunController;
class RunsWindow;

/// Lists the runs of a folder: to choose one of them, or as a table of many.
class ChooserController : public Controller
{
    Q_OBJECT

public:
    ChooserController(WindowContext& context, RunChooser& chooser, RunController& run,
                      MetricsController& metrics, ComparisonController& comparison);

signals:
    /// The list has the runs of the folder that was opened, and is to be shown.
    void offered();

private:
    void offer(const std::vector<FoundRun>& runs);
    void showTable();

    RunChooser& m_chooser;
    RunController& m_run;
    MetricsController& m_metrics;
    RunsWindow* m_table = nullptr; ///< created on first use
};

} // namespace collscope
