// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/tables/csv_tables.h"

#include "metrics/export/written_report.h"

namespace collscope {

Status CsvTables::begin(const ExportTable& table)
{
    m_file = std::string(table.name) + ".csv";
    for (const ExportColumn& column : table.columns)
        m_block.append(m_block.empty() ? "" : ",").append(column.name);
    m_block += '\n';
    return {};
}

Status CsvTables::row(std::span<const TableCell> cells)
{
    bool isFirst = true;
    for (const TableCell& cell : cells) {
        m_block += std::exchange(isFirst, false) ? "" : ",";
        if (const auto* number = std::get_if<std::int64_t>(&cell)) {
            m_block += std::to_string(*number);
        } else if (const auto* real = std::get_if<double>(&cell)) {
            m_block += numberTextOf(*real);
        } else if (const auto* text = std::get_if<std::string_view>(&cell)) {
            assignTableText(*text, m_text);
            m_block += csvCell(m_text);
        }
    }
    m_block += '\n';
    constexpr std::size_t blockSize = 1 << 18;
    return m_block.size() < blockSize ? Status() : flush();
}

Status CsvTables::end(const ExportTable&)
{
    return flush();
}

Status CsvTables::flush()
{
    Status written = m_write(m_file, m_block);
    m_block.clear();
    return written;
}

} // namespace collscope
