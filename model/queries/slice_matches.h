// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Slices that a search found, and what searches have in common.

#include "model/trace_model.h"

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace collscope {

/// All slices with a matching name.
struct SliceMatches
{
    struct InTrack
    {
        TrackId track;
        std::vector<std::uint32_t> rows; ///< ascending, so by start; never empty
        std::size_t before = 0; ///< matches in the tracks before this one
    };
    std::vector<InTrack> tracks; ///< in the order of the model
    std::size_t names = 0; ///< number of different matching names
    std::int64_t totalNs = 0; ///< sum of durations, including nested slices
    /// Slices that a table can list: the longest first, at most mostListed.
    std::vector<SliceRef> longest;
    static constexpr std::size_t mostListed = 200'000;

    std::size_t size() const { return tracks.empty() ? 0 : tracks.back().before + tracks.back().rows.size(); }
    /// The match at an index, ordered by track, then by start. O(log tracks).
    SliceRef at(std::size_t index) const;
    /// O(log matches).
    bool contains(SliceRef slice) const;
};

/// Tests which slices of one track are among the matches, in the order in which they are drawn. The matches
/// must outlive this object.
class TrackMatches
{
public:
    TrackMatches(const SliceMatches& matches, TrackId track);
    /// O(log of the distance to the previously tested row).
    bool contains(std::uint32_t row);

private:
    std::span<const std::uint32_t> m_rows;
    std::size_t m_at = 0; ///< the first match at or after that row
};

using SliceMatchesPtr = std::shared_ptr<const SliceMatches>;

/// The longest matches, longest first; at most `most` of them. O(matches).
std::vector<SliceRef> longestOf(const TraceModel& model, const SliceMatches& matches, std::size_t most);

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
