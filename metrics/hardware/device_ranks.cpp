// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/device_ranks.h"

#include "metrics/core/duration_text.h"
#include "model/text/lower_case.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace collscope {

namespace {

using Span = std::pair<std::size_t, std::size_t>; // in a name, [begin, end)

/// Where a lower-case name contains a host as a whole word.
void addWords(std::string_view name, const std::string& host, std::map<Span, std::string>& words)
{
    const auto isWord = [](char c) { return isDigit(c) || (c >= 'a' && c <= 'z'); };
    for (std::size_t at = name.find(host); !host.empty() && at != std::string::npos;
         at = name.find(host, at + 1)) {
        const std::size_t end = at + host.size();
        if ((at == 0 || !isWord(name[at - 1])) && (end == name.size() || !isWord(name[end])))
            words.emplace(Span(at, end), host);
    }
}

/// Whether a host is a word that may only give the number of a GPU: "gpu0", "dev_0", "rank-0".
bool isGpuWord(std::string_view host, std::int32_t gpu)
{
    for (const std::string_view word : {"gpu", "device", "dev", "rank"}) {
        if (!host.starts_with(word))
            continue;
        std::string_view digits = host.substr(word.size());
        digits.remove_prefix(std::min(digits.find_first_not_of("_- "), digits.size()));
        std::int32_t number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error == std::errc() && end == digits.data() + digits.size() && number == gpu)
            return true;
    }
    return false;
}

/// The k of a folder "node3", "node_3" or "node-3"; nullopt for other names.
std::optional<std::int32_t> nodeNumberOf(const std::string& folder)
{
    const std::string name = lowered(std::filesystem::path(folder).filename().string());
    constexpr std::string_view word = "node";
    if (!name.starts_with(word))
        return std::nullopt;
    std::string_view digits = std::string_view(name).substr(word.size());
    if (digits.starts_with('_') || digits.starts_with('-'))
        digits.remove_prefix(1);
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    constexpr std::int32_t mostNodes = 100'000;
    return error == std::errc() && end == digits.data() + digits.size() && number >= 0 && number < mostNodes
        ? std::optional(number)
        : std::nullopt;
}

std::string quotedHost(const std::string& host)
{
    return printableLine(shortened(host));
}

} // namespace

std::set<std::string> hostsNamedIn(std::string_view name, const std::set<std::string>& hosts,
                                   std::optional<std::int32_t> gpu)
{
    const std::string lower = lowered(name);
    std::map<Span, std::string> words;
    for (const std::string& host : hosts) {
        if (!gpu || !isGpuWord(host, *gpu))
            addWords(lower, host, words);
    }
    std::set<std::string> found;
    for (const auto& word : words) {
        const bool isPart = std::any_of(words.begin(), words.end(), [&](const auto& other) {
            return other.first != word.first && other.first.first <= word.first.first
                && other.first.second >= word.first.second;
        });
        if (!isPart)
            found.insert(word.second);
    }
    return found;
}

std::string shortHostName(std::string_view host)
{
    return lowered(host.substr(0, host.find('.')));
}

DeviceRanks::DeviceRanks(const TraceModel& model, const HardwareRecord& record)
    : m_logged(model)
    , m_worldSize(model.isWorldSizeLeast ? std::nullopt : model.worldSize)
{
    for (const SourceInfo& source : model.sources)
        m_folders.push_back(std::filesystem::path(source.path).parent_path().string());
    std::set<std::string> recorded;
    const auto takeUuid = [&](const std::string& uuid, const std::string& host) {
        if (uuid.empty() || host.empty())
            return;
        const auto [known, isNew] = m_hostOfUuid.try_emplace(uuid, shortHostName(host));
        if (known->second != shortHostName(host))
            known->second.clear();
    };
    for (const HardwareDevice& device : record.devices) {
        recorded.insert(shortHostName(device.host));
        takeUuid(device.uuid, device.host);
    }
    for (const NumberedGpu& gpu : record.numbered)
        takeUuid(gpu.uuid, gpu.host);
    for (const XidEvent& xid : record.xids)
        recorded.insert(shortHostName(xid.host));
    recorded.erase("");
    m_isOneRecorded = recorded.size() <= 1;
    std::set<std::int32_t> seen;
    for (const Timeline& timeline : model.timelines) {
        if (!seen.insert(timeline.rank).second)
            continue;
        const std::string host
            = timeline.host ? shortHostName(model.text(timeline.host)) : m_logged.hostOf(timeline.rank);
        addRank(model, timeline, host);
        m_hosts[host].isLogged |= !timeline.host && !host.empty();
    }
    m_areAllLoaded = !m_worldSize || *m_worldSize <= static_cast<std::int32_t>(seen.size());
    if (m_hosts.size() == 1 && m_hosts.begin()->first.empty() && m_hosts.begin()->second.isAmbiguous)
        findFolderNodes(model);
    for (const auto& [name, host] : m_hosts)
        m_names.insert(name);
    m_names.erase("");
    std::map<std::string, Devices> devices;
    for (const HardwareDevice& device : record.devices) {
        if (device.kind == HardwareDevice::Kind::Gpu)
            devices[hostOf(device)].push_back(&device);
    }
    for (auto& [name, host] : m_hosts) {
        std::sort(host.ranks.begin(), host.ranks.end());
        host.isNumberedAlike = !host.isAmbiguous && areSampledGpus(devices[name], host);
    }
    findNodeNumbers(model, record);
}

