// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The command compare: reports of each run and workbooks that compare them.

#include "app/commands/batch_run.h"
#include "app/commands/command_workbooks.h"
#include "metrics/comparison/comparison.h"

namespace collscope {

/// The runs of a comparison.
struct ComparedRuns
{
    std::string baseline;
    std::vector<std::string> tests;

    void declare(CommandOptions& options);
    bool areNamed() const { return !baseline.empty() || !tests.empty(); }
    /// Checks the runs, if any is named. An error if another run is given.
    Status check(const RunInput& input) const;
};

class CompareCommand : public MeasuringCommand
{
public:
    ComparedRuns runs;
    std::string baselineLabel;
    std::vector<std::string> testLabels;
    bool all = false, gpuTimeline = false, collective = false, finalReport = false, plots = false,
         compareAllRuns = false, individualOnly = false, collectiveOnly = false;
    WorkbookOptions books; ///< its choices are set by check()

    void declare() override;
    Status check() override;

protected:
    bool paints() const override { return books.choices.plots; }
    std::size_t runCount() const override { return input.paths.size(); }
    int measure(const HardwareDatabasePtr& hardware) const override;

private:
    Status checkRuns();
    void chooseBooks();
};

/// Returns the runs of the command line, each with its label for tables and folders.
std::vector<std::pair<BatchRun, std::string>> labelledRuns(const std::vector<BatchRun>& runs);

} // namespace collscope
