// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/folded_stages.h"

#include <algorithm>

namespace collscope {

namespace {

/// The turn of a call of a lane, if it has one.
struct PlacedTurn
{
    std::uint32_t call = 0; ///< place in its lane
    StageTurn turn;
};

/// The turns of one lane, in the order of its calls.
class LaneTurns
{
public:
    /// `takesPart`: by call, whether it is of a collective.
    LaneTurns(const HandoverSums& handovers, LaneReader calls, const std::vector<bool>& takesPart)
    {
        std::vector<std::pair<TimeRange, std::uint32_t>> byBegin;
        for (std::uint32_t place = 0; calls.next(); ++place) {
            if (place < takesPart.size() && takesPart[place])
                byBegin.emplace_back(calls.call().range, place);
        }
        std::stable_sort(byBegin.begin(), byBegin.end(),
                         [](const auto& a, const auto& b) { return a.first.beginNs < b.first.beginNs; });
        GroupTurns turns;
        for (const auto& [range, place] : byBegin) {
            const StageTurn turn = turns.next(handovers, range);
            if (!turn.isEmpty())
                m_turns.push_back({place, turn});
        }
        std::sort(m_turns.begin(), m_turns.end(),
                  [](const PlacedTurn& a, const PlacedTurn& b) { return a.call < b.call; });
    }
    LaneTurns() = default;

    /// The turn of the next call.
    StageTurn next()
    {
        const std::uint32_t call = m_call++;
        if (m_next == m_turns.size() || m_turns[m_next].call != call)
            return {};
        return m_turns[m_next++].turn;
    }

private:
    std::vector<PlacedTurn> m_turns; ///< those that are not empty
    std::size_t m_next = 0;
    std::uint32_t m_call = 0;
};

} // namespace

FoldedStages::FoldedStages(const SummarizedRun& run, const std::vector<OrderedGroup>& groups,
                           std::vector<PairMatches>& pairs, const OrderOptions& options,
                           const Parallel& parallel)
    : m_run(run)
    , m_groups(groups)
    , m_pairs(pairs)
    , m_transfersOf(run.ranks().size())
    , m_mayExplain(groups.size())
{
    placeRanks();
    TransferGraph graph(run.ranks().size());
    const std::set<std::uint32_t> rings = findRings(graph);
    m_stages = PipelineStages(graph, rings);
    const bool handsOn = std::any_of(m_pairs.begin(), m_pairs.end(), [](const PairMatches& pair) {
        return pair.hasCandidates && !pair.isOfRing;
    });
    if (handsOn)
        parallel.forEach(groups.size(), [&](std::size_t g) { m_mayExplain[g] = explained(g, options); });
}

void FoldedStages::placeRanks()
{
    for (std::uint32_t g = 0; g < m_groups.size(); ++g) {
        if (!m_pairs[g].hasCandidates)
            continue;
        for (std::uint32_t lane = 0; lane < m_groups[g].group->lanes.size(); ++lane)
            m_transfersOf[m_groups[g].group->lanes[lane].rank].push_back({g, lane});
    }
}

/// Calls f(group, lane, range) for the transfers of a rank that may be handovers.
template<typename F>
void FoldedStages::forEachTransfer(std::uint32_t rank, const F& f) const
{
    for (const Place place : m_transfersOf[rank]) {
        const PairMatches& pairs = m_pairs[place.group];
        LaneReader calls(m_run, *m_groups[place.group].group, place.lane, LaneOrder::Time);
        std::size_t match = 0;
        for (std::size_t i = 0; calls.next(); ++i) {
            if (pairs.isMatched[place.lane][i] && !pairs.isOfOther[match++])
                f(place, calls.call().range);
        }
    }
}

bool FoldedStages::mostlyExchanges(std::uint32_t rank) const
{
    std::vector<TimeRange> sent, received;
    forEachTransfer(rank, [&](Place place, TimeRange range) {
        (place.lane == m_pairs[place.group].fromLane ? sent : received).push_back(range);
    });
    return collscope::mostlyExchanges(sent, std::move(received));
}

std::set<std::uint32_t> FoldedStages::findRings(TransferGraph& graph)
{
    const auto rankOf
        = [&](std::size_t g, std::uint32_t lane) { return m_groups[g].group->lanes[lane].rank; };
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        const PairMatches& pairs = m_pairs[g];
        if (pairs.hasCandidates)
            graph.add(rankOf(g, pairs.fromLane), rankOf(g, 1 - pairs.fromLane),
                      pairs.isOfPipeline ? TransferPurpose::Pipeline : TransferPurpose::Unknown);
    }
    const std::vector<bool> may = graph.mayBeInRings();
    std::vector<bool> exchanges(may.size(), false);
    for (std::uint32_t rank = 0; rank < may.size(); ++rank)
        exchanges[rank] = may[rank] && mostlyExchanges(rank);
    const std::set<std::uint32_t> rings = graph.rings(exchanges);
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        m_pairs[g].isOfRing = m_pairs[g].hasCandidates && rings.contains(graph.setOf(rankOf(g, 0)));
    return rings;
}

