// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/network/node_matrix.h"

#include "model/text/natural_order.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace collscope {

LinkKind linkKindOf(const NodeConnection& connection)
{
    switch (connection.transport) {
    case Transport::PeerToPeer:
        return LinkKind::PeerToPeer;
    case Transport::SharedMemory:
        return LinkKind::SharedMemory;
    case Transport::Network:
        break;
    }
    if (connection.network == "Socket")
        return LinkKind::Sockets;
    return connection.hasGpuDirect ? LinkKind::DirectNetwork : LinkKind::Network;
}

const NodeMatrix::Cell* NodeMatrix::cell(std::size_t from, std::size_t to) const
{
    const auto found = std::lower_bound(
        cells.begin(), cells.end(), std::pair(from, to), [](const Cell& own, const auto& wanted) {
            return std::pair<std::size_t, std::size_t>(own.from, own.to) < wanted;
        });
    return found != cells.end() && found->from == from && found->to == to ? &*found : nullptr;
}

NodeMatrix nodeMatrix(const NetworkRecord& record, const NodeConnections& connections)
{
    NodeMatrix matrix;
    matrix.isWhole = connections.unplaced == 0;
    std::set<std::string> hosts = hostsOf(record);
    for (const NodeConnection& connection : connections.all) {
        hosts.insert(connection.from.host);
        hosts.insert(connection.to.host);
    }
    matrix.hosts.assign(hosts.begin(), hosts.end());
    std::stable_sort(matrix.hosts.begin(), matrix.hosts.end(), naturallyBefore);
    std::map<std::string_view, std::uint32_t> places;
    for (std::uint32_t i = 0; i < matrix.hosts.size(); ++i)
        places.emplace(matrix.hosts[i], i);
    std::map<std::pair<std::uint32_t, std::uint32_t>, NodeMatrix::Cell> cells;
    // Both ends of a connection may have written it down.
    std::set<std::tuple<GpuName, GpuName, LinkKind>> known;
    for (const NodeConnection& connection : connections.all) {
        const std::uint32_t from = places.at(connection.from.host), to = places.at(connection.to.host);
        NodeMatrix::Cell& cell = cells.try_emplace({from, to}, NodeMatrix::Cell{from, to}).first->second;
        const LinkKind kind = linkKindOf(connection);
        cell.slowest = std::max(cell.slowest, kind);
        if (known.insert({connection.from, connection.to, kind}).second)
            ++cell.gpuPairs[static_cast<std::size_t>(kind)];
    }
    matrix.cells.reserve(cells.size());
    for (const auto& [pair, cell] : cells)
        matrix.cells.push_back(cell);
    return matrix;
}

} // namespace collscope
