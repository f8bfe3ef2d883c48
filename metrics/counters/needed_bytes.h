// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What collectives need to send over NVLink, by their sizes alone.

#include "metrics/analysis/transfers.h"
#include "metrics/counters/nvlink_ranks.h"
#include "metrics/counters/traffic_doubt.h"

#include <map>
#include <unordered_map>

namespace collscope {

/// Bytes that calls need to send, and as many to receive, over the NVLinks of their GPU.
class NeededBytes
{
public:
    /// Both must outlive it. `ranks`: their nodes tell whether a group shares one where neither hosts nor a
    /// card do.
    NeededBytes(Analysis& analysis, const NvlinkRanks& ranks);

    struct Need
    {
        double bytes = 0; ///< per direction: S x bus factor (nccl-tests, doc/PERFORMANCE.md)
        /// RoleUnknown, OneRank, CpuBackend, Unsized, Uneven, SeveralNodes or NodesUnknown: bytes do not tell
        /// what crosses NVLink. Of OneRank, 0 are known to.
        TrafficDoubt doubt = TrafficDoubt::None;
    };
    Need of(const Call& call);

    const NodeMap& nodes() const { return m_nodes; }
    /// That all ranks of some call are on one node was a guess.
    bool isOneNodeGuessed() const { return m_isOneNodeGuessed; }

private:
    void findNodes(const NvlinkRanks& ranks);
    NodeSpan spanOf(const Call& call);
    NodeSpan spanOfFiles(const std::vector<std::int32_t>& ranks) const;

    const TraceModel& m_model;
    const NodeMap m_nodes;
    /// Of ranks with files of known nodes, and whether it is a node for sure, not only a folder.
    std::map<std::int32_t, std::pair<std::string, bool>> m_nodeOfRank;
    std::map<std::int32_t, std::int32_t> m_gpuOfRank; ///< as the traces count
    std::unordered_map<std::uint32_t, NodeSpan> m_spanOfList; ///< by files; evaluated once each
    bool m_isOnlyNode = false;
    bool m_isOneNodeGuessed = false;
};

} // namespace collscope
