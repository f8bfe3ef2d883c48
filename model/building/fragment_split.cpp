// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Splits a file that contains several ranks: the events of each rank get a separate builder.

#include "model/building/fragment.h"

#include <unordered_set>

namespace collscope {

std::vector<FragmentBuilder::Process> FragmentBuilder::processes() const
{
    std::vector<Process> found;
    std::unordered_set<std::uint32_t> known;
    for (const Track& track : m_tracks) {
        if (!known.insert(track.pid.value).second)
            continue;
        const std::string pid(m_strings->view(track.pid));
        const auto name = m_processNames.find(pid);
        found.push_back({pid, name == m_processNames.end() ? std::string() : name->second});
    }
    return found;
}

std::vector<FragmentBuilder> FragmentBuilder::split(std::size_t parts, const PartOf& partOf)
{
    std::vector<FragmentBuilder> split(parts, FragmentBuilder(*m_strings));
    for (Track& from : m_tracks) {
        const std::string pid(m_strings->view(from.pid));
        FragmentBuilder& part = split[partOf(pid)];
        const std::uint32_t index = part.track(from.kind, pid, m_strings->view(from.tid));
        part.m_tracks[index].device = from.device;
        part.m_tracks[index].stream = from.stream;
        part.m_tracks[index].name = from.name;
        for (std::size_t i = 0; i < from.slices.size(); ++i) {
            SliceRow row = from.slices.at(i);
            if (row.detail != Id<void>::noneValue)
                row.detail = part.addDetail(m_details[row.detail]);
            if (row.collective != Id<void>::noneValue)
                row.collective = part.addCollective(m_collectives[row.collective]);
            part.addSlice(index, row);
        }
        part.m_tracks[index].instants = std::move(from.instants);
        from.slices = {};
    }
    for (std::size_t i = 0; i < m_flows.size(); ++i) {
        const FlowEndpoint& place = m_flowPlaces[m_flows.place[i]];
        FragmentBuilder& part = split[partOf(std::string(m_strings->view(place.pid)))];
        part.addFlow(part.flowPlaceOf(place), m_flows.timeNs[i], m_flows.id[i]);
    }
    if (parts > 1) // values of several ranks' GPUs (or hosts) would be mixed
        std::erase_if(m_counters, [&](const CounterSeries& own) {
            const std::string_view name = m_strings->view(own.name);
            return name == allocatedCounter || name == reservedCounter || name == hostAllocatedCounter;
        });
    split.front().m_counters = std::move(m_counters); // their rank is unknown
    for (FragmentBuilder& part : split) {
        part.m_processNames = m_processNames;
        part.m_threadNames = m_threadNames;
    }
    return split;
}

TraceFragment TraceFragment::clone() const
{
    TraceFragment copy;
    copy.source = source;
    copy.strings = strings.clone();
    copy.problems = problems;
    copy.tracks = tracks;
    copy.timelines = timelines;
    copy.nvlink = nvlink;
    copy.memory = memory;
    copy.executionTraces = executionTraces;
    copy.hasWallClock = hasWallClock;
    copy.clockOffsetNs = clockOffsetNs;
    copy.nameRank = nameRank;
    copy.contentRank = contentRank;
    copy.isMerged = isMerged;
    copy.isOfDevices = isOfDevices;
    return copy;
}

} // namespace collscope
