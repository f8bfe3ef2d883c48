// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One baseline and any number of tests side by side.

#include "metrics/reports/comparison.h"
#include "metrics/reports/keyed_rows.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

/// Rows of the same key over all runs: for each key the row of each run, nullptr where it has none.
struct Joined
{
    std::vector<std::vector<std::string>> keys; ///< in the order of their first appearance
    std::vector<std::vector<const Value::Array*>> rows; ///< by key and run
};

Joined join(const std::vector<const Sheet*>& sheets, const std::vector<std::string>& columns)
{
    Joined joined;
    std::map<std::vector<std::string>, std::size_t> known;
    for (std::size_t run = 0; run < sheets.size(); ++run) {
        if (!sheets[run])
            continue;
        for (const Value::Array& row : sheets[run]->rows) {
            std::vector<std::string> key;
            for (const std::string& column : columns) {
                const auto at = sheets[run]->column(column);
                key.push_back(at ? keyText(row[*at]) : std::string());
            }
            const auto [place, isNew] = known.try_emplace(key, joined.keys.size());
            if (isNew) {
                joined.keys.push_back(std::move(key));
                joined.rows.emplace_back(sheets.size(), nullptr);
            }
            joined.rows[place->second][run] = &row;
        }
    }
    return joined;
}

std::vector<const Sheet*> sheetsOf(const std::vector<RunSheets>& runs, Workbook RunSheets::*book,
                                   std::string_view name)
{
    std::vector<const Sheet*> sheets;
    sheets.reserve(runs.size());
    for (const RunSheets& run : runs)
        sheets.push_back((run.*book).sheet(name));
    return sheets;
}

Value cellIn(const Sheet* sheet, const Value::Array* row, std::string_view column)
{
    const auto at = sheet && row ? sheet->column(column) : std::nullopt;
    return at ? (*row)[*at] : Value();
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
    std::vector<std::map<std::string, Value::Array>> changes; // by test and type
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const Sheet compared = compareSummary(runs.front(), runs[i], options);
        std::map<std::string, Value::Array>& own = changes.emplace_back();
        for (const Value::Array& row : compared.rows)
            own[keyText(row[0])] = {row[*compared.column("percent_change")], row[*compared.column("status")]};
    }
    const std::vector<const Sheet*> sheets = sheetsOf(runs, &RunSheets::gpuTimeline, "Summary");
    const Joined joined = join(sheets, {"type"});
    for (std::size_t k = 0; k < joined.keys.size(); ++k) {
        Value::Array row{joined.keys[k][0]};
        for (std::size_t run = 0; run < runs.size(); ++run) {
            for (const char* column : {"time ms", "percent", "num_ranks"})
                row.push_back(cellIn(sheets[run], joined.rows[k][run], column));
        }
        for (std::map<std::string, Value::Array>& own : changes) {
            Value::Array& cells = own[joined.keys[k][0]];
            cells.resize(2);
            row.insert(row.end(), cells.begin(), cells.end());
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
    const Joined joined = join(sheets, {"type"});
    for (std::size_t k = 0; k < joined.keys.size(); ++k) {
        Value::Array row{joined.keys[k][0]};
        for (std::size_t run = 0; run < runs.size(); ++run) {
            for (std::size_t i = 1; sheets[run] && i < sheets[run]->columns.size(); ++i)
                row.push_back(joined.rows[k][run] ? (*joined.rows[k][run])[i] : Value());
        }
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
    // Reports of older tools know fewer columns.
    std::vector<std::string> keys;
    for (const char* key : {"Collective name", "dtype", "In msg nelems", "Group size",
                            "Process Group Description", "node_span"}) {
        if (std::all_of(sheets.begin(), sheets.end(),
                        [&](const Sheet* own) { return !own || own->column(key); }))
            keys.emplace_back(key);
    }
    const Joined joined = join(sheets, keys);
    for (std::size_t k = 0; k < joined.keys.size(); ++k) {
        Value::Array row{joined.keys[k][0] + "_" + joined.keys[k][2]};
        for (std::size_t run = 0; run < runs.size(); ++run) {
            if (sheets[run] && joined.rows[k][run])
                row.insert(row.end(), joined.rows[k][run]->begin(), joined.rows[k][run]->end());
            else if (sheets[run])
                row.resize(row.size() + sheets[run]->columns.size());
        }
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

} // namespace

Workbook allRunsReport(const std::vector<RunSheets>& runs, const CompareOptions& options)
{
    Workbook book;
    book.sheets = {summarySheet(runs, options), perRankSheet(runs)};
    if (Sheet collectives = collectiveSheet(runs); !collectives.isEmpty())
        book.sheets.push_back(std::move(collectives));
    for (const RunSheets& run : runs) {
        for (const std::string& note : run.collective.notes)
            book.notes.push_back(run.label + ": " + note);
    }
    return book;
}

} // namespace collscope
