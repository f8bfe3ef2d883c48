// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sheets of two runs one below the other: whatever columns they have, those with the same title are one.

#include "metrics/comparison/comparison.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace collscope {

/// The baseline's rows followed by the test's, with a column `source`.
Sheet combinedSheet(Sheet base, Sheet test, const std::string& baseLabel, const std::string& testLabel)
{
    Sheet combined{base.name, base.columns, {}, base.isHidden, base.kind};
    for (const std::string& column : test.columns) {
        if (!base.column(column))
            combined.columns.push_back(column);
    }
    std::vector<std::size_t> places;
    for (const std::string& column : test.columns)
        places.push_back(*combined.column(column));
    combined.columns.emplace_back("source");
    const std::size_t columns = combined.columns.size();
    const std::size_t count = base.rowCount() + test.rowCount();
    const auto sheets = std::make_shared<const std::pair<Sheet, Sheet>>(std::move(base), std::move(test));
    const auto make = [sheets, places, columns, baseLabel, testLabel](const TakeSheetRow& take) {
        Value::Array row(columns);
        bool isWanted = true;
        row.back() = baseLabel;
        sheets->first.forEachRow([&](const Value::Array& own) {
            std::copy(own.begin(), own.end(), row.begin());
            return isWanted = take(row);
        });
        if (!isWanted)
            return;
        row.assign(columns, {});
        row.back() = testLabel;
        sheets->second.forEachRow([&](const Value::Array& own) {
            for (std::size_t i = 0; i < own.size(); ++i)
                row[places[i]] = own[i];
            return take(row);
        });
    };
    combined.stream = std::make_shared<const RowStream>(RowStream{count, make, sheets});
    return combined;
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
