// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/needed_bytes.h"

#include "model/kernels/collective_traits.h"
#include "model/text/rank_lists.h"

#include <set>

namespace collscope {

NeededBytes::NeededBytes(Analysis& analysis, const NvlinkRanks& ranks)
    : m_model(analysis.model())
    , m_nodes(analysis)
{
    findNodes(ranks);
}

/// Where neither hosts nor a card tell, the files do, as far as they are of known nodes.
void NeededBytes::findNodes(const NvlinkRanks& ranks)
{
    std::set<std::string> nodes;
    bool areGuessed = false;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const GpuRank& place = ranks.of(i);
        areGuessed |= place.evidence == RankEvidence::OnlyNode;
        if (place.rank && !isGuess(place.evidence) && !ranks.hostOf(i).empty())
            m_nodeOfRank[*place.rank] = {ranks.hostOf(i), place.evidence != RankEvidence::Folder};
        nodes.insert(ranks.nodeOf(i));
    }
    const auto loaded = static_cast<std::int32_t>(m_model.ranks().size());
    m_isOnlyNode = areGuessed && nodes.size() == 1 && m_model.worldSize && !m_model.isWorldSizeLeast
        && *m_model.worldSize == loaded;
    for (const Timeline& timeline : m_model.timelines)
        m_gpuOfRank.try_emplace(timeline.rank, timeline.device);
}

NodeSpan NeededBytes::spanOf(const Call& call)
{
    const NodeSpan span = m_nodes.spanOf(call);
    if (span != NodeSpan::Unknown)
        return span;
    if (m_isOnlyNode) {
        m_isOneNodeGuessed = true;
        return NodeSpan::OneNode;
    }
    const StringId list = call.meta ? call.meta->groupRanks : StringId{};
    const auto [known, isNew] = m_spanOfList.try_emplace(list.value, NodeSpan::Unknown);
    if (isNew)
        known->second = spanOfFiles(parseRankList(m_model.text(list)));
    return known->second;
}

/// The node of a group whose ranks all have NVLink files of known nodes.
NodeSpan NeededBytes::spanOfFiles(const std::vector<std::int32_t>& ranks) const
{
    std::set<std::string> nodes;
    std::set<std::int32_t> gpus;
    bool areNodes = true; // not folders, several of which may be of one node
    for (const std::int32_t rank : ranks) {
        const auto node = m_nodeOfRank.find(rank);
        if (node == m_nodeOfRank.end())
            return NodeSpan::Unknown;
        nodes.insert(node->second.first);
        areNodes &= node->second.second;
        const auto gpu = m_gpuOfRank.find(rank);
        if (gpu != m_gpuOfRank.end())
            gpus.insert(gpu->second);
    }
    // Two ranks that state the same GPU are on two nodes, or CUDA shows each of them only its own.
    if (nodes.size() == 1)
        return gpus.size() == ranks.size() ? NodeSpan::OneNode : NodeSpan::Unknown;
    return !nodes.empty() && areNodes ? NodeSpan::SeveralNodes : NodeSpan::Unknown;
}

NeededBytes::Need NeededBytes::of(const Call& call)
{
    const CollectiveTraits* const traits = collectiveTraits(call.kind);
    if (call.meta && call.meta->isOfCpu())
        return {0, TrafficDoubt::CpuBackend};
    if (call.groupSize == 1)
        return {0, TrafficDoubt::OneRank};
    if (!traits || traits->rounds == 0)
        return {0, TrafficDoubt::RoleUnknown};
    const auto factor = busFactor(call.kind, call.groupSize);
    if (!call.bytes || !factor)
        return {0, TrafficDoubt::Unsized};
    // "[]" of other types, and of equal parts.
    const bool hasParts
        = call.meta && m_model.text(call.meta->inSplit).find_first_of("0123456789") != std::string_view::npos;
    if (call.kind == KernelClass::AllToAll && hasParts)
        return {0, TrafficDoubt::Uneven};
    const NodeSpan span = spanOf(call);
    if (span != NodeSpan::OneNode)
        return {0, span == NodeSpan::SeveralNodes ? TrafficDoubt::SeveralNodes : TrafficDoubt::NodesUnknown};
    return {static_cast<double>(*call.bytes) * *factor, TrafficDoubt::None};
}

} // namespace collscope
