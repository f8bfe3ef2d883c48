// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/pipeline_stages.h"

#include "model/interval_set.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace collscope {

TransferPurpose purposeOf(ParallelismKind kind, ParallelismRule rule)
{
    // That it is a send is not evidence: ring attention sends, too.
    if (rule == ParallelismRule::CollectiveType || rule == ParallelismRule::None)
        return TransferPurpose::Unknown;
    switch (kind) {
    case ParallelismKind::PipelineParallel:
        return TransferPurpose::Pipeline;
    case ParallelismKind::Unknown:
    case ParallelismKind::Global:
        return TransferPurpose::Unknown;
    default:
        return TransferPurpose::OtherParallelism;
    }
}

TransferGraph::TransferGraph(std::size_t ranks)
    : m_setOf(ranks)
    , m_to(ranks)
    , m_from(ranks)
    , m_isOfPipeline(ranks, false)
{
    std::iota(m_setOf.begin(), m_setOf.end(), 0U);
}

std::uint32_t TransferGraph::setOf(std::uint32_t rank)
{
    while (m_setOf[rank] != rank)
        rank = m_setOf[rank] = m_setOf[m_setOf[rank]];
    return rank;
}

void TransferGraph::add(std::uint32_t from, std::uint32_t to, TransferPurpose purpose)
{
    m_to[from].insert(to);
    m_from[to].insert(from);
    m_isOfPipeline[from] = m_isOfPipeline[from] || purpose == TransferPurpose::Pipeline;
    const std::uint32_t a = setOf(from), b = setOf(to);
    m_setOf[std::max(a, b)] = std::min(a, b);
}

std::vector<bool> TransferGraph::mayBeInRings()
{
    constexpr std::size_t fewestInRing = 3;
    std::map<std::uint32_t, std::size_t> sizes;
    std::set<std::uint32_t> others; // sets that are not rings
    for (std::uint32_t rank = 0; rank < m_setOf.size(); ++rank) {
        const std::uint32_t set = setOf(rank);
        ++sizes[set];
        if (m_to[rank].size() != 1 || m_from[rank].size() != 1 || m_isOfPipeline[rank])
            others.insert(set);
    }
    std::vector<bool> may(m_setOf.size(), false);
    for (std::uint32_t rank = 0; rank < m_setOf.size(); ++rank)
        may[rank] = sizes[setOf(rank)] >= fewestInRing && !others.contains(setOf(rank));
    return may;
}

std::set<std::uint32_t> TransferGraph::rings(const std::vector<bool>& exchanges)
{
    const std::vector<bool> may = mayBeInRings();
    std::set<std::uint32_t> found, others;
    for (std::uint32_t rank = 0; rank < m_setOf.size(); ++rank) {
        if (may[rank])
            (exchanges[rank] ? found : others).insert(setOf(rank));
    }
    for (const std::uint32_t set : others)
        found.erase(set);
    return found;
}

bool mostlyExchanges(const std::vector<TimeRange>& sent, std::vector<TimeRange> received)
{
    const IntervalSet receiving(std::move(received));
    const std::vector<TimeRange>& own = receiving.intervals();
    std::int64_t balance = 0; // sends while receiving, minus the others
    for (const TimeRange range : sent) {
        const auto next = std::partition_point(
            own.begin(), own.end(), [&](TimeRange receive) { return receive.endNs <= range.beginNs; });
        balance += next != own.end() && next->overlaps(range) ? 1 : -1;
    }
    return balance > 0;
}

HandoverSums::HandoverSums(std::vector<Handover> handovers)
{
    std::stable_sort(handovers.begin(), handovers.end(),
                     [](const Handover& a, const Handover& b) { return a.range.beginNs < b.range.beginNs; });
    Sum sum;
    m_sums.push_back(sum);
    for (const Handover& handover : handovers) {
        m_beginNs.push_back(handover.range.beginNs);
        sum.ns += handover.range.lengthNs();
        ++sum.calls;
        if (handover.isReceive) {
            sum.receivedNs
                = sum.receives == 0 ? handover.range.endNs : std::max(sum.receivedNs, handover.range.endNs);
            ++sum.receives;
        }
        m_sums.push_back(sum);
    }
}

HandoverSums::Sum HandoverSums::before(std::int64_t ns) const
{
    const auto end = std::lower_bound(m_beginNs.begin(), m_beginNs.end(), ns);
    return m_sums[static_cast<std::size_t>(end - m_beginNs.begin())];
}

