// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/nvlink_ranks.h"

#include "metrics/core/duration_text.h"
#include "model/text/lower_case.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>

namespace collscope {

namespace {

std::filesystem::path counterPathOf(const TraceModel& model, SourceId source)
{
    return source.value < model.sources.size() ? std::filesystem::path(model.sources[source.value].path)
                                               : std::filesystem::path();
}

/// Whether the number in the name of a file is that of a rank ("nvlink_rank11.bin"), not of a GPU
/// ("nvlink_local_rank3.bin").
bool isNamedByRank(const std::filesystem::path& path)
{
    const std::string stem = lowered(path.stem().string());
    const std::size_t word = stem.find("rank");
    if (word == std::string::npos || holdsAnyOf(stem, {"gpu", "dev", "local"}))
        return false;
    const std::size_t digits = stem.find_first_not_of("_- ", word + 4);
    return digits != std::string::npos && isDigit(stem[digits]);
}

/// The hosts that traces state, by rank.
std::map<std::int32_t, std::string> statedHostsOf(const TraceModel& model)
{
    std::map<std::int32_t, std::string> hosts;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.host)
            hosts.try_emplace(timeline.rank, shortHostName(model.text(timeline.host)));
    }
    return hosts;
}

/// What files say of the GPUs whose counters lie beside them. The name of a counter file that has a host
/// comes first; then all files of the folder are of the hosts in their names, not of that of a note.
class GpuStatements
{
public:
    explicit GpuStatements(const TraceModel& model)
    {
        for (const auto& [rank, host] : statedHostsOf(model))
            m_known.insert(host);
        if (model.hardware)
            takeRecord(model, *model.hardware);
        for (const NvlinkDevice& device : model.nvlink) {
            const std::filesystem::path path = counterPathOf(model, device.source);
            const std::string folder = path.parent_path().string();
            if (!hostsNamedIn(path.filename().string(), m_known, device.gpu).empty())
                m_namingFolders.insert(folder);
            if (device.gpu && !m_files.emplace(folder, *device.gpu).second)
                m_repeated.emplace(folder, *device.gpu);
        }
    }

    void addTo(const std::string& folder, HardwareDevice& gpu) const
    {
        const std::set<std::string> named = hostsNamedIn(gpu.file, m_known, gpu.index);
        const std::string host = hostOf(folder);
        std::set<std::string> all = hostsNamedIn(gpu.folder, m_known, std::nullopt);
        all.insert(named.begin(), named.end());
        if (named.size() == 1)
            gpu.host = *named.begin();
        else if (!m_namingFolders.contains(folder))
            gpu.host = host;
        // The name of a folder alone gives way to its note: the kit's folder "node1" may be of host node2.
        if (!named.empty() && all.size() > 1)
            gpu.host = DeviceRanks::contradictedHost;
        if (!gpu.index || gpu.host == DeviceRanks::contradictedHost)
            return;
        // Of two files with one number in a folder, a note does not say which one it means.
        const auto numbered = m_numbered.find({folder, *gpu.index});
        if (numbered != m_numbered.end() && !host.empty() && gpu.host == host
            && (named.size() == 1 || !m_repeated.contains({folder, *gpu.index})))
            gpu.uuid = numbered->second->uuid;
        for (const std::string& key : {gpu.uuid, keyOf(gpu.host, *gpu.index)}) {
            const auto address = m_addressOf.find(key);
            if (gpu.pci.empty() && address != m_addressOf.end())
                gpu.pci = address->second;
        }
    }

private:
    using HostsOf = std::map<std::string, std::set<std::string>>; // by folder

