// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command findings: what costs time in a run, ranked.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/runtime/thread_pool.h"
#include "metrics/export/findings_report.h"
#include "metrics/export/written_report.h"
#include "metrics/summary/summarized_findings.h"

#include <algorithm>
#include <iterator>

namespace collscope {

namespace {

class FindingsCommand : public MeasuringCommand
{
public:
    bool json = false, withoutRun = false;
    int most = 10'000; ///< findings with a cost

    void declare() override
    {
        options.group("Output");
        options.flag("--json", json, "Print JSON");
        options.flag("--without-run", withoutRun, "Leave the list of files out of the JSON");
        options.number("--top", most, 1, most, "Print only the K findings that cost most");
        options.group("Selection");
        selection.declareRank(options);
        selection.declareWindow(options);
        selection.declareClocks(options);
        input.declare(options);
    }

protected:
    int measure(const HardwareDatabasePtr& hardware) const override;

private:
    Value valueOf(const TraceModel& model, const Findings& findings, std::size_t count) const;
};

Value FindingsCommand::valueOf(const TraceModel& model, const Findings& findings, std::size_t count) const
{
    Value value = findingsValue(model, findings, count);
    const auto* whole = value.as<Value::Object>();
    if (!withoutRun || !whole)
        return value;
    Value::Object rest;
    std::copy_if(whole->begin(), whole->end(), std::back_inserter(rest),
                 [](const auto& member) { return member.first != "run"; });
    return rest;
}

int FindingsCommand::measure(const HardwareDatabasePtr& hardware) const
{
    const std::vector<BatchRun> runs = runsOf(input);
    if (!isOneRun(runs, "findings"))
        return WrongUsage;
    const auto model = loadRun(*this, runs.front(), RunContents::EventsOrSums);
    if (!model)
        return sayNotLoaded(model.error());
    MetricOptions chosen = metricOptions(selection, hardware);
    chosen.parallel = threadPool(input.threads);
    Analysis analysis(**model, std::move(chosen));
    const Result<Findings> findings = findCostsOfRun(analysis);
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    if (!findings) {
        say(findings.error().message);
        return NotAvailable;
    }
    const auto count = static_cast<std::size_t>(most);
    const bool printed = json ? print(jsonText(valueOf(**model, *findings, count)))
                              : printLines(findingsText(*findings, count));
    return printed ? Done : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> findingsCommand()
{
    return std::make_unique<FindingsCommand>();
}

} // namespace collscope
