// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// How busy a track is in any interval, without looking at its slices one by one. Built once per track.

#include "model/track.h"

#include <cstdint>
#include <vector>

namespace collscope {

/// Prefix sums over the outermost slices of a track (they do not overlap). 24 bytes per outermost slice.
class DensityIndex
{
public:
    DensityIndex() = default;
    explicit DensityIndex(const SliceColumns& slices);

    /// Durations of the outermost slices [begin, end), counted from the first. O(1).
    std::int64_t durationOf(std::size_t begin, std::size_t end) const
    {
        return begin < end ? m_sumNs[end - 1] + m_lengthNs[end - 1] - m_sumNs[begin] : 0;
    }

    /// Asks for times that only rise: each answer is found from the one before, O(log distance).
    class Cursor
    {
    public:
        explicit Cursor(const DensityIndex& index)
            : m_index(index)
        { }
        /// Time before timeNs that an outermost slice covers.
        std::int64_t busyBefore(std::int64_t timeNs);

    private:
        const DensityIndex& m_index;
        std::size_t m_at = 0;
    };

private:
    /// Time before timeNs that a slice covers, with `next` slices that start at or before timeNs.
    std::int64_t busyOf(std::size_t next, std::int64_t timeNs) const;

    std::vector<std::int64_t> m_startNs;
    std::vector<std::int64_t> m_sumNs; ///< durations of all slices before this one
    std::vector<std::int64_t> m_lengthNs;
};

} // namespace collscope
