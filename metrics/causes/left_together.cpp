// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/left_together.h"

#include "metrics/core/step_rows.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t farthestBack = 4096; ///< maximum number of calls examined

class SyncFinder
{
public:
    SyncFinder(Analysis& analysis, CallRef late, const std::vector<CallRef>& peers, std::int64_t beforeNs)
        : m_run(analysis.run())
        , m_model(analysis.model())
        , m_late(late)
        , m_peers(peers)
        , m_beforeNs(beforeNs)
    { }

    LeftTogether find() const
    {
        const std::vector<Call>& calls = m_run.ranks[m_late.rank].calls;
        const Call& arrival = m_run.callOf(m_late);
        LeftTogether best;
        const std::size_t first = m_late.call > farthestBack ? m_late.call - farthestBack : 0;
        for (std::size_t i = m_late.call; i-- > first && 2 * best.peers.size() < m_peers.size();) {
            const Call& call = calls[i];
            if (call.timeline != arrival.timeline)
                break;
            if (call.range.endNs > m_beforeNs || !endsTogether(m_model, call))
                continue;
            const auto instance = m_run.instanceOf(call.slice);
            if (!instance || m_run.matching.instances[*instance].confidence == MatchConfidence::OrderAlone)
                continue;
            LeftTogether found = peersIn(*instance);
            if (found.peers.size() <= best.peers.size())
                continue;
            found.before.push_back({m_late.rank, static_cast<std::uint32_t>(i)});
            best = std::move(found);
        }
        return best;
    }

private:
    /// Members and peers are both sorted by rank.
    LeftTogether peersIn(std::uint32_t instance) const
    {
        LeftTogether found;
        found.instance = instance;
        auto peer = m_peers.begin();
        for (const CallRef member : m_run.matching.membersOf(m_run.matching.instances[instance])) {
            while (peer != m_peers.end() && peer->rank < member.rank)
                ++peer;
            if (peer == m_peers.end())
                break;
            const Call& before = m_run.callOf(member);
            const Call& arrival = m_run.callOf(*peer);
            if (peer->rank != member.rank || before.timeline != arrival.timeline
                || before.range.endNs > arrival.range.beginNs)
                continue;
            found.peers.push_back(*peer);
            found.before.push_back(member);
        }
        return found;
    }

    const RunCollectives& m_run;
    const TraceModel& m_model;
    const CallRef m_late;
    const std::vector<CallRef>& m_peers;
    const std::int64_t m_beforeNs;
};

} // namespace

LeftTogether findLeftTogether(Analysis& analysis, CallRef late, const std::vector<CallRef>& peers,
                              std::int64_t beforeNs)
{
    return SyncFinder(analysis, late, peers, beforeNs).find();
}

std::int64_t stepBeginNs(const Call& call)
{
    const Step* const step = stepAround(*call.timeline, call.range.beginNs);
    const std::int64_t beginNs = step ? step->range.beginNs : call.timeline->range.beginNs;
    return std::min(beginNs, call.range.beginNs);
}

} // namespace collscope
