// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Workbooks that were written earlier: whatever is in them is an error or sheets, and any sheets can be
// compared.

#include "metrics/comparison/comparison.h"
#include "metrics/comparison/earlier_reports.h"
#include "metrics/comparison/workbook_reader.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/reader_target.h"

#include <cstdlib>
#include <string>

namespace {

using collscope::Sheet;
using collscope::Workbook;

void addNumber(std::uint32_t value, int bytes, std::string& text)
{
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>((value >> (8 * i)) & 0xFFu);
}

std::uint32_t checksumOf(std::string_view bytes)
{
    std::uint32_t sum = 0xFFFFFFFFu;
    for (const char byte : bytes) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum >> 1) ^ ((sum & 1u) != 0 ? 0xEDB88320u : 0u);
    }
    return ~sum;
}

/// A ZIP archive that compresses nothing: so that changes of the input reach the XML, not its checksum.
class StoredArchive
{
public:
    void add(std::string_view path, std::string_view content)
    {
        std::string header;
        addNumber(20, 2, header); // version
        addNumber(0, 2, header); // flags
        addNumber(0, 2, header); // stored
        addNumber(0x00210000, 4, header); // 1980-01-01
        addNumber(checksumOf(content), 4, header);
        addNumber(static_cast<std::uint32_t>(content.size()), 4, header);
        addNumber(static_cast<std::uint32_t>(content.size()), 4, header);
        addNumber(static_cast<std::uint32_t>(path.size()), 2, header);
        addNumber(0, 2, header); // no extra field
        m_directory += "PK\x01\x02";
        addNumber(20, 2, m_directory);
        m_directory += header;
        addNumber(0, 2, m_directory); // no comment
        addNumber(0, 2, m_directory); // disk
        addNumber(0, 2, m_directory); // attributes
        addNumber(0, 4, m_directory);
        addNumber(static_cast<std::uint32_t>(m_files.size()), 4, m_directory);
        m_directory += path;
        m_files += "PK\x03\x04" + header;
        m_files += path;
        m_files += content;
        ++m_count;
    }
    std::string bytes() const
    {
        std::string text = m_files + m_directory + "PK\x05\x06";
        addNumber(0, 4, text); // disks
        addNumber(m_count, 2, text);
        addNumber(m_count, 2, text);
        addNumber(static_cast<std::uint32_t>(m_directory.size()), 4, text);
        addNumber(static_cast<std::uint32_t>(m_files.size()), 4, text);
        addNumber(0, 2, text); // no comment
        return text;
    }

private:
    std::string m_files, m_directory;
    std::uint32_t m_count = 0;
};

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
