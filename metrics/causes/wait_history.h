// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The waits of all ranks, from one collective to the next: how much longer a rank has waited than another one
// since they last met, and for whom. See blame.md.

#include "metrics/matching/matching.h"

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
        m_steps[rank].before = m_steps[rank].current;
        m_steps[rank].current = m_entries[rank].size();
    }

    /// Adds a collective. `isMeeting`: its members leave it together. `waits`: of the members, in ns; they
    /// are remembered for the rank `origin`, or for nobody, if they exceed `significantNs`.
    void add(std::span<const CallRef> members, const std::vector<std::int64_t>& waits, bool isMeeting,
             std::size_t origin, std::int64_t significantNs);

    /// What a rank waited since it last left a collective together with another rank.
    struct Since
    {
        std::int64_t ns = 0; ///< beyond what the other rank waited
        /// For whom: the rank of the largest wait, or of a later one that is at least half as long. Nobody
        /// without such a wait.
        std::size_t origin = nobody;
    };
    /// O(collectives of the two since they met). Those before the last two steps of a rank, and before its
    /// last 4096 collectives, do not count.
    Since sinceMeeting(std::size_t rank, std::size_t other) const;

private:
    struct Entry
    {
        std::uint32_t collective = 0; ///< counted by add()
        bool isMeeting = false;
        std::int64_t sumNs = 0; ///< of the waits so far
        std::int64_t rememberedNs = 0; ///< the wait, if it is significant
        std::size_t origin = nobody;
    };
    struct Steps
    {
        std::size_t before = 0, current = 0; ///< the first entries of the last two steps
    };
    std::vector<std::vector<Entry>> m_entries; ///< by rank, in time order
    std::vector<Steps> m_steps; ///< by rank
    std::uint32_t m_collectives = 0;
};

} // namespace collscope
