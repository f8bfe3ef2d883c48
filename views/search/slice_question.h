// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A typed search for slices, and stepping through its matches.

#include "model/queries/kept_args.h"
#include "model/queries/slice_filter.h"
#include "model/queries/slice_matches.h"
#include "model/result.h"
#include "views/state/view_state.h"

#include <QString>

namespace collscope {

/// A search for slices by text or, without a text, in a time range; optionally limited by duration.
struct SliceQuestion
{
    QString text; ///< part of a name, in any case; after "arg:", text contained in an arg
    bool isPattern = false; ///< text contains regular expressions
    bool isWhole = false; ///< the text is the complete name, compared exactly
    std::optional<TimeRange> during; ///< on the axis; used without a text
    DurationRange lasting;

    /// Searches for the slices with exactly this name.
    static SliceQuestion ofName(const QString& name);

    bool isEmpty() const { return text.isEmpty() && !during; }
    /// Whether the search needs args, of which the model keeps only some: "arg:stream=7", "gemm arg:bf16".
    bool asksForArgs() const;
    /// Whether the question is valid; the error is a message for the user.
    Status check() const;
    /// Tests names; empty if the question has no name. This and argTest() may be called from other threads.
    NameTest nameTest() const;
    /// Tests args. "name=value": the arg of that name has that value, in any case; otherwise part of any name
    /// or value. Precondition: asksForArgs().
    ArgTest argTest() const;
    friend bool operator==(const SliceQuestion&, const SliceQuestion&) = default;
};

struct MatchLocation
{
    SliceRef slice;
    std::size_t number = 0; ///< 1-based, in time order over all ranks
};

/// The next (1) or previous (-1) match, seen from the selected slice or from the middle of the visible range;
/// wraps around at the end. nullopt without matches. O(tracks with matches x log matches).
std::optional<MatchLocation> matchBeside(const ViewState& state, const SliceMatches& matches, int direction);
/// 1-based position of a match in time order.
std::size_t numberOfMatch(const ViewState& state, const SliceMatches& matches, SliceRef slice);

} // namespace collscope
