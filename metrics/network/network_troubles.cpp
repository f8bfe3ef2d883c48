// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/network/network_troubles.h"

#include "metrics/core/value.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace collscope {

namespace {

constexpr std::string_view kindIds[]
    = {"sockets",        "shared_memory",      "fewer_adapters",  "no_gpu_direct",
       "fewer_channels", "different_settings", "limiting_setting"};

using Names = std::set<std::string>;

std::vector<std::string> listOf(const Names& names)
{
    return {names.begin(), names.end()};
}

/// "node3, node4 and 6 others".
std::string namesText(const Names& names)
{
    constexpr std::size_t most = 4;
    std::string text;
    std::size_t count = 0;
    for (const std::string& name : names) {
        const bool isLast = ++count == names.size();
        if (count > most && !isLast)
            return text + " and " + std::to_string(names.size() - count + 1) + " others";
        text += (count == 1 ? "" : isLast ? " and " : ", ") + name;
    }
    return text;
}

std::string countedNodes(std::size_t nodes)
{
    return countText(static_cast<std::int64_t>(nodes), "node");
}

/// Rules over one record; each adds what it finds.
class Rules
{
public:
    Rules(const NetworkRecord& record, const NodeConnections& connections)
        : m_record(record)
        , m_connections(connections.all)
        , m_hosts(hostsOf(record))
    { }

    std::vector<NetworkTrouble> all()
    {
        findSockets();
        findSocketHosts();
        findSharedMemory();
        findAdapters();
        findUnusedAdapters();
        findGpuDirect();
        findChannels();
        findSettings();
        if (!areOfOneJob())
            doubt();
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const NetworkTrouble& a, const NetworkTrouble& b) {
                             return a.isConditional < b.isConditional;
                         });
        return std::move(m_found);
    }

private:
    void add(NetworkTroubleKind kind, std::string text, const Names& hosts, bool isConditional = false)
    {
        m_found.push_back({kind, std::move(text), listOf(hosts), isConditional});
    }
    bool areOfOneJob() const;
    /// Where hosts are not known to belong together, a difference between them may be one of jobs.
    void doubt();
    static bool isSocket(const NodeConnection& connection)
    {
        return connection.transport == Transport::Network && connection.network == "Socket";
    }

    void findSockets();
    void findSocketHosts();
    void findSharedMemory();
    void findAdapters();
    void findUnusedAdapters();
    void findGpuDirect();
    void findChannels();
    void findSettings();
    void findDifferentSettings(const std::map<std::string, std::map<std::string, Names>>& byName);

    const NetworkRecord& m_record;
    const std::vector<NodeConnection>& m_connections;
    const Names m_hosts; ///< all that wrote a log
    std::vector<NetworkTrouble> m_found;
};

/// Whether communicators connect all hosts.
bool Rules::areOfOneJob() const
{
    std::vector<Names> jobs; // hosts that communicators connect
    for (const NcclCommunicator& communicator : m_record.communicators) {
        if (communicator.isAmbiguous)
            continue;
        Names job;
        for (const auto& [rank, member] : communicator.members)
            job.insert(member.process.host);
        std::erase_if(jobs, [&](const Names& known) {
            const bool isShared = std::any_of(known.begin(), known.end(),
                                              [&](const std::string& host) { return job.contains(host); });
            if (isShared)
                job.insert(known.begin(), known.end());
            return isShared;
        });
        jobs.push_back(std::move(job));
    }
    return m_hosts.size() < 2 || (jobs.size() == 1 && jobs.front().size() == m_hosts.size());
}

void Rules::doubt()
{
    for (NetworkTrouble& trouble : m_found) {
        if (trouble.isConditional)
            continue;
        trouble.isConditional = true;
        trouble.text
            += " No communicator in the logs connects all nodes: if they are of several jobs, open the "
               "logs of one.";
    }
}

