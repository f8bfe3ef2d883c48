// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --explain-step: why a step took as long as it did.

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "metrics/causes/explain.h"
#include "metrics/export/step_explanation.h"
#include "metrics/export/written_report.h"

namespace collscope {

int runExplainStep(const CommandLine& command, const HardwareDatabasePtr& hardware)
{
    const std::vector<BatchRun> runs = runsOf(command);
    if (!isOneRun(runs, "--explain-step"))
        return WrongUsage;
    // JSON is printed in every case, so that scripts need not guess.
    const auto fail = [&](int code, const std::string& reason) {
        const Value::Object nothing{
            {"step", *command.outputs.explainStep}, {"verdict", Value()}, {"reason", reason}};
        return command.json && code != Cancelled && !print(jsonText(nothing)) ? NotWritten : code;
    };
    const auto model = loadRun(command, runs.front());
    if (!model)
        return fail(sayNotLoaded(model.error()), model.error().message);
    Analysis analysis(**model, metricOptions(command, hardware));
    const auto explanation = explainStep(analysis, *command.outputs.explainStep);
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    if (!explanation) {
        say(explanation.error().message);
        return fail(NotAvailable, explanation.error().message);
    }
    const bool printed = command.json ? print(jsonText(explanationValue(**model, *explanation)))
                                      : printLines(explanationText(*explanation));
    return printed ? Done : NotWritten;
}

} // namespace collscope
