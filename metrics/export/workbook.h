// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sheets -> Excel workbooks, CSV and JSON.

#include "metrics/reports/sheet.h"
#include "model/result.h"

#include <cstddef>
#include <functional>
#include <set>

namespace collscope {

/// What one sheet can hold; Excel's own limits.
struct SheetLimits
{
    std::size_t rows = 1'048'576; ///< the header is one of them
    std::size_t columns = 16'384;
};

/// A workbook as bytes, and what did not fit into it.
struct WrittenWorkbook
{
    std::string bytes; ///< .xlsx
    struct Spill
    {
        std::string sheet; ///< its sheetName(), which is safe as the name of a file
        std::string csv; ///< all of it
    };
    std::vector<Spill> spills; ///< the sheet has as many rows as fit, and a note names the file
};

/// Every sheet with rows is an Excel table with filters (style Medium 2), named as the sheet; columns called
/// percent_change get a scale from red over white at 0 to green; hidden sheets stay hidden; notes make a last
/// sheet "Notes". Text is never taken for a formula. `spillPrefix`: what the CSV files of the spills will be
/// called, before "<sheet>.csv". An error says why the library could not write.
Result<WrittenWorkbook> writeWorkbook(const Workbook& book, const std::string& spillPrefix,
                                      const SheetLimits& limits = {});
/// The same, and gives each row's memory back as soon as the library has its own copy of it.
Result<WrittenWorkbook> writeWorkbook(Workbook&& book, const std::string& spillPrefix,
                                      const SheetLimits& limits = {});

/// RFC 4180 with the sheet's columns as header. Text that a spreadsheet would run as a formula gets a leading
/// apostrophe.
std::string sheetCsv(const Sheet& sheet);
/// What sheetCsv() makes of each sheet under a file name of its own ("nccl_long.csv"); notes are "Notes.csv".
/// Calls f with one after the other; false if f said so, and then no more is made.
bool forEachSheetCsv(const Workbook& book,
                     const std::function<bool(const std::string& name, const std::string& csv)>& f);
/// {"schema": "collscope.workbook/1", "sheets": [{"name", "hidden", "columns": [...], "rows": [[...], ...]},
/// ...], "notes": [...]}: one row of a sheet is one line. Invalid UTF-8 is replaced.
std::string workbookJson(const Workbook& book);

/// A name that Excel takes for a sheet: at most 31 characters, none of []:*?/\, no apostrophe at an end.
std::string sheetName(std::string_view wanted);

/// Names for the sheets of one workbook.
class SheetNames
{
public:
    /// sheetName(), with a number behind it where another sheet has the name; Excel and some file systems do
    /// not tell cases apart.
    std::string freeName(std::string_view wanted);

private:
    std::set<std::string> m_taken;
};

} // namespace collscope
