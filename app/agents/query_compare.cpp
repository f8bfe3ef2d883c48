// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Two runs side by side: the headline and where to look, then the workbook comparison_report of
// --batch compare as JSON.

#include "app/agents/agent_query.h"
#include "app/cli/command_interrupts.h"
#include "app/commands/command_compare.h"
#include "app/files/batch_io.h"
#include "metrics/comparison/compared_locations.h"
#include "metrics/comparison/steps_or_captures.h"
#include "metrics/reports/reused_reports.h"

namespace collscope {

namespace {

class CompareQuery : public AgentQuery
{
    std::string m_baseline, m_test;
    double m_thresholdPercent = 1;

    void declareQuery() override
    {
        options.text("--baseline", m_baseline, "DIR", "Baseline run of the comparison").place
            = OptionSpec::Place::Input;
        options.text("--test", m_test, "DIR", "Run to compare with the baseline").place
            = OptionSpec::Place::Input;
        options.number("--threshold", m_thresholdPercent, 0, 100,
                       "Changes of up to N percent count as similar");
    }
    Status check() override;
    std::size_t runCount() const override { return 2; }
    int measure(const HardwareDatabasePtr& hardware) const override;
    Result<std::string> answer(Analysis&) const override { return std::string(); }
    Result<ComparedRunPtr> prepare(const BatchRun& run, const std::string& label,
                                   const HardwareDatabasePtr& hardware) const;
};

Status CompareQuery::check()
{
    if (m_baseline.empty() || m_test.empty())
        return usageError("A comparison needs a baseline and a test.");
    input.paths = {m_baseline, m_test};
    return AgentQuery::check();
}

Result<ComparedRunPtr> CompareQuery::prepare(const BatchRun& run, const std::string& label,
                                             const HardwareDatabasePtr& hardware) const
{
    const auto model = loadRun(*this, run);
    if (!model)
        return model.error();
    RunReportOptions report = runReportOptions({.collective = true});
    report.collective.streamsRows = true;
    const ComparedRunPtr prepared = prepareRun(*model, metricOptions(selection, hardware), label, report);
    if (!prepared)
        return Error{Error::Kind::Cancelled, "cancelled."};
    ComparedRun compared = *prepared;
    Analysis analysis(**model, compared.options);
    if (const auto& failure = analysis.wholeFiles().failure)
        return Error{Error::Kind::NotFound, run.label + ": " + failure->reason, run.label};
    noteRun(compared.sheets, (*model)->paths, true);
    compared.sheets.collective = summariesOf(compared.sheets.collective);
    return std::make_shared<const ComparedRun>(std::move(compared));
}

Value placeValue(const ComparedRun& run, const ComparedLocation& place)
{
    const TraceModel& model = *run.model;
    if (place.slice) {
        const std::size_t timeline = model.track(place.slice.track).timeline.value;
        return locationOf(model, place.slice, run.clocks.toAxis(timeline, model.rangeOf(place.slice)));
    }
    const auto range = place.gap ? place.gap : place.range;
    return range ? Value(locationOn(model, *range)) : Value();
}

/// Where the first rows of some sheets are in both runs, in the first step of each.
Value locationsValue(const ComparedRun& base, const ComparedRun& test, const ComparisonReport& report)
{
    constexpr std::size_t mostRows = 6;
    const std::vector<std::int64_t> baseSteps = base.steps(), testSteps = test.steps();
    std::optional<StepPair> steps;
    if (!baseSteps.empty() && !testSteps.empty())
        steps = StepPair{baseSteps.front(), testSteps.front()};
    Value::Array places;
    for (const ComparisonKind kind :
         {ComparisonKind::Waterfall, ComparisonKind::Kernels, ComparisonKind::Collectives}) {
        const ComparedSheet* const sheet = report.sheet(kind);
        for (std::size_t row = 0; sheet && row < std::min(mostRows, sheet->subjects.size()); ++row) {
            const ComparedLocations found = findLocations(base, test, sheet->subjects[row], steps);
            places.emplace_back(Value::Object{{"sheet", sheet->name},
                                              {"row", static_cast<std::int64_t>(row)},
                                              {"baseline", placeValue(base, found.base)},
                                              {"test", placeValue(test, found.test)}});
        }
    }
    return places;
}

int CompareQuery::measure(const HardwareDatabasePtr& hardware) const
{
    std::vector<ComparedRunPtr> runs;
    const std::vector<BatchRun> asked{{m_baseline, {m_baseline}, input.load}, {m_test, {m_test}, input.load}};
    for (const auto& [run, label] : labelledRuns(asked)) {
        auto prepared = prepare(run, label, hardware);
        if (!prepared)
            return sayNotLoaded(prepared.error());
        runs.push_back(std::move(*prepared));
    }
    const RunSheets& base = runs[0]->sheets;
    const RunSheets& test = runs[1]->sheets;
    const CompareOptions compare{m_thresholdPercent};
    const ComparisonReport report = finalReport(base, test, compare);
    const auto note = stepsNote(base, test);
    const Value::Object head{{"schema", "collscope.mcp.compare/1"},
                             {"headline", headlineOf(base, test, compare)},
                             {"note", orNull(note)},
                             {"locations", locationsValue(*runs[0], *runs[1], report)},
                             {"follows", "comparison_report of --batch compare as JSON"}};
    const std::string text = jsonLine(head) + "\n" + workbookJson(report.workbook(false));
    if (isInterrupted())
        return Cancelled;
    return print(text) ? Done : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> compareQuery()
{
    return std::make_unique<CompareQuery>();
}

} // namespace collscope