void DeviceRanks::addRank(const TraceModel& model, const Timeline& timeline, const std::string& name)
{
    Host& host = m_hosts[name];
    host.ranks.push_back(timeline.rank);
    if (timeline.device < 0 || !host.rankByGpu.try_emplace(timeline.device, timeline.rank).second)
        host.isAmbiguous = true;
    if (timeline.source.value < model.sources.size())
        m_hostsIn[m_folders[timeline.source.value]].insert(name);
}

/// Several ranks state the same GPU, so that there are several nodes: each folder is one, if no rank of a
/// folder states the GPU of another one in it.
void DeviceRanks::findFolderNodes(const TraceModel& model)
{
    if (m_hostsIn.size() < 2)
        return;
    const auto unnamed = std::move(m_hosts);
    const auto folders = std::move(m_hostsIn);
    m_hosts.clear();
    m_hostsIn.clear();
    std::set<std::int32_t> seen;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.source.value < model.sources.size() && seen.insert(timeline.rank).second)
            addRank(model, timeline, m_folders[timeline.source.value]);
    }
    m_areFoldersNodes = std::none_of(m_hosts.begin(), m_hosts.end(),
                                     [](const auto& host) { return host.second.isAmbiguous; });
    if (!m_areFoldersNodes) {
        m_hosts = unnamed;
        m_hostsIn = folders;
    }
}

/// The collection kit samples node 0 into the folder of the run and node k into its folder "nodek", and its
/// launcher numbers the ranks node by node. Used only if all nodes of the job have a folder, and if no trace
/// contradicts.
void DeviceRanks::findNodeNumbers(const TraceModel& model, const HardwareRecord& record)
{
    std::set<std::string> folders;
    std::int32_t mostGpus = 0;
    for (const HardwareDevice& device : record.devices) {
        if (device.kind != HardwareDevice::Kind::Gpu)
            continue;
        folders.insert(pathOf(device.source));
        mostGpus = std::max(mostGpus, device.index.value_or(0) + 1);
    }
    std::map<std::string, std::int32_t> numbers;
    std::set<std::int32_t> used;
    for (const std::string& folder : folders) {
        auto number = nodeNumberOf(folder);
        const bool holdsNodes
            = !number && std::any_of(folders.begin(), folders.end(), [&](const std::string& other) {
                  return nodeNumberOf(other) && std::filesystem::path(other).parent_path() == folder;
              });
        number = holdsNodes ? 0 : number;
        if (!number || !used.insert(*number).second)
            return;
        numbers[folder] = *number;
    }
    const auto nodes = static_cast<std::int32_t>(numbers.size());
    if (nodes < 2 || !m_worldSize || *m_worldSize % nodes != 0 || *used.rbegin() != nodes - 1)
        return;
    const std::int32_t perNode = *m_worldSize / nodes;
    const bool isStated = model.card && model.card->countPerNode;
    bool fits = mostGpus <= perNode && (!isStated || *model.card->countPerNode == perNode);
    bool isShown = isStated;
    for (const Timeline& timeline : model.timelines) {
        fits &= timeline.device < 0 || timeline.rank % perNode == timeline.device;
        isShown |= timeline.device > 0;
    }
    std::map<std::int32_t, std::string> hosts;
    for (const auto& [name, host] : m_hosts) {
        for (const std::int32_t rank : host.ranks)
            fits &= m_areFoldersNodes || hosts.try_emplace(rank / perNode, name).first->second == name;
    }
    if (!fits || !isShown)
        return;
    m_nodeNumbers = std::move(numbers);
    m_gpusPerNode = perNode;
    m_gpusPerNodeSource = isStated ? "by the workload card" : "as in the traces";
}

