// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The waits of all ranks, from one collective to the next: how much longer a rank has waited than another one
// since they last met, and for whom. See blame.md.

#include "metrics/matching/matching.h"
#include "model/units.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace collscope {

class WaitHistory
{
public:
    /// No single rank.
    static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

    explicit WaitHistory(std::size_t ranks)
        : m_entries(ranks)
        , m_steps(ranks)
    { }

    /// A rank begins another step. Waits before the step before that are forgotten: where ranks never meet,
    /// they would add up, and what others did meanwhile is not counted against them.
    void beginStep(std::size_t rank)
    {
        Steps& steps = m_steps[rank];
        steps.before = steps.current;
        steps.current = m_entries[rank].size();
        forget(rank, steps.before);
    }

    /// One member of a collective.
    struct Member
    {
        std::size_t rank = 0;
        TimeRange call;
        std::int64_t waitNs = 0;
        std::int64_t exposedNs = 0; ///< the part beside which the rank does not compute
    };
    struct Collective
    {
        bool endsTogether = false; ///< its members leave it together
        bool isMeeting = false; ///< and go on with their compute because they leave it
        std::size_t origin = nobody; ///< that they waited for, if the lateness is known to be one rank's
    };
    void add(const std::vector<Member>& members, Collective collective);

    /// A rank, and when its call begins.
    struct Place
    {
        std::size_t rank = 0;
        std::int64_t beginNs = 0;
    };
    /// What a rank waited since it last left a collective together with another rank.
    struct Since
    {
        std::int64_t ns = 0; ///< beyond what the other rank waited
        /// For whom: the rank of the largest wait above `significantNs`, or of a later one that is at least
        /// half as long. Nobody without such a wait.
        std::size_t origin = nobody;
    };
    /// Counts the exposed waits, and whole ones of the calls that each started when the one before it ended,
    /// up to the call that begins now. O(collectives of the two since they met). Those before the last two
    /// steps of a rank, and before its last 4096 collectives, do not count.
    Since sinceMeeting(Place rank, Place other, std::int64_t significantNs) const;

private:
    static constexpr std::uint32_t noOrigin = (1U << 30) - 1;
    struct Entry
    {
        std::uint32_t number = 0; ///< of the collective, counted by add()
        // As in Collective. There are very many entries.
        std::uint32_t origin : 30 = noOrigin;
        bool endsTogether : 1 = false, isMeeting : 1 = false;
        TimeRange call;
        std::int64_t waitNs = 0;
        std::int64_t exposedNs = 0;
    };
    struct Steps
    {
        std::size_t before = 0, current = 0; ///< the first entries of the last two steps
    };
    /// Of each rank, only this many of the last collectives are read.
    static constexpr std::size_t mostRead = 4096;
    class Walk;
    void forget(std::size_t rank, std::size_t count);
    std::vector<std::vector<Entry>> m_entries; ///< by rank, in time order
    std::vector<Steps> m_steps; ///< by rank
    std::uint32_t m_collectives = 0;
};

} // namespace collscope
