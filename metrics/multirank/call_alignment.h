// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which calls of two ranks are the same collective when nothing but their order and content can tell.

#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// One call as far as alignment looks at it.
struct AlignedCall
{
    std::uint64_t signature = 0; ///< equal for calls that may be one collective
    std::int64_t startNs = 0;
};

constexpr std::size_t notAligned = static_cast<std::size_t>(-1);

/// For each call of `other` the call of `base` that is the same one, or notAligned: a longest common
/// subsequence of the signatures; among those of equal length the one with the smallest sum of differences in
/// start time. nullopt if that would take too long (the sequences are long and very different).
/// O(n x (difference of the lengths and contents)).
std::optional<std::vector<std::size_t>> alignCalls(const std::vector<AlignedCall>& base,
                                                   const std::vector<AlignedCall>& other);

} // namespace collscope