void Rules::findSockets()
{
    std::set<std::pair<std::string, std::string>> bySocket, byOther;
    Names hosts;
    for (const NodeConnection& connection : m_connections) {
        if (connection.transport != Transport::Network || !connection.isBetweenHosts())
            continue;
        const auto pair = std::minmax(connection.from.host, connection.to.host);
        (isSocket(connection) ? bySocket : byOther).insert(pair);
        if (isSocket(connection))
            hosts.insert({connection.from.host, connection.to.host});
    }
    if (bySocket.empty())
        return;
    Names cards; // of these hosts
    for (const auto& [adapter, lines] : m_record.adapters) {
        if (adapter.kind != "Socket" && hosts.contains(adapter.host))
            cards.insert(adapter.host);
    }
    std::size_t both = 0;
    for (const auto& pair : bySocket)
        both += byOther.erase(pair);
    if (both > 0) {
        add(NetworkTroubleKind::Sockets,
            "Some communicators use sockets (TCP) between nodes that others connect by a faster network ("
                + namesText(hosts) + "). If these are the logs of several jobs, open those of one.",
            hosts, true);
        return;
    }
    if (byOther.empty() && cards.empty()) {
        add(NetworkTroubleKind::Sockets,
            "All connections between the " + countedNodes(hosts.size())
                + " use sockets (TCP). If these nodes have InfiniBand, RoCE or a plugin for their network, "
                  "NCCL did not find it.",
            hosts, true);
        return;
    }
    const std::string where = bySocket.size() == 1
        ? "between " + bySocket.begin()->first + " and " + bySocket.begin()->second
        : "between " + std::to_string(bySocket.size()) + " pairs of nodes (" + namesText(hosts) + ")";
    add(NetworkTroubleKind::Sockets,
        "NCCL uses sockets (TCP) " + where
            + (byOther.empty() ? ", although it found InfiniBand or RoCE cards on " + namesText(cards) + "."
                               : ", and a faster network between " + std::to_string(byOther.size())
                       + (byOther.size() == 1 ? " other pair." : " other pairs.")),
        hosts);
}

/// Before the first connection, NCCL says which network it uses.
void Rules::findSocketHosts()
{
    Names sockets, others;
    for (const auto& [host, network] : m_record.networks)
        (network == "Socket" ? sockets : others).insert(host);
    const bool isKnown = std::any_of(m_found.begin(), m_found.end(), [](const NetworkTrouble& trouble) {
        return trouble.kind == NetworkTroubleKind::Sockets;
    });
    if (!sockets.empty() && !others.empty() && !isKnown)
        add(NetworkTroubleKind::Sockets,
            "NCCL chose sockets (TCP) on " + namesText(sockets) + ", and "
                + m_record.networks.at(*others.begin()) + " on "
                + countText(static_cast<std::int64_t>(others.size()), "other node") + ".",
            sockets);
}

void Rules::findSharedMemory()
{
    using Pair = std::pair<int, int>;
    std::map<std::string, std::set<Pair>> shared, direct; // by host
    for (const NodeConnection& connection : m_connections) {
        if (connection.transport == Transport::Network || connection.from.device < 0
            || connection.to.device < 0)
            continue;
        auto& pairs = connection.transport == Transport::SharedMemory ? shared : direct;
        pairs[connection.from.host].insert(std::minmax(connection.from.device, connection.to.device));
    }
    Names different, all;
    std::set<Pair> affected;
    for (const auto& own : shared) {
        all.insert(own.first);
        for (const Pair& pair : own.second) {
            const bool isDirectElsewhere = std::any_of(direct.begin(), direct.end(), [&](const auto& other) {
                return other.first != own.first && other.second.contains(pair);
            });
            if (isDirectElsewhere) {
                different.insert(own.first);
                affected.insert(pair);
            }
        }
    }
    if (!different.empty())
        add(NetworkTroubleKind::SharedMemory,
            "On " + namesText(different) + ", " + std::to_string(affected.size())
                + (affected.size() == 1 ? " pair" : " pairs")
                + " of GPUs exchange data through the memory of the host (SHM); the same pairs of other "
                  "nodes do it directly (P2P).",
            different);
    else if (!all.empty() && direct.empty())
        add(NetworkTroubleKind::SharedMemory,
            "All GPUs of " + namesText(all)
                + " exchange data through the memory of the host (SHM), not directly (P2P). If NVLink or one "
                  "PCIe switch connects them, P2P is switched off.",
            all, true);
}

