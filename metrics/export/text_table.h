// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tables for reading in a terminal or in a text file.

#include "metrics/core/metric.h"

namespace collscope {

/// Rows of cells in aligned columns with two spaces between them; no spaces at the end of a line.
class TextTable
{
public:
    /// `toTheRight`: for each column, whether its cells are right-aligned, as numbers are.
    explicit TextTable(std::vector<bool> toTheRight);

    /// Expects as many cells as there are columns.
    void add(std::vector<std::string> cells);
    /// Each line is indented by this many spaces.
    std::string text(std::size_t indent = 0) const;

private:
    std::vector<bool> m_toTheRight;
    std::vector<std::size_t> m_widths;
    std::vector<std::vector<std::string>> m_rows;
};

/// Columns and rows of a sheet; number columns are right-aligned.
std::string sheetText(const Sheet& sheet, std::size_t indent = 0);
/// The tables of a result, each under its title; empty if there are none.
std::string tablesText(const std::vector<MetricTable>& tables);

/// Number of characters in a text; continuation bytes of UTF-8 do not count.
std::size_t charactersIn(std::string_view text);

} // namespace collscope
