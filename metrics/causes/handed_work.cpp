// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/handed_work.h"

#include "model/interval_set.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>

namespace collscope {

namespace {

/// Sets of ranks that are connected, by their lowest index.
class RankSets
{
public:
    explicit RankSets(std::size_t ranks)
        : m_setOf(ranks)
    {
        std::iota(m_setOf.begin(), m_setOf.end(), 0U);
    }
    std::uint32_t setOf(std::uint32_t rank)
    {
        while (m_setOf[rank] != rank)
            rank = m_setOf[rank] = m_setOf[m_setOf[rank]];
        return rank;
    }
    void unite(std::uint32_t a, std::uint32_t b)
    {
        a = setOf(a);
        b = setOf(b);
        m_setOf[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> m_setOf;
};

/// What the trace says about the purpose of a transfer.
enum class Purpose : std::uint8_t
{
    Pipeline,
    Unknown,
    OtherParallelism ///< context, data, tensor or expert parallelism: not stages
};

Purpose purposeOf(const Call& call)
{
    // That it is a send is not evidence: ring attention sends, too.
    if (call.rule == ParallelismRule::CollectiveType || call.rule == ParallelismRule::None)
        return Purpose::Unknown;
    switch (call.parallelismKind) {
    case ParallelismKind::PipelineParallel:
        return Purpose::Pipeline;
    case ParallelismKind::Unknown:
    case ParallelismKind::Global:
        return Purpose::Unknown;
    default:
        return Purpose::OtherParallelism;
    }
}

struct StageTransfer
{
    std::uint32_t from = 0; ///< the sender, as an index into the ranks
    std::uint32_t to = 0;
    TimeRange sent; ///< the kernel of the sender
    TimeRange received;
    Purpose purpose = Purpose::Unknown;
};

/// nullopt for a collective.
std::optional<StageTransfer> transferOf(const std::vector<RankCalls>& ranks, const Matching& matching,
                                        const CollectiveInstance& instance)
{
    const ProcessGroup& pair = matching.groupOf(instance);
    if (instance.memberCount != 2 || pair.kind != ProcessGroup::Kind::Pair)
        return std::nullopt;
    CallRef from = matching.membersOf(instance).front();
    CallRef to = matching.membersOf(instance).back();
    if (ranks[to.rank].rank == pair.from)
        std::swap(from, to);
    const Call& sent = ranks[from.rank].calls[from.call];
    return StageTransfer{from.rank, to.rank, sent.range, ranks[to.rank].calls[to.call].range,
                         purposeOf(sent)};
}

/// By rank: whether it mostly sends while it receives. A stage sends what it computed from what it received.
std::vector<bool> sendWhileReceiving(const std::vector<StageTransfer>& transfers, std::size_t ranks)
{
    std::vector<std::vector<TimeRange>> received(ranks);
    for (const StageTransfer& transfer : transfers)
        received[transfer.to].push_back(transfer.received);
    std::vector<IntervalSet> receiving;
    receiving.reserve(ranks);
    for (std::vector<TimeRange>& ranges : received)
        receiving.emplace_back(std::move(ranges));
    std::vector<std::int64_t> balance(ranks, 0); // sends while receiving, minus the others
    for (const StageTransfer& transfer : transfers) {
        const std::vector<TimeRange>& own = receiving[transfer.from].intervals();
        const auto next = std::partition_point(
            own.begin(), own.end(), [&](TimeRange range) { return range.endNs <= transfer.sent.beginNs; });
        balance[transfer.from] += next != own.end() && next->overlaps(transfer.sent) ? 1 : -1;
    }
    std::vector<bool> mostly;
    mostly.reserve(ranks);
    for (const std::int64_t more : balance)
        mostly.push_back(more > 0);
    return mostly;
}

/// The sets of more than two ranks each of which sends to one rank only and receives from one rank only, at
/// the same time: rings. The stages of a pipeline send both ways, or one after the other.
std::set<std::uint32_t> ringsOf(const std::vector<StageTransfer>& transfers, std::size_t ranks,
                                RankSets& sets)
{
    std::vector<std::set<std::uint32_t>> to(ranks);
    std::vector<std::set<std::uint32_t>> from(ranks);
    std::set<std::uint32_t> others; // sets that are not rings
    for (const StageTransfer& transfer : transfers) {
        to[transfer.from].insert(transfer.to);
        from[transfer.to].insert(transfer.from);
        if (transfer.purpose == Purpose::Pipeline)
            others.insert(sets.setOf(transfer.from));
    }
    const std::vector<bool> exchanges = sendWhileReceiving(transfers, ranks);
    constexpr std::size_t fewestInRing = 3;
    std::map<std::uint32_t, std::size_t> sizes;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const std::uint32_t set = sets.setOf(rank);
        ++sizes[set];
        if (to[rank].size() != 1 || from[rank].size() != 1 || !exchanges[rank])
            others.insert(set);
    }
    std::set<std::uint32_t> rings;
    for (const auto& [set, size] : sizes) {
        if (size >= fewestInRing && !others.contains(set))
            rings.insert(set);
    }
    return rings;
}

} // namespace

HandedWork::HandedWork(const std::vector<RankCalls>& ranks, const Matching& matching)
    : m_matching(matching)
    , m_roles(matching.instances.size(), Role::Other)
    , m_pipelineOf(ranks.size())
    , m_stageOf(ranks.size(), 0)
{
    findRoles(ranks);
    unitePipelines();
    if (std::find(m_roles.begin(), m_roles.end(), Role::Handover) != m_roles.end())
        sumHandovers(ranks);
}

void HandedWork::findRoles(const std::vector<RankCalls>& ranks)
{
    std::vector<StageTransfer> transfers; // that may be those of a pipeline
    std::vector<std::uint32_t> instances; // of these transfers
    for (std::uint32_t i = 0; i < m_matching.instances.size(); ++i) {
        const auto transfer = transferOf(ranks, m_matching, m_matching.instances[i]);
        if (!transfer)
            continue;
        m_roles[i] = transfer->purpose == Purpose::OtherParallelism ? Role::Exchange : Role::Handover;
        if (m_roles[i] == Role::Exchange)
            continue;
        transfers.push_back(*transfer);
        instances.push_back(i);
    }
    RankSets sets(ranks.size());
    for (const StageTransfer& transfer : transfers)
        sets.unite(transfer.from, transfer.to);
    const std::set<std::uint32_t> rings = ringsOf(transfers, ranks.size(), sets);
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        if (rings.contains(sets.setOf(transfers[i].from)))
            m_roles[instances[i]] = Role::Exchange;
    }
}

void HandedWork::unitePipelines()
{
    RankSets sets(m_pipelineOf.size());
    for (const CollectiveInstance& instance : m_matching.instances) {
        const auto members = m_matching.membersOf(instance);
        if (roleOf(instance) == Role::Handover)
            sets.unite(members.front().rank, members.back().rank);
    }
    std::map<std::uint32_t, std::uint32_t> sizes;
    for (std::uint32_t rank = 0; rank < m_pipelineOf.size(); ++rank) {
        m_pipelineOf[rank] = sets.setOf(rank);
        m_stageOf[rank] = sizes[m_pipelineOf[rank]]++;
    }
}

void HandedWork::sumHandovers(const std::vector<RankCalls>& ranks)
{
    m_turns.resize(m_matching.members.size());
    constexpr std::uint32_t unmatched = 0xFFFFFFFF;
    std::vector<std::vector<std::uint32_t>> memberOf(ranks.size()); // by rank and call
    std::vector<std::uint32_t> instanceOf(m_matching.members.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        memberOf[rank].assign(ranks[rank].calls.size(), unmatched);
    for (std::uint32_t i = 0; i < m_matching.instances.size(); ++i) {
        const CollectiveInstance& instance = m_matching.instances[i];
        for (std::uint32_t member = instance.firstMember;
             member < instance.firstMember + instance.memberCount; ++member) {
            memberOf[m_matching.members[member].rank][m_matching.members[member].call] = member;
            instanceOf[member] = i;
        }
    }
    struct Handed
    {
        std::int64_t ns = 0;
        std::int64_t calls = 0;
        std::int64_t receives = 0;
    };
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        Handed handed; // so far
        std::int64_t receivedNs = 0; // end of the last receive
        std::unordered_map<std::uint32_t, Handed> atLast; // by group
        for (std::size_t i = 0; i < ranks[rank].calls.size(); ++i) {
            const std::uint32_t member = memberOf[rank][i];
            if (member == unmatched)
                continue;
            const Call& call = ranks[rank].calls[i];
            const CollectiveInstance& instance = m_matching.instances[instanceOf[member]];
            if (roleOf(instance) == Role::Handover) {
                handed.ns += call.durationNs();
                ++handed.calls;
                if (ranks[rank].rank == m_matching.groupOf(instance).to) {
                    receivedNs = call.range.endNs;
                    ++handed.receives;
                }
                continue;
            }
            Handed& last = atLast[instance.group];
            if (handed.calls > last.calls)
                m_turns[member].handoversNs = handed.ns - last.ns;
            if (handed.receives > last.receives)
                m_turns[member].afterNs = std::max<std::int64_t>(call.range.beginNs - receivedNs, 0);
            last = handed;
        }
    }
}

/// Whether the last rank spent longer in handovers than the rank that waits longest, by half of the wait or
/// more. Precondition: they are of different pipelines, and so of the same stage.
bool HandedWork::gotWorkLate(const CollectiveInstance& instance, const CollectiveTimes& times) const
{
    const std::int64_t ownNs = m_turns[instance.firstMember + times.awaited].handoversNs;
    const std::int64_t otherNs = m_turns[instance.firstMember + times.longest].handoversNs;
    return ownNs != none && 2 * (ownNs - std::max<std::int64_t>(otherNs, 0)) >= times.heldNs;
}

/// Whether the last rank did more than each other member, by half of the wait or more, after it got its last
/// work: the order of the stages ends there.
bool HandedWork::worksLonger(const CollectiveInstance& instance, const CollectiveTimes& times) const
{
    const Turn* const turns = &m_turns[instance.firstMember];
    const std::int64_t ownNs = turns[times.awaited].afterNs;
    for (std::uint32_t i = 0; i < instance.memberCount; ++i) {
        if (i != times.awaited && (turns[i].afterNs == none || 2 * (ownNs - turns[i].afterNs) < times.heldNs))
            return false;
    }
    return ownNs != none;
}

/// Other pipelines take the same turns. Whether the last rank is later than all of them, by half of the wait
/// or more, without longer handovers than its counterparts there: work that its stage got late.
bool HandedWork::isLaterThanOtherPipelines(const CollectiveInstance& instance, const CollectiveTimer& timer,
                                           const CollectiveTimes& times) const
{
    const auto members = m_matching.membersOf(instance);
    const std::uint32_t last = members[times.awaited].rank;
    std::int64_t othersNs = none; // how late the last rank of the other pipelines was
    std::int64_t sameStageNs = none; // in handovers, of the ranks of the same stage there
    for (std::uint32_t i = 0; i < members.size(); ++i) {
        const std::uint32_t rank = members[i].rank;
        if (m_pipelineOf[rank] == m_pipelineOf[last])
            continue;
        othersNs = std::max(othersNs, timer.lateness()[i]);
        if (m_stageOf[rank] == m_stageOf[last])
            sameStageNs = std::max(sameStageNs, m_turns[instance.firstMember + i].handoversNs);
    }
    const std::int64_t ownNs = m_turns[instance.firstMember + times.awaited].handoversNs;
    return othersNs != none && 2 * (timer.lateness()[times.awaited] - othersNs) >= times.heldNs
        && sameStageNs != none && 2 * (ownNs - sameStageNs) < times.heldNs;
}

bool HandedWork::mayExplainLast(const CollectiveInstance& instance, const CollectiveTimer& timer,
                                const CollectiveTimes& times) const
{
    const auto members = m_matching.membersOf(instance);
    if (m_turns.empty() || members.size() < 2)
        return false;
    const std::uint32_t last = members[times.awaited].rank;
    const bool hasHanded = m_turns[instance.firstMember + times.awaited].handoversNs != none;
    bool isAcross = true; // the pipelines, as the groups of data parallelism are
    bool handsWorkOn = false; // with another member, since they last met
    for (std::uint32_t i = 0; i < members.size(); ++i) {
        if (i == times.awaited || m_pipelineOf[members[i].rank] != m_pipelineOf[last])
            continue;
        isAcross = false;
        handsWorkOn |= hasHanded || m_turns[instance.firstMember + i].handoversNs != none;
    }
    if (isAcross)
        return gotWorkLate(instance, times);
    return handsWorkOn && !worksLonger(instance, times) && !isLaterThanOtherPipelines(instance, timer, times);
}

} // namespace collscope
