// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command what-if: how long a step would take if something in it took another time.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/runtime/thread_pool.h"
#include "metrics/export/what_if_report.h"
#include "metrics/export/workbook.h"
#include "metrics/export/written_report.h"
#include "metrics/reports/what_if_sheet.h"

namespace collscope {

namespace {

class WhatIfCommand : public MeasuringCommand
{
public:
    bool json = false;
    std::string csvFile;
    std::vector<std::string> scenarios;

    void declare() override
    {
        options.group("Scenarios");
        options.texts("--scenario", scenarios, OptionSpec::Takes::Each, "SCENARIO", helpOfScenarios());
        options.group("Output");
        options.flag("--json", json, "Print JSON");
        options.output("--csv", csvFile, OptionSpec::Place::OutputFile, "FILE|-",
                       "Write the scenarios as CSV to a file, '-' for stdout");
        options.group("Selection");
        selection.declareWindow(options);
        selection.declareClocks(options);
        input.declare(options);
    }

    Status check() override
    {
        if (json && csvFile == "-")
            return usageError("--json and --csv - both write to standard output; give --csv a file.");
        return MeasuringCommand::check();
    }

protected:
    int measure(const HardwareDatabasePtr& hardware) const override;

private:
    static std::string helpOfScenarios();
    std::optional<std::vector<Scenario>> readScenarios() const;
};

std::string WhatIfCommand::helpOfScenarios()
{
    std::string text
        = "What takes another time; repeat it for more answers, and join changes with +. By default, those "
          "that would help";
    for (const ChangeWord& word : changeWords())
        text += "; " + std::string(word.form) + ": " + std::string(word.meaning);
    return text;
}

std::optional<std::vector<Scenario>> WhatIfCommand::readScenarios() const
{
    std::vector<Scenario> read;
    for (const std::string& text : scenarios) {
        auto scenario = parseScenario(text);
        if (const auto* const error = std::get_if<std::string>(&scenario)) {
            std::string known;
            for (const ChangeWord& word : changeWords())
                known += (known.empty() ? "" : ", ") + std::string(word.form);
            say(*error + " Known: " + known + ".");
            return std::nullopt;
        }
        read.push_back(std::get<Scenario>(std::move(scenario)));
    }
    return read;
}

int WhatIfCommand::measure(const HardwareDatabasePtr& hardware) const
{
    const std::vector<BatchRun> runs = runsOf(input);
    if (!isOneRun(runs, "what-if"))
        return WrongUsage;
    const auto asked = readScenarios();
    if (!asked)
        return WrongUsage;
    const auto model = loadRun(*this, runs.front());
    if (!model)
        return sayNotLoaded(model.error());
    MetricOptions chosen = metricOptions(selection, hardware);
    chosen.parallel = threadPool(input.threads);
    Analysis analysis(**model, std::move(chosen));
    const WhatIfAnswer answer = answerWhatIf(analysis, *asked);
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    const std::string csv = csvFile.empty() ? std::string() : sheetCsv(whatIfSheet(**model, answer));
    if (csvFile == "-")
        return print(csv) ? Done : NotWritten;
    if (!csvFile.empty() && !writeFile(csvFile, csv))
        return NotWritten;
    const bool printed
        = json ? print(jsonText(whatIfValue(**model, answer))) : printLines(whatIfText(**model, answer));
    return printed ? Done : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> whatIfCommand()
{
    return std::make_unique<WhatIfCommand>();
}

} // namespace collscope
