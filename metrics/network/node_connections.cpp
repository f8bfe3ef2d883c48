// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/network/node_connections.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace collscope {

namespace {

/// The communicators that a process belongs to, with its rank in each. A process has several GPUs if one
/// process drives a host.
using Memberships = std::map<NcclProcess, std::vector<std::pair<const NcclCommunicator*, int>>>;

Memberships membershipsOf(const NetworkRecord& record)
{
    Memberships memberships;
    for (const NcclCommunicator& communicator : record.communicators) {
        for (const auto& [rank, member] : communicator.members)
            memberships[member.process].emplace_back(&communicator, rank);
    }
    // Of several communicators that cannot be told apart, the members are those of one of them.
    for (const auto& [pointer, place] : record.pointers) {
        const NcclCommunicator& communicator = record.communicators[place.first];
        if (communicator.isAmbiguous)
            memberships[pointer.first].emplace_back(&communicator, place.second);
    }
    return memberships;
}

GpuName gpuOf(const NcclMember& member)
{
    return {member.process.host, member.device.value_or(-1)};
}

/// Finds the ends of connections.
class PlacedGpus
{
public:
    explicit PlacedGpus(const NetworkRecord& record)
        : m_record(record)
        , m_memberships(membershipsOf(record))
    { }

    /// The GPUs of both ends; `other` has no host if it is not known.
    std::pair<GpuName, GpuName> endsOf(const NcclConnection& connection) const
    {
        const int own = connection.isReceiver ? connection.to : connection.from;
        const int other = connection.isReceiver ? connection.from : connection.to;
        std::set<GpuName> owns, others;
        bool isPeerMissing = false;
        for (const NcclCommunicator* const communicator : candidates(connection, own)) {
            if (other >= communicator->size)
                continue;
            if (communicator->isAmbiguous) {
                isPeerMissing = true;
                continue;
            }
            owns.insert(gpuOf(communicator->members.at(own)));
            const auto peer = communicator->members.find(other);
            if (peer == communicator->members.end())
                isPeerMissing = true;
            else
                others.insert(gpuOf(peer->second));
        }
        GpuName here = agreed(owns), there = isPeerMissing ? GpuName() : agreed(others);
        here.host = connection.writer.host;
        if (connection.transport != Transport::Network) // the lines say that memory of this host is shared
            there.host = connection.writer.host;
        return {here, there};
    }

private:
    std::vector<const NcclCommunicator*> candidates(const NcclConnection& connection, int own) const
    {
        const auto named = m_record.pointers.find({connection.writer, connection.communicator});
        if (!connection.communicator.empty() && named != m_record.pointers.end()
            && !m_record.reusedPointers.contains({connection.writer, connection.communicator}))
            return {&m_record.communicators[named->second.first]};
        std::vector<const NcclCommunicator*> possible;
        const auto memberships = m_memberships.find(connection.writer);
        if (memberships == m_memberships.end())
            return possible;
        for (const auto& [communicator, rank] : memberships->second) {
            if (rank == own)
                possible.push_back(communicator);
        }
        return possible;
    }
    /// What all of them have in common.
    static GpuName agreed(const std::set<GpuName>& gpus)
    {
        if (gpus.empty())
            return {};
        GpuName common = *gpus.begin();
        for (const GpuName& gpu : gpus) {
            if (gpu.host != common.host)
                return {};
            if (gpu.device != common.device)
                common.device = -1;
        }
        return common;
    }

    const NetworkRecord& m_record;
    Memberships m_memberships;
};

} // namespace

std::string gpuText(const GpuName& gpu)
{
    return gpu.device < 0 ? gpu.host : gpu.host + " GPU " + std::to_string(gpu.device);
}

NodeConnections nodeConnections(const NetworkRecord& record)
{
    NodeConnections connections;
    const PlacedGpus placed(record);
    std::map<std::tuple<GpuName, GpuName, Transport, std::string, int, std::string, bool, bool>,
             std::uint32_t>
        sums;
    for (const auto& [connection, channels] : record.connections) {
        const auto [own, other] = placed.endsOf(connection);
        if (other.host.empty()) {
            connections.unplaced += channels;
            continue;
        }
        const GpuName& from = connection.isReceiver ? other : own;
        const GpuName& to = connection.isReceiver ? own : other;
        sums[{from, to, connection.transport, connection.network, connection.adapter, own.host,
              connection.hasGpuDirect, connection.isReceiver}]
            += channels;
    }
    for (const auto& [key, channels] : sums) {
        const auto& [from, to, transport, network, adapter, writer, hasGpuDirect, isReceiver] = key;
        connections.all.push_back(
            {from, to, transport, network, adapter, writer, hasGpuDirect, channels, isReceiver});
    }
    return connections;
}

std::set<std::string> hostsOf(const NetworkRecord& record)
{
    std::set<std::string> hosts;
    for (const NcclCommunicator& communicator : record.communicators) {
        for (const auto& [rank, member] : communicator.members)
            hosts.insert(member.process.host);
    }
    for (const auto& [connection, channels] : record.connections)
        hosts.insert(connection.writer.host);
    for (const auto& [adapter, lines] : record.adapters)
        hosts.insert(adapter.host);
    for (const auto& [setting, lines] : record.settings)
        hosts.insert(setting.host);
    for (const auto& [host, network] : record.networks)
        hosts.insert(host);
    return hosts;
}

} // namespace collscope
