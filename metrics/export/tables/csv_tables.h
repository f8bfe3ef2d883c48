// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tables as CSV files, one for each.

#include "metrics/export/tables/export_tables.h"

namespace collscope {

/// RFC 4180, UTF-8, with a header; NULL is an empty cell. Text that a spreadsheet would run as a formula gets
/// a leading apostrophe. Memory is that of one block, whatever is written.
class CsvTables : public TableWriter
{
public:
    /// Takes the next bytes of "members.csv".
    using Write = std::function<Status(const std::string& file, std::string_view bytes)>;
    explicit CsvTables(Write write)
        : m_write(std::move(write))
    { }

    Status begin(const ExportTable& table) override;
    Status row(std::span<const TableCell> cells) override;
    Status end(const ExportTable& table) override;

private:
    Status flush();

    Write m_write;
    std::string m_file, m_block, m_text;
};

} // namespace collscope
