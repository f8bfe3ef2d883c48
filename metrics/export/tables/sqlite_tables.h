// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tables as an SQLite file, with views and descriptions.

#include "metrics/export/tables/export_tables.h"

#include <memory>

namespace collscope {

/// Fills an empty file, e.g. the temporary one that becomes the output. Uses no other file next to it. Memory
/// is that of one page cache and one batch of rows, whatever is written.
class SqliteTables : public TableWriter
{
public:
    explicit SqliteTables(const std::string& path);
    ~SqliteTables() override;

    Status begin(const ExportTable& table) override;
    Status row(std::span<const TableCell> cells) override;
    Status end(const ExportTable& table) override;
    Status finish() override;

private:
    struct Open;
    /// Runs what may throw.
    template<typename F>
    Status attempt(const F& f);

    std::string m_path;
    std::unique_ptr<Open> m_open;
};

} // namespace collscope
