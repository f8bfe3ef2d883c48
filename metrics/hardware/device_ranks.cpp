// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/device_ranks.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

std::string shortHost(std::string_view host)
{
    return lowered(host.substr(0, host.find('.')));
}

/// Whether a name of a file contains a host as a whole word: "smi_node07.csv".
bool isNamedIn(std::string_view name, const std::string& host)
{
    const std::string lower = lowered(name);
    const auto isWord = [](char c) { return isDigit(c) || (c >= 'a' && c <= 'z'); };
    for (std::size_t at = lower.find(host); !host.empty() && at != std::string::npos;
         at = lower.find(host, at + 1)) {
        const std::size_t end = at + host.size();
        if ((at == 0 || !isWord(lower[at - 1])) && (end == lower.size() || !isWord(lower[end])))
            return true;
    }
    return false;
}

} // namespace

DeviceRanks::DeviceRanks(const TraceModel& model, const HardwareRecord& record)
    : m_worldSize(model.isWorldSizeLeast ? std::nullopt : model.worldSize)
{
    std::set<std::string> recorded;
    for (const HardwareDevice& device : record.devices)
        recorded.insert(shortHost(device.host));
    for (const XidEvent& xid : record.xids)
        recorded.insert(shortHost(xid.host));
    recorded.erase("");
    m_isOneRecorded = recorded.size() <= 1;
    std::set<std::int32_t> seen;
    for (const Timeline& timeline : model.timelines) {
        if (!seen.insert(timeline.rank).second)
            continue;
        const std::string name = timeline.host ? shortHost(model.text(timeline.host)) : std::string();
        Host& host = m_hosts[name];
        host.ranks.push_back(timeline.rank);
        if (timeline.device < 0 || !host.rankByGpu.try_emplace(timeline.device, timeline.rank).second)
            host.isAmbiguous = true;
    }
    m_areAllLoaded = !m_worldSize || *m_worldSize <= static_cast<std::int32_t>(seen.size());
    for (auto& [name, host] : m_hosts) {
        std::sort(host.ranks.begin(), host.ranks.end());
        host.isNumberedAlike = !host.isAmbiguous && areSampledGpus(record, name, host);
    }
}

bool DeviceRanks::areSampledGpus(const HardwareRecord& record, const std::string& name,
                                 const Host& host) const
{
    std::set<std::int32_t> sampled, used;
    std::set<std::string> products;
    std::map<std::int32_t, const HardwareDevice*> places;
    for (const HardwareDevice& device : record.devices) {
        if (device.kind != HardwareDevice::Kind::Gpu || hostOf(device) != name)
            continue;
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

std::string DeviceRanks::placeOf(const std::string& stated, const std::string& file,
                                 const std::string& folder) const
{
    const bool isOnlyHost = m_hosts.size() == 1 && m_areAllLoaded;
    // Where no trace states a host, all ranks are on one if each has a GPU of its own.
    if (m_hosts.size() == 1 && m_hosts.begin()->first.empty()) {
        if (isOnlyHost && m_isOneRecorded && !m_hosts.begin()->second.isAmbiguous)
            return {};
        return stated.empty() ? "?" : shortHost(stated);
    }
    if (!stated.empty())
        return shortHost(stated);
    for (const std::string& name : {file, folder}) {
        for (const auto& [host, ranks] : m_hosts) {
            if (isNamedIn(name, host))
                return host;
        }
    }
    return isOnlyHost ? m_hosts.begin()->first : "?";
}

std::string DeviceRanks::hostOf(const HardwareDevice& device) const
{
    return placeOf(device.host, device.file, device.folder);
}

std::string DeviceRanks::hostOf(const XidEvent& xid) const
{
    return placeOf(xid.host, xid.file, xid.folder);
}

std::optional<std::int32_t> DeviceRanks::rankOf(const HardwareDevice& device) const
{
    const auto host = m_hosts.find(hostOf(device));
    if (device.kind != HardwareDevice::Kind::Gpu || host == m_hosts.end() || !host->second.isNumberedAlike
        || !device.index)
        return std::nullopt;
    const auto rank = host->second.rankByGpu.find(*device.index);
    return rank == host->second.rankByGpu.end() ? std::nullopt : std::optional(rank->second);
}

std::vector<std::int32_t> DeviceRanks::ranksOn(const std::string& host) const
{
    const auto found = m_hosts.find(host);
    return found == m_hosts.end() ? std::vector<std::int32_t>() : found->second.ranks;
}

} // namespace collscope
