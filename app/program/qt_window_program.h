// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What collscope-window adds to the command line.

#include "app/commands/window_program.h"

class QCoreApplication;

namespace collscope {

class QtWindowProgram : public WindowProgram
{
public:
    /// The arguments of the process, which Qt may change.
    QtWindowProgram(int& argc, char** argv);
    ~QtWindowProgram() override;

    int openWindow(const WindowCommand& command) override;
    int takeScreenshot(const ScreenshotCommand& command) override;
    void startDrawing() override;
    bool canDraw() override;
    int plotResults(const ValuesCommand& command, const TraceModel& model,
                    const std::vector<NamedResult>& results) override;
    int plotRuns(const ValuesCommand& command, const std::vector<RunResults>& runs) override;
    int runIterations(const MetricsCommand& command,
                      const std::shared_ptr<const HardwareDatabase>& hardware) override;
    ComparisonDrawer comparisonDrawer() override;

private:
    int& m_argc;
    char** m_argv;
    std::unique_ptr<QCoreApplication> m_drawing; ///< while pictures are drawn without a window
};

} // namespace collscope
