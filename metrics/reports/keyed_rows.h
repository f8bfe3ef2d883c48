// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of several sheets with the same subject.

#include "metrics/reports/sheet.h"

#include <algorithm>
#include <array>
#include <span>

namespace collscope {

/// A cell as text, so that a rank written as 0 and one written as "0" are the same; "" if it is empty.
std::string keyText(const Value& cell);

/// The columns that distinguish collectives, and single calls of them.
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
/// The wanted columns that all existing sheets (not nullptr) have: reports of older tools lack some.
std::vector<std::string> sharedColumns(const std::vector<const Sheet*>& sheets,
                                       std::span<const char* const> wanted);

/// Sorts the largest change first, including new and removed rows: `base` is the column of the baseline,
/// followed by those of the test and of the difference. Equal changes keep their order.
void sortByChange(Sheet& sheet, std::size_t base);

/// Joins the sheets of several runs. Rows with the same key are joined in order: the first row of each run,
/// then the second. All rows are kept.
class KeyedRows
{
public:
    /// `sheets`: by run; nullptr if a run has no such sheet. They must outlive this object. `keys`: columns
    /// that all of them have. O(rows log rows).
    KeyedRows(std::vector<const Sheet*> sheets, std::vector<std::string> keys);

    /// Number of joined rows: those of the first run in its order, then those that only the second run has,
    /// and so on.
    std::size_t size() const { return m_rows.size() / std::max<std::size_t>(1, m_sheets.size()); }
    /// nullptr if the run has no such row.
    const Value::Array* row(std::size_t joined, std::size_t run) const
    {
        return m_rows[joined * m_sheets.size() + run];
    }
    /// Null if the row or the column is missing.
    Value cell(std::size_t joined, std::size_t run, std::string_view column) const;
    /// nullopt if the row is missing, or its cell is not a number.
    std::optional<double> number(std::size_t joined, std::size_t run, std::string_view column) const;
    /// A key, as written in the first run that has the row.
    Value key(std::size_t joined, std::string_view column) const;
    /// All keys, in the order in which they were given.
    Value::Array keysOf(std::size_t joined) const;

private:
    std::vector<const Sheet*> m_sheets;
    std::vector<std::string> m_keys;
    std::vector<const Value::Array*> m_rows; ///< of each run, joined row by joined row
};

} // namespace collscope
