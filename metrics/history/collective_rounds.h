// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of a communicator, put together from what its members recorded.

#include "model/witnesses/job_history.h"

#include <functional>
#include <vector>

namespace collscope {

/// Collectives of one kind and size in one communicator: one per row, in the order of their numbers.
struct CollectiveRounds
{
    std::uint32_t communicator = 0;
    std::string operation;
    std::uint64_t bytes = 0;
    std::vector<std::uint32_t> members; ///< indices into JobHistory::members: those that recorded any of them
    bool isOfAll = false; ///< these are all members of the communicator, as far as it states how many it has

    std::vector<std::int64_t> timeNs; ///< the latest start that is stated, or the time of the dump; 0: none
    /// The shortest time of any member. All leave a collective together, so it is the time of the member that
    /// came last: the others waited. Without the last member it contains waiting, too.
    std::vector<double> shortestUs;
    std::vector<double> meanUs; ///< of all members: with their waiting
    std::vector<std::uint32_t> last; ///< which of `members` had the shortest time
    std::vector<float> durationUs; ///< of each member, row by row
    std::vector<double> busGbPerSecond; ///< as stated by the member with the shortest time; NaN: not stated

    std::size_t size() const { return shortestUs.size(); }
    double duration(std::size_t round, std::size_t member) const
    {
        return durationUs[round * members.size() + member];
    }
};

/// Calls `use` for each kind and size of each communicator that has at least `fewest` collectives which all
/// recorded members have. Point-to-point operations are not collectives. Returns how many were left out
/// because a member lacks them. Processes with the same rank in a communicator are of different attempts,
/// which are not mixed.
std::uint64_t forEachRounds(const JobHistory& history, std::size_t fewest,
                            const std::function<void(CollectiveRounds&&)>& use);

} // namespace collscope
