// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All tables of a run, and the views on them: for SQLite, DuckDB, ClickHouse, Spark.

#include "metrics/export/tables/export_table.h"

namespace collscope {

/// Raised if a query can notice a change of tables, columns or their meaning.
constexpr int tablesVersion = 1;
/// "collscope.tables/1"
std::string tablesSchema();

/// A query with a name.
struct TableView
{
    std::string_view name;
    std::string_view meaning;
    std::string_view query;
};

/// In the order in which they are written.
const std::vector<ExportTable>& exportTables();
std::span<const TableView> tableViews();
/// All tables with their columns and all views, for the guide.
std::string tablesMarkdown();
/// "INTEGER", "REAL", "TEXT".
std::string_view cellTypeName(CellType type);

/// Writes tables somewhere. The calls of one table follow each other.
class TableWriter
{
public:
    TableWriter() = default;
    TableWriter(const TableWriter&) = delete;
    TableWriter& operator=(const TableWriter&) = delete;
    virtual ~TableWriter() = default;

    virtual Status begin(const ExportTable& table) = 0;
    virtual Status row(std::span<const TableCell> cells) = 0;
    virtual Status end(const ExportTable& table) = 0;
    /// Called after the last table.
    virtual Status finish() { return {}; }
};

/// Writes all tables, then `contents`: how many rows each has, and what it lacks. Stops with the first
/// failure of a writer, or Cancelled.
Status writeExportTables(TableSource& source, std::span<TableWriter* const> writers);

/// Text for any cell: valid UTF-8 without NUL, which most engines end a text at; both become U+FFFD.
void assignTableText(std::string_view text, std::string& out);

// The tables by what they are about.
void addRunTables(std::vector<ExportTable>& tables); ///< provenance, files, ranks, timelines, problems
void addStepTables(std::vector<ExportTable>& tables);
void addCollectiveTables(std::vector<ExportTable>& tables);
void addMetricTables(std::vector<ExportTable>& tables); ///< kernels, copies, metrics, findings
void addVerdictTables(std::vector<ExportTable>& tables); ///< what would help, why the job hung
void addCounterTables(std::vector<ExportTable>& tables); ///< counters
void addSliceTables(std::vector<ExportTable>& tables);

} // namespace collscope
