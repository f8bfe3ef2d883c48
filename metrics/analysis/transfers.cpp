// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/transfers.h"

#include "metrics/analysis/known_communication.h"
#include "metrics/matching/wait_rule.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <set>

namespace collscope {

namespace {

/// The transfers of all types. Several metrics ask for each of them.
struct TransferTable
{
    std::array<Transfers, kernelClassCount> ofKind;

    Transfers& operator[](KernelClass kind) { return ofKind[static_cast<std::size_t>(kind)]; }
};

void countCalls(const std::vector<RankCalls>& ranks, TransferTable& table)
{
    for (const RankCalls& rank : ranks) {
        for (const Call& call : rank.aroundWindow()) {
            if (!call.inWindow())
                continue;
            Transfers& own = table[call.kind];
            ++own.calls;
            own.unsizedCalls += call.bytes ? 0 : 1;
        }
    }
}

void addInstance(Analysis& analysis, const CollectiveInstance& instance, TransferTable& table)
{
    const Matching& matching = analysis.matching();
    const auto members = matching.membersOf(instance);
    const Call& first = analysis.callOf(members.front());
    Transfers& own = table[first.kind];
    std::int64_t shortest = first.durationNs();
    for (const CallRef member : members)
        shortest = std::min(shortest, analysis.callOf(member).durationNs());
    const auto factor = busFactor(first.kind, first.groupSize);
    if (hasRoot(analysis.model(), first))
        ++own.rooted;
    else if (!first.bytes)
        ++own.unsized;
    else if (first.groupSize == 1)
        ++own.alone;
    else if (!factor)
        ++own.withoutGroup;
    else if (*first.bytes == 0 || shortest <= 0)
        ++own.empty;
    else {
        own.all.push_back({&instance, &matching.groupOf(instance), &first, shortest, *factor});
        own.waiting += own.all.back().includesWait() ? 1 : 0;
    }
}

std::int64_t namelessCalls(Analysis& analysis, KernelClass kind)
{
    std::int64_t nameless = 0;
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.aroundWindow()) {
            const bool named = call.meta && !analysis.model().text(call.meta->name).empty();
            nameless += call.inWindow() && call.kind == kind && !named ? 1 : 0;
        }
    }
    return nameless;
}

} // namespace

const Transfers& transfersOf(Analysis& analysis, KernelClass kind)
{
    TransferTable& table = analysis.table<TransferTable>([&] {
        TransferTable made;
        countCalls(analysis.calls(), made);
        for (const CollectiveInstance* instance : analysis.instancesInWindow())
            addInstance(analysis, *instance, made);
        return made;
    });
    return table[kind];
}

std::string whyNone(Analysis& analysis, KernelClass kind, const Transfers& transfers)
{
    assert(transfers.all.empty());
    const std::string type(kernelClassName(kind));
    const std::string window = " in the window (" + analysis.communicating().window + ")";
    if (transfers.calls == 0) {
        if (const auto unknown = communicationUnknown(analysis, analysis.communicating()))
            return unknown->reason;
        if (const std::int64_t unknown = namelessCalls(analysis, KernelClass::OtherCommunication);
            unknown > 0)
            return "No " + type + " call is known to start" + window + ": " + std::to_string(unknown)
                + " communication kernels do not say which collective they ran.";
        const std::int64_t nameless
            = kind == KernelClass::AllToAll ? namelessCalls(analysis, KernelClass::SendRecv) : 0;
        return "No " + type + " call starts" + window + "."
            + (nameless > 0 ? " " + std::to_string(nameless)
                       + " Send/Recv kernels may belong to all-to-alls, but the trace does not record which "
                         "collective they were."
                            : "");
    }
    const std::string calls = std::to_string(transfers.calls) + " " + type + " calls start" + window;
    if (transfers.rooted > 0)
        return calls + ", but " + std::to_string(transfers.rooted) + " " + std::string(rootedText);
    if (transfers.unsized > 0 || transfers.unsizedCalls == transfers.calls)
        return calls + ", but " + whyUnsized(analysis.model(), analysis.calls(), kind);
    if (transfers.withoutGroup > 0)
        return calls + ", but the trace does not record the sizes of their process groups.";
    if (transfers.alone > 0)
        return calls + ", all in groups of one rank: nothing is transferred.";
    if (transfers.empty > 0)
        return calls + ", but all of them are empty or take no time.";
    return calls
        + ", but none could be used: they are not matched across the ranks (several streams without process "
          "groups, or calls that differ between the ranks).";
}