std::string DeviceRanks::pathOf(SourceId source) const
{
    return source.value < m_folders.size() ? m_folders[source.value] : std::string();
}

bool DeviceRanks::areSampledGpus(const Devices& devices, const Host& host) const
{
    std::set<std::int32_t> sampled, used;
    std::set<std::string> products;
    std::map<std::int32_t, const HardwareDevice*> places;
    for (const HardwareDevice* own : devices) {
        const HardwareDevice& device = *own;
        if (!device.index)
            return false;
        sampled.insert(*device.index);
        // Files that do not say of which host they are may be of several.
        const auto [known, isNew] = places.try_emplace(*device.index, &device);
        const HardwareDevice& other = *known->second;
        const bool isSame = isNew || (!device.host.empty() && !other.host.empty())
            || (!device.uuid.empty() && device.uuid == other.uuid);
        if (!isSame)
            return false;
        if (!device.name.empty())
            products.insert(device.name);
    }
    // CUDA counts the fastest GPU first, the driver by address: the same only for GPUs of one kind.
    if (products.size() > 1)
        return false;
    for (const auto& [gpu, rank] : host.rankByGpu)
        used.insert(gpu);
    if (sampled == used)
        return true;
    // Not all ranks are loaded: then each must have the GPU that a job on whole nodes gives it.
    const auto count = static_cast<std::int32_t>(sampled.size());
    const bool isWhole = count > 0 && *sampled.begin() == 0 && *sampled.rbegin() == count - 1 && m_worldSize
        && *m_worldSize % count == 0 && *m_worldSize > static_cast<std::int32_t>(host.ranks.size());
    return isWhole && std::all_of(host.rankByGpu.begin(), host.rankByGpu.end(), [&](const auto& own) {
               return own.second % count == own.first;
           });
}

DeviceRanks::Witness DeviceRanks::witnessOf(const HardwareDevice& device) const
{
    const auto known = m_hostOfUuid.find(device.uuid);
    const bool isByUuid = device.host.empty() && known != m_hostOfUuid.end();
    return {isByUuid ? known->second : device.host, device.file, device.folder, pathOf(device.source),
            device.index};
}

DeviceRanks::KnownHost DeviceRanks::hostOf(const Witness& witness) const
{
    if (witness.stated == contradictedHost)
        return {contradictedHost, false, false, true};
    if (m_areFoldersNodes) {
        if (m_hosts.contains(witness.path))
            return {witness.path, true};
        return {witness.stated.empty() ? "?" : shortHostName(witness.stated)};
    }
    const bool isOnlyHost = m_hosts.size() == 1 && m_areAllLoaded;
    // Where no trace states a host, all ranks are on one if each has a GPU of its own.
    if (m_hosts.size() == 1 && m_hosts.begin()->first.empty()) {
        if (isOnlyHost && m_isOneRecorded && !m_hosts.begin()->second.isAmbiguous)
            return {};
        return {witness.stated.empty() ? "?" : shortHostName(witness.stated)};
    }
    if (!witness.stated.empty())
        return {shortHostName(witness.stated)};
    std::set<std::string> named = hostsNamedIn(witness.file, m_names, witness.gpu);
    named.merge(hostsNamedIn(witness.folder, m_names, std::nullopt));
    if (named.size() > 1)
        return {"?", false, false, true};
    if (named.size() == 1)
        return {*named.begin()};
    // The traces of each host have a folder of their own, and this file lies in one of them.
    const auto near = m_hostsIn.find(witness.path);
    if (m_hosts.size() > 1 && near != m_hostsIn.end() && near->second.size() == 1
        && !near->second.begin()->empty())
        return {*near->second.begin(), true};
    return isOnlyHost ? KnownHost{m_hosts.begin()->first, false, true} : KnownHost{"?"};
}

std::string DeviceRanks::hostOf(const HardwareDevice& device) const
{
    return hostOf(witnessOf(device)).name;
}

std::string DeviceRanks::hostOf(const XidEvent& xid) const
{
    return hostOf(Witness{xid.host, xid.file, xid.folder, pathOf(xid.source), std::nullopt}).name;
}

