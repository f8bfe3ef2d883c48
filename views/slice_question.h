// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a person types to find slices, and the walk over those that were found.

#include "model/slice_search.h"
#include "views/view_state.h"

#include <QString>

namespace collscope {

struct SliceQuestion
{
    QString text; ///< part of a name, in any case
    bool isPattern = false; ///< a regular expression instead
    bool isWhole = false; ///< the whole name, letter by letter

    bool isEmpty() const { return text.isEmpty(); }
    /// Why it cannot be asked, for people; empty if it can.
    QString error() const;
    /// May be called from another thread; as the names are asked about one after the other.
    std::function<bool(std::string_view)> test() const;
    friend bool operator==(const SliceQuestion&, const SliceQuestion&) = default;
};

struct MatchPlace
{
    SliceRef slice;
    std::size_t number = 0; ///< from 1, in the order of time over all ranks
};

/// The match after (1) or before (-1) the selected slice, or the middle of what is visible; after the last
/// comes the first. nullopt if there are none. O(tracks with matches x log matches).
std::optional<MatchPlace> matchBeside(const ViewState& state, const SliceMatches& matches, int direction);
/// Where a match stands in the order of time.
std::size_t numberOfMatch(const ViewState& state, const SliceMatches& matches, SliceRef slice);

} // namespace collscope
