// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Cells and rows of the workbooks that read_workbook.py reads.

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace collscope {

inline std::string textOf(const nlohmann::json& cell)
{
    if (cell.is_string())
        return cell;
    return cell.is_null()  ? std::string()
        : cell.is_number() ? std::to_string(cell.get<double>())
                           : cell.dump();
}

inline bool isSame(const nlohmann::json& a, const nlohmann::json& b)
{
    if (a.is_number() && b.is_number()) {
        const double difference = std::abs(a.get<double>() - b.get<double>());
        return difference <= 1e-9 * std::max(1.0, std::abs(b.get<double>()));
    }
    // A process group's name is text for us, whatever it looks like.
    if (a.is_string() && b.is_number())
        return a == b.dump();
    return a == b || (a.is_null() && b.is_null());
}

/// Rows by their keys, as column -> cell.
inline std::map<std::string, std::map<std::string, nlohmann::json>>
rowsOf(const nlohmann::json& rows, const std::vector<std::string>& keys)
{
    std::map<std::string, std::map<std::string, nlohmann::json>> byKey;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        std::map<std::string, nlohmann::json> row;
        for (std::size_t c = 0; c < rows[r].size(); ++c)
            row[rows[0][c].is_string() ? rows[0][c].get<std::string>() : rows[0][c].dump()] = rows[r][c];
        std::string key;
        for (const std::string& column : keys) {
            const nlohmann::json& cell = row[column];
            key += (cell.is_number() ? cell.dump() : textOf(cell)) + "|";
        }
        byKey[key] = std::move(row);
    }
    return byKey;
}

} // namespace collscope
