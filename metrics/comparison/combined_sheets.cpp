// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sheets of two runs one below the other: whatever columns they have, those with the same title are one.

#include "metrics/comparison/comparison.h"

#include <algorithm>
#include <iterator>

namespace collscope {

/// The baseline's rows followed by the test's, with a column `source`.
Sheet combinedSheet(Sheet base, Sheet test, const std::string& baseLabel, const std::string& testLabel)
{
    for (const std::string& column : test.columns) {
        if (!base.column(column))
            base.columns.push_back(column);
    }
    std::vector<std::size_t> places;
    for (const std::string& column : test.columns)
        places.push_back(*base.column(column));
    base.columns.emplace_back("source");
    const std::size_t source = base.columns.size() - 1;
    for (Value::Array& row : base.rows) {
        row.resize(base.columns.size());
        row[source] = baseLabel;
    }
    base.rows.reserve(base.rows.size() + test.rows.size());
    for (Value::Array& own : test.rows) {
        Value::Array row(base.columns.size());
        for (std::size_t i = 0; i < own.size(); ++i)
            row[places[i]] = std::move(own[i]);
        row[source] = testLabel;
        own = {};
        base.rows.push_back(std::move(row));
    }
    return base;
}

Workbook combinedSheets(Workbook base, Workbook test, const std::string& baseLabel,
                        const std::string& testLabel)
{
    Workbook book;
    for (Sheet& own : base.sheets) {
        const auto other = std::find_if(test.sheets.begin(), test.sheets.end(),
                                        [&](const Sheet& sheet) { return sheet.name == own.name; });
        if (other != test.sheets.end())
            book.sheets.push_back(combinedSheet(std::move(own), std::move(*other), baseLabel, testLabel));
    }
    return book;
}

Workbook summariesOf(const Workbook& collective)
{
    Workbook summaries;
    std::copy_if(collective.sheets.begin(), collective.sheets.end(), std::back_inserter(summaries.sheets),
                 [](const Sheet& sheet) { return sheet.kind != SheetKind::Other; });
    summaries.notes = collective.notes;
    return summaries;
}

} // namespace collscope
