// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A report as tables: the source of workbooks, CSV files, JSON and pages.

#include "metrics/core/value.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Sheets of a run that comparisons write again. Programs find a sheet by its kind; its name and the titles
/// of its columns are for readers.
enum class SheetKind : std::uint8_t
{
    Other,
    OtherSummary, ///< a summary of collectives that only another program writes
    GpuTimes, ///< Summary
    RankGpuTimes, ///< All_Ranks_Combined
    RankTimes, ///< Per_Rank_Time_ms
    RankPercents, ///< Per_Rank_Percent
    Collectives, ///< nccl_summary_implicit_sync
    Calls, ///< nccl_summary_long
    UnevenCollectives, ///< nccl_summary_all2allv
    Stragglers ///< straggler_summary
};

/// Takes one row; false: no more of them.
using TakeSheetRow = std::function<bool(const Value::Array& row)>;

/// Rows that are made while they are written: a sheet with a row per call need not fit into memory.
struct RowStream
{
    std::size_t count = 0;
    std::function<void(const TakeSheetRow& take)> make; ///< the same rows each time
    std::shared_ptr<const void> source; ///< what `make` reads
};

/// One table: a header and its rows. A cell is null (empty), a truth value, a number or text.
struct Sheet
{
    std::string name; ///< unique in its workbook
    std::vector<std::string> columns;
    std::vector<Value::Array> rows; ///< each as long as `columns`
    bool isHidden = false; ///< raw data for the visible sheets
    SheetKind kind = SheetKind::Other;
    std::shared_ptr<const RowStream> stream = {}; ///< instead of `rows`

    bool isEmpty() const { return rowCount() == 0; }
    std::size_t rowCount() const { return stream ? stream->count : rows.size(); }
    /// The rows, however they are kept.
    void forEachRow(const TakeSheetRow& take) const;
    /// Makes the rows of a stream and keeps them.
    void keepRows();
    /// Index of a column; nullopt if no column has that title. For reports that were read
    /// (earlier_reports.h).
    std::optional<std::size_t> column(std::string_view title) const;
};

/// Name of the sheet or file that contains the notes, next to the sheets of a workbook.
inline constexpr const char* notesSheet = "Notes";

/// Several tables that are written together.
struct Workbook
{
    std::vector<Sheet> sheets; ///< in the order of their tabs; the first visible one is shown first
    std::vector<std::string> notes; ///< remarks that concern readers of all sheets

    const Sheet* sheet(SheetKind kind) const;
    /// For workbooks that were read (earlier_reports.h).
    const Sheet* sheet(std::string_view name) const;
};

// Cells for values that may be unknown: null if unknown.
Value numberCell(const std::optional<double>& number);
Value countCell(const std::optional<std::int64_t>& count);
Value textCell(std::string_view text); ///< null if it is empty
/// A cell as text, so that a rank written as 0 and one written as "0" are the same; "" if it is empty.
std::string keyText(const Value& cell);

} // namespace collscope
