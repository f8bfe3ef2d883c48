// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sheets -> Excel workbooks, CSV and JSON.

#include "metrics/reports/sheet.h"
#include "model/result.h"

#include <cstddef>

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
        std::string sheet;
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

/// RFC 4180 with the sheet's columns as header. Text that a spreadsheet would run as a formula gets a leading
/// apostrophe.
std::string sheetCsv(const Sheet& sheet);
/// {"<sheet>": [{"<column>": cell, ...}, ...], ..., "notes": [...]}.
Value workbookValue(const Workbook& book);

/// A name that Excel takes for a sheet: at most 31 characters, none of []:*?/\, no apostrophe at an end.
std::string sheetName(std::string_view wanted);

} // namespace collscope