HandoverSums FoldedStages::handoversOf(std::uint32_t rank) const
{
    std::vector<HandoverSums::Handover> handovers;
    const std::int32_t number = m_run.ranks()[rank].rank;
    forEachTransfer(rank, [&](Place place, TimeRange range) {
        if (!m_pairs[place.group].isOfRing)
            handovers.push_back({range, number == m_groups[place.group].group->group.to});
    });
    return HandoverSums(std::move(handovers));
}

/// By number, whether the order of the stages may explain who was last.
std::vector<bool> FoldedStages::explained(std::size_t index, const OrderOptions& options) const
{
    const OrderedGroup& ordered = m_groups[index];
    const SummarizedRun::Group& group = *ordered.group;
    std::vector<bool> result;
    if (group.lanes.size() < 2 || group.hasUnknownMembers)
        return result;
    // Calls that are left out as they differ, and handovers, do not interrupt a turn.
    std::vector<std::vector<bool>> takesPart(group.lanes.size());
    for (const auto join = ordered.join(m_run); join->next();) {
        const bool takes = join->areAlike() && join->role() != TransferRole::Handover;
        for (const JoinedCall& call : join->calls())
            takesPart[call.lane].push_back(takes);
    }
    const auto hasSome = [](const std::vector<bool>& lane) {
        return std::find(lane.begin(), lane.end(), true) != lane.end();
    };
    if (std::none_of(takesPart.begin(), takesPart.end(), hasSome))
        return result;
    std::vector<LaneTurns> turns(group.lanes.size());
    bool hasTurns = false;
    for (std::uint32_t lane = 0; lane < group.lanes.size(); ++lane) {
        const HandoverSums handovers = handoversOf(group.lanes[lane].rank);
        if (handovers.isEmpty())
            continue;
        turns[lane] = LaneTurns(handovers, LaneReader(m_run, group, lane, laneOrderOf(ordered.rule)),
                                takesPart[lane]);
        hasTurns = true;
    }
    if (!hasTurns)
        return result;
    CollectiveOnHand onHand(m_run, group, ordered.rule);
    CollectiveTimer timer = onHand.timer(options.clocks, options.byDuration);
    std::vector<std::uint32_t> ranks;
    std::vector<StageTurn> own;
    for (const auto join = ordered.join(m_run); join->next();) {
        ranks.clear();
        own.clear();
        for (const JoinedCall& call : join->calls()) {
            ranks.push_back(group.lanes[call.lane].rank);
            own.push_back(turns[call.lane].next());
        }
        result.push_back(false);
        if (std::all_of(own.begin(), own.end(), [](const StageTurn& turn) { return turn.isEmpty(); }))
            continue;
        onHand.set(join->calls(), join->confidence());
        const CollectiveTimes times = timer.of(onHand.instance());
        result.back() = times.tellsWaits && m_stages.mayExplainLast({ranks, own, timer.lateness()}, times);
    }
    return result;
}

} // namespace collscope
