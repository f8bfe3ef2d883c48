// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/hang_findings.h"

#include <algorithm>
#include <array>
#include <set>

namespace collscope {

namespace {

bool isAmong(const std::vector<std::uint32_t>& values, std::uint32_t value)
{
    return std::find(values.begin(), values.end(), value) != values.end();
}

HangClass classOf(ArgumentMismatch::Kind kind)
{
    switch (kind) {
    case ArgumentMismatch::Kind::Operation:
        return HangClass::Operation;
    case ArgumentMismatch::Kind::ElementType:
        return HangClass::ElementType;
    case ArgumentMismatch::Kind::Size:
        return HangClass::Size;
    case ArgumentMismatch::Kind::Splits:
        break;
    }
    return HangClass::Splits;
}

class EndJudge
{
public:
    EndJudge(const HangJob& job, const WaitGraph& graph)
        : m_job(job)
        , m_graph(graph)
        , m_awaitedAt(job.ranks().size())
        , m_unknownAt(job.ranks().size())
    {
        for (std::uint32_t point = 0; point < graph.points.size(); ++point) {
            if (graph.points[point].isSoft)
                continue; // perhaps nobody waits there
            for (const std::uint32_t rank : graph.points[point].awaited)
                m_awaitedAt[rank].push_back(point);
            for (const std::uint32_t rank : graph.points[point].unknown)
                m_unknownAt[rank].push_back(point);
        }
    }

    std::vector<HangFinding> judge()
    {
        for (const WaitEnd& end : waitEnds(m_graph)) {
            if (end.ranks.empty())
                judgePoint(end.points.front());
            else if (end.points.empty())
                judgeRank(end.ranks.front());
            else
                judgeCycle(end);
        }
        addUnknownRanks();
        for (HangFinding& finding : m_findings)
            nameCall(finding);
        joinAlike();
        return std::move(m_findings);
    }

private:
    void add(HangFinding finding)
    {
        std::sort(finding.accused.begin(), finding.accused.end());
        std::sort(finding.candidates.begin(), finding.candidates.end());
        m_findings.push_back(std::move(finding));
    }

    /// A call in which nobody waits for a rank.
    void judgePoint(std::uint32_t index)
    {
        const WaitPoint& point = m_graph.points[index];
        if (point.isSoft)
            return; // the program may wait for the send, or have stopped behind it
        HangFinding finding;
        finding.points = {index};
        if (point.mismatch) {
            finding.hangClass = classOf(point.mismatch->kind);
            finding.accused = point.mismatch->accused;
            finding.mismatch = point.mismatch;
            if (finding.accused.empty()) {
                for (const ArgumentMismatch::Side& side : point.mismatch->sides)
                    finding.candidates.insert(finding.candidates.end(), side.ranks.begin(), side.ranks.end());
            }
            return add(std::move(finding));
        }
        const bool isOldest = std::all_of(point.waiting.begin(), point.waiting.end(),
                                          [&](std::uint32_t rank) { return isOldestOf(rank, index); });
        if (point.isFinishedBySome || !point.targets().empty() || !isOldest)
            return;
        finding.hangClass = HangClass::Gpu;
        if (point.kind == CallHead::Kind::Collective)
            addJoined(point, std::move(finding));
        else
            addTransfer(point, std::move(finding));
    }

    /// Whether a rank has no unfinished call, be it a send, that is older than the one with which it waits.
    bool isOldestOf(std::uint32_t rank, std::uint32_t point) const
    {
        const RankHeads& own = m_graph.heads[rank];
        const CallHead* const head = own.at(point);
        return head && head->call != CallHead::noCall && head == &own.heads.front()
            && own.unfinished.front() >= head->call;
    }

