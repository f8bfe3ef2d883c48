// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Common parts of all searches over slices.

#include "model/slice_search.h"

#include <vector>

namespace collscope {

/// Tests a slice's name.
using NameTest = std::function<bool(std::string_view name)>;

/// Tests each name once, because names repeat.
class NameVerdicts
{
public:
    /// An empty test accepts every name.
    NameVerdicts(const TraceModel& model, NameTest isWanted)
        : m_model(model)
        , m_isWanted(std::move(isWanted))
        , m_known(m_isWanted ? model.strings.size() : 0, unknown)
    { }

    bool isWanted(StringId name)
    {
        if (!m_isWanted)
            return true;
        std::int8_t& verdict = m_known[name.value];
        if (verdict == unknown)
            verdict = m_isWanted(m_model.text(name)) ? 1 : 0;
        return verdict == 1;
    }

private:
    static constexpr std::int8_t unknown = -1;
    const TraceModel& m_model;
    NameTest m_isWanted;
    std::vector<std::int8_t> m_known;
};

/// Assembles SliceMatches.
class MatchCollector
{
public:
    explicit MatchCollector(const TraceModel& model);

    /// Adds a match. Tracks must be added in their order, rows ascending.
    void add(TrackId track, std::uint32_t row);
    /// Returns the added slices, including the list of the longest. O(matches).
    SliceMatchesPtr finish();

private:
    const TraceModel& m_model;
    std::shared_ptr<SliceMatches> m_matches;
    std::vector<bool> m_names; ///< names seen so far
};

} // namespace collscope
