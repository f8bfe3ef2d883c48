// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command history: since when a job is slower, and where, by its logs and the NCCL Inspector.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/remote/remote_address.h"
#include "metrics/export/history_report.h"
#include "metrics/export/written_report.h"
#include "metrics/history/job_text.h"

namespace collscope {

namespace {

class HistoryCommand : public RunCommand
{
public:
    bool json = false;

    void declare() override
    {
        options.group("Output");
        options.flag("--json", json, "Print JSON");
        input.declare(options);
    }

protected:
    int executeOnRuns() const override
    {
        const std::vector<BatchRun> runs = runsOf(input);
        if (!isOneRun(runs, "history"))
            return WrongUsage;
        const auto model = loadRun(input, runs.front());
        if (!model)
            return sayNotLoaded(model.error());
        if (!(*model)->history) {
            say(isRemote(runs.front().paths.front())
                    ? std::string(
                        "Such files are not sent from another machine: copy them, and open the copy.")
                    : std::string(
                        "It contains neither a log with times of steps nor a file of the NCCL Inspector."));
            return NotAvailable;
        }
        const JobHistory& history = *(*model)->history;
        const JobReport report = jobReport(history);
        if (isInterrupted()) {
            say("cancelled.");
            return Cancelled;
        }
        const bool printed = json ? print(jsonText(historyValue(history, report, (*model)->problems)))
                                  : printLines(jobText(history, report));
        if (!printed)
            return NotWritten;
        return report.isTooLittle ? NotAvailable : Done;
    }
};

} // namespace

std::unique_ptr<ProgramCommand> historyCommand()
{
    return std::make_unique<HistoryCommand>();
}

} // namespace collscope