void Rules::findAdapters()
{
    std::map<std::string, Names> byHost; // cards other than sockets
    for (const auto& [adapter, lines] : m_record.adapters) {
        if (adapter.kind != "Socket")
            byHost[adapter.host].insert(adapter.name);
    }
    for (const auto& [host, network] : m_record.networks)
        byHost[host]; // a host that looked for cards, and may have found none
    std::map<std::size_t, Names> byCount;
    for (const auto& [host, names] : byHost)
        byCount[names.size()].insert(host);
    if (byCount.size() < 2)
        return;
    // The usual number is that of most hosts.
    const auto usual = std::max_element(byCount.begin(), byCount.end(), [](const auto& a, const auto& b) {
        return std::pair(a.second.size(), a.first) < std::pair(b.second.size(), b.first);
    });
    for (const auto& [count, hosts] : byCount) {
        if (count < usual->first)
            add(NetworkTroubleKind::FewerAdapters,
                "NCCL found " + countText(static_cast<std::int64_t>(count), "network card") + " on "
                    + namesText(hosts) + ", and " + std::to_string(usual->first) + " on "
                    + countText(static_cast<std::int64_t>(usual->second.size()), "other node") + ".",
                hosts);
    }
}

/// By host: number of GPUs that the logs name, from the largest communicator that is whole.
std::map<std::string, std::size_t> gpusByHost(const NetworkRecord& record)
{
    std::map<std::string, std::size_t> most;
    for (const NcclCommunicator& communicator : record.communicators) {
        if (communicator.isAmbiguous
            || communicator.members.size() < static_cast<std::size_t>(communicator.size))
            continue;
        std::map<std::string, std::size_t> own;
        for (const auto& [rank, member] : communicator.members)
            ++own[member.process.host];
        for (const auto& [host, gpus] : own)
            most[host] = std::max(most[host], gpus);
    }
    return most;
}

void Rules::findUnusedAdapters()
{
    std::map<std::string, std::set<int>> found, used;
    std::map<std::string, std::set<std::pair<std::int64_t, std::string>>> gpus; // process, GPU
    for (const auto& [adapter, lines] : m_record.adapters) {
        if (adapter.kind != "Socket")
            found[adapter.host].insert(adapter.index);
    }
    for (const auto& [own, channels] : m_record.connections) {
        if (own.transport != Transport::Network || own.network == "Socket" || own.adapter < 0)
            continue;
        used[own.writer.host].insert(own.adapter);
        gpus[own.writer.host].emplace(own.writer.pid, own.isReceiver ? own.toDevice : own.fromDevice);
    }
    const auto all = gpusByHost(m_record);
    std::size_t most = 0;
    for (const auto& [host, cards] : used)
        most = std::max(most, cards.size());
    Names fewer, alone;
    std::size_t least = most;
    for (const auto& [host, cards] : used) {
        const auto known = all.find(host);
        const bool saysAll = known != all.end() && gpus[host].size() >= known->second;
        if (!saysAll || cards.size() >= found[host].size() || gpus[host].size() < 2 * cards.size())
            continue; // not all logs are there; all cards are used; or fewer GPUs send than cards are there
        if (cards.size() < most)
            fewer.insert(host);
        else if (cards.size() == 1)
            alone.insert(host);
        least = std::min(least, cards.size());
    }
    if (!fewer.empty())
        add(NetworkTroubleKind::FewerAdapters,
            "On " + namesText(fewer) + ", all GPUs send through "
                + countText(static_cast<std::int64_t>(least), "network card") + "; other nodes use "
                + std::to_string(most) + ".",
            fewer);
    else if (!alone.empty())
        add(NetworkTroubleKind::FewerAdapters,
            "On " + namesText(alone) + ", all GPUs send through 1 of "
                + countText(static_cast<std::int64_t>(found[*alone.begin()].size()), "network card")
                + ". If each GPU has a card near it, look at NCCL_IB_HCA and the topology.",
            alone, true);
}

