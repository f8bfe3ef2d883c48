// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/run_report.h"

#include "metrics/reports/compared_step_work.h"
#include "metrics/reports/cpu_sheets.h"
#include "metrics/reports/keyed_rows.h"
#include "metrics/reports/rank_report.h"
#include "metrics/reports/step_parts.h"

namespace collscope {

namespace {

/// The collectives of one rank: its rows of nccl_summary_long.
Sheet collectivesOf(std::int32_t rank, const Workbook& collective)
{
    Sheet sheet{"coll_analysis", {}, {}};
    const Sheet* const all = collective.sheet("nccl_summary_long");
    if (!all)
        return sheet;
    sheet.columns = all->columns;
    for (const Value::Array& row : all->rows) {
        if (numberOf(row.front()) == static_cast<double>(rank))
            sheet.rows.push_back(row);
    }
    return sheet;
}

} // namespace

RunSheets runSheets(Analysis& analysis, std::string label, const RunReportOptions& options)
{
    RunSheets run;
    run.label = std::move(label);
    run.gpuTimeline = gpuTimelineSummary(gpuTimelines(analysis), options.mean);
    std::vector<Sheet> own{stepPartsSheet(stepParts(analysis)), kernelsSheet(analysis)};
    if (own.front().isEmpty()) // no GPU work
        own = {stepTimesSheet(analysis), operatorsSheet(analysis)};
    own.push_back(collectiveKindsSheet(analysis));
    own.push_back(describedSheet(describedWork(analysis.workload())));
    for (Sheet& sheet : own) {
        if (!sheet.isEmpty())
            run.gpuTimeline.sheets.push_back(std::move(sheet));
    }
    if (options.withCollectives)
        run.collective = collectiveReport(analysis, options.collective);
    return run;
}

bool forEachRankReport(Analysis& analysis, const Workbook& collective, const OperatorInputReader& inputs,
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
        if (Sheet calls = collectivesOf(rank.rank, collective); !calls.isEmpty())
            report.sheets.push_back(std::move(calls));
        if (!f(rank.rank, report))
            return false;
    }
    return true;
}

} // namespace collscope