    void takeRecord(const TraceModel& model, const HardwareRecord& record)
    {
        const auto take = [&](HostsOf& hosts, SourceId source, const std::string& host) {
            if (host.empty())
                return;
            hosts[counterPathOf(model, source).parent_path().string()].insert(shortHostName(host));
            m_known.insert(shortHostName(host));
        };
        for (const NumberedGpu& gpu : record.numbered) {
            m_numbered[{counterPathOf(model, gpu.source).parent_path().string(), gpu.index}] = &gpu;
            take(m_noted, gpu.source, gpu.host);
        }
        for (const HardwareDevice& device : record.devices) {
            if (device.kind != HardwareDevice::Kind::Gpu)
                continue;
            take(m_recorded, device.source, device.host);
            if (device.pci.empty())
                continue;
            if (!device.uuid.empty())
                m_addressOf.try_emplace(device.uuid, device.pci);
            if (device.index && !device.host.empty())
                m_addressOf.try_emplace(keyOf(device.host, *device.index), device.pci);
        }
    }
    /// That its notes state, else its record if it states one; "?": they contradict each other.
    std::string hostOf(const std::string& folder) const
    {
        const auto noted = m_noted.find(folder), recorded = m_recorded.find(folder);
        if (noted == m_noted.end())
            return recorded == m_recorded.end() || recorded->second.size() > 1 ? std::string()
                                                                               : *recorded->second.begin();
        const bool isOne = noted->second.size() == 1
            && (recorded == m_recorded.end() || recorded->second.contains(*noted->second.begin()));
        return isOne ? *noted->second.begin() : std::string(DeviceRanks::contradictedHost);
    }
    static std::string keyOf(const std::string& host, std::int32_t index)
    {
        return shortHostName(host) + '\0' + std::to_string(index);
    }

    using Place = std::pair<std::string, std::int32_t>; // folder and number
    std::map<Place, const NumberedGpu*> m_numbered;
    HostsOf m_noted, m_recorded;
    std::set<std::string> m_known; ///< hosts that any file states
    std::set<std::string> m_namingFolders; ///< with hosts in the names of counter files
    std::set<Place> m_files, m_repeated; ///< of counter files
    std::map<std::string, std::string> m_addressOf; ///< by UUID, and by host and number
};

/// The files as devices of a record, so that DeviceRanks places them as it places others; then GPUs that were
/// sampled although their files are not open, or damaged.
HardwareRecord counterRecordOf(const TraceModel& model)
{
    HardwareRecord record;
    const GpuStatements statements(model);
    const auto addDevice = [&](SourceId source, std::optional<std::int32_t> index) -> HardwareDevice& {
        HardwareDevice& gpu = record.devices.emplace_back();
        const std::filesystem::path path = counterPathOf(model, source);
        gpu.source = source;
        gpu.file = path.filename().string();
        gpu.folder = path.parent_path().filename().string();
        gpu.index = index;
        return gpu;
    };
    std::set<std::pair<std::string, std::optional<std::int32_t>>> files;
    for (const NvlinkDevice& device : model.nvlink) {
        const std::string folder = counterPathOf(model, device.source).parent_path().string();
        statements.addTo(folder, addDevice(device.source, device.gpu));
        files.emplace(folder, device.gpu);
    }
    for (std::size_t i = 0; model.hardware && i < model.hardware->numbered.size(); ++i) {
        const NumberedGpu& numbered = model.hardware->numbered[i];
        const std::string folder = counterPathOf(model, numbered.source).parent_path().string();
        if (files.emplace(folder, numbered.index).second)
            statements.addTo(folder, addDevice(numbered.source, numbered.index));
    }
    return record;
}

/// What guesses by number need.
struct NumberedRun
{
    std::map<std::int32_t, std::int32_t> rankByGpu; ///< as the traces count
    std::set<std::int32_t> ranks, numbers;
    std::int32_t mostGpu = -1; ///< in the traces
    bool isOneNode = true; ///< nothing says that there is a second one
    bool areNumbersUnique = true;
    bool areAllLoaded = true;

