// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command explain: why a metric has its value, or why a step took as long as it did.

#include "app/cli/command_interrupts.h"
#include "app/commands/command_metrics.h"
#include "app/files/batch_io.h"
#include "metrics/export/step_explanation.h"
#include "metrics/findings/step_costs.h"

namespace collscope {

namespace {

class ExplainCommand : public ValuesCommand
{
public:
    std::string metric;
    std::optional<std::int64_t> step; ///< number of the step
    std::string folder;

    void declare() override
    {
        options.group("What to explain");
        options.text("--metric", metric, "METRIC", "Print value, formula, inputs and warnings of a metric");
        constexpr double mostSteps = 9e18;
        options.number("--step", step, 0, mostSteps,
                       "Print why this step took as long as it did: which rank was late, and what it had "
                       "been doing");
        declareValues();
        options.output("-o,--output", folder, OptionSpec::Place::OutputFolder, "DIR",
                       "Folder for the plot of the metric");
        MeasuringCommand::declare();
    }
    Status check() override;

protected:
    int measure(const HardwareDatabasePtr& hardware) const override
    {
        return step ? explainTheStep(hardware) : runValues(*this, hardware);
    }

private:
    int explainTheStep(const HardwareDatabasePtr& hardware) const;
};

Status ExplainCommand::check()
{
    if (metric.empty() == !step)
        return usageError("explain takes --metric METRIC or --step N.");
    if (Status read = readCatalog(); !read)
        return read;
    explains = !step;
    if (Status requested = step ? Status() : request(metric); !requested)
        return requested;
    if (Status checked = MeasuringCommand::check(); !checked)
        return checked;
    const MetricOptions& selected = selection.options;
    if (step
        && (selected.steps.mode != StepChoice::Mode::Inner || selected.range
            || selected.attribution != MetricOptions::Attribution::Clip))
        return usageError(
            "The step is selected by its number; --steps, --range and --attribution cannot be combined with "
            "it.");
    if (step
        && (!plots.path.empty() || !folder.empty() || !leaderboardFile.empty() || !outputJsonFile.empty()
            || !csvFile.empty()))
        return usageError("--plot, --output, --leaderboard, --output-json and --csv apply to metrics, not to "
                          "the explanation "
                          "of a step.");
    if (!folder.empty() && !plots.path.empty())
        return usageError("--plot and --output both set the location of the plots; give only one of them.");
    if (!folder.empty())
        plots.path = folder;
    return checkValues();
}

int ExplainCommand::explainTheStep(const HardwareDatabasePtr& hardware) const
{
    const std::vector<BatchRun> runs = runsOf(input);
    if (!isOneRun(runs, "--explain-step"))
        return WrongUsage;
    // JSON is printed in every case, so that scripts need not guess.
    const auto fail = [&](int code, const std::string& reason) {
        const Value::Object nothing{{"step", *step}, {"verdict", Value()}, {"reason", reason}};
        return json && code != Cancelled && !print(jsonText(nothing)) ? NotWritten : code;
    };
    const auto model = loadRun(*this, runs.front());
    if (!model)
        return fail(sayNotLoaded(model.error()), model.error().message);
    Analysis analysis(**model, metricOptions(selection, hardware));
    const auto explanation = explainStepAndCosts(analysis, *step);
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    if (!explanation) {
        say(explanation.error().message);
        return fail(NotAvailable, explanation.error().message);
    }
    const bool printed = json ? print(jsonText(explanationValue(**model, *explanation)))
                              : printLines(explanationText(*explanation));
    return printed ? Done : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> explainCommand()
{
    return std::make_unique<ExplainCommand>();
}

} // namespace collscope
