// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Slices by name, over a whole run.

#include "model/trace_model.h"

#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace collscope {

/// Every slice whose name was asked for.
struct SliceMatches
{
    struct InTrack
    {
        TrackId track;
        std::vector<std::uint32_t> rows; ///< ascending, so by start; never empty
        std::size_t before = 0; ///< matches in the tracks before this one
    };
    std::vector<InTrack> tracks; ///< as in the model
    std::size_t names = 0; ///< how many different names match
    std::int64_t totalNs = 0; ///< durations added up; of nested slices, too
    /// What a table can list: the longest, longest first, at most mostListed.
    std::vector<SliceRef> longest;
    static constexpr std::size_t mostListed = 200'000;

    std::size_t size() const { return tracks.empty() ? 0 : tracks.back().before + tracks.back().rows.size(); }
    /// By track, then by start. O(log tracks).
    SliceRef at(std::size_t index) const;
    /// O(log matches).
    bool contains(SliceRef slice) const;
};

/// Asks which slices of one track are among the matches; for one after the other, as they are drawn. The
/// matches must outlive it.
class TrackMatches
{
public:
    TrackMatches(const SliceMatches& matches, TrackId track);
    /// O(log of the distance to the row that was asked about before).
    bool contains(std::uint32_t row);

private:
    std::span<const std::uint32_t> m_rows;
    std::size_t m_at = 0; ///< the first one at or after that row
};

using SliceMatchesPtr = std::shared_ptr<const SliceMatches>;

/// Asks `isWanted` once for each name that some slice has. nullptr if cancelled. O(slices).
SliceMatchesPtr findSlices(
    const TraceModel& model, const std::function<bool(std::string_view name)>& isWanted,
    const std::function<bool()>& cancelled = [] { return false; });

/// The matches that last longest, longest first; at most `most` of them. O(matches).
std::vector<SliceRef> longestOf(const TraceModel& model, const SliceMatches& matches, std::size_t most);

} // namespace collscope