void Rules::findGpuDirect()
{
    struct Seen
    {
        bool with = false, without = false;
    };
    std::map<std::string, std::array<Seen, 2>> byHost; // what it sends, what it receives
    for (const NodeConnection& connection : m_connections) {
        if (connection.transport != Transport::Network || isSocket(connection)
            || !connection.isBetweenHosts())
            continue;
        const std::size_t way = connection.from.host == connection.writerHost ? 0 : 1;
        Seen& seen = byHost[connection.writerHost][way];
        (connection.hasGpuDirect ? seen.with : seen.without) = true;
    }
    Names never, having;
    for (const auto& [host, seen] : byHost)
        (seen[0].with || seen[1].with ? having : never).insert(host);
    if (having.empty() && !never.empty())
        add(NetworkTroubleKind::NoGpuDirect,
            "No network card reaches the memory of a GPU (no GDRDMA): data goes through the memory of the "
            "hosts. If these machines support it, a driver (nvidia-peermem, DMA-BUF) is missing.",
            never, true);
    // Sending and receiving differ by nature on some machines.
    std::erase_if(never, [&](const std::string& host) {
        const auto& own = byHost.at(host);
        return std::none_of(having.begin(), having.end(), [&](const std::string& other) {
            const auto& seen = byHost.at(other);
            return (own[0].without && seen[0].with) || (own[1].without && seen[1].with);
        });
    });
    if (!having.empty() && !never.empty())
        add(NetworkTroubleKind::NoGpuDirect,
            "The network cards of " + namesText(never)
                + " do not reach the memory of the GPUs (no GDRDMA); those of the "
                + countedNodes(having.size()) + " beside do.",
            never);
}

void Rules::findChannels()
{
    // By size and number of hosts: the communicators that should be alike.
    std::map<std::pair<int, std::size_t>, std::map<int, std::vector<const NcclCommunicator*>>> alike;
    for (const NcclCommunicator& communicator : m_record.communicators) {
        if (communicator.channels.empty() || communicator.size < 2 || communicator.isAmbiguous)
            continue;
        Names hosts;
        for (const auto& [rank, member] : communicator.members)
            hosts.insert(member.process.host);
        const bool isWhole = communicator.members.size() == static_cast<std::size_t>(communicator.size);
        if (isWhole)
            alike[{communicator.size, hosts.size()}][communicator.channels.begin()->second].push_back(
                &communicator);
    }
    for (const auto& [shape, byChannels] : alike) {
        if (byChannels.size() < 2)
            continue;
        const auto& [few, communicators] = *byChannels.begin();
        const int many = byChannels.rbegin()->first;
        if (2 * few > many)
            continue; // what the topology of a node may explain
        Names hosts, elsewhere;
        for (const NcclCommunicator* const communicator : byChannels.rbegin()->second) {
            for (const auto& [rank, member] : communicator->members)
                elsewhere.insert(member.process.host);
        }
        for (const NcclCommunicator* const communicator : communicators) {
            for (const auto& [rank, member] : communicator->members)
                hosts.insert(member.process.host);
        }
        const bool isSameHost = std::any_of(
            hosts.begin(), hosts.end(), [&](const std::string& host) { return elsewhere.contains(host); });
        if (isSameHost)
            continue; // another job, or what the program asked for
        add(NetworkTroubleKind::FewerChannels,
            countText(static_cast<std::int64_t>(communicators.size()), "communicator") + " of "
                + std::to_string(shape.first) + " ranks (on " + namesText(hosts) + ") "
                + (communicators.size() == 1 ? "uses " : "use ") + countText(few, "channel")
                + "; others of this size use " + std::to_string(many) + ".",
            hosts);
    }
}