    NumberedRun(const TraceModel& model, const HardwareRecord& record)
    {
        std::set<std::string> hosts;
        std::set<std::int32_t> bases; // of ranks that count through their nodes
        for (const Timeline& timeline : model.timelines) {
            if (!ranks.insert(timeline.rank).second)
                continue;
            isOneNode &= timeline.device >= 0 && rankByGpu.try_emplace(timeline.device, timeline.rank).second;
            bases.insert(timeline.rank - timeline.device);
            mostGpu = std::max(mostGpu, timeline.device);
            if (timeline.host)
                hosts.insert(shortHostName(model.text(timeline.host)));
        }
        for (std::size_t i = 0; i < record.devices.size(); ++i) {
            const HardwareDevice& device = record.devices[i];
            if (!device.host.empty())
                hosts.insert(shortHostName(device.host));
            if (device.index && i < model.nvlink.size())
                areNumbersUnique &= numbers.insert(*device.index).second;
        }
        for (std::size_t i = 0; model.hardware && i < model.hardware->numbered.size(); ++i) {
            if (!model.hardware->numbered[i].host.empty())
                hosts.insert(shortHostName(model.hardware->numbered[i].host));
        }
        areAllLoaded = !model.worldSize || *model.worldSize <= static_cast<std::int32_t>(ranks.size());
        const bool isStated = model.card && model.card->countPerNode && model.worldSize;
        const bool isStatedWhole = isStated && *model.card->countPerNode >= *model.worldSize;
        const bool isStatedLarger = isStated && !isStatedWhole;
        // Ranks that are not open may be on a second node, and the counters those of it.
        isOneNode &= hosts.size() <= 1 && bases.size() <= 1 && (areAllLoaded || isStatedWhole)
            && !(isStatedLarger && areAllLoaded);
    }
};

GpuRank guessOf(const NumberedRun& run, std::size_t files, const HardwareDevice& gpu)
{
    if (!run.areNumbersUnique)
        return {};
    if (gpu.index && run.areAllLoaded && run.numbers == run.ranks && *run.numbers.rbegin() > run.mostGpu)
        return {*gpu.index, RankEvidence::JobNumber,
                "guessed: the numbers of the files are those of the ranks, and no trace states such a GPU"};
    const auto rank = gpu.index ? run.rankByGpu.find(*gpu.index) : run.rankByGpu.end();
    if (run.isOneNode && rank != run.rankByGpu.end())
        return {rank->second, RankEvidence::OnlyNode,
                "guessed by GPU number " + std::to_string(*gpu.index)
                    + ": nothing says that there is a second node"};
    const bool isOnly = run.ranks.size() == 1 && files == 1;
    if (isOnly && (!gpu.index || run.ranks.contains(*gpu.index)))
        return {*run.ranks.begin(), RankEvidence::OnlyRank,
                "guessed: one rank and one counter file are open"};
    return {};
}

/// Whether two files are surely of one GPU: number and host alone do not tell, as a file may lie in the wrong
/// folder, or in the one of another job.
bool areOfOneGpu(const HardwareDevice& a, const HardwareDevice& b, bool areNamedByRank)
{
    if (!a.uuid.empty() && !b.uuid.empty())
        return a.uuid == b.uuid;
    return areNamedByRank && a.folder != b.folder && !a.host.empty() && a.host == b.host;
}

/// A rank has one GPU: if files of different GPUs would be of the same rank, none of them is.
void dropContradictions(const HardwareRecord& record, std::vector<GpuRank>& places)
{
    std::map<std::int32_t, std::vector<std::size_t>> byRank;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].rank)
            byRank[*places[i].rank].push_back(i);
    }
    for (const auto& [rank, files] : byRank) {
        const std::size_t first = files.front();
        const bool areSame = std::all_of(std::next(files.begin()), files.end(), [&](std::size_t i) {
            const bool areNamedByRank = places[first].evidence == RankEvidence::FileName
                && places[i].evidence == RankEvidence::FileName;
            return areOfOneGpu(record.devices[first], record.devices[i], areNamedByRank);
        });
        for (const std::size_t i : files) {
            if (!areSame)
                places[i] = {{},
                             RankEvidence::None,
                             "several files would be of rank " + std::to_string(rank)
                                 + ", and nothing says that they are of one GPU"};
        }
    }
}

