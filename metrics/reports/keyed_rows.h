// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of two sheets that speak of the same thing.

#include "metrics/reports/sheet.h"

namespace collscope {

/// A number of a cell, whole or not; nullopt if it is no number.
std::optional<double> numberOf(const Value& cell);
/// A cell as text, so that a rank written as 0 and one written as "0" are the same; "" if it is empty.
std::string keyText(const Value& cell);

/// Puts first what changed most, also where it is new or gone: `base` is the column of the baseline, behind
/// it are those of the test and of the difference. Equal changes stay in order.
void sortByChange(Sheet& sheet, std::size_t base);

/// Joins two sheets. Rows with the same key are paired in their order; none is dropped.
class KeyedRows
{
public:
    /// `keys`: columns that both have. The sheets must outlive it. O(rows log rows).
    KeyedRows(const Sheet& base, const Sheet& test, const std::vector<std::string>& keys);
    KeyedRows(Sheet&&, Sheet&&, const std::vector<std::string>&) = delete;

    struct Pair
    {
        const Value::Array* base = nullptr; ///< at least one of the two
        const Value::Array* test = nullptr;
    };
    /// In the order of the baseline, then what only the test has.
    const std::vector<Pair>& pairs() const { return m_pairs; }
    Value::Array keysOf(const Pair& pair) const;
    /// nullopt where the row is missing, or its cell is no number.
    std::optional<double> baseNumber(const Pair& pair, std::string_view column) const;
    std::optional<double> testNumber(const Pair& pair, std::string_view column) const;

private:
    const Sheet& m_base;
    const Sheet& m_test;
    std::vector<std::string> m_keys;
    std::vector<Pair> m_pairs;
};

} // namespace collscope
