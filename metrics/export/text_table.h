// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tables that people read in a terminal or in a text file.

#include "metrics/metric.h"

namespace collscope {

/// Rows of cells in aligned columns with two blanks between them; no blanks at the end of a line.
class TextTable
{
public:
    /// `toTheRight`: of each column, whether its cells stand at its right edge, as numbers do.
    explicit TextTable(std::vector<bool> toTheRight);

    /// As many cells as there are columns.
    void add(std::vector<std::string> cells);
    /// Each line behind so many blanks.
    std::string text(std::size_t indent = 0) const;

private:
    std::vector<bool> m_toTheRight;
    std::vector<std::size_t> m_widths;
    std::vector<std::vector<std::string>> m_rows;
};

/// Columns and rows of a sheet; columns of numbers stand to the right.
std::string sheetText(const Sheet& sheet, std::size_t indent = 0);
/// The tables of a result, each under its title; empty if it has none.
std::string tablesText(const std::vector<MetricTable>& tables);

/// How many characters a text has; bytes that continue a character of UTF-8 do not count.
std::size_t charactersIn(std::string_view text);

} // namespace collscope
