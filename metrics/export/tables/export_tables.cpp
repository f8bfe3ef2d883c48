// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/tables/export_tables.h"

#include "model/text/valid_text.h"

#include <algorithm>

namespace collscope {

namespace {

/// A line of the table `contents`.
struct ContentRow
{
    std::string_view table;
    std::int64_t rows = 0;
    std::string missing; ///< what the table lacks
};

struct DescriptionRow
{
    std::string_view table;
    const ExportColumn* column = nullptr; ///< nullptr: the table itself, or a view
    std::string_view meaning;
};

std::string descriptionRows(TableSource&, const TakeTyped<DescriptionRow>& take)
{
    for (const ExportTable& table : exportTables()) {
        if (!take({table.name, nullptr, table.meaning}))
            return {};
        for (const ExportColumn& column : table.columns) {
            if (!take({table.name, &column, column.meaning}))
                return {};
        }
    }
    for (const TableView& view : tableViews()) {
        if (!take({view.name, nullptr, view.meaning}))
            return {};
    }
    return {};
}

/// The last table: what has been written.
ExportTable contentsTable(const std::vector<ContentRow>* written)
{
    using enum CellType;
    return tableOf<ContentRow>(
        {.name = "contents", .meaning = "How many rows each table has, and what it lacks."},
        {{"table_name", Text, "name of the table",
          [](const ContentRow& row) { return tableText(row.table); }},
         {"rows", Integer, "number of rows", [](const ContentRow& row) { return tableCount(row.rows); }},
         {"missing", Text, "what it lacks and why; NULL: nothing",
          [](const ContentRow& row) { return tableText(row.missing); }}},
        [written](TableSource&, const TakeTyped<ContentRow>& take) -> std::string {
            for (const ContentRow& row : *written) {
                if (!take(row))
                    break;
            }
            return {};
        });
}

std::vector<ExportTable> allTables()
{
    using enum CellType;
    std::vector<ExportTable> tables;
    addRunTables(tables);
    addStepTables(tables);
    addCollectiveTables(tables);
    addCounterTables(tables);
    addMetricTables(tables);
    addVerdictTables(tables);
    addSliceTables(tables);
    tables.push_back(tableOf<DescriptionRow>(
        {.name = "descriptions", .meaning = "What the tables, their columns and the views mean."},
        {{"table_name", Text, "name of the table or view",
          [](const DescriptionRow& row) { return tableText(row.table); }},
         {"column_name", Text, "NULL: the table itself",
          [](const DescriptionRow& row) { return row.column ? tableText(row.column->name) : TableCell(); }},
         {"type", Text, "INTEGER, REAL, TEXT",
          [](const DescriptionRow& row) {
              return row.column ? tableText(cellTypeName(row.column->type)) : TableCell();
          }},
         {"meaning", Text, "a sentence", [](const DescriptionRow& row) { return tableText(row.meaning); }}},
        descriptionRows));
    static const std::vector<ContentRow> none;
    tables.push_back(contentsTable(&none)); // written by writeExportTables(), which knows what it contains
    return tables;
}

/// Writes one table to all writers; adds its line to `written`.
Status writeTable(const ExportTable& table, TableSource& source, std::span<TableWriter* const> writers,
                  std::vector<ContentRow>& written)
{
    Status status;
    for (TableWriter* writer : writers) {
        if (status = writer->begin(table); !status)
            return status;
    }
    ContentRow content{table.name, 0, {}};
    content.missing = table.write(source, [&](std::span<const TableCell> cells) {
        ++content.rows;
        for (TableWriter* writer : writers) {
            if (status = writer->row(cells); !status)
                return false;
        }
        return true;
    });
    if (!status)
        return status;
    if (source.isCancelled())
        return Error{Error::Kind::Cancelled, "cancelled."};
    written.push_back(std::move(content));
    for (TableWriter* writer : writers) {
        if (status = writer->end(table); !status)
            return status;
    }
    return {};
}

} // namespace

std::string tablesSchema()
{
    return "collscope.tables/" + std::to_string(tablesVersion);
}

const std::vector<ExportTable>& exportTables()
{
    static const std::vector<ExportTable> tables = allTables();
    return tables;
}

std::string_view cellTypeName(CellType type)
{
    switch (type) {
    case CellType::Integer:
        return "INTEGER";
    case CellType::Real:
        return "REAL";
    case CellType::Text:
        break;
    }
    return "TEXT";
}

std::span<const TableView> tableViews()
{
    static constexpr TableView views[] = {
        {"v_ranks", "A rank with the sums of what ran in its counted steps: most metrics are ratios of them.",
         "SELECT w.rank, count(*) AS windows, nullif(count(s.step), 0) AS steps,\n"
         "       sum(s.length_ns) AS length_ns,\n"
         "       sum(w.communication_ns) AS communication_ns, sum(w.compute_ns) AS compute_ns,\n"
         "       sum(w.overlap_ns) AS overlap_ns,\n"
         "       sum(w.exposed_communication_ns) AS exposed_communication_ns,\n"
         "       sum(w.copy_ns) AS copy_ns, sum(w.exposed_copy_ns) AS exposed_copy_ns,\n"
         "       sum(w.busy_ns) AS busy_ns, sum(w.kernel_sum_ns) AS kernel_sum_ns,\n"
         "       sum(w.communication_sum_ns) AS communication_sum_ns, sum(w.kernels) AS kernels,\n"
         "       sum(w.communication_kernels) AS communication_kernels\n"
         "FROM step_work w JOIN steps s USING (step_id) WHERE s.is_counted GROUP BY w.rank"},
        {"v_rank_step", "A step of a rank with its parts and what ran in it.",
         "SELECT s.*, p.compute_ns, p.communication_ns, p.waiting_ns, p.copy_ns, p.idle_ns,\n"
         "       w.communication_ns AS communication_union_ns, w.overlap_ns, w.busy_ns, w.kernels\n"
         "FROM steps s LEFT JOIN step_parts p USING (step_id) LEFT JOIN step_work w USING (step_id)"},
        {"v_collectives", "A collective with its group and its bandwidth in GB/s (1e9 bytes).",
         "SELECT c.*, g.name AS group_name, g.parallelism, g.ranks AS group_ranks,\n"
         "       1.0 * c.bytes / nullif(c.transfer_ns, 0) AS algorithm_gb_s,\n"
         "       c.bytes * c.bus_factor / nullif(c.transfer_ns, 0) AS bus_gb_s\n"
         "FROM collectives c JOIN groups g USING (group_id)"},
        {"v_collectives_by_group", "Sums over the collectives of a group and operation.",
         "SELECT group_id, group_name, parallelism, class, operation, count(*) AS collectives,\n"
         "       sum(bytes) AS bytes, sum(last_end_ns - first_begin_ns) AS span_ns,\n"
         "       sum(transfer_ns) AS transfer_ns, sum(waited_ns) AS waited_ns,\n"
         "       max(skew_ns) AS largest_skew_ns, avg(bus_gb_s) AS mean_bus_gb_s\n"
         "FROM v_collectives GROUP BY group_id, group_name, parallelism, class, operation"},
        {"v_late_ranks", "How long ranks waited for each rank.",
         "SELECT awaited_rank AS rank, count(*) AS collectives, sum(waited_ns) AS waited_ns\n"
         "FROM collectives WHERE waited_ns > 0 GROUP BY awaited_rank"},
        {"v_slices", "A slice with its names. With --slices.",
         "SELECT s.slice_id, s.rank, t.kind AS track_kind, t.name AS track, n.name, s.class, s.begin_ns,\n"
         "       s.duration_ns, s.depth, s.correlation\n"
         "FROM slices s JOIN tracks t USING (track_id) JOIN names n USING (name_id)"},
    };
    return views;
}

std::string tablesMarkdown()
{
    std::string text;
    for (const ExportTable& table : exportTables()) {
        text += "### " + std::string(table.name) + "\n\n" + std::string(table.meaning)
            + "\n\n| Column | Type | Meaning |\n|---|---|---|\n";
        for (const ExportColumn& column : table.columns)
            text += "| `" + std::string(column.name) + "` | " + std::string(cellTypeName(column.type)) + " | "
                + std::string(column.meaning) + " |\n";
        text += "\n";
    }
    for (const TableView& view : tableViews())
        text += "### " + std::string(view.name) + "\n\n" + std::string(view.meaning) + "\n\n```\n"
            + std::string(view.query) + "\n```\n\n";
    text.pop_back();
    return text;
}

Status writeExportTables(TableSource& source, std::span<TableWriter* const> writers)
{
    std::vector<ContentRow> written;
    for (const ExportTable& table : exportTables()) {
        const bool isLast = &table == &exportTables().back();
        const Status status = isLast ? writeTable(contentsTable(&written), source, writers, written)
                                     : writeTable(table, source, writers, written);
        if (!status)
            return status;
    }
    for (TableWriter* writer : writers) {
        if (Status finished = writer->finish(); !finished)
            return finished;
    }
    return {};
}

void assignTableText(std::string_view text, std::string& out)
{
    const auto isPlain = [](char c) { return static_cast<unsigned char>(c) < 0x80u && c != '\0'; };
    if (std::all_of(text.begin(), text.end(), isPlain)) {
        out.assign(text);
        return;
    }
    out.clear();
    for (const char c : validText(text)) {
        if (c == '\0')
            out += "\xEF\xBF\xBD"; // U+FFFD
        else
            out += c;
    }
}

} // namespace collscope
