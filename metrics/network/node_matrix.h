// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The connections of a job as a matrix of nodes: by what each pair of them exchanges data.

#include "metrics/network/node_connections.h"

#include <array>

namespace collscope {

/// The way between two GPUs, the fastest first.
enum class LinkKind : std::uint8_t
{
    PeerToPeer, ///< within a node, over NVLink or PCIe
    DirectNetwork, ///< a network card that reads and writes the memory of GPUs
    Network, ///< a network card, through the memory of the host
    SharedMemory, ///< within a node, through the memory of the host
    Sockets ///< TCP
};
constexpr std::size_t linkKindCount = 5;

LinkKind linkKindOf(const NodeConnection& connection);

struct NodeMatrix
{
    /// What the connections from one node to another one are, or those between GPUs of one node.
    struct Cell
    {
        std::uint32_t from = 0, to = 0; ///< index into `hosts`
        LinkKind slowest = LinkKind::PeerToPeer;
        std::array<std::uint32_t, linkKindCount> gpuPairs{}; ///< by kind
    };
    std::vector<std::string> hosts; ///< in natural order
    std::vector<Cell> cells; ///< by `from`, then `to`; pairs without a connection have none
    bool isWhole = true; ///< false: of some connections it is not known to which node they lead

    /// nullptr if no connection of the pair is known. O(log n).
    const Cell* cell(std::size_t from, std::size_t to) const;
};

NodeMatrix nodeMatrix(const NetworkRecord& record, const NodeConnections& connections);

} // namespace collscope
