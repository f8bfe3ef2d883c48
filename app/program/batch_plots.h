// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Plots of --batch: PNG files drawn without a display.

#include "app/commands/command_metrics.h"

namespace collscope {

/// --plot: draws each result as a plot and lists the files on stderr. Returns an exit code: NotAvailable if
/// nothing could be drawn.
int plotResults(const ValuesCommand& command, const TraceModel& model,
                const std::vector<NamedResult>& results);
/// Like plotResults(), for several runs side by side with the same requested metrics.
int plotRuns(const ValuesCommand& command, const std::vector<RunResults>& runs);
/// --summary: metrics_summary.csv, a page and plots in the folder, over the profiler iterations or the runs;
/// prints the file names.
int runIterations(const MetricsCommand& command, const HardwareDatabasePtr& hardware);

} // namespace collscope