/// By the rank in the name of a file, unless its trace is of another host than the file.
GpuRank namedRankOf(std::int32_t rank, const std::string& host,
                    const std::map<std::int32_t, std::string>& stated)
{
    const auto own = stated.find(rank);
    if (own != stated.end() && !host.empty() && host != own->second)
        return {{},
                RankEvidence::None,
                "its name states rank " + std::to_string(rank) + ", whose trace is of host "
                    + printableLine(shortened(own->second)) + ", but the file is of "
                    + printableLine(shortened(host))};
    return {rank, RankEvidence::FileName, "by the rank in the name of the file"};
}

} // namespace

NvlinkRanks::NvlinkRanks(const TraceModel& model)
{
    if (model.nvlink.empty())
        return;
    const HardwareRecord record = counterRecordOf(model);
    const DeviceRanks ranks(model, record);
    const NumberedRun run(model, record);
    const std::map<std::int32_t, std::string> stated = statedHostsOf(model);
    for (std::size_t i = 0; i < model.nvlink.size(); ++i) {
        const HardwareDevice& gpu = record.devices[i];
        const std::string host = gpu.host.empty() ? ranks.hostOf(gpu) : gpu.host;
        m_hosts.push_back(host == DeviceRanks::contradictedHost ? std::string() : host);
        const bool isInJob = !model.worldSize || model.isWorldSizeLeast || gpu.index < *model.worldSize;
        if (gpu.index && isInJob && isNamedByRank(counterPathOf(model, gpu.source))) {
            m_places.push_back(namedRankOf(*gpu.index, m_hosts.back(), stated));
            continue;
        }
        GpuRank place = ranks.placeOf(gpu);
        if (!place.rank) {
            if (GpuRank guess = guessOf(run, model.nvlink.size(), gpu); guess.rank)
                place = std::move(guess);
        }
        if (m_hosts.back().empty() && place.evidence == RankEvidence::NodeNumber)
            m_hosts.back() = counterPathOf(model, gpu.source).parent_path().string();
        m_places.push_back(std::move(place));
    }
    dropContradictions(record, m_places);
    nameNodes(record);
}

void NvlinkRanks::nameNodes(const HardwareRecord& record)
{
    std::set<std::string> different;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        const std::string& name = m_hosts[i].empty() ? record.devices[i].folder : m_hosts[i];
        m_nodes.push_back(printableLine(shortened(std::filesystem::path(name).filename().string())));
        different.insert(m_nodes.back());
    }
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
        if (different.size() == 1)
            m_nodes[i].clear();
        const auto& index = record.devices[i].index;
        m_names.push_back(index ? "GPU " + std::to_string(*index) : std::string("GPU not named by its file"));
        if (!m_nodes[i].empty())
            m_names.back() += " of " + m_nodes[i];
    }
}

std::string NvlinkRanks::textOf(std::size_t device) const
{
    const auto& rank = m_places[device].rank;
    if (!rank || m_names[device] == "GPU " + std::to_string(*rank))
        return m_names[device];
    return m_names[device] + " (rank " + std::to_string(*rank) + ")";
}

std::vector<std::size_t> NvlinkRanks::devicesOf(std::int32_t rank) const
{
    std::vector<std::size_t> devices;
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        if (m_places[i].rank == rank)
            devices.push_back(i);
    }
    return devices;
}

std::vector<std::size_t> NvlinkRanks::byRank() const
{
    std::vector<std::size_t> order(m_places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        constexpr std::int32_t last = std::numeric_limits<std::int32_t>::max();
        return m_places[a].rank.value_or(last) < m_places[b].rank.value_or(last);
    });
    return order;
}

bool NvlinkRanks::areAllKnown() const
{
    return std::all_of(m_places.begin(), m_places.end(),
                       [](const GpuRank& place) { return place.rank.has_value(); });
}

} // namespace collscope