NodeMap::NodeMap(Analysis& analysis)
    : m_model(analysis.model())
{
    const Workload& workload = analysis.workload();
    bool named = false;
    for (const Timeline& timeline : m_model.timelines) {
        if (m_model.text(timeline.host).empty())
            continue;
        m_hosts[timeline.rank] = timeline.host;
        named = true;
    }
    m_ranksPerNode = workload.ranksPerNode && *workload.ranksPerNode > 0 ? workload.ranksPerNode
                                                                         : std::optional<std::int64_t>();
    m_worldSize = workload.worldSize.isLeast ? std::nullopt : workload.worldSize.value;
    m_worldOnOneHost = named && m_worldSize && static_cast<std::int64_t>(m_hosts.size()) >= *m_worldSize
        && std::all_of(m_hosts.begin(), m_hosts.end(),
                       [&](const auto& entry) { return entry.second == m_hosts.begin()->second; });
    m_rule = named       ? "nodes by the host names in the traces"
        : m_ranksPerNode ? "nodes by the workload card: " + std::to_string(*m_ranksPerNode) + " ranks each"
                         : "which ranks share a node is unknown (no host in the traces, no count_per_node)";
    constexpr double bitsPerByte = 8;
    const std::optional<WorkloadCard>& card = m_model.card;
    Peak& inside = m_peaks[static_cast<std::size_t>(NodeSpan::OneNode)];
    if (const auto link = workload.linkGbpsPerDirection())
        inside = {*link, "links of " + workload.device->name + ", one direction"};
    else if (card && card->scaleUpGbps)
        inside = {*card->scaleUpGbps / bitsPerByte, "scale-up bandwidth from the workload card"};
    if (card && card->scaleOutGbps)
        m_peaks[static_cast<std::size_t>(NodeSpan::SeveralNodes)]
            = {*card->scaleOutGbps / bitsPerByte, "scale-out bandwidth from the workload card"};
}

NodeSpan NodeMap::spanOfRanks(const std::vector<std::int32_t>& ranks) const
{
    std::set<std::uint32_t> hosts;
    std::set<std::int64_t> nodes;
    bool named = true;
    for (const std::int32_t rank : ranks) {
        const auto host = m_hosts.find(rank);
        named &= host != m_hosts.end();
        if (host != m_hosts.end())
            hosts.insert(host->second.value);
        nodes.insert(m_ranksPerNode ? rank / *m_ranksPerNode : 0);
    }
    if (hosts.size() > 1)
        return NodeSpan::SeveralNodes;
    if (named)
        return NodeSpan::OneNode;
    if (!m_ranksPerNode)
        return NodeSpan::Unknown;
    return nodes.size() > 1 ? NodeSpan::SeveralNodes : NodeSpan::OneNode;
}

NodeSpan NodeMap::spanOfUnlisted(std::int32_t groupSize) const
{
    // The whole world may be on one node, or the group may be too large for one.
    if (m_worldOnOneHost)
        return NodeSpan::OneNode;
    if (!m_ranksPerNode)
        return NodeSpan::Unknown;
    if (m_worldSize && *m_worldSize <= *m_ranksPerNode)
        return NodeSpan::OneNode;
    return groupSize > *m_ranksPerNode ? NodeSpan::SeveralNodes : NodeSpan::Unknown;
}

NodeSpan NodeMap::spanOf(const Call& call) const
{
    if (!call.meta)
        return spanOfUnlisted(call.groupSize);
    const StringId list = call.meta->groupRanks;
    const auto [known, isNew] = m_spanOfList.try_emplace(list.value);
    if (isNew) {
        const std::vector<std::int32_t> ranks = parseRankList(m_model.text(list));
        if (!ranks.empty())
            known->second = spanOfRanks(ranks);
    }
    return known->second ? *known->second : spanOfUnlisted(call.groupSize);
}

HockneyFit fitHockney(const std::vector<Transfer>& allReduces)
{
    HockneyFit fit;
    std::vector<std::pair<double, double>> points;
    std::set<double> sizes;
    double meanX = 0;
    double meanY = 0;
    for (const Transfer& transfer : allReduces) {
        const double n = transfer.call->groupSize;
        const double x = static_cast<double>(*transfer.call->bytes) / n;
        const double y = nsToSeconds(transfer.ns) / (2.0 * (n - 1.0));
        points.emplace_back(x, y);
        sizes.insert(x);
        meanX += x;
        meanY += y;
    }
    fit.points = static_cast<std::int64_t>(points.size());
    fit.sizes = static_cast<std::int64_t>(sizes.size());
    if (!fit.exists())
        return fit;
    meanX /= static_cast<double>(points.size());
    meanY /= static_cast<double>(points.size());
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (const auto& [x, y] : points) {
        xx += (x - meanX) * (x - meanX);
        xy += (x - meanX) * (y - meanY);
        yy += (y - meanY) * (y - meanY);
    }
    fit.betaSecondsPerByte = xy / xx;
    fit.alphaSeconds = meanY - fit.betaSecondsPerByte * meanX;
    fit.rSquared = yy > 0 ? xy * xy / (xx * yy) : 1.0;
    return fit;
}

} // namespace collscope
