// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Exposed communication by process group and type, as findings.

#include "metrics/findings/finding_groups.h"

#include <compare>
#include <set>
#include <string_view>

namespace collscope {

class ExposedGroups
{
public:
    /// What is one finding.
    struct Key
    {
        bool isSlow = false; ///< far below the bandwidth of its size
        std::string_view group; ///< shared by groups that do the same; empty: none
        std::string_view name; ///< of the calls
        // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the default's 0 for a pointer
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    struct Exposed
    {
        Finding finding; ///< without words
        std::set<std::int32_t> members; ///< of slow collectives
        std::int64_t percentSum = 0; ///< of the bandwidth that the same size reaches
        std::int64_t doubtfulNs = 0; ///< it may contain waits for ranks whose arrival is not known
    };

    /// The texts of the key must outlive this.
    Exposed& operator[](const Key& key) { return m_exposed[key]; }
    /// Adds the findings.
    void finish(const FindingInput& input);

private:
    static void finish(const FindingInput& input, const Key& key, Exposed& exposed);

    std::map<Key, Exposed> m_exposed;
};

} // namespace collscope
