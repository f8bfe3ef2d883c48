// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/call_alignment.h"
#include "metrics/matching/call_endings.h"
#include "metrics/matching/match_evidence.h"
#include "metrics/matching/wait_rule.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// The calls of one rank, sorted by end.
struct TimedLane
{
    std::vector<EndingCall> ends;
    std::vector<CallRef> calls;
};

/// Pairs the calls of each rank with those of the rank with most calls.
class EndMatcher
{
public:
    EndMatcher(const TraceModel& model, const std::vector<RankCalls>& ranks, const ProcessGroup& group)
        : m_model(model)
        , m_ranks(ranks)
        , m_group(group)
    { }

    WeighedOrder run()
    {
        for (const ProcessGroup::Lane& lane : m_group.lanes)
            addLane(lane);
        const auto most = std::max_element(m_lanes.begin(), m_lanes.end(), [](const auto& a, const auto& b) {
            return a.calls.size() < b.calls.size();
        });
        for (const CallRef call : most->calls)
            m_found.push_back({call});
        for (const TimedLane& lane : m_lanes) {
            if (&lane != &*most)
                pairWith(*most, lane);
        }
        // The members of smaller groups that end at the same moment cannot be determined.
        const bool areTold = !m_sharesOnlySome || m_lanes.size() < 3;
        for (std::vector<CallRef>& members : m_found)
            areTold ? addFound(members) : refuse(members, UnmatchedReason::SmallerGroups);
        if (!areTold)
            blameGroups();
        m_result.isConfirmed = true;
        return std::move(m_result);
    }

private:
    const Call& callOf(CallRef ref) const { return m_ranks[ref.rank].calls[ref.call]; }

    void addLane(const ProcessGroup::Lane& lane)
    {
        std::vector<CallRef> order;
        for (const std::uint32_t index : lane.calls) {
            const CallRef ref{lane.rank, index};
            if (confirmsByEnd(m_model, callOf(ref)))
                order.push_back(ref);
            else
                refuse({ref}, UnmatchedReason::NoGroup);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](CallRef a, CallRef b) { return callOf(a).range.endNs < callOf(b).range.endNs; });
        TimedLane& timed = m_lanes.emplace_back();
        for (const CallRef ref : order)
            timed.ends.push_back(endingOf(callOf(ref), m_group));
        timed.calls = std::move(order);
    }

    void pairWith(const TimedLane& reference, const TimedLane& lane)
    {
        EndPairs pairs;
        if (!lane.calls.empty() && !reference.calls.empty())
            pairs = pairByEnds(reference.ends, lane.ends,
                               farthestApart(callOf(lane.calls.front()), callOf(reference.calls.front())));
        m_result.barNs = std::max(m_result.barNs, 2 * pairs.barNs); // two ends may lie on opposite sides
        m_sharesOnlySome |= pairs.count > 0 && shareOnlySome(reference.ends, lane.ends, pairs.fit);
        for (std::size_t i = 0; i < lane.calls.size(); ++i) {
            if (pairs.count > 0 && pairs.partner[i] != notAligned)
                m_found[pairs.partner[i]].push_back(lane.calls[i]);
            else
                refuse({lane.calls[i]}, UnmatchedReason::NobodyInTime);
        }
    }

    void addFound(std::vector<CallRef>& members)
    {
        if (members.size() < 2)
            return refuse(members, UnmatchedReason::NobodyInTime);
        std::sort(members.begin(), members.end(), [](CallRef a, CallRef b) { return a.rank < b.rank; });
        m_result.collectives.push_back({std::move(members), MatchConfidence::Confirmed});
    }

    void refuse(const std::vector<CallRef>& calls, UnmatchedReason reason)
    {
        for (const CallRef call : calls)
            m_result.refused.push_back({call, reason});
    }

    /// Replaces the reason NobodyInTime, which follows from the smaller groups.
    void blameGroups()
    {
        for (Unmatched& refused : m_result.refused) {
            if (refused.reason == UnmatchedReason::NobodyInTime)
                refused.reason = UnmatchedReason::SmallerGroups;
        }
    }

    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    const ProcessGroup& m_group;
    std::vector<TimedLane> m_lanes;
    std::vector<std::vector<CallRef>> m_found; ///< by call of the rank with most calls
    bool m_sharesOnlySome = false;
    WeighedOrder m_result;
};

} // namespace

ProcessGroup poolOf(const std::vector<ProcessGroup>& groups, const std::vector<std::uint32_t>& which)
{
    const ProcessGroup& first = groups[which.front()];
    ProcessGroup pool;
    pool.kind = ProcessGroup::Kind::Stream;
    pool.isOneOfSeveral = true;
    pool.iteration = first.iteration;
    pool.recording = first.recording;
    pool.parallelismKind = first.parallelismKind;
    std::map<std::uint32_t, std::vector<std::uint32_t>> lanes;
    for (const std::uint32_t group : which) {
        for (const ProcessGroup::Lane& lane : groups[group].lanes) {
            std::vector<std::uint32_t>& calls = lanes[lane.rank];
            calls.insert(calls.end(), lane.calls.begin(), lane.calls.end());
        }
    }
    for (auto& [rank, calls] : lanes) {
        std::sort(calls.begin(), calls.end());
        pool.lanes.push_back({rank, std::move(calls)});
    }
    pool.expected = pool.lanes.size();
    return pool;
}

WeighedOrder matchByEnds(const TraceModel& model, const std::vector<RankCalls>& ranks,
                         const ProcessGroup& group)
{
    return EndMatcher(model, ranks, group).run();
}

bool endsFindMore(const TraceModel& model, const std::vector<RankCalls>& ranks, const ProcessGroup& pool,
                  const std::vector<const WeighedOrder*>& streams)
{
    const auto matched = [](const WeighedOrder& order) {
        std::size_t calls = 0;
        for (const WeighedOrder::Collective& collective : order.collectives)
            calls += collective.members.size() > 1 ? collective.members.size() : 0;
        return calls;
    };
    std::size_t byOrder = 0;
    bool areApart = false;
    for (const WeighedOrder* stream : streams) {
        byOrder += stream->isConfirmed ? matched(*stream) : 0;
        for (const auto& [rank, clock] : stream->clocks)
            areApart |= stream->isConfirmed && std::abs(clock.offsetNs) > static_cast<double>(closeEndsNs);
    }
    return areApart && matched(matchByEnds(model, ranks, pool)) > byOrder;
}

} // namespace collscope
