// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table of a run as data: its columns, each with type, meaning and cell, and its rows one after the other.

#include "metrics/definitions/metric_catalog.h"
#include "metrics/export/tables/step_windows.h"
#include "model/result.h"

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace collscope {

enum class CellType : std::uint8_t
{
    Integer, ///< 64 bits; truth values are 0 and 1
    Real,
    Text ///< UTF-8, never empty
};

/// One cell; nullptr = unknown, or does not apply. A text must outlive the call that takes the row.
using TableCell = std::variant<std::nullptr_t, std::int64_t, double, std::string_view>;

// Cells for values that may be unknown.
template<typename T>
TableCell tableNumber(const std::optional<T>& value)
{
    return value ? TableCell(static_cast<std::int64_t>(*value)) : TableCell();
}
inline TableCell tableNumber(const std::optional<double>& value)
{
    return value ? TableCell(*value) : TableCell();
}
/// NULL if it is empty.
inline TableCell tableText(std::string_view text)
{
    return text.empty() ? TableCell() : TableCell(text);
}
inline TableCell tableCount(std::integral auto count)
{
    return static_cast<std::int64_t>(count);
}
/// NULL if it is negative, which means unknown.
inline TableCell tableKnown(std::int64_t number)
{
    return number < 0 ? TableCell() : TableCell(number);
}

/// A slice as one number, the same in all tables.
inline TableCell sliceNumber(SliceRef slice)
{
    constexpr int bitsOfRow = 32;
    return static_cast<std::int64_t>(slice.track.value) << bitsOfRow | slice.row;
}

struct ExportColumn
{
    std::string_view name;
    CellType type = CellType::Integer;
    std::string_view meaning; ///< one sentence, with the unit
};

/// Where the rows come from.
struct TableSource
{
    Analysis& counted; ///< with the steps of the options
    std::unique_ptr<Analysis> every; ///< the same with all steps; nullptr once its tables are written
    StepWindows windows; ///< of `every`
    std::vector<MetricRequest> metrics;
    std::vector<std::string> words; ///< of the command line
    bool withSlices = false;
    bool withWhatIf = false;

    const TraceModel& model() const { return counted.model(); }
    const RunCollectives& run() const { return counted.run(); }
    bool isCancelled() const { return counted.options().cancelled(); }
};

/// Takes one row; false: stop, it could not be written.
using TakeRow = std::function<bool(std::span<const TableCell> row)>;

struct ExportTable
{
    std::string_view name;
    std::string_view meaning; ///< what a row is
    std::vector<ExportColumn> columns = {};
    bool hasKey = false; ///< the first column is unique and ascends
    std::string_view index = {}; ///< column by which rows are looked up; empty: none
    /// Passes all rows on. Returns what the table lacks, as a sentence; empty: nothing.
    std::function<std::string(TableSource& source, const TakeRow& take)> write = {};
};

/// A column of typed rows.
template<typename Row>
struct ColumnOf
{
    std::string_view name;
    CellType type = CellType::Integer;
    std::string_view meaning;
    TableCell (*cell)(const Row& row) = nullptr;
};

/// Takes one typed row; false: stop.
template<typename Row>
using TakeTyped = std::function<bool(const Row& row)>;

/// Fills in columns and rows. `rows(source, take)` calls take(row) for each row until it returns false, and
/// returns what the table lacks.
template<typename Row, typename Rows>
ExportTable tableOf(ExportTable table, std::vector<ColumnOf<Row>> columns, Rows rows)
{
    for (const ColumnOf<Row>& column : columns)
        table.columns.push_back({column.name, column.type, column.meaning});
    table.write
        = [columns = std::move(columns), rows](TableSource& source, const TakeRow& take) -> std::string {
        std::vector<TableCell> cells(columns.size());
        constexpr std::size_t askEvery = 4096;
        std::size_t count = 0;
        const TakeTyped<Row> takeTyped = [&](const Row& row) {
            if (++count % askEvery == 0 && source.isCancelled())
                return false;
            for (std::size_t i = 0; i < columns.size(); ++i)
                cells[i] = columns[i].cell(row);
            return take(cells);
        };
        return rows(source, takeTyped);
    };
    return table;
}

} // namespace collscope
