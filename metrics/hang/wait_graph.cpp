// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/wait_graph.h"

#include <algorithm>

namespace collscope {

namespace {

class GraphBuilder
{
public:
    explicit GraphBuilder(const HangJob& job)
        : m_job(job)
    { }

    WaitGraph build()
    {
        const auto ranks = static_cast<std::uint32_t>(m_job.ranks().size());
        m_graph.mainPoint.assign(ranks, WaitGraph::noPoint);
        m_graph.holding.resize(ranks);
        m_graph.standsAt.assign(ranks, WaitGraph::noPoint);
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            m_graph.heads.push_back(headsOf(m_job, rank));
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            addPoints(rank);
        followBatches();
        findFirstNumbers();
        for (WaitPoint& point : m_graph.points) {
            if (point.kind == CallHead::Kind::Collective)
                judgeCollective(point);
        }
        return std::move(m_graph);
    }

private:
    void addPoints(std::uint32_t rank)
    {
        RankHeads& own = m_graph.heads[rank];
        for (std::size_t i = 0; i < own.heads.size(); ++i) {
            CallHead& head = own.heads[i];
            const std::uint32_t point = head.kind == CallHead::Kind::Collective
                ? collectivePoint(head)
                : transferPoint(rank, head, i < own.holding());
            own.byPoint.emplace(point, i);
            m_graph.points[point].waiting.push_back(rank);
            if (own.main == i)
                m_graph.mainPoint[rank] = point;
            if (i < own.holding())
                m_graph.holding[rank].push_back(point);
        }
    }

    /// One point for all members: they are asked once, not once for each rank that waits.
    std::uint32_t collectivePoint(const CallHead& head)
    {
        const auto next = static_cast<std::uint32_t>(m_graph.points.size());
        const auto [found, isNew] = m_collectives.try_emplace({head.group, head.number}, next);
        if (isNew) {
            WaitPoint& point = m_graph.points.emplace_back();
            point.group = head.group;
            point.number = head.number;
        }
        return found->second;
    }

    std::uint32_t transferPoint(std::uint32_t rank, const CallHead& head, bool isHeld)
    {
        WaitPoint point;
        point.kind = head.kind;
        point.group = head.group;
        point.number = head.number;
        point.isSoft = head.isSoft;
        for (const std::uint32_t peer : head.receivesFrom)
            addPeer(point, rank, peer, true, isHeld);
        if (head.sendsTo)
            addPeer(point, rank, *head.sendsTo, false, isHeld);
        if (!point.awaited.empty())
            point.unknown.clear();
        m_graph.points.push_back(std::move(point));
        return static_cast<std::uint32_t>(m_graph.points.size() - 1);
    }

    /// A rank that receives waits for a peer which has not sent, or which cannot get to it; likewise for a
    /// send.
    void addPeer(WaitPoint& point, std::uint32_t rank, std::uint32_t peer, bool wantsSend, bool isHeld)
    {
        const FlightRecord* const record = m_job.recordOf(peer);
        if (!record || (record->isCutOff && !record->hasCalls) || m_job.isOutdated(peer)) {
            point.unknown.push_back(peer);
            return;
        }
        const RankHeads& own = m_graph.heads[peer];
        const Transfers counts = transfersOf(point.group, rank, peer, wantsSend);
        const bool isCounted = !m_graph.heads[rank].hasLost && !own.hasLost;
        const PendingTransfer* const match = own.transferWith(point.group, rank, wantsSend);
        if (!match && isCounted && counts.finishedByPeer > counts.finishedByRank)
            return;
        // Without counts, what the peer has sent may be for this call, and the rank waits for something else.
        const bool mayBeSent
            = (point.kind == CallHead::Kind::Batch || !isHeld) && !isCounted && counts.finishedByPeer > 0;
        if (!match || (isCounted && counts.finishedByPeer + counts.pendingOfPeer <= counts.finishedByRank))
            (record->isCutOff || mayBeSent ? point.unknown : point.awaited).push_back(peer);
        else if (isBehindMain(peer, match->call) || isBehindSend(peer, *match))
            point.awaited.push_back(peer);
        else if (point.kind == CallHead::Kind::Batch)
            m_followers[{peer, match->call}].push_back(indexOfNext());
    }

    /// What a rank has received from a peer, and the peer has sent to it (or the other way round). NCCL may
    /// take a send before it is received, and of a batch that goes on waiting a part may be done. Only rings
    /// from the first call on can be counted.
    struct Transfers
    {
        std::size_t finishedByRank = 0, finishedByPeer = 0, pendingOfPeer = 0;
    };
    Transfers transfersOf(std::uint32_t group, std::uint32_t rank, std::uint32_t peer, bool wantsSend) const
    {
        const auto countIn = [](const auto& counts, std::uint32_t with, std::uint32_t of, bool isSend) {
            const auto found = counts.find({of, with, isSend});
            return found == counts.end() ? std::size_t{0} : found->second;
        };
        const RankHeads& own = m_graph.heads[rank];
        const RankHeads& other = m_graph.heads[peer];
        return {countIn(own.finishedTransfers, peer, group, !wantsSend),
                countIn(other.finishedTransfers, rank, group, wantsSend),
                countIn(other.pendingTransfers, rank, group, wantsSend)};
    }