    /// All members have called, and none has finished.
    void addJoined(const WaitPoint& point, HangFinding finding)
    {
        const std::vector<std::uint32_t>& members = m_job.groups()[point.group].members;
        std::vector<std::uint32_t> idle; // not started
        bool isTimed = true, isCounted = true;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const auto call = m_job.callOf(members[i], point.group, point.number);
            if (point.stages[i] != CallStage::Pending || !call || m_job.mayHidePending(members[i]))
                return; // what the ring lost may be what it waits for
            const FlightRecord& record = *m_job.recordOf(members[i]);
            isCounted = isCounted && m_job.collectiveStatusOf(members[i], point.group);
            const FlightState state = record.calls.state[*call];
            isTimed = isTimed && (state == FlightState::Started || !record.calls.startedNs.empty());
            if (state == FlightState::Scheduled)
                idle.push_back(members[i]);
        }
        if (isTimed && !idle.empty() && idle.size() < members.size()) {
            finding.accused = idle;
            finding.hangClass = isCounted ? HangClass::Gpu : HangClass::CpuOrGpu;
        } else {
            finding.candidates = members;
        }
        add(std::move(finding));
    }

    void addTransfer(const WaitPoint& point, HangFinding finding)
    {
        const std::uint32_t rank = point.waiting.front();
        const CallHead& head = *m_graph.heads[rank].at(finding.points.front());
        finding.candidates = head.receivesFrom;
        if (head.sendsTo)
            finding.candidates.push_back(*head.sendsTo);
        // A peer that has something older to finish is not stuck here.
        for (const std::uint32_t peer : finding.candidates) {
            const RankHeads& own = m_graph.heads[peer];
            const PendingTransfer* const send = own.transferWith(point.group, rank, true);
            const PendingTransfer* const receive = own.transferWith(point.group, rank, false);
            const bool isSendFirst = send && (!receive || send->call < receive->call);
            const PendingTransfer* const match = isSendFirst ? send : receive;
            if (!match || own.unfinished.front() < match->call)
                return;
        }
        finding.candidates.push_back(rank);
        add(std::move(finding));
    }

    void judgeRank(std::uint32_t rank)
    {
        const FlightRecord* const record = m_job.recordOf(rank);
        HangFinding finding;
        finding.accused = {rank};
        if (record && m_graph.standsAt[rank] != WaitGraph::noPoint) {
            finding.hangClass = HangClass::Gpu;
            finding.standing = m_graph.standsAt[rank];
            finding.points = m_awaitedAt[rank];
            if (finding.points.empty())
                finding.points = {finding.standing};
            return add(std::move(finding));
        }
        if (m_awaitedAt[rank].empty() || (!record && !m_job.isAliveByLog(rank))) {
            const bool isNamed = !m_awaitedAt[rank].empty() || !m_unknownAt[rank].empty();
            if (isNamed && !record)
                m_withoutDump.push_back(rank);
            else if (isNamed && !record->isCutOff)
                m_withoutCall.push_back(rank);
            return;
        }
        if (record && mayBeHeldUp(*record, rank))
            return;
        finding.hangClass = HangClass::Cpu;
        finding.points = m_awaitedAt[rank];
        add(std::move(finding));
    }

    /// A dump may lack the call that holds the rank up; that one was cut off says nothing if its counters say
    /// that there is none.
    bool mayBeHeldUp(const FlightRecord& record, std::uint32_t rank) const
    {
        if (!record.isCutOff)
            return m_job.mayHidePending(rank) || m_job.hasLeftOvers(rank) || m_graph.heads[rank].hasStray;
        return record.statuses.empty()
            || std::any_of(record.statuses.begin(), record.statuses.end(),
                           [](const FlightStatus& status) { return status.completed < status.enqueued; });
    }

    void judgeCycle(const WaitEnd& end)
    {
        const bool isHidden = std::any_of(end.ranks.begin(), end.ranks.end(), [&](std::uint32_t rank) {
            return m_job.mayHidePending(rank) || m_job.hasLeftOvers(rank) || m_graph.heads[rank].hasStray;
        });
        const bool isSoft = std::any_of(end.points.begin(), end.points.end(),
                                        [&](std::uint32_t point) { return m_graph.points[point].isSoft; });
        if (isHidden || isSoft)
            return; // a call that is not in the dump may hold the rank up; a send may not
        HangFinding finding;
        finding.points = end.points;
        const auto& points = m_graph.points;
        const auto isInside = [&](std::uint32_t rank) {
            return std::any_of(end.points.begin(), end.points.end(), [&](std::uint32_t point) {
                return isAmong(points[point].inside, rank) && m_graph.mainPoint[rank] == point;
            });
        };
        if (std::all_of(end.ranks.begin(), end.ranks.end(), isInside)) {
            finding.hangClass = HangClass::Cpu;
            finding.isInside = true;
            const std::size_t members = m_job.groups()[points[end.points.front()].group].members.size();
            (end.ranks.size() < members ? finding.accused : finding.candidates) = end.ranks;
            return add(std::move(finding));
        }
        if (accuseUnheld(end, finding))
            return add(std::move(finding));
        const bool areTransfers = std::all_of(end.points.begin(), end.points.end(), [&](std::uint32_t point) {
            return points[point].kind != CallHead::Kind::Collective;
        });
        if (areTransfers) {
            if (mayWaitOutside(end))
                return;
            finding.hangClass = HangClass::PeerOrder;
            finding.accused = end.ranks;
            return add(std::move(finding));
        }
        finding.hangClass = HangClass::Order;
        accuseMinority(end, finding);
        add(std::move(finding));
    }

