// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The collectives of a window in the order in which they show who waits for whom.

#include "metrics/analysis/analysis.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace collscope {

struct OrderedCollectives
{
    /// Before the window, no longer than it is: what ranks waited there may be why they are late in it.
    std::vector<const CollectiveInstance*> before;
    std::vector<const CollectiveInstance*> inWindow;
};

/// The collectives of several ranks, by the arrival of their last rank on the common axis: a cause of delay
/// precedes its effect. `isByDuration`: see CollectiveTimer. O(collectives x log).
OrderedCollectives inAxisOrder(Analysis& analysis, bool isByDuration);

/// Whether the collective lacks the call of a rank, which the others may have waited for.
inline bool isLacking(const CollectiveInstance& instance)
{
    return instance.absent > 0 || (instance.memberCount == 1 && !instance.isWhole);
}

/// How long calls take of which the collective lacks a rank, if that one does not let them wait.
class LackingCalls
{
public:
    LackingCalls(Analysis& analysis, const OrderedCollectives& ordered)
        : m_analysis(analysis)
    {
        for (const auto* instances : {&ordered.before, &ordered.inWindow}) {
            for (const CollectiveInstance* instance : *instances) {
                for (const CallRef member : analysis.matching().membersOf(*instance)) {
                    const Call& call = analysis.callOf(member);
                    const auto [known, isNew] = m_shortestNs.try_emplace(keyOf(call), call.durationNs());
                    known->second = std::min(known->second, call.durationNs());
                }
            }
        }
    }
    /// The shortest call of that type and size on any rank.
    std::int64_t usualNs(const CollectiveInstance& instance) const
    {
        const Call& call = m_analysis.callOf(m_analysis.matching().membersOf(instance).front());
        return m_shortestNs.at(keyOf(call));
    }

private:
    using Key = std::pair<KernelClass, std::uint64_t>;
    static Key keyOf(const Call& call) { return {call.kind, call.bytes.value_or(0)}; }

    Analysis& m_analysis;
    std::map<Key, std::int64_t> m_shortestNs;
};

} // namespace collscope
