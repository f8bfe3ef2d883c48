// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Workbooks that were written earlier: whatever is in them is an error or sheets, and any sheets can be
// compared.

#include "metrics/comparison/comparison.h"
#include "metrics/comparison/earlier_reports.h"
#include "metrics/comparison/workbook_reader.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/reader_target.h"
#include "tests/support/texts/stored_archive.h"

#include <cstdlib>
#include <string>

namespace {

using collscope::Sheet;
using collscope::StoredArchive;
using collscope::Workbook;

/// The input as an archive: its lines of dashes part the list of sheets, the shared strings and a page for
/// each of two sheets. One that is an archive already is taken as it is.
std::string archiveOf(std::string_view input)
{
    if (input.starts_with("PK"))
        return std::string(input);
    constexpr std::string_view line = "\n----\n";
    StoredArchive archive;
    for (const std::string_view path : {"xl/workbook.xml", "xl/sharedStrings.xml", "xl/worksheets/sheet1.xml",
                                        "xl/worksheets/sheet2.xml"}) {
        const std::size_t end = input.find(line);
        archive.add(path, input.substr(0, end));
        input = end == std::string_view::npos ? std::string_view() : input.substr(end + line.size());
    }
    archive.add("xl/_rels/workbook.xml.rels",
                "<Relationships><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/>"
                "<Relationship Id=\"rId2\" Target=\"worksheets/sheet2.xml\"/></Relationships>");
    return archive.bytes();
}

/// A workbook says how much it inflates to: it is given less memory than many inputs ask for.
collscope::Result<Workbook> readWithin(std::string_view input)
{
    constexpr std::int64_t mostMemory = 64 << 20;
    const std::string archive = archiveOf(input);
    const collscope::Budget budget(archive.size(), mostMemory + collscope::Budget::usualBytes);
    return collscope::readWorkbook(archive, "fuzz.xlsx", mostMemory);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto book = readWithin({reinterpret_cast<const char*>(data), size});
    if (!book)
        return 0;
    std::size_t cells = 0;
    for (const Sheet& sheet : book->sheets) {
        for (const collscope::Value::Array& row : sheet.rows) {
            cells += row.size() + 1;
            if (row.size() != sheet.columns.size())
                std::abort();
        }
    }
    constexpr std::size_t quicklyCompared = 20'000;
    if (cells > quicklyCompared)
        return 0;
    const collscope::RunSheets base = collscope::readReports("base", *book, *book);
    Workbook shorter = *book;
    if (!shorter.sheets.empty() && !shorter.sheets.front().rows.empty())
        shorter.sheets.front().rows.pop_back();
    const collscope::RunSheets test = collscope::readReports("test", shorter, shorter);
    const Workbook report = collscope::finalReport(base, test, {}).workbook(true);
    const Workbook all = collscope::allRunsReport({base, test, base}, {});
    for (const Workbook* const own : {&report, &all}) {
        for (const Sheet& sheet : own->sheets) {
            for (const collscope::Value::Array& row : sheet.rows) {
                if (row.size() != sheet.columns.size())
                    std::abort();
            }
        }
    }
    return 0;
}