    /// Whether a batch in the cycle sends to somebody outside of it: it may wait for that.
    bool mayWaitOutside(const WaitEnd& end) const
    {
        return std::any_of(end.ranks.begin(), end.ranks.end(), [&](std::uint32_t rank) {
            const CallHead* const head = m_graph.heads[rank].mainHead();
            return head
                && std::any_of(head->batchSends.begin(), head->batchSends.end(),
                               [&](std::uint32_t peer) { return !isAmong(end.ranks, peer); });
        });
    }

    /// Ranks that the others wait for, and that went on behind every call which they have not finished: they
    /// are not held up, but stopped.
    bool accuseUnheld(const WaitEnd& end, HangFinding& finding) const
    {
        for (const std::uint32_t rank : end.ranks) {
            if (m_graph.mainPoint[rank] == WaitGraph::noPoint && !m_awaitedAt[rank].empty())
                finding.accused.push_back(rank);
        }
        if (finding.accused.empty())
            return false;
        finding.hangClass = HangClass::Cpu;
        finding.points = m_awaitedAt[finding.accused.front()];
        return true;
    }

    /// Of the ranks that call two groups in a different order, the fewer.
    void accuseMinority(const WaitEnd& end, HangFinding& finding) const
    {
        std::map<std::uint32_t, std::vector<std::uint32_t>> sides; // by the point in which they wait
        for (const std::uint32_t rank : end.ranks)
            sides[m_graph.mainPoint[rank]].push_back(rank);
        const auto size = [](const auto& side) { return side.second.size(); };
        const auto fewest = std::min_element(sides.begin(), sides.end(),
                                             [&](const auto& a, const auto& b) { return size(a) < size(b); });
        const auto alike = std::count_if(sides.begin(), sides.end(),
                                         [&](const auto& side) { return size(side) == size(*fewest); });
        if (alike == 1 && sides.size() > 1)
            finding.accused = fewest->second;
        else
            finding.candidates = end.ranks;
    }

    /// Ranks that are waited for in the same call are one finding: "ranks 9 and 14 stopped on the CPU".
    void joinAlike()
    {
        std::map<std::tuple<HangClass, std::uint32_t, std::uint32_t>, HangFinding> joined;
        std::vector<HangFinding> others;
        for (HangFinding& finding : m_findings) {
            const bool isSingle = finding.accused.size() == 1 && !finding.isInside && !finding.mismatch;
            if (!isSingle || (finding.hangClass != HangClass::Cpu && finding.hangClass != HangClass::Gpu)) {
                others.push_back(std::move(finding));
                continue;
            }
            const auto [known, isNew]
                = joined.try_emplace({finding.hangClass, finding.point, finding.standing}, finding);
            if (isNew)
                continue;
            known->second.accused.push_back(finding.accused.front());
            for (const std::uint32_t point : finding.points) {
                if (!isAmong(known->second.points, point))
                    known->second.points.push_back(point);
            }
        }
        m_findings = std::move(others);
        for (auto& [key, finding] : joined)
            add(std::move(finding));
    }

