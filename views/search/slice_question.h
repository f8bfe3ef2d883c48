// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a person types to find slices, and the walk over those that were found.

#include "model/kept_args.h"
#include "model/match_collector.h"
#include "model/slice_filter.h"
#include "views/view_state.h"

#include <QString>

namespace collscope {

/// Slices by what is typed, or (without a text) those of a range; of these, the ones that last as wanted.
struct SliceQuestion
{
    QString text; ///< part of a name, in any case; behind "arg:" what an arg of them holds
    bool isPattern = false; ///< regular expressions instead
    bool isWhole = false; ///< the whole name, letter by letter
    std::optional<TimeRange> during; ///< on the axis; without a text
    DurationRange lasting;

    /// The slices that are called exactly so.
    static SliceQuestion ofName(const QString& name);

    bool isEmpty() const { return text.isEmpty() && !during; }
    /// True if args are asked about, which the model keeps only some of: "arg:stream=7", "gemm arg:bf16".
    bool asksForArgs() const;
    /// Why it cannot be asked, for people; empty if it can.
    QString error() const;
    /// Both may be called from other threads. No name is asked for: an empty function.
    NameTest nameTest() const;
    /// "name=value": that arg with that value, in any case; else a part of any name or value. Precondition:
    /// asksForArgs().
    ArgTest argTest() const;
    friend bool operator==(const SliceQuestion&, const SliceQuestion&) = default;
};

struct MatchLocation
{
    SliceRef slice;
    std::size_t number = 0; ///< from 1, in the order of time over all ranks
};

/// The match after (1) or before (-1) the selected slice, or the middle of what is visible; after the last
/// comes the first. nullopt if there are none. O(tracks with matches x log matches).
std::optional<MatchLocation> matchBeside(const ViewState& state, const SliceMatches& matches, int direction);
/// Where a match stands in the order of time.
std::size_t numberOfMatch(const ViewState& state, const SliceMatches& matches, SliceRef slice);

} // namespace collscope