GpuRank DeviceRanks::placeOf(const HardwareDevice& device) const
{
    if (device.kind != HardwareDevice::Kind::Gpu)
        return {};
    const KnownHost known = hostOf(witnessOf(device));
    GpuRank byTraces = placeByTraces(device, known);
    if (const auto rank = m_logged.rankOf(known.name, device.index, device.pci)) {
        // CUDA may count otherwise than the driver, as the log does; but that cannot be told from an old log.
        const bool isOwnHost = byTraces.rank && byTraces.evidence != RankEvidence::LogAlone;
        if (isOwnHost && byTraces.rank != rank)
            return {{},
                    RankEvidence::None,
                    "the traces say that it is the GPU of rank " + std::to_string(*byTraces.rank)
                        + ", NCCL's log says rank " + std::to_string(*rank)};
        const std::string gpu = device.index ? "GPU number " + std::to_string(*device.index)
                                             : std::string("the address of the GPU");
        const std::string names
            = "by NCCL's log, which names the rank with host " + quotedHost(known.name) + " and " + gpu;
        if (m_logged.isConfirmed())
            return {rank, RankEvidence::NcclLog, names};
        return {rank, RankEvidence::LogAlone,
                "guessed " + names + ": no trace states its host, so that the log may be of another run"};
    }
    if (byTraces.rank)
        return byTraces;
    if (!device.index)
        return {{}, RankEvidence::None, "no number of its GPU is stated"};
    if (GpuRank place = placeByNodeNumber(device); place.rank)
        return place;
    return notPlaced(known);
}

/// By the host of the traces, where both count their GPUs alike.
GpuRank DeviceRanks::placeByTraces(const HardwareDevice& device, const KnownHost& known) const
{
    const std::string& name = known.name;
    const auto host = m_hosts.find(name);
    if (!device.index || host == m_hosts.end() || !host->second.isNumberedAlike)
        return {};
    const auto rank = host->second.rankByGpu.find(*device.index);
    if (rank == host->second.rankByGpu.end())
        return {};
    const std::string gpu = "GPU number " + std::to_string(*device.index);
    if (name.empty() || known.isOnlyOne)
        return {rank->second, RankEvidence::OnlyNode,
                "guessed by " + gpu + ": nothing says that there is a second node"};
    if (host->second.isLogged && !m_logged.isConfirmed())
        return {rank->second, RankEvidence::LogAlone,
                "guessed by host " + quotedHost(name) + " and " + gpu
                    + ": only NCCL's log says that the rank was there, and it may be of another run"};
    if (known.isByFolder)
        return {rank->second, RankEvidence::Folder, "by the traces in the same folder and " + gpu};
    return {rank->second, RankEvidence::Host, "by host " + quotedHost(name) + " and " + gpu};
}

GpuRank DeviceRanks::notPlaced(const KnownHost& known) const
{
    const auto host = m_hosts.find(known.name);
    std::string why = "the ranks of its node do not use exactly the GPUs that were sampled, so that numbers "
                      "in the traces may not be those of the driver";
    if (m_hosts.empty())
        why = "no trace of a rank is open";
    else if (known.isContradicted)
        why = "its name, its folder's name and the files beside it are of several hosts";
    else if (known.name == "?")
        why = "nothing says of which node the file is, and the ranks of the run may be on several";
    else if (host == m_hosts.end())
        why = "no open trace is known to be of host " + quotedHost(known.name);
    else if (host->second.isAmbiguous)
        why = "several ranks of its node state the same GPU, or none: the numbers in the traces are not "
              "those of the driver";
    return {{}, RankEvidence::None, why};
}

GpuRank DeviceRanks::placeByNodeNumber(const HardwareDevice& device) const
{
    const auto node = m_nodeNumbers.find(pathOf(device.source));
    if (node == m_nodeNumbers.end() || !device.index || *device.index >= m_gpusPerNode)
        return {};
    return {node->second * m_gpusPerNode + *device.index, RankEvidence::NodeNumber,
            "by node " + std::to_string(node->second) + " of the folder's name, "
                + std::to_string(m_gpusPerNode) + " GPUs per node " + m_gpusPerNodeSource
                + ", and GPU number " + std::to_string(*device.index)};
}

std::vector<std::int32_t> DeviceRanks::ranksOn(const std::string& host) const
{
    const auto found = m_hosts.find(host);
    const bool isKnown = found != m_hosts.end() && (!found->second.isLogged || m_logged.isConfirmed());
    return isKnown ? found->second.ranks : std::vector<std::int32_t>();
}

} // namespace collscope
