// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/nvlink_ranks.h"

#include "metrics/core/duration_text.h"
#include "model/text/lower_case.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace {

std::filesystem::path counterPathOf(const TraceModel& model, SourceId source)
{
    return source.value < model.sources.size() ? std::filesystem::path(model.sources[source.value].path)
                                               : std::filesystem::path();
}

/// Whether the number in the name of a file is that of a rank ("nvlink_rank11.bin"), not of a GPU.
bool isNamedByRank(const std::filesystem::path& path)
{
    const std::string stem = lowered(path.stem().string());
    const std::size_t word = stem.find("rank");
    if (word == std::string::npos || holdsAnyOf(stem, {"gpu", "dev"}))
        return false;
    const std::size_t digits = stem.find_first_not_of("_- ", word + 4);
    return digits != std::string::npos && isDigit(stem[digits]);
}

/// What files beside the counter files say of their GPUs.
class GpuStatements
{
public:
    explicit GpuStatements(const TraceModel& model)
    {
        if (!model.hardware)
            return;
        for (const NumberedGpu& gpu : model.hardware->numbered) {
            const std::string folder = counterPathOf(model, gpu.source).parent_path().string();
            m_numbered[{folder, gpu.index}] = &gpu;
            takeHost(folder, gpu.host);
        }
        for (const HardwareDevice& device : model.hardware->devices) {
            if (device.kind != HardwareDevice::Kind::Gpu)
                continue;
            takeHost(counterPathOf(model, device.source).parent_path().string(), device.host);
            if (device.pci.empty())
                continue;
            if (!device.uuid.empty())
                m_addressOf.try_emplace(device.uuid, device.pci);
            if (device.index && !device.host.empty())
                m_addressOf.try_emplace(keyOf(device.host, *device.index), device.pci);
        }
    }

    void addTo(const std::string& folder, HardwareDevice& gpu) const
    {
        if (const auto host = m_hosts.find(folder); host != m_hosts.end())
            gpu.host = host->second;
        if (!gpu.index)
            return;
        if (const auto numbered = m_numbered.find({folder, *gpu.index}); numbered != m_numbered.end()) {
            gpu.host = numbered->second->host;
            gpu.uuid = numbered->second->uuid;
        }
        for (const std::string& key : {gpu.uuid, keyOf(gpu.host, *gpu.index)}) {
            const auto address = m_addressOf.find(key);
            if (gpu.pci.empty() && address != m_addressOf.end())
                gpu.pci = address->second;
        }
    }

private:
    static std::string keyOf(const std::string& host, std::int32_t index)
    {
        return shortHostName(host) + '\0' + std::to_string(index);
    }
    void takeHost(const std::string& folder, const std::string& host)
    {
        if (host.empty())
            return;
        const auto [known, isNew] = m_hosts.try_emplace(folder, shortHostName(host));
        if (known->second != shortHostName(host))
            known->second.clear();
    }

    std::map<std::pair<std::string, std::int32_t>, const NumberedGpu*> m_numbered;
    std::map<std::string, std::string> m_hosts; ///< by folder; empty: several
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
        areAllLoaded = !model.worldSize || *model.worldSize <= static_cast<std::int32_t>(ranks.size());
        const bool isStatedLarger = model.card && model.card->countPerNode && model.worldSize
            && *model.card->countPerNode < *model.worldSize && areAllLoaded;
        isOneNode &= hosts.size() <= 1 && (areAllLoaded || bases.size() <= 1) && !isStatedLarger;
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

/// A rank has one GPU: if files of different GPUs would be of the same rank, none of them is.
void dropContradictions(const HardwareRecord& record, std::vector<GpuRank>& places)
{
    std::map<std::int32_t, std::vector<std::size_t>> byRank;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i].rank)
            byRank[*places[i].rank].push_back(i);
    }
    for (const auto& [rank, files] : byRank) {
        const HardwareDevice& first = record.devices[files.front()];
        const bool areSame = std::all_of(files.begin(), files.end(), [&](std::size_t i) {
            const HardwareDevice& other = record.devices[i];
            const bool isOtherUuid = !first.uuid.empty() && !other.uuid.empty() && first.uuid != other.uuid;
            return !isOtherUuid && first.index == other.index
                && shortHostName(first.host) == shortHostName(other.host);
        });
        for (const std::size_t i : files) {
            if (!areSame)
                places[i] = {{},
                             RankEvidence::None,
                             "files of different GPUs would be of rank " + std::to_string(rank)};
        }
    }
}

/// By file: the host or folder that tells its node from others; all empty if there is one.
std::vector<std::string> counterNodesOf(const DeviceRanks& ranks, const HardwareRecord& record,
                                        std::size_t files)
{
    std::vector<std::string> nodes;
    std::set<std::string> different;
    for (std::size_t i = 0; i < files; ++i) {
        const HardwareDevice& gpu = record.devices[i];
        const std::string host = gpu.host.empty() ? ranks.hostOf(gpu) : shortHostName(gpu.host);
        const std::string name = host.empty() || host == "?" ? gpu.folder : host;
        nodes.push_back(printableLine(shortened(std::filesystem::path(name).filename().string())));
        different.insert(nodes.back());
    }
    return different.size() > 1 ? nodes : std::vector<std::string>(nodes.size());
}

} // namespace

NvlinkRanks::NvlinkRanks(const TraceModel& model)
{
    if (model.nvlink.empty())
        return;
    const HardwareRecord record = counterRecordOf(model);
    const DeviceRanks ranks(model, record);
    const NumberedRun run(model, record);
    for (std::size_t i = 0; i < model.nvlink.size(); ++i) {
        const HardwareDevice& gpu = record.devices[i];
        const bool isInJob = !model.worldSize || model.isWorldSizeLeast || gpu.index < *model.worldSize;
        if (gpu.index && isInJob && isNamedByRank(counterPathOf(model, gpu.source))) {
            m_places.push_back({gpu.index, RankEvidence::FileName, "by the rank in the name of the file"});
            continue;
        }
        GpuRank place = ranks.placeOf(gpu);
        if (!place.rank) {
            if (GpuRank guess = guessOf(run, model.nvlink.size(), gpu); guess.rank)
                place = std::move(guess);
        }
        m_places.push_back(std::move(place));
    }
    dropContradictions(record, m_places);
    m_nodes = counterNodesOf(ranks, record, model.nvlink.size());
    for (std::size_t i = 0; i < m_nodes.size(); ++i) {
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

bool NvlinkRanks::areAllKnown() const
{
    return std::all_of(m_places.begin(), m_places.end(),
                       [](const GpuRank& place) { return place.rank.has_value(); });
}

} // namespace collscope
