// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/logged_ranks.h"

#include "metrics/hardware/device_ranks.h"
#include "model/witnesses/network_record.h"

#include <charconv>
#include <cstdio>

namespace collscope {

namespace {

/// NCCL prints the address as one hexadecimal number: domain, bus (8 bits), device (8), function (4). Source:
/// busIdToInt64 in src/misc/utils.cc of NVIDIA/nccl.
std::string addressOf(std::string_view busId)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(busId.data(), busId.data() + busId.size(), number, 16);
    if (busId.empty() || error != std::errc() || end != busId.data() + busId.size() || number >> 36 != 0)
        return {};
    char text[32];
    std::snprintf(text, sizeof text, "%04x:%02x:%02x.%x", static_cast<unsigned>(number >> 20),
                  static_cast<unsigned>(number >> 12 & 0xFF), static_cast<unsigned>(number >> 4 & 0xFF),
                  static_cast<unsigned>(number & 0xF));
    return text;
}

/// How many traces state the host that a communicator has for their rank; nullopt if one states another.
std::optional<std::size_t> agreeingTraces(const TraceModel& model, const NcclCommunicator& communicator)
{
    std::size_t agreeing = 0;
    for (const Timeline& timeline : model.timelines) {
        const auto member = communicator.members.find(timeline.rank);
        if (!timeline.host || member == communicator.members.end())
            continue;
        if (shortHostName(model.text(timeline.host)) != shortHostName(member->second.process.host))
            return std::nullopt;
        ++agreeing;
    }
    return agreeing;
}

} // namespace

LoggedRanks::LoggedRanks(const TraceModel& model)
{
    if (!model.network || !model.worldSize || model.isWorldSizeLeast)
        return;
    for (const NcclCommunicator& communicator : model.network->communicators) {
        if (communicator.size != *model.worldSize || communicator.isGuessed || communicator.isAmbiguous)
            continue;
        const auto agreeing = agreeingTraces(model, communicator);
        if (!agreeing)
            continue;
        m_isConfirmed &= *agreeing > 0;
        for (const auto& [rank, member] : communicator.members) {
            const std::string host = shortHostName(member.process.host);
            const auto [known, isNew] = m_hosts.try_emplace(rank, host);
            if (known->second != host)
                known->second.clear();
            if (member.device)
                add(rank, host, std::to_string(*member.device));
            if (const std::string address = addressOf(member.busId); !address.empty())
                add(rank, host, address);
        }
    }
}

void LoggedRanks::add(std::int32_t rank, const std::string& host, const std::string& gpu)
{
    const auto [known, isNew] = m_ranks.try_emplace({host, gpu}, rank);
    if (known->second != rank)
        known->second = -1;
}

std::optional<std::int32_t> LoggedRanks::rankOf(const std::string& host, std::optional<std::int32_t> gpu,
                                                const std::string& pci) const
{
    const auto find = [&](const std::string& name) -> std::optional<std::int32_t> {
        const auto found = m_ranks.find({host, name});
        return found == m_ranks.end() || found->second < 0 ? std::nullopt : std::optional(found->second);
    };
    if (!pci.empty()) {
        if (const auto rank = find(pci))
            return rank;
    }
    return gpu ? find(std::to_string(*gpu)) : std::nullopt;
}

std::string LoggedRanks::hostOf(std::int32_t rank) const
{
    const auto found = m_hosts.find(rank);
    return found == m_hosts.end() ? std::string() : found->second;
}

} // namespace collscope
