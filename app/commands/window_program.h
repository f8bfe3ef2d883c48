// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What only the program collscope-window does, because it has Qt. The program collscope starts it for
// commands that need it, so that everything else starts without loading the libraries of a desktop.

#include "app/files/comparison_files.h"
#include "metrics/export/written_report.h"

#include <memory>
#include <vector>

namespace collscope {

class MetricsCommand;
class ScreenshotCommand;
class ValuesCommand;
class WindowCommand;

class WindowProgram
{
public:
    virtual ~WindowProgram() = default;

    /// Opens the window and returns when it is closed: an ExitCode.
    virtual int openWindow(const WindowCommand& command) = 0;
    /// Draws the window into a PNG file. Returns an ExitCode.
    virtual int takeScreenshot(const ScreenshotCommand& command) = 0;

    /// Prepares for the functions below, which draw without a display. Call this before the process confines
    /// itself.
    virtual void startDrawing() = 0;
    /// Whether text can be drawn; otherwise prints a sentence to stderr.
    virtual bool canDraw() = 0;
    /// --plot: draws each result and lists the files on stderr. Returns an ExitCode: NotAvailable if nothing
    /// could be drawn.
    virtual int plotResults(const ValuesCommand& command, const TraceModel& model,
                            const std::vector<NamedResult>& results)
        = 0;
    /// Like plotResults(), for several runs side by side with the same requested metrics.
    virtual int plotRuns(const ValuesCommand& command, const std::vector<RunResults>& runs) = 0;
    /// Measures each profiler iteration, writes a table, a page and plots of them into the folder of the
    /// command, and prints the file names. Returns an ExitCode.
    virtual int runIterations(const MetricsCommand& command,
                              const std::shared_ptr<const HardwareDatabase>& hardware)
        = 0;
    /// Returns the function that draws the plots and the page of a comparison.
    virtual ComparisonDrawer comparisonDrawer() = 0;
};

} // namespace collscope
