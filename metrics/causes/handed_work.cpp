// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/handed_work.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace collscope {

namespace {

struct StageTransfer
{
    std::uint32_t from = 0; ///< the sender, as an index into the ranks
    std::uint32_t to = 0;
    TimeRange sent; ///< the kernel of the sender
    TimeRange received;
    TransferPurpose purpose = TransferPurpose::Unknown;
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
                         purposeOf(sent.parallelismKind, sent.rule)};
}

/// By rank: whether it mostly sends while it receives.
std::vector<bool> exchangesOf(const std::vector<StageTransfer>& transfers, std::size_t ranks)
{
    std::vector<std::vector<TimeRange>> sent(ranks), received(ranks);
    for (const StageTransfer& transfer : transfers) {
        sent[transfer.from].push_back(transfer.sent);
        received[transfer.to].push_back(transfer.received);
    }
    std::vector<bool> mostly;
    for (std::size_t rank = 0; rank < ranks; ++rank)
        mostly.push_back(mostlyExchanges(sent[rank], std::move(received[rank])));
    return mostly;
}

} // namespace

HandedWork::HandedWork(const std::vector<RankCalls>& ranks, const Matching& matching)
    : m_matching(matching)
    , m_roles(matching.instances.size(), Role::Other)
{
    findRoles(ranks);
    if (std::find(m_roles.begin(), m_roles.end(), Role::Handover) != m_roles.end())
        sumHandovers(ranks);
}

void HandedWork::findRoles(const std::vector<RankCalls>& ranks)
{
    std::vector<StageTransfer> transfers; // that may be those of a pipeline
    std::vector<std::uint32_t> instances; // of these transfers
    TransferGraph graph(ranks.size());
    for (std::uint32_t i = 0; i < m_matching.instances.size(); ++i) {
        const auto transfer = transferOf(ranks, m_matching, m_matching.instances[i]);
        if (!transfer)
            continue;
        m_roles[i] = transfer->purpose == TransferPurpose::OtherParallelism ? Role::Exchange : Role::Handover;
        if (m_roles[i] == Role::Exchange)
            continue;
        graph.add(transfer->from, transfer->to, transfer->purpose);
        transfers.push_back(*transfer);
        instances.push_back(i);
    }
    const std::set<std::uint32_t> rings = graph.rings(exchangesOf(transfers, ranks.size()));
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        if (rings.contains(graph.setOf(transfers[i].from)))
            m_roles[instances[i]] = Role::Exchange;
    }
    m_stages = PipelineStages(graph, rings);
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
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const std::vector<Call>& calls = ranks[rank].calls;
        // Calls f(member, instance, call) for the matched calls of the rank, in their order.
        const auto forEachMember = [&](const auto& f) {
            for (std::size_t i = 0; i < calls.size(); ++i) {
                if (const std::uint32_t member = memberOf[rank][i]; member != unmatched)
                    f(member, m_matching.instances[instanceOf[member]], calls[i]);
            }
        };
        std::vector<HandoverSums::Handover> own;
        forEachMember([&](std::uint32_t, const CollectiveInstance& instance, const Call& call) {
            if (roleOf(instance) == Role::Handover)
                own.push_back({call.range, ranks[rank].rank == m_matching.groupOf(instance).to});
        });
        const HandoverSums handovers(std::move(own));
        std::unordered_map<std::uint32_t, GroupTurns> turns; // by group
        forEachMember([&](std::uint32_t member, const CollectiveInstance& instance, const Call& call) {
            if (roleOf(instance) != Role::Handover)
                m_turns[member] = turns[instance.group].next(handovers, call.range);
        });
    }
}

bool HandedWork::mayExplainLast(const CollectiveInstance& instance, const CollectiveTimer& timer,
                                const CollectiveTimes& times) const
{
    if (m_turns.empty())
        return false;
    std::vector<std::uint32_t> ranks;
    for (const CallRef member : m_matching.membersOf(instance))
        ranks.push_back(member.rank);
    return m_stages.mayExplainLast(
        {ranks, std::span(m_turns).subspan(instance.firstMember, instance.memberCount), timer.lateness()},
        times);
}

} // namespace collscope