    /// The point that transferPoint() is making.
    std::uint32_t indexOfNext() const { return static_cast<std::uint32_t>(m_graph.points.size()); }

    /// A batch that waits for its peer's batch, which itself waits for a third rank, waits for that: its part
    /// of the peer's batch may be done, and what it lacks may be the peer's next one.
    void followBatches()
    {
        std::vector<std::uint32_t> queue;
        for (std::uint32_t point = 0; point < m_graph.points.size(); ++point) {
            if (m_graph.points[point].kind == CallHead::Kind::Batch
                && !m_graph.points[point].targets().empty())
                queue.push_back(point);
        }
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const std::uint32_t rank = m_graph.points[queue[i]].waiting.front();
            const CallHead* const head = m_graph.heads[rank].at(queue[i]);
            const auto followers = m_followers.find({rank, head->call});
            if (followers == m_followers.end())
                continue;
            for (const std::uint32_t follower : followers->second) {
                WaitPoint& point = m_graph.points[follower];
                const bool wasWaiting = !point.targets().empty();
                point.awaited.push_back(rank);
                if (!wasWaiting)
                    queue.push_back(follower);
            }
        }
    }

    /// Whether a rank sends to the same peer before, and has not finished that.
    bool isBehindSend(std::uint32_t rank, const PendingTransfer& transfer) const
    {
        const CallHead* const main = m_graph.heads[rank].mainHead();
        return main && main->kind == CallHead::Kind::Pair && main->group == transfer.group
            && main->sendsTo == transfer.peer && main->call < transfer.call;
    }

    /// Whether an older unfinished call holds the rank up, so that it cannot get to this one.
    bool isBehindMain(std::uint32_t rank, std::size_t call) const
    {
        const CallHead* const main = m_graph.heads[rank].mainHead();
        return main && (main->heldFrom == CallHead::noCall || main->heldFrom < call);
    }

    /// Only the first unfinished number of a group tells of arguments: later differences follow from it.
    void findFirstNumbers()
    {
        for (const WaitPoint& point : m_graph.points) {
            if (point.kind != CallHead::Kind::Collective)
                continue;
            const auto [first, isNew] = m_first.try_emplace(point.group, point.number);
            first->second = std::min(first->second, point.number);
        }
    }

    void judgeCollective(WaitPoint& point)
    {
        const HangGroup& group = m_job.groups()[point.group];
        for (const std::uint32_t member : group.members) {
            point.stages.push_back(m_job.stageOf(member, point.group, point.number));
            point.isFinishedBySome |= point.stages.back() == CallStage::Completed;
        }
        point.needsAll = callNeedsAll(point);
        if (m_first.at(point.group) == point.number)
            point.mismatch = argumentMismatch(m_job, point.group, point.number);
        for (std::size_t i = 0; i < group.members.size(); ++i)
            correctOlder(point, group, i);
        if (point.isFinishedBySome && point.needsAll) {
            for (const std::uint32_t rank : point.waiting) {
                std::uint32_t& at = m_graph.standsAt[rank];
                if (at == WaitGraph::noPoint || indexOf(point) == m_graph.mainPoint[rank])
                    at = indexOf(point);
            }
        }
        if (point.mismatch)
            return; // it can never finish, whoever comes
        for (std::size_t i = 0; i < group.members.size(); ++i)
            addMember(point, group.members[i], point.stages[i]);
        if (!point.awaited.empty())
            point.unknown.clear();
    }

    std::uint32_t indexOf(const WaitPoint& point) const
    {
        return static_cast<std::uint32_t>(&point - m_graph.points.data());
    }

    bool callNeedsAll(const WaitPoint& point) const
    {
        for (const std::uint32_t member : m_job.groups()[point.group].members) {
            if (const auto call = m_job.callOf(member, point.group, point.number))
                return needsEverybody(m_job.operationOf(*m_job.recordOf(member), *call));
        }
        return false;
    }

    /// A dump that lacks a call which a peer has finished was written before: dumps by hand have skew. What
    /// it does not have is not known.
    void correctOlder(WaitPoint& point, const HangGroup& group, std::size_t member) const
    {
        if (point.stages[member] != CallStage::NotCalled || !m_job.recordOf(group.members[member]))
            return;
        const bool isOlder = group.finishedByAll > m_job.newestOf(group.members[member], point.group);
        if (isOlder || (point.needsAll && point.isFinishedBySome))
            point.stages[member] = CallStage::Unknown;
    }

    void addMember(WaitPoint& point, std::uint32_t rank, CallStage stage)
    {
        switch (stage) {
        case CallStage::NotCalled:
            point.awaited.push_back(rank);
            break;
        case CallStage::Inside:
            point.awaited.push_back(rank);
            point.inside.push_back(rank);
            break;
        case CallStage::Pending:
            if (const auto call = m_job.callOf(rank, point.group, point.number);
                call && m_graph.mainPoint[rank] != indexOf(point) && isBehindMain(rank, *call))
                point.awaited.push_back(rank);
            break;
        case CallStage::Unknown:
            point.unknown.push_back(rank);
            break;
        case CallStage::Completed:
            break;
        }
    }

