// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/run_report.h"

#include "metrics/reports/described_work.h"
#include "metrics/reports/rank_report.h"
#include "metrics/reports/step_parts.h"
#include "metrics/reports/what_if_sheet.h"

namespace collscope {

namespace {

/// The collectives of one rank: its rows of nccl_summary_long.
Sheet collectivesOf(std::int32_t rank, const RunSheets& run)
{
    Sheet sheet{"coll_analysis", {}, {}};
    const Sheet* const all = run.collective.sheet(SheetKind::Calls);
    if (!all)
        return sheet;
    sheet.columns = all->columns;
    for (std::size_t i = 0; i < all->rows.size(); ++i) {
        if (run.values.calls->rows[i].kind.rank == rank)
            sheet.rows.push_back(all->rows[i]);
    }
    return sheet;
}

bool areTooLong(const std::vector<RankStepParts>& steps)
{
    double allMs = 0;
    for (const RankStepParts& step : steps)
        allMs += nsToMs(step.range.lengthNs());
    return !(allMs <= mostStepsMs);
}

bool isOfCaptures(Analysis& analysis)
{
    for (const RankWindows& rank : analysis.selection().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            if (part.timeline->stepSource == StepSource::WholeTrace)
                return true;
        }
    }
    return false;
}

} // namespace

RunSheets runSheets(Analysis& analysis, std::string label, const RunReportOptions& options)
{
    RunSheets run = gpuTimelineSummary(gpuTimelines(analysis), options.mean);
    run.label = std::move(label);
    RunValues& values = run.values;
    std::vector<Sheet> own;
    values.steps = stepParts(analysis);
    values.hasStepParts = !values.steps.empty();
    if (values.hasStepParts) {
        values.kernels = kernelRows(analysis);
        own = {stepPartsSheet(values.steps), kernelsSheet(values.kernels, isOfCaptures(analysis))};
    } else { // no GPU work
        values.steps = markedSteps(analysis);
        values.operators = operatorRows(analysis);
        own = {stepTimesSheet(values.steps), operatorsSheet(*values.operators)};
        if (values.operators->empty())
            values.operators.reset();
    }
    values.areStepsTooLarge = areTooLong(values.steps);
    if (values.areStepsTooLarge)
        values.steps.clear();
    values.collectiveKinds = collectiveKinds(analysis);
    values.described = describedWork(analysis.workload());
    own.push_back(collectiveKindsSheet(values.collectiveKinds));
    own.push_back(describedSheet(values.described));
    if (options.withScenarios)
        own.push_back(whatIfSheet(analysis.model(), answerWhatIf(analysis, {})));
    for (Sheet& sheet : own) {
        if (!sheet.isEmpty())
            run.gpuTimeline.sheets.push_back(std::move(sheet));
    }
    if (options.withCollectives)
        run.collective = collectiveReport(analysis, options.collective, values);
    return run;
}

bool forEachRankReport(Analysis& analysis, const RunSheets& run, const OperatorInputReader& inputs,
                       const std::function<bool(std::int32_t rank, const Workbook& report)>& f)
{
    RankReportOptions options;
    options.linkedOnly = analysis.options().linkedOnly;
    options.cancelled = analysis.options().cancelled;
    options.inputs = inputs;
    for (const RankWindows& rank : analysis.wholeFiles().ranks) {
        std::vector<const Timeline*> timelines;
        for (const RankWindows::Part& part : rank.parts)
            timelines.push_back(part.timeline);
        Workbook report = rankReport(analysis.model(), timelines, options);
        if (analysis.options().cancelled())
            return false;
        if (Sheet calls = collectivesOf(rank.rank, run); !calls.isEmpty())
            report.sheets.push_back(std::move(calls));
        if (!f(rank.rank, report))
            return false;
    }
    return true;
}

} // namespace collscope
