// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What ranks spend their time on between their collectives: worked out once for all late ranks that are
// compared with them.

#include "metrics/findings/rank_between_calls.h"

#include <array>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace collscope {

/// What a rank spends its time on, in ns: causes of idle time, then compute, copies and communication that
/// nothing hides. Not waits: a rank that waits for others longer passes their lateness on.
using Spending = std::array<std::int64_t, idleCauseCount + 3>;
constexpr std::size_t computeSpending = idleCauseCount;
constexpr std::size_t copySpending = idleCauseCount + 1;
constexpr std::size_t communicationSpending = idleCauseCount + 2;

/// What one rank spends on its ways to the collectives of some groups. Many threads may ask it at once.
class WaySpending
{
public:
    /// O(its calls + slices). Incomplete if the computation was cancelled.
    WaySpending(const FindingInput& input, const RankShare& rank, const std::set<std::uint32_t>& groups);

    const RankBetweenCalls& rank() const { return m_rank; }
    /// On a part of the way to a collective. Nothing outside the groups and the steps. O(log n).
    Spending in(std::uint32_t instance, bool isInStep) const;

private:
    void add(const Spending& spent);

    RankBetweenCalls m_rank;
    // Most values of a Spending are 0. By way: those of its part before the step, then of the one in it.
    std::vector<std::int64_t> m_ns;
    std::vector<std::uint8_t> m_spendings; ///< of these: index into Spending
    std::vector<std::uint32_t> m_ends; ///< in these, of both parts for each of RankBetweenCalls::matched()
};

/// A late rank and those that it is compared with: the ones that waited for it longest.
struct ComparedWays
{
    const WaySpending* late = nullptr;
    std::vector<const WaySpending*> others;
};

/// Those of several late ranks, each of which is compared with nearly the same ranks: all are read once.
class WaysOfLateRanks
{
public:
    using Late = std::pair<std::int32_t, const LateGroup*>;
    /// O(calls + slices of the late ranks and of up to four others for each).
    WaysOfLateRanks(const FindingInput& input, std::span<const Late> late);

    /// `late`: one of those above. Without a rank that is not in the partition.
    ComparedWays of(const Late& late) const;

private:
    std::map<std::int32_t, std::unique_ptr<const WaySpending>> m_ranks;
};

} // namespace collscope