/// Settings that differ by nature: names of this host, and where files go.
bool isOfHost(std::string_view name)
{
    constexpr std::string_view names[]
        = {"NCCL_DEBUG_FILE",     "NCCL_HOSTID",          "NCCL_COMM_ID",
           "NCCL_TOPO_DUMP_FILE", "NCCL_GRAPH_DUMP_FILE", "NCCL_CUMEM_ENABLE_HOST"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Settings that switch something fast off, with the value that does it ("" = any) and what it does.
struct Limiting
{
    std::string_view name, value, what;
};
constexpr Limiting limiting[]
    = {{"NCCL_P2P_DISABLE", "1", "GPUs of a host exchange data through its memory or its network cards"},
       {"NCCL_IB_DISABLE", "1", "InfiniBand and RoCE are not used"},
       {"NCCL_SHM_DISABLE", "1", "GPUs of a host that cannot reach each other use the network"},
       {"NCCL_NET_GDR_LEVEL", "LOC", "network cards do not reach the memory of GPUs"},
       {"NCCL_NET_GDR_LEVEL", "0", "network cards do not reach the memory of GPUs"},
       {"NCCL_NVLS_ENABLE", "0", "NVLink SHARP is not used"},
       {"NCCL_MAX_NCHANNELS", "", "the number of channels is limited"},
       {"NCCL_MAX_CTAS", "", "the number of channels is limited"}};

void Rules::findDifferentSettings(const std::map<std::string, std::map<std::string, Names>>& byName)
{
    for (const auto& [name, values] : byName) {
        Names having;
        std::size_t pairs = 0;
        for (const auto& [value, where] : values) {
            having.insert(where.begin(), where.end());
            pairs += where.size();
        }
        // A host whose log lacks the line may have it set: lines of settings appear where they are used. A
        // host with several values sets it for each rank.
        if (values.size() < 2 || having.size() < m_hosts.size() || pairs > having.size() || isOfHost(name))
            continue;
        const auto bySize = [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); };
        const auto rare = std::min_element(values.begin(), values.end(), bySize);
        const auto usual = std::max_element(values.begin(), values.end(), bySize);
        const auto& other = usual == rare ? *std::next(rare) : *usual;
        add(NetworkTroubleKind::DifferentSettings,
            name + " is \"" + rare->first + "\" on " + namesText(rare->second) + ", and \"" + other.first
                + "\" on " + namesText(other.second) + ".",
            rare->second);
    }
}

void Rules::findSettings()
{
    std::map<std::string, std::map<std::string, Names>> byName; // value -> hosts
    for (const auto& [setting, lines] : m_record.settings)
        byName[setting.name][setting.value].insert(setting.host);
    findDifferentSettings(byName);
    for (const Limiting& limit : limiting) {
        const auto values = byName.find(std::string(limit.name));
        if (values == byName.end())
            continue;
        for (const auto& [value, where] : values->second) {
            if (!limit.value.empty() && value != limit.value)
                continue;
            add(NetworkTroubleKind::LimitingSetting,
                values->first + "=" + value + " is set on "
                    + (where.size() == m_hosts.size() ? std::string("all nodes") : namesText(where)) + ": "
                    + std::string(limit.what) + ".",
                where, true);
        }
    }
}

} // namespace

std::string_view networkTroubleId(NetworkTroubleKind kind)
{
    return kindIds[static_cast<std::size_t>(kind)];
}

std::vector<NetworkTrouble> networkTroubles(const NetworkRecord& record, const NodeConnections& connections)
{
    return Rules(record, connections).all();
}

} // namespace collscope
