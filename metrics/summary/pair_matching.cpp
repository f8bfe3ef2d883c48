// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/pair_matching.h"

#include "metrics/calls/parallelism_kind.h"
#include "metrics/matching/call_matching.h"
#include "metrics/matching/match_evidence.h"

#include <algorithm>

namespace collscope {

namespace {

/// The purposes of the calls of one rank in a group.
class PurposeFinder
{
public:
    PurposeFinder(const SummarizedRun& run, SummarizedRun::Group::Lane lane, const Mesh& mesh)
        : m_run(run)
        , m_first(run.ranks()[lane.rank].calls[lane.own])
        , m_finder(run.model(), mesh, run.model().timelines[lane.rank])
    { }

    TransferPurpose of(std::uint32_t kind)
    {
        const auto [known, isNew] = m_known.try_emplace(kind, TransferPurpose::Unknown);
        if (isNew)
            known->second = find(kind);
        return known->second;
    }

private:
    TransferPurpose find(std::uint32_t kind)
    {
        CollectiveCall meta = *m_first.meta;
        Call call = m_first;
        call.kind = m_run.callOf(kind).kind;
        meta.name = m_run.callOf(kind).meta->name;
        call.meta = &meta;
        call.parallelismKind = ParallelismKind::Unknown;
        m_finder.find(call);
        // An annotation counts more than what the finder asks after it; see ParallelismFinder::find().
        const bool isSurer = call.rule == ParallelismRule::GroupDescription
            || call.rule == ParallelismRule::Mesh
            || (call.rule == ParallelismRule::SingleDimension
                && parallelismOfDescription(m_run.model().text(meta.groupDescription))
                    == ParallelismKind::Global);
        const ParallelismKind annotated = m_run.annotatedOf(kind);
        return isSurer || annotated == ParallelismKind::Unknown
            ? purposeOf(call.parallelismKind, call.rule)
            : purposeOf(annotated, ParallelismRule::Annotation);
    }

    const SummarizedRun& m_run;
    const Call& m_first; ///< of the group
    ParallelismFinder m_finder;
    std::map<std::uint32_t, TransferPurpose> m_known; ///< by kind
};

/// A group in memory, as a run of its own.
class GroupInMemory
{
public:
    GroupInMemory(const SummarizedRun& run, const SummarizedRun::Group& group)
        : m_run(run)
        , m_summary(group)
        , m_group(group.group)
    { }

    NeedsDetail load()
    {
        for (std::uint32_t lane = 0; lane < m_summary.lanes.size(); ++lane) {
            if (const NeedsDetail needs = loadLane(lane); needs != NeedsDetail::Nothing)
                return needs;
        }
        return NeedsDetail::Nothing;
    }

    PairMatches match(const ClockAlignment& clocks, const Mesh& mesh)
    {
        Matching matching = matchGroup(m_run.model(), m_ranks, m_group);
        judgeByKnownClocks(m_run.model(), m_ranks, clocks, matching);
        std::vector<CollectiveInstance> pairs = matching.instances;
        std::erase_if(pairs, [](const CollectiveInstance& instance) { return instance.memberCount < 2; });
        const auto callOf = [&](const CollectiveInstance& pair, std::size_t lane) {
            return matching.membersOf(pair)[lane].call;
        };
        std::sort(pairs.begin(), pairs.end(), [&](const CollectiveInstance& a, const CollectiveInstance& b) {
            return callOf(a, 0) < callOf(b, 0);
        });
        PairMatches result;
        for (const RankCalls& rank : m_ranks)
            result.isMatched.emplace_back(rank.calls.size(), false);
        describe(mesh, result);
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            if (k > 0 && callOf(pairs[k], 1) <= callOf(pairs[k - 1], 1))
                return PairMatches(NeedsDetail::MatchesCross);
            for (const CallRef member : matching.membersOf(pairs[k]))
                result.isMatched[member.rank][member.call] = true;
            result.isOrderAlone.push_back(pairs[k].confidence == MatchConfidence::OrderAlone);
            addPurpose(callOf(pairs[k], result.fromLane), result);
        }
        return result;
    }

private:
    NeedsDetail loadLane(std::uint32_t lane)
    {
        const SummarizedRun::Group::Lane own = m_summary.lanes[lane];
        RankCalls& rank = m_ranks.emplace_back();
        rank.rank = m_run.ranks()[own.rank].rank;
        ProcessGroup::Lane& places = m_group.lanes.emplace_back();
        places.rank = lane;
        LaneReader reader(m_run, m_summary, lane, LaneOrder::Time);
        while (reader.next()) {
            const JoinedCall& read = reader.call();
            if (m_run.isOfCpu(read.kind))
                return NeedsDetail::OnCpu;
            if (!m_run.callOf(read.kind).meta) // without it, nothing names the group
                return NeedsDetail::Damaged;
            Call& call = rank.calls.emplace_back(m_run.callOf(read.kind));
            call.timeline = &m_run.model().timelines[own.rank];
            call.slice = {TrackId{own.rank}, 0};
            call.groupSize = m_group.size;
            call.range = read.range;
            m_kinds.push_back(read.kind);
            places.calls.push_back(static_cast<std::uint32_t>(places.calls.size()));
        }
        m_firstKind.push_back(m_kinds.size());
        return reader.failure();
    }

