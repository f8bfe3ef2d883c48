// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/group_join.h"

#include "metrics/matching/call_slots.h"

#include <algorithm>

namespace collscope {

LaneOrder laneOrderOf(MatchRule rule)
{
    return rule == MatchRule::CommunicatorSequence ? LaneOrder::Communicator
        : rule == MatchRule::GroupSequence         ? LaneOrder::Sequence
                                                   : LaneOrder::Time;
}

LaneReader::LaneReader(const SummarizedRun& run, const SummarizedRun::Group& group, std::uint32_t lane,
                       LaneOrder order)
    : m_run(run)
    , m_lane(group.lanes[lane])
    , m_chunkCount(run.ownGroup(m_lane).chunks)
    , m_order(order)
    , m_shiftNs(run.shiftNs(m_lane.rank))
{
    m_call.lane = lane;
}

bool LaneReader::readChunk()
{
    while (m_chunk.isAtEnd()) {
        if (m_nextChunk == m_chunkCount) {
            m_chunk = {};
            return false;
        }
        Result<ChunkReader> chunk = m_run.chunksOf(m_lane.rank).read(m_lane.own, m_nextChunk++);
        if (!chunk) {
            m_failure = NeedsDetail::Damaged;
            return false;
        }
        m_chunk = std::move(*chunk);
    }
    return true;
}

bool LaneReader::next()
{
    if (m_failure != NeedsDetail::Nothing || !readChunk())
        return false;
    SummarizedCall call;
    if (!m_chunk.next(call)) {
        m_failure = NeedsDetail::Damaged;
        return false;
    }
    m_call.kind = m_run.kindOf(m_lane.rank, call.what);
    m_call.range.beginNs = call.beginNs + m_shiftNs;
    m_call.range.endNs = m_call.range.beginNs + call.durationNs;
    m_call.feltNs = call.feltNs;
    m_call.endsHidden = call.endsHidden;
    // The rank states when its file begins and ends.
    const TimeRange file = m_run.model().timelines[m_lane.rank].range;
    if (m_call.range.beginNs < file.beginNs || m_call.range.endNs > file.endNs)
        m_failure = NeedsDetail::Damaged;
    else if (m_order != LaneOrder::Time)
        readNumber(call.sequence);
    return m_failure == NeedsDetail::Nothing;
}

void LaneReader::readNumber(std::int64_t sequence)
{
    if (sequence == CallColumns::noSequence) { // the rank states that all of its calls have a number
        m_failure = NeedsDetail::Damaged;
        return;
    }
    const std::int64_t communicator = m_run.communicatorOf(m_call.kind).value_or(0);
    Number number;
    number.sequence = sequence;
    number.communicator = m_order == LaneOrder::Communicator ? communicator : 0;
    if (m_hasNumber && number.communicator == m_number.communicator && number.sequence == m_number.sequence) {
        number.repeat = m_number.repeat + 1;
        if (communicator != m_communicator)
            m_failure = NeedsDetail::NumbersUnsorted; // which of the two was first is not kept
    } else if (m_hasNumber && number < m_number) {
        m_failure = NeedsDetail::NumbersUnsorted;
    }
    m_hasNumber = true;
    m_communicator = communicator;
    m_number = number;
}

GroupJoin::GroupJoin(const SummarizedRun& run, const SummarizedRun::Group& group, LaneOrder order)
    : m_run(run)
{
    m_lanes.reserve(group.lanes.size());
    for (std::uint32_t lane = 0; lane < group.lanes.size(); ++lane) {
        m_lanes.emplace_back(run, group, lane, order);
        m_taken.push_back(lane);
    }
}

/// Of equal numbers, the lower rank comes first.
bool GroupJoin::isAfter(std::uint32_t a, std::uint32_t b) const
{
    const auto order = m_lanes[a].number() <=> m_lanes[b].number();
    return order != 0 ? order > 0 : a > b;
}

bool GroupJoin::advance(std::uint32_t lane)
{
    const bool hasNext = m_lanes[lane].next();
    if (!hasNext && m_failure == NeedsDetail::Nothing)
        m_failure = m_lanes[lane].failure();
    return hasNext;
}

/// The lanes with the lowest number, of those that were taken before and those that wait.
void GroupJoin::takeTurns()
{
    const auto isLater = [this](std::uint32_t a, std::uint32_t b) { return isAfter(a, b); };
    for (const std::uint32_t lane : m_taken) {
        m_heap.push_back(lane);
        std::push_heap(m_heap.begin(), m_heap.end(), isLater);
    }
    m_taken.clear();
    while (!m_heap.empty()
           && (m_taken.empty() || m_lanes[m_heap.front()].number() == m_lanes[m_taken.front()].number())) {
        m_taken.push_back(m_heap.front());
        std::pop_heap(m_heap.begin(), m_heap.end(), isLater);
        m_heap.pop_back();
    }
}

bool GroupJoin::next()
{
    std::erase_if(m_taken, [this](std::uint32_t lane) { return !advance(lane); });
    // Mostly, all ranks make the next collective together: taking turns would cost log(ranks) for each call.
    const auto differ
        = [this](std::uint32_t a, std::uint32_t b) { return m_lanes[a].number() != m_lanes[b].number(); };
    if (!m_heap.empty() || std::adjacent_find(m_taken.begin(), m_taken.end(), differ) != m_taken.end())
        takeTurns();
    m_calls.clear();
    if (m_failure != NeedsDetail::Nothing)
        return false;
    for (const std::uint32_t lane : m_taken)
        m_calls.push_back(m_lanes[lane].call());
    return !m_calls.empty();
}

bool GroupJoin::areAlike() const
{
    const JoinedCall& first = m_calls.front();
    return std::all_of(m_calls.begin(), m_calls.end(), [&](const JoinedCall& call) {
        return call.kind == first.kind || agree(m_run.callOf(first.kind), m_run.callOf(call.kind));
    });
}

CollectiveOnHand::CollectiveOnHand(const SummarizedRun& run, const SummarizedRun::Group& group,
                                   MatchRule rule)
    : m_run(run)
    , m_kindOf(group.lanes.size(), static_cast<std::uint32_t>(run.kindCount()))
{
    m_matching.groups.push_back(group.group);
    for (const SummarizedRun::Group::Lane lane : group.lanes) {
        RankCalls& rank = m_ranks.emplace_back();
        rank.rank = run.ranks()[lane.rank].rank;
        Call& call = rank.calls.emplace_back();
        call.timeline = &run.model().timelines[lane.rank];
        call.slice = {TrackId{lane.rank}, 0};
        call.groupSize = group.group.size;
    }
    CollectiveInstance& instance = m_matching.instances.emplace_back();
    instance.rule = rule;
    // As noteMissingRanks() decides.
    const auto ofJob = static_cast<std::uint32_t>(std::max(0, run.model().worldSize.value_or(0)));
    m_wholeMembers = run.ranks().size() >= ofJob ? 0 : ofJob;
    if (group.group.size > 0)
        m_wholeMembers = static_cast<std::uint32_t>(group.group.size);
    if (group.isOfPairs())
        m_wholeMembers = 2;
    m_expected = group.hasUnknownMembers ? 0 : group.group.expected;
}

void CollectiveOnHand::set(std::span<const JoinedCall> calls, MatchConfidence confidence)
{
    m_matching.members.clear();
    for (const JoinedCall& call : calls) {
        Call& own = m_ranks[call.lane].calls.front();
        if (m_kindOf[call.lane] != call.kind) {
            const Call& kind = m_run.callOf(call.kind);
            own.kind = kind.kind;
            own.meta = kind.meta;
            own.bytes = kind.bytes;
            m_kindOf[call.lane] = call.kind;
        }
        own.range = call.range;
        m_matching.members.push_back({call.lane, 0});
    }
    CollectiveInstance& instance = m_matching.instances.front();
    instance.memberCount = static_cast<std::uint32_t>(calls.size());
    instance.confidence = confidence;
    instance.absent = static_cast<std::int32_t>(m_expected - std::min(m_expected, calls.size()));
    instance.gap = instance.absent > 0 ? Gap::NoCall : Gap::None;
    instance.isWhole = instance.absent == 0 && instance.memberCount >= m_wholeMembers;
}

} // namespace collscope
