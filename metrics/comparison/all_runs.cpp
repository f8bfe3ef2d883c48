// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One baseline and any number of tests side by side.

#include "metrics/comparison/comparison.h"
#include "metrics/comparison/step_comparison.h"

#include <algorithm>
#include <cassert>

namespace collscope {

namespace {

/// The rows of each run; nullptr if a run has none.
template<typename Row>
using RowsOfRuns = std::vector<const std::vector<Row>*>;

Sheet summarySheet(const std::vector<RunSheets>& runs, const CompareOptions& options)
{
    using Row = std::vector<const GpuTimeRow*>; // of each run
    std::vector<SheetColumn<Row>> columns{{"type", [](const Row& row) { return textCell(anyOf(row).type); }}};
    RowsOfRuns<GpuTimeRow> means;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        means.push_back(&runs[run].values.means);
        const auto add = [&](const char* title, auto cellOf) {
            columns.push_back({title + ("_" + runs[run].label), [run, cellOf](const Row& row) {
                                   return row[run] ? cellOf(*row[run]) : Value();
                               }});
        };
        add("time ms", [](const GpuTimeRow& row) { return numberCell(row.ms); });
        add("percent", [](const GpuTimeRow& row) { return numberCell(row.percent); });
        add("num_ranks", [](const GpuTimeRow& row) { return countCell(row.ranks); });
    }
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const std::vector<ComparedTime> times = comparedTimes(runs.front(), runs[i], options, false);
        // The n-th row of a type of the two runs is the n-th of the comparison.
        std::map<std::pair<const GpuTimeRow*, const GpuTimeRow*>, ComparedTime> changes;
        std::size_t next = 0;
        for (const auto& pair : joinedRows<GpuTimeRow>({means.front(), means[i]},
                                                       [](const GpuTimeRow& row) { return row.type; }))
            changes[{pair[0], pair[1]}] = times[next++];
        const auto add = [&](const char* title, auto cellOf) {
            columns.push_back({title + runs[i].label, [changes, i, cellOf](const Row& row) {
                                   const auto found = changes.find({row[0], row[i]});
                                   return found == changes.end() ? Value() : cellOf(found->second);
                               }});
        };
        add("percent_change_", [](const ComparedTime& own) { return numberCell(own.delta.improvement); });
        add("status_", [](const ComparedTime& own) { return Value(deltaStatusName(own.status)); });
    }
    return sheetOf("Summary", columns,
                   joinedRows<GpuTimeRow>(means, [](const GpuTimeRow& row) { return row.type; }));
}

Sheet perRankSheet(const std::vector<RunSheets>& runs)
{
    using Row = std::vector<const RankTable::Type*>;
    std::vector<SheetColumn<Row>> columns{{"type", [](const Row& row) { return textCell(anyOf(row).type); }}};
    RowsOfRuns<RankTable::Type> types;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const RankTable& table = runs[run].values.rankTimes;
        types.push_back(&table.types);
        for (std::size_t r = 0; r < table.ranks.size(); ++r)
            columns.push_back(
                {std::to_string(table.ranks[r]) + "_" + runs[run].label,
                 [run, r](const Row& row) { return row[run] ? numberCell(row[run]->figures[r]) : Value(); }});
    }
    return sheetOf("Per_Rank_Time_ms", columns,
                   joinedRows<RankTable::Type>(types, [](const auto& row) { return row.type; }));
}

/// All columns of the collectives of each run side by side.
Sheet collectiveSheet(const std::vector<RunSheets>& runs)
{
    using Row = std::vector<const CollectiveKindRow*>;
    std::vector<SheetColumn<Row>> columns{{"index", [](const Row& row) {
                                               const CallKind& kind = anyOf(row).kind;
                                               return Value(kind.name + "_"
                                                            + keyText(countCell(kind.inElements)));
                                           }}};
    RowsOfRuns<CollectiveKindRow> tables;
    CallKeys known = allCallKeys;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        const auto& table = runs[run].values.collectives;
        const Sheet* const sheet = runs[run].collective.sheet(SheetKind::Collectives);
        tables.push_back(table && sheet ? &table->rows : nullptr);
        if (!tables.back())
            continue;
        known &= table->known;
        for (std::size_t c = 0; c < sheet->columns.size(); ++c)
            columns.push_back(
                {sheet->columns[c] + "_" + runs[run].label, [run, c, sheet, &table](const Row& row) {
                     return row[run] ? sheet->rows[static_cast<std::size_t>(row[run] - table->rows.data())][c]
                                     : Value();
                 }});
    }
    return sheetOf("NCCL_Summary", columns,
                   joinedRows<CollectiveKindRow>(tables, [&](const CollectiveKindRow& row) {
                       return restricted(row.kind, collectiveKeys(), known);
                   }));
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
        addNotes(run, book.notes);
    return book;
}

} // namespace collscope
