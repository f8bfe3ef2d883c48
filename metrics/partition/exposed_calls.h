// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The communication calls of a run by their slice: how long each waited for whom, and how much of it was
// exposed.

#include "metrics/analysis/analysis.h"

#include <string_view>

namespace collscope {

/// What is known about one call before the partition.
struct CallTiming
{
    SliceRef slice;
    CallRef call; ///< into Analysis::run().ranks
    std::uint32_t instance = noInstance; ///< into Analysis::run().matching.instances
    bool isWhole = true; ///< no rank of its group is missing, so that the last one is among those loaded
    bool isSplit = false; ///< arrivals of its collective are known: it waits, then moves data
    bool isStaged = false; ///< the order of the stages of a pipeline may be why it waits (HandedWork)
    /// Whether what is not known as a wait may be one, too: for ranks whose arrival is not known.
    bool mayHideWaits() const { return !isSplit || !isWhole; }
    std::int64_t waitNs = 0; ///< from its begin; 0 within the error bar of the clocks
    std::int32_t awaited = nobody; ///< the rank that arrived last

    static constexpr std::uint32_t noInstance = 0xFFFFFFFF;
    static constexpr std::int32_t nobody
        = -1; ///< no wait, or several ranks arrived last within the error bar
};

/// A sum of time and the longest of its contiguous stretches. A stretch ends with its window.
struct OwnedStretches
{
    std::int64_t ns = 0;
    TimeRange longest; ///< in the timeline's own time

    void add(const OwnedStretches& other)
    {
        ns += other.ns;
        if (other.longest.lengthNs() > longest.lengthNs())
            longest = other.longest;
    }
};

/// How many communication calls there are, and whether their waits for other ranks are known.
struct SplitCalls
{
    std::int64_t counted = 0; ///< calls in the windows
    std::int64_t unsplit = 0; ///< of them: calls whose waits are not, or not all, known
    /// Some ranks are known by sums: waits are part of the communication.
    bool isSummarized = false;

    /// `waitingNs`: what was measured. False if it is 0, or too little, because most waits could not be
    /// measured.
    bool tellWaits(std::int64_t waitingNs) const;
    /// Why calls are not split, as a clause: "the files do not show when all ranks arrived".
    std::string_view whyUnsplit() const;
};

/// What a call owns of the partition.
struct CallShare
{
    OwnedStretches moving; ///< exposed, while data moved
    OwnedStretches waiting; ///< exposed, until the last rank arrived
    bool isCounted = false; ///< it overlaps a window
};

/// The calls of all ranks, sorted by slice. times[i] and shares[i] are of one call.
struct ExposedCalls
{
    std::vector<CallTiming> times;
    std::vector<CallShare> shares;

    /// Index of the first call at or after a slice. O(log n).
    std::size_t firstAt(SliceRef slice) const;
};

/// The calls of some timelines, with empty shares. O(their calls).
ExposedCalls callsOf(const ExposedCalls& all, std::span<const Timeline* const> timelines);

/// The calls with their waits, without shares. O(calls x log(calls)).
ExposedCalls timeCalls(Analysis& analysis);

} // namespace collscope
