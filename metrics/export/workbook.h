// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Converts sheets to Excel workbooks, CSV and JSON.

#include "metrics/core/sheet.h"
#include "model/result.h"

#include <cstddef>
#include <functional>
#include <set>

namespace collscope {

/// Takes the next piece of a text; false: no more of them.
using TakePiece = std::function<bool(std::string_view piece)>;
/// A text that is made piece by piece while it is written; the same one each time.
using TextPieces = std::function<void(const TakePiece& take)>;

/// Capacity of one sheet; defaults are Excel's limits.
struct SheetLimits
{
    std::size_t rows = 1'048'576; ///< including the header
    std::size_t columns = 16'384;
};

/// A workbook as bytes, and the sheets that did not fit.
struct WrittenWorkbook
{
    std::string bytes; ///< .xlsx
    struct Spill
    {
        std::string sheet; ///< its sheetName(), which is safe as a file name
        TextPieces csv; ///< the complete sheet
    };
    std::vector<Spill> spills; ///< the sheet contains as many rows as fit, and a note names the file
};

/// Memory is that of the file; rows go to temporary files as they come. Writes every sheet with rows as an
/// Excel table with filters (style Medium 2), named like the sheet. Columns called percent_change get a color
/// scale from red over white at 0 to green; hidden sheets stay hidden; notes form a last sheet "Notes". Text
/// is never interpreted as a formula. `spillPrefix`: the part of the spilled CSV files' names before
/// "<sheet>.csv"; the sheets must outlive these. Returns an error with the reason if the library could not
/// write.
Result<WrittenWorkbook> writeWorkbook(const Workbook& book, const std::string& spillPrefix,
                                      const SheetLimits& limits = {});

/// RFC 4180 with the sheet's columns as header. Text that a spreadsheet would run as a formula gets a leading
/// apostrophe.
std::string sheetCsv(const Sheet& sheet);
/// The same piece by piece; the sheet must outlive it.
TextPieces sheetCsvPieces(const Sheet& sheet);
/// Passes the sheetCsvPieces() of each sheet to f with a file name of its own ("nccl_long.csv"); notes become
/// "Notes.csv". Stops and returns false as soon as f returns false.
bool forEachSheetCsv(const Workbook& book,
                     const std::function<bool(const std::string& name, const TextPieces& csv)>& f);
/// {"schema": "collscope.workbook/1", "sheets": [{"name", "hidden", "columns": [...], "rows": [[...], ...]},
/// ...], "notes": [...]}, with one line per row of a sheet. Invalid UTF-8 is replaced.
std::string workbookJson(const Workbook& book);
/// The same piece by piece; the workbook must outlive it.
TextPieces workbookJsonPieces(const Workbook& book);

/// A valid Excel sheet name: at most 31 characters, none of []:*?/\, without an apostrophe at either end.
std::string sheetName(std::string_view wanted);

/// Unique names for the sheets of one workbook.
class SheetNames
{
public:
    /// sheetName(), followed by a number if another sheet has the name; Excel and some file systems ignore
    /// case.
    std::string freeName(std::string_view wanted);

private:
    std::set<std::string> m_taken;
};

} // namespace collscope
