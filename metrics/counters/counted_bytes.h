// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Bytes that the counters of one GPU's links count in a range of time, as bounds.

#include "model/trace_model.h"

#include <optional>
#include <vector>

namespace collscope {

/// What counters say of a time: at least the bytes of the samples that surely lie in it, at most those of the
/// samples that may. Counters lag (CountedBytes::Link::lagNs), so samples begin to be sure one lag after its
/// begin, and are possible until one lag after its end.
struct ByteBounds
{
    std::uint64_t least = 0, most = 0;
};

/// The links of one GPU, prepared for many questions.
class CountedBytes
{
public:
    CountedBytes() = default;
    /// O(samples). The device must outlive it.
    explicit CountedBytes(const NvlinkDevice& device);

    /// Whether each link that was sampled in either direction was sampled in this one, and there are some.
    bool counts(LinkDirection direction) const;
    /// Whether a counter may have begun anew in the range, so that bytes of it are lost: those intervals
    /// count 0 bytes.
    bool mayHaveReset(TimeRange range) const;
    /// Whether all links were sampled from before the range until the lag of their counters after it.
    bool covers(TimeRange range) const;
    /// Whether each link has a sample that surely lies in the range.
    bool tells(TimeRange range) const;
    ByteBounds bytes(TimeRange range, LinkDirection direction) const;
    /// Of the samples that surely lie in the range, summed over the links; nullopt if a link has none.
    std::optional<double> gigabytesPerSecond(TimeRange range, LinkDirection direction) const;

    struct Link
    {
        const LinkSeries* series = nullptr;
        /// How late bytes may be counted: the median distance between changes of the counter, as some drivers
        /// refresh it less often than it is sampled; at least the sampling period.
        std::int64_t lagNs = 0;
        std::vector<std::uint64_t> before; ///< bytes of the samples before each one, and of all
        ByteBounds bytes(TimeRange range) const;
        /// The samples [first, last) that surely lie in the range.
        std::pair<std::size_t, std::size_t> sure(TimeRange range) const;
        /// Those that may lie in it.
        std::pair<std::size_t, std::size_t> possible(TimeRange range) const;
    };
    const std::vector<Link>& links() const { return m_links; }

private:
    std::vector<Link> m_links; ///< one per link and direction
};

} // namespace collscope
