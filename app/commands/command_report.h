// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The command report: text reports, workbooks and tables of each run.

#include "app/commands/batch_run.h"
#include "app/commands/command_workbooks.h"

namespace collscope {

class ReportCommand : public MeasuringCommand
{
public:
    enum class Job
    {
        Workbooks, ///< of each run, in the folder
        Text, ///< a text report of each run, written to the folder
        Nvlink, ///< printed, or one file per run in the folder
        Kernels ///< time by kernel name, printed or in `kernelFile`
    };
    std::vector<std::string> kinds;
    std::string prefix; ///< of the text report's name
    std::string kernelFile; ///< "" = stdout
    bool summarisesKernels = false; ///< --kernel-summary
    bool json = false;
    std::string csvFile; ///< "-" = stdout
    WorkbookOptions books;
    Job job = Job::Workbooks; ///< set by check()

    void declare() override;
    Status check() override;

protected:
    int measure(const HardwareDatabasePtr& hardware) const override;

private:
    Status chooseJob();
    Status checkOptions();
};

/// One file per run; prints the file names.
int runTextReports(const ReportCommand& command, const HardwareDatabasePtr& hardware);
/// Printed, or one file per run, with the file names printed.
int runNvlinkReports(const ReportCommand& command, const HardwareDatabasePtr& hardware);
int runKernelSummary(const ReportCommand& command, const HardwareDatabasePtr& hardware);
/// Workbooks of each run; prints the file names.
int runReports(const ReportCommand& command, const HardwareDatabasePtr& hardware);

} // namespace collscope
