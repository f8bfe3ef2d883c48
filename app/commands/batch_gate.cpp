// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command gate: whether a run exceeds limits on its change from a baseline, beyond the noise.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/runtime/thread_pool.h"
#include "metrics/export/gate_report.h"
#include "metrics/export/written_report.h"

#include <algorithm>

namespace collscope {

namespace {

class GateCommand : public MeasuringCommand
{
public:
    bool json = false;
    std::vector<std::string> limitTexts;
    std::vector<ChangeLimit> limits; ///< set by check()

    void declare() override
    {
        options.group("Limits");
        options
            .texts("--max", limitTexts, OptionSpec::Takes::Each, "METRIC=+X%",
                   "How far a metric may change from the baseline, in percent of its value there: =+X% grow, "
                   "=-X% shrink; repeat it for more metrics")
            .isRequired
            = true;
        options.group("Output");
        options.flag("--json", json, "Print JSON");
        MeasuringCommand::declare();
    }
    Status check() override;

protected:
    std::size_t runCount() const override { return 2; }
    int measure(const HardwareDatabasePtr& hardware) const override;

private:
    /// A run with what is printed of it.
    struct ReadRun
    {
        GatedRun measured;
        Value printed;
    };
    Status readLimits();
    Result<ReadRun> readRun(std::size_t index, const HardwareDatabasePtr& hardware) const;
};

Status GateCommand::readLimits()
{
    for (const std::string& text : limitTexts) {
        auto limit = parseChangeLimit(text, catalog);
        if (!limit)
            return limit.error();
        const bool isGiven = std::any_of(limits.begin(), limits.end(), [&](const ChangeLimit& other) {
            return other.metric.name == limit->metric.name && other.isOnGrowth == limit->isOnGrowth;
        });
        if (isGiven)
            return usageError("There are two limits for " + limit->metric.name + ".");
        limits.push_back(std::move(*limit));
    }
    return {};
}

Status GateCommand::check()
{
    if (input.paths.size() != 2 || input.demo)
        return usageError("A gate needs two runs: gate BASELINE TEST --max METRIC=+X%.");
    if (selection.options.range)
        return usageError("A gate tells the noise from the steps, so --range does not apply; use --steps.");
    if (Status read = readCatalog(); !read)
        return read;
    if (Status read = readLimits(); !read)
        return read;
    return MeasuringCommand::check();
}

/// Loads one run and measures it, so that the two runs are not in memory together.
Result<GateCommand::ReadRun> GateCommand::readRun(std::size_t index,
                                                  const HardwareDatabasePtr& hardware) const
{
    BatchRun run{input.paths[index], {input.paths[index]}, input.load};
    if (index < input.names.size() && !input.names[index].empty())
        run.label = run.load.given.name = input.names[index];
    const auto model = loadRun(*this, run, RunContents::EventsOrSums);
    if (!model)
        return model.error();
    MetricOptions chosen = metricOptions(selection, hardware);
    chosen.parallel = threadPool(input.threads);
    Analysis analysis(**model, std::move(chosen));
    return ReadRun{gatedRun(analysis, run.label, limits), runValue(**model)};
}

/// The exit code of a verdict.
int gateExitCode(LimitState state)
{
    switch (state) {
    case LimitState::Within:
        return Done;
    case LimitState::Exceeded:
        return Regressed;
    case LimitState::Unknown:
        break;
    }
    return NotAvailable;
}

int GateCommand::measure(const HardwareDatabasePtr& hardware) const
{
    auto base = readRun(0, hardware);
    if (!base)
        return sayNotLoaded(base.error());
    auto test = readRun(1, hardware);
    if (!test)
        return sayNotLoaded(test.error());
    const RunGate gate = judgeRuns(limits, base->measured, test->measured);
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    const bool printed = json
        ? print(jsonText(gateValue(gate, std::move(base->printed), std::move(test->printed))))
        : printLines(gateText(gate));
    if (!printed)
        return NotWritten;
    if (gate.state() == LimitState::Unknown)
        say(unknownLimitsText(gate));
    return gateExitCode(gate.state());
}

} // namespace

std::unique_ptr<ProgramCommand> gateCommand()
{
    return std::make_unique<GateCommand>();
}

} // namespace collscope
