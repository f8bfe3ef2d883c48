// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command hang: who made a job hang, by the dumps that it left.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "metrics/export/hang_report.h"
#include "metrics/export/written_report.h"
#include "metrics/hang/verdict_text.h"
#include "model/hang/hang_evidence.h"

namespace collscope {

namespace {

class HangCommand : public RunCommand
{
public:
    bool json = false;
    HangOptions hang;

    void declare() override
    {
        options.group("Verdict");
        options.flag("--hung", hang.isKnownToHang,
                     "The job was hung when the files were written: no proof is needed");
        options.group("Output");
        options.flag("--json", json, "Print JSON");
        input.declare(options);
    }

protected:
    int executeOnRuns() const override
    {
        const std::vector<BatchRun> runs = runsOf(input);
        if (!isOneRun(runs, "hang"))
            return WrongUsage;
        const auto model = loadRun(input, runs.front());
        if (!model)
            return sayNotLoaded(model.error());
        if (!(*model)->hang) {
            say("It contains neither a dump of the Flight Recorder nor a watchdog's line, a RAS snapshot or "
                "py-spy's stacks.");
            return NothingReadable;
        }
        const HangVerdict verdict = judgeHang(*(*model)->hang, (*model)->strings, hang);
        if (isInterrupted()) {
            say("cancelled.");
            return Cancelled;
        }
        const bool printed
            = json ? print(jsonText(hangValue(verdict, (*model)->problems))) : printLines(hangText(verdict));
        if (!printed)
            return NotWritten;
        const bool isOpen = verdict.hang == HangVerdict::Hang::Unproven || !verdict.inconclusive.empty();
        return isOpen ? NotAvailable : Done;
    }
};

} // namespace

std::unique_ptr<ProgramCommand> hangCommand()
{
    return std::make_unique<HangCommand>();
}

} // namespace collscope