StageTurn GroupTurns::next(const HandoverSums& handovers, TimeRange call)
{
    if (!m_hasBegun || call.beginNs != m_beginNs) { // calls that begin at once have the same turn
        m_last = m_own;
        m_own = handovers.before(call.beginNs);
        m_beginNs = call.beginNs;
        m_hasBegun = true;
    }
    StageTurn turn;
    if (m_own.calls > m_last.calls)
        turn.handoversNs = m_own.ns - m_last.ns;
    if (m_own.receives > m_last.receives)
        turn.afterNs = std::max<std::int64_t>(call.beginNs - m_own.receivedNs, 0);
    return turn;
}

PipelineStages::PipelineStages(TransferGraph& graph, const std::set<std::uint32_t>& rings)
    : m_pipelineOf(graph.ranks())
    , m_stageOf(graph.ranks(), 0)
{
    std::map<std::uint32_t, std::uint32_t> sizes;
    for (std::uint32_t rank = 0; rank < m_pipelineOf.size(); ++rank) {
        const std::uint32_t set = graph.setOf(rank);
        m_pipelineOf[rank] = rings.contains(set) ? rank : set;
        m_stageOf[rank] = sizes[m_pipelineOf[rank]]++;
    }
}

namespace {

/// Whether the last rank spent longer in handovers than the rank that waits longest, by half of the wait or
/// more. Precondition: they are of different pipelines, and so of the same stage.
bool gotWorkLate(std::span<const StageTurn> turns, const CollectiveTimes& times)
{
    const std::int64_t ownNs = turns[times.awaited].handoversNs;
    const std::int64_t otherNs = turns[times.longest].handoversNs;
    return ownNs != StageTurn::none && 2 * (ownNs - std::max<std::int64_t>(otherNs, 0)) >= times.heldNs;
}

/// Whether the last rank did more than each other member, by half of the wait or more, after it got its last
/// work: the order of the stages ends there.
bool worksLonger(std::span<const StageTurn> turns, const CollectiveTimes& times)
{
    const std::int64_t ownNs = turns[times.awaited].afterNs;
    for (std::uint32_t i = 0; i < turns.size(); ++i) {
        if (i != times.awaited
            && (turns[i].afterNs == StageTurn::none || 2 * (ownNs - turns[i].afterNs) < times.heldNs))
            return false;
    }
    return ownNs != StageTurn::none;
}

} // namespace

/// Other pipelines take the same turns. Whether the last rank is later than all of them, by half of the wait
/// or more, without longer handovers than its counterparts there: work that its stage got late.
bool PipelineStages::isLaterThanOtherPipelines(const Members& members, const CollectiveTimes& times) const
{
    const std::uint32_t last = members.ranks[times.awaited];
    std::int64_t othersNs = StageTurn::none; // how late the last rank of the other pipelines was
    std::int64_t sameStageNs = StageTurn::none; // in handovers, of the ranks of the same stage there
    for (std::uint32_t i = 0; i < members.ranks.size(); ++i) {
        const std::uint32_t rank = members.ranks[i];
        if (m_pipelineOf[rank] == m_pipelineOf[last])
            continue;
        othersNs = std::max(othersNs, members.lateness[i]);
        if (m_stageOf[rank] == m_stageOf[last])
            sameStageNs = std::max(sameStageNs, members.turns[i].handoversNs);
    }
    const std::int64_t ownNs = members.turns[times.awaited].handoversNs;
    return othersNs != StageTurn::none && 2 * (members.lateness[times.awaited] - othersNs) >= times.heldNs
        && sameStageNs != StageTurn::none && 2 * (ownNs - sameStageNs) < times.heldNs;
}

bool PipelineStages::mayExplainLast(const Members& members, const CollectiveTimes& times) const
{
    if (members.ranks.size() < 2)
        return false;
    const std::uint32_t last = members.ranks[times.awaited];
    const bool hasHanded = members.turns[times.awaited].handoversNs != StageTurn::none;
    bool isAcross = true; // the pipelines, as the groups of data parallelism are
    bool handsWorkOn = false; // with another member, since they last met
    for (std::uint32_t i = 0; i < members.ranks.size(); ++i) {
        if (i == times.awaited || m_pipelineOf[members.ranks[i]] != m_pipelineOf[last])
            continue;
        isAcross = false;
        handsWorkOn |= hasHanded || members.turns[i].handoversNs != StageTurn::none;
    }
    if (isAcross)
        return gotWorkLate(members.turns, times);
    return handsWorkOn && !worksLonger(members.turns, times) && !isLaterThanOtherPipelines(members, times);
}

} // namespace collscope
