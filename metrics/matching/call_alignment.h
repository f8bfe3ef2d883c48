// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the calls of two ranks that are the same collective, by order and content only.

#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// The properties of a call that alignment uses.
struct AlignedCall
{
    std::uint64_t signature = 0; ///< equal for calls that may be one collective
    std::int64_t startNs = 0;
};

constexpr std::size_t notAligned = static_cast<std::size_t>(-1);

/// Returns for each call of `other` the equal call of `base`, or notAligned: a longest common subsequence of
/// the signatures; among subsequences of equal length the one with the smallest sum of differences in start
/// time. Returns nullopt if this would take too long (long sequences that differ strongly). O(n x (difference
/// of the lengths and contents)).
std::optional<std::vector<std::size_t>> alignCalls(const std::vector<AlignedCall>& base,
                                                   const std::vector<AlignedCall>& other);

} // namespace collscope