    void describe(const Mesh& mesh, PairMatches& result)
    {
        result.areTransfers = m_group.kind == ProcessGroup::Kind::Pair && m_ranks.size() == 2;
        if (!result.areTransfers)
            return;
        result.fromLane = m_ranks[1].rank == m_group.from ? 1 : 0;
        m_purposes.emplace(m_run, m_summary.lanes[result.fromLane], mesh);
        m_sentKinds = result.fromLane == 0 ? 0 : m_firstKind.front();
    }

    void addPurpose(std::uint32_t sent, PairMatches& result)
    {
        const TransferPurpose purpose
            = result.areTransfers ? m_purposes->of(m_kinds[m_sentKinds + sent]) : TransferPurpose::Unknown;
        const bool isOfOther = purpose == TransferPurpose::OtherParallelism;
        result.isOfOther.push_back(isOfOther);
        result.hasCandidates |= result.areTransfers && !isOfOther;
        result.isOfPipeline |= purpose == TransferPurpose::Pipeline;
    }

    const SummarizedRun& m_run;
    const SummarizedRun::Group& m_summary;
    ProcessGroup m_group; ///< with lanes
    std::vector<RankCalls> m_ranks; ///< by lane
    std::vector<std::uint32_t> m_kinds; ///< of all calls, lane after lane
    std::vector<std::size_t> m_firstKind; ///< by lane: where the next one begins
    std::size_t m_sentKinds = 0; ///< where those of the sender begin
    std::optional<PurposeFinder> m_purposes; ///< of the sender
};

} // namespace

PairMatches matchPairs(const SummarizedRun& run, const SummarizedRun::Group& group,
                       const ClockAlignment& clocks, const Mesh& mesh)
{
    if (group.hasUnknownMembers)
        return {};
    if (group.needs != NeedsDetail::PointToPoint)
        return PairMatches(group.needs);
    if (group.lanes.size() > 2)
        return PairMatches(NeedsDetail::SeveralPairs);
    if (group.calls > PairMatches::mostCalls)
        return PairMatches(NeedsDetail::TooManyCalls);
    GroupInMemory loaded(run, group);
    if (const NeedsDetail needs = loaded.load(); needs != NeedsDetail::Nothing)
        return PairMatches(needs);
    return loaded.match(clocks, mesh);
}

PairJoin::PairJoin(const SummarizedRun& run, const SummarizedRun::Group& group, const PairMatches& matches)
    : m_matches(matches)
{
    m_lanes.reserve(group.lanes.size());
    for (std::uint32_t lane = 0; lane < group.lanes.size(); ++lane) {
        m_lanes.push_back({LaneReader(run, group, lane, LaneOrder::Time)});
        m_taken.push_back(lane); // read when the first is asked for: many groups wait for their turn
    }
}

bool PairJoin::isAfter(std::uint32_t a, std::uint32_t b) const
{
    const std::int64_t first = m_lanes[a].reader.call().range.beginNs;
    const std::int64_t second = m_lanes[b].reader.call().range.beginNs;
    return first != second ? first > second : a > b;
}

void PairJoin::advance(std::uint32_t lane)
{
    Lane& own = m_lanes[lane];
    own.isAtEnd = !own.reader.next();
    if (own.isAtEnd) {
        if (m_failure == NeedsDetail::Nothing)
            m_failure = own.reader.failure();
        return;
    }
    ++own.next;
    m_heap.push_back(lane);
    std::push_heap(m_heap.begin(), m_heap.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return isAfter(a, b); });
}

bool PairJoin::isMatched(std::uint32_t lane) const
{
    const Lane& own = m_lanes[lane];
    return !m_matches.isMatched.empty() && !own.isAtEnd && own.next <= m_matches.isMatched[lane].size()
        && m_matches.isMatched[lane][own.next - 1];
}

void PairJoin::take(std::uint32_t lane)
{
    const auto after = [this](std::uint32_t a, std::uint32_t b) { return isAfter(a, b); };
    if (m_heap.front() == lane) {
        std::pop_heap(m_heap.begin(), m_heap.end(), after);
        m_heap.pop_back();
    } else { // of two lanes
        std::erase(m_heap, lane);
    }
    m_taken.push_back(lane);
    m_calls.push_back(m_lanes[lane].reader.call());
}

bool PairJoin::next()
{
    for (const std::uint32_t lane : m_taken)
        advance(lane);
    m_taken.clear();
    m_calls.clear();
    if (m_heap.empty() || m_failure != NeedsDetail::Nothing)
        return false;
    const std::uint32_t earliest = m_heap.front();
    if (!isMatched(earliest)) {
        take(earliest);
        return true;
    }
    // Its partner has the calls before the match still to come.
    const std::uint32_t other = 1 - earliest;
    if (!m_lanes[other].isAtEnd && !isMatched(other)) {
        take(other);
        return true;
    }
    for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane) {
        if (!m_lanes[lane].isAtEnd)
            take(lane);
    }
    ++m_match;
    return true;
}

MatchConfidence PairJoin::confidence() const
{
    return m_calls.size() < 2 || m_matches.isOrderAlone[m_match - 1] ? MatchConfidence::OrderAlone
                                                                     : MatchConfidence::Confirmed;
}

TransferRole PairJoin::role() const
{
    return m_calls.size() < 2 ? TransferRole::Other : m_matches.roleOf(m_match - 1);
}

} // namespace collscope