    const HangJob& m_job;
    WaitGraph m_graph;
    std::map<std::pair<std::uint32_t, std::int64_t>, std::uint32_t> m_collectives;
    std::map<std::uint32_t, std::int64_t> m_first; ///< unfinished number, by group
    /// The points of batches whose peers have called their part, by the peer and the row of its call.
    std::map<std::pair<std::uint32_t, std::size_t>, std::vector<std::uint32_t>> m_followers;
};

/// Tarjan's algorithm without recursion. Nodes are the ranks, then the points.
class Components
{
public:
    explicit Components(const WaitGraph& graph)
        : m_graph(graph)
        , m_ranks(static_cast<std::uint32_t>(graph.heads.size()))
        , m_order(m_ranks + graph.points.size(), unseen)
        , m_low(m_order.size())
        , m_component(m_order.size(), unseen)
    { }

    std::vector<WaitEnd> ends()
    {
        for (std::uint32_t node = 0; node < m_order.size(); ++node) {
            if (m_order[node] == unseen)
                visit(node);
        }
        std::vector<bool> leaves(m_count);
        for (std::uint32_t node = 0; node < m_order.size(); ++node) {
            for (std::size_t i = 0; i < degree(node); ++i)
                leaves[m_component[node]]
                    = leaves[m_component[node]] || m_component[target(node, i)] != m_component[node];
        }
        std::vector<WaitEnd> all(m_count);
        for (std::uint32_t node = 0; node < m_order.size(); ++node) {
            WaitEnd& end = all[m_component[node]];
            if (node < m_ranks)
                end.ranks.push_back(node);
            else
                end.points.push_back(node - m_ranks);
        }
        std::vector<WaitEnd> ends;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!leaves[i])
                ends.push_back(std::move(all[i]));
        }
        return ends;
    }

private:
    static constexpr std::uint32_t unseen = 0xFFFF'FFFFu;

    std::size_t degree(std::uint32_t node) const
    {
        if (node < m_ranks)
            return m_graph.waitsAt(node).size();
        return m_graph.points[node - m_ranks].targets().size();
    }
    std::uint32_t target(std::uint32_t node, std::size_t i) const
    {
        return node < m_ranks ? m_ranks + m_graph.waitsAt(node)[i]
                              : m_graph.points[node - m_ranks].targets()[i];
    }

    void enter(std::uint32_t node)
    {
        m_order[node] = m_low[node] = m_next++;
        m_stack.push_back(node);
        m_path.push_back({node, 0});
    }

    void visit(std::uint32_t root)
    {
        enter(root);
        while (!m_path.empty()) {
            const std::uint32_t node = m_path.back().first;
            if (m_path.back().second < degree(node)) {
                const std::uint32_t next = target(node, m_path.back().second++);
                if (m_order[next] == unseen)
                    enter(next);
                else if (m_component[next] == unseen) // still on the stack
                    m_low[node] = std::min(m_low[node], m_order[next]);
                continue;
            }
            m_path.pop_back();
            if (!m_path.empty())
                m_low[m_path.back().first] = std::min(m_low[m_path.back().first], m_low[node]);
            if (m_low[node] == m_order[node])
                close(node);
        }
    }

    void close(std::uint32_t root)
    {
        std::uint32_t node = unseen;
        while (node != root) {
            node = m_stack.back();
            m_stack.pop_back();
            m_component[node] = m_count;
        }
        ++m_count;
    }

    const WaitGraph& m_graph;
    std::uint32_t m_ranks;
    std::vector<std::uint32_t> m_order, m_low, m_component, m_stack;
    std::vector<std::pair<std::uint32_t, std::size_t>> m_path;
    std::uint32_t m_next = 0, m_count = 0;
};

} // namespace

WaitGraph waitGraphOf(const HangJob& job)
{
    return GraphBuilder(job).build();
}

std::int64_t firstCallNs(const HangJob& job, const WaitGraph& graph, std::uint32_t point)
{
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t rank : graph.points[point].waiting) {
        const CallHead* const head = graph.heads[rank].at(point);
        const bool isLost = !head || head->call == CallHead::noCall;
        first = std::min(first, isLost ? 0 : job.recordOf(rank)->calls.createdNs[head->call]);
    }
    return first;
}

WaitSources waitSourcesOf(const WaitGraph& graph)
{
    const auto ranks = static_cast<std::uint32_t>(graph.heads.size());
    WaitSources sources;
    sources.leadsTo.resize(ranks);
    sources.waiting.resize(graph.points.size());
    for (std::uint32_t point = 0; point < graph.points.size(); ++point) {
        for (const std::uint32_t rank : graph.points[point].targets())
            sources.leadsTo[rank].push_back(point);
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (const std::uint32_t point : graph.waitsAt(rank))
            sources.waiting[point].push_back(rank);
    }
    return sources;
}

std::vector<WaitEnd> waitEnds(const WaitGraph& graph)
{
    return Components(graph).ends();
}

} // namespace collscope
