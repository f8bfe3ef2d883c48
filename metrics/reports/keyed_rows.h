// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of several sheets that speak of the same thing.

#include "metrics/reports/sheet.h"

#include <algorithm>
#include <array>
#include <span>

namespace collscope {

/// A cell as text, so that a rank written as 0 and one written as "0" are the same; "" if it is empty.
std::string keyText(const Value& cell);

/// The columns that tell collectives apart, and single calls of them.
inline constexpr std::array<const char*, 6> collectiveKeys{
    "Collective name", "dtype", "In msg nelems", "Group size", "Process Group Description", "node_span"};
inline constexpr std::array<const char*, 8> callKeys{"rank",
                                                     "Collective name",
                                                     "dtype",
                                                     "In msg nelems",
                                                     "Out msg nelems",
                                                     "Process Group Description",
                                                     "Process Group Ranks",
                                                     "stream"};
/// Those of the wanted columns that all sheets have which are there (not nullptr): reports of older tools
/// lack some.
std::vector<std::string> sharedColumns(const std::vector<const Sheet*>& sheets,
                                       std::span<const char* const> wanted);

/// Puts first what changed most, also where it is new or gone: `base` is the column of the baseline, behind
/// it are those of the test and of the difference. Equal changes stay in order.
void sortByChange(Sheet& sheet, std::size_t base);

/// Joins the sheets of several runs. Rows with the same key are joined in their order: the first of each run,
/// then the second. None is dropped.
class KeyedRows
{
public:
    /// `sheets`: by run; nullptr where a run has no such sheet. They must outlive it. `keys`: columns that
    /// all of them have. O(rows log rows).
    KeyedRows(std::vector<const Sheet*> sheets, std::vector<std::string> keys);

    /// Number of joined rows: those of the first run in its order, then what only the second has, and so on.
    std::size_t size() const { return m_rows.size() / std::max<std::size_t>(1, m_sheets.size()); }
    /// nullptr where the run has no such row.
    const Value::Array* row(std::size_t joined, std::size_t run) const
    {
        return m_rows[joined * m_sheets.size() + run];
    }
    /// Null where the row or the column is missing.
    Value cell(std::size_t joined, std::size_t run, std::string_view column) const;
    /// nullopt where the row is missing, or its cell is no number.
    std::optional<double> number(std::size_t joined, std::size_t run, std::string_view column) const;
    /// A key as the first run with such a row has it.
    Value key(std::size_t joined, std::string_view column) const;
    /// All keys, in the order in which they were given.
    Value::Array keysOf(std::size_t joined) const;

private:
    std::vector<const Sheet*> m_sheets;
    std::vector<std::string> m_keys;
    std::vector<const Value::Array*> m_rows; ///< of each run, joined row by joined row
};

} // namespace collscope