    /// With any other finding, nothing accuses a rank whose dump is missing: dumps are lost. The same is true
    /// of a rank whose ring does not show whether it made the call.
    void addUnknownRanks()
    {
        if (!m_findings.empty() || (m_withoutDump.empty() && m_withoutCall.empty()))
            return;
        HangFinding finding;
        const bool isOutdated = std::any_of(m_withoutCall.begin(), m_withoutCall.end(),
                                            [&](std::uint32_t rank) { return m_job.isOutdated(rank); });
        finding.hangClass = !m_withoutDump.empty() ? HangClass::Dead
            : isOutdated                           ? HangClass::CpuOrGpu
                                                   : HangClass::Cpu;
        finding.isByRing = m_withoutDump.empty();
        finding.candidates = m_withoutDump;
        finding.candidates.insert(finding.candidates.end(), m_withoutCall.begin(), m_withoutCall.end());
        for (const std::uint32_t rank : finding.candidates) {
            for (const auto* places : {&m_awaitedAt[rank], &m_unknownAt[rank]})
                finding.points.insert(finding.points.end(), places->begin(), places->end());
        }
        std::sort(finding.points.begin(), finding.points.end());
        finding.points.erase(std::unique(finding.points.begin(), finding.points.end()), finding.points.end());
        add(std::move(finding));
    }

    /// Of the calls in which somebody waits for a rank, the first; a collective says more than a receive.
    void nameCall(HangFinding& finding) const
    {
        const auto order = [&](std::uint32_t point) {
            return std::pair(m_graph.points[point].kind != CallHead::Kind::Collective,
                             firstCallNs(m_job, m_graph, point));
        };
        const auto first
            = std::min_element(finding.points.begin(), finding.points.end(),
                               [&](std::uint32_t a, std::uint32_t b) { return order(a) < order(b); });
        if (first != finding.points.end())
            finding.point = *first;
    }

    const HangJob& m_job;
    const WaitGraph& m_graph;
    std::vector<std::vector<std::uint32_t>> m_awaitedAt, m_unknownAt; ///< points, by rank
    std::vector<std::uint32_t> m_withoutDump, m_withoutCall;
    std::vector<HangFinding> m_findings;
};

/// The ranks that lead to each finding, and through how many groups.
class VictimSearch
{
public:
    explicit VictimSearch(const WaitGraph& graph)
        : m_graph(graph)
        , m_sources(waitSourcesOf(graph))
    { }

    void find(HangFinding& finding) const
    {
        const std::vector<std::uint32_t> named = finding.named();
        std::vector<std::size_t> depth(m_graph.points.size(), 0); // 0: not reached
        std::vector<bool> isReached(m_graph.heads.size());
        std::vector<std::uint32_t> queue;
        for (const std::uint32_t point : finding.points) {
            depth[point] = 1;
            queue.push_back(point);
        }
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const std::uint32_t rank : m_sources.waiting[queue[i]]) {
                if (isReached[rank])
                    continue;
                isReached[rank] = true;
                if (!isAmong(named, rank) || !finding.candidates.empty()) {
                    finding.victims.push_back(rank);
                    finding.mostGroups = std::max(finding.mostGroups, depth[queue[i]]);
                }
                for (const std::uint32_t point : m_sources.leadsTo[rank]) {
                    if (depth[point] > 0)
                        continue;
                    depth[point] = depth[queue[i]] + 1;
                    queue.push_back(point);
                }
            }
        }
        std::erase_if(finding.victims, [&](std::uint32_t rank) { return isAmong(finding.accused, rank); });
        std::sort(finding.victims.begin(), finding.victims.end());
    }

private:
    const WaitGraph& m_graph;
    WaitSources m_sources;
};

} // namespace

std::string_view hangClassName(HangClass own)
{
    constexpr std::array<std::string_view, 10> names{"cpu",  "gpu",   "cpu or gpu", "dead", "type",
                                                     "size", "dtype", "a2a",        "p2p",  "order"};
    return names[static_cast<std::size_t>(own)];
}

std::vector<std::uint32_t> HangFinding::named() const
{
    std::vector<std::uint32_t> all = accused;
    all.insert(all.end(), candidates.begin(), candidates.end());
    return all;
}

std::vector<HangFinding> hangFindings(const HangJob& job, const WaitGraph& graph)
{
    std::vector<HangFinding> findings = EndJudge(job, graph).judge();
    const VictimSearch search(graph);
    for (HangFinding& finding : findings)
        search.find(finding);
    return findings;
}

} // namespace collscope
