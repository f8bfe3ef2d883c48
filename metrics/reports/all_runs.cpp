// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One baseline and any number of tests side by side.

#include "metrics/reports/comparison.h"
#include "metrics/reports/keyed_rows.h"
#include "metrics/reports/step_comparison.h"

#include <algorithm>
#include <cassert>

namespace collscope {

namespace {

std::vector<const Sheet*> sheetsOf(const std::vector<RunSheets>& runs, Workbook RunSheets::*book,
                                   std::string_view name)
{
    std::vector<const Sheet*> sheets;
    sheets.reserve(runs.size());
    for (const RunSheets& run : runs)
        sheets.push_back((run.*book).sheet(name));
    return sheets;
}

/// Appends all cells of a run's row from one column on, or the same number of empty cells if the run has no
/// such row.
void addCells(const Sheet* sheet, const Value::Array* own, std::size_t first, Value::Array& row)
{
    const std::size_t count = sheet ? sheet->columns.size() : 0;
    for (std::size_t i = first; i < count; ++i)
        row.push_back(own ? (*own)[i] : Value());
}

Sheet summarySheet(const std::vector<RunSheets>& runs, const CompareOptions& options)
{
    Sheet sheet{"Summary", {"type"}, {}};
    for (const RunSheets& run : runs) {
        for (const char* column : {"time ms", "percent", "num_ranks"})
            sheet.columns.push_back(column + ("_" + run.label));
    }
    for (std::size_t i = 1; i < runs.size(); ++i) {
        sheet.columns.push_back("percent_change_" + runs[i].label);
        sheet.columns.push_back("status_" + runs[i].label);
    }
    // The change rows follow the sheets of the runs that they compare.
    std::vector<Sheet> changes;
    for (std::size_t i = 1; i < runs.size(); ++i)
        changes.push_back(compareSummary(runs.front(), runs[i], options));
    std::vector<const Sheet*> sheets = sheetsOf(runs, &RunSheets::gpuTimeline, "Summary");
    for (const Sheet& change : changes)
        sheets.push_back(&change);
    const KeyedRows rows(sheets, {"type"});
    for (std::size_t r = 0; r < rows.size(); ++r) {
        Value::Array row = rows.keysOf(r);
        for (std::size_t run = 0; run < runs.size(); ++run) {
            for (const char* column : {"time ms", "percent", "num_ranks"})
                row.push_back(rows.cell(r, run, column));
        }
        for (std::size_t i = runs.size(); i < sheets.size(); ++i) {
            row.push_back(rows.cell(r, i, "percent_change"));
            row.push_back(rows.cell(r, i, "status"));
        }
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

Sheet perRankSheet(const std::vector<RunSheets>& runs)
{
    Sheet sheet{"Per_Rank_Time_ms", {"type"}, {}};
    const std::vector<const Sheet*> sheets = sheetsOf(runs, &RunSheets::gpuTimeline, "Per_Rank_Time_ms");
    for (std::size_t run = 0; run < runs.size(); ++run) {
        for (std::size_t i = 1; sheets[run] && i < sheets[run]->columns.size(); ++i)
            sheet.columns.push_back(sheets[run]->columns[i] + "_" + runs[run].label);
    }
    const KeyedRows rows(sheets, {"type"});
    for (std::size_t r = 0; r < rows.size(); ++r) {
        Value::Array row = rows.keysOf(r);
        for (std::size_t run = 0; run < runs.size(); ++run)
            addCells(sheets[run], rows.row(r, run), 1, row);
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

Sheet collectiveSheet(const std::vector<RunSheets>& runs)
{
    const std::vector<const Sheet*> sheets
        = sheetsOf(runs, &RunSheets::collective, "nccl_summary_implicit_sync");
    Sheet sheet{"NCCL_Summary", {"index"}, {}};
    for (std::size_t run = 0; run < runs.size(); ++run) {
        if (!sheets[run])
            continue;
        for (const std::string& column : sheets[run]->columns)
            sheet.columns.push_back(column + "_" + runs[run].label);
    }
    const KeyedRows rows(sheets, sharedColumns(sheets, collectiveKeys));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        Value::Array row{keyText(rows.key(r, "Collective name")) + "_"
                         + keyText(rows.key(r, "In msg nelems"))};
        for (std::size_t run = 0; run < runs.size(); ++run)
            addCells(sheets[run], rows.row(r, run), 0, row);
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

} // namespace

Workbook allRunsReport(const std::vector<RunSheets>& runs, const CompareOptions& options)
{
    assert(!runs.empty());
    Workbook book;
    book.sheets = {summarySheet(runs, options), perRankSheet(runs)};
    if (Sheet collectives = collectiveSheet(runs); !collectives.isEmpty())
        book.sheets.push_back(std::move(collectives));
    for (std::size_t i = 1; i < runs.size(); ++i) {
        if (auto note = stepsNote(runs.front(), runs[i]))
            book.notes.push_back(runs[i].label + " against " + runs.front().label + ": " + *note);
    }
    for (const RunSheets& run : runs)
        addNotes(run, book);
    return book;
}

} // namespace collscope
