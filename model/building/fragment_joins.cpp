// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Joins the GPU work of a collective to the CPU-side metadata of the call.

#include "model/building/fragment.h"
#include "model/kernels/kernel_class.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

namespace {

/// Copies between GPUs or within one: "Memcpy PtoP (Device -> Device)", "Memcpy DtoD (Device -> Device)".
/// Copies of kernel arguments start on the host.
bool isBetweenGpus(std::string_view name)
{
    return name.find("PtoP") != std::string_view::npos || name.find("DtoD") != std::string_view::npos;
}

/// Calls f(track, row) for the slices of a category on the GPUs' streams.
template<typename F>
void forEachOfGpu(std::vector<Track>& tracks, SliceCategory category, const F& f)
{
    for (Track& track : tracks) {
        for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < track.slices.size(); ++row) {
            if (track.slices.category[row] == category)
                f(track, row);
        }
    }
}

} // namespace

std::unordered_map<std::uint32_t, std::uint32_t> FragmentBuilder::callsByExternalId() const
{
    std::unordered_map<std::uint32_t, std::uint32_t> calls;
    for (const Track& track : m_tracks) {
        const SliceColumns& slices = track.slices;
        for (std::size_t row = 0; track.kind == TrackKind::CpuThread && row < slices.size(); ++row) {
            if (slices.collective[row] != SliceColumns::noRow && slices.externalId[row] != 0)
                calls.try_emplace(slices.externalId[row], slices.collective[row]);
        }
    }
    return calls;
}

std::vector<std::vector<std::uint32_t>> FragmentBuilder::callRows() const
{
    std::vector<std::vector<std::uint32_t>> rows(m_tracks.size());
    for (std::size_t t = 0; t < m_tracks.size(); ++t) {
        const auto& collectives = m_tracks[t].slices.collective;
        for (std::uint32_t row = 0; m_tracks[t].kind == TrackKind::CpuThread && row < collectives.size();
             ++row) {
            if (collectives[row] != SliceColumns::noRow)
                rows[t].push_back(row);
        }
    }
    return rows;
}

std::uint32_t FragmentBuilder::callEnclosing(SliceRef launch,
                                             const std::vector<std::uint32_t>& callRows) const
{
    // Slices of a thread nest, so calls that start before the launch and end after it enclose it.
    constexpr int nestedCalls = 8;
    const SliceColumns& slices = m_tracks[launch.track.value].slices;
    auto call = std::lower_bound(callRows.begin(), callRows.end(), launch.row);
    for (int i = 0; i < nestedCalls && call != callRows.begin(); ++i) {
        --call;
        if (slices.endNs(*call) >= slices.endNs(launch.row))
            return slices.collective[*call];
    }
    return SliceColumns::noRow;
}

std::uint32_t FragmentBuilder::metadataOf(const Timeline& timeline, const CallsOfCpu& calls,
                                          const SliceColumns& slices, std::size_t row) const
{
    if (const auto found = calls.byExternalId.find(slices.externalId[row]); found != calls.byExternalId.end())
        return found->second;
    const std::uint32_t correlation = slices.correlation[row];
    const SliceRef launch = correlation != 0 ? timeline.launchOf(correlation) : SliceRef();
    return launch ? callEnclosing(launch, calls.rows[launch.track.value]) : SliceColumns::noRow;
}

void FragmentBuilder::joinCollectives(const Timeline& timeline)
{
    // Newer profilers put the metadata on the kernel. Older profilers put it only on the CPU event with the
    // same External id, or on the record_param_comms call that encloses the launch.
    const CallsOfCpu calls{callsByExternalId(), callRows()};
    for (Track& track : m_tracks) {
        SliceColumns& slices = track.slices;
        for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < slices.size(); ++row) {
            if (!isCommunication(slices.kernelClass[row]) || slices.collective[row] != SliceColumns::noRow)
                continue;
            const std::uint32_t from = metadataOf(timeline, calls, slices, row);
            CollectiveCall call = from != SliceColumns::noRow ? m_collectives[from] : CollectiveCall();
            const KernelClass named = classifyCollective(m_strings->view(call.name));
            call.kind = named == KernelClass::None ? slices.kernelClass[row] : named;
            call.onGpu = true;
            slices.kernelClass.set(row, call.kind);
            slices.collective.set(row, addCollective(call));
        }
    }
    joinCopiedCollectives(timeline, calls);
}

bool FragmentBuilder::mostlyCommunicates(const SliceColumns& slices)
{
    std::size_t kernels = 0;
    std::size_t communicating = 0;
    for (std::size_t row = 0; row < slices.size(); ++row) {
        kernels += isKernel(slices.kernelClass[row]) ? 1u : 0u;
        communicating += isCommunication(slices.kernelClass[row]) ? 1u : 0u;
    }
    return communicating * 2 > kernels;
}

void FragmentBuilder::joinCopiedCollectives(const Timeline& timeline, const CallsOfCpu& calls)
{
    // NCCL 2.28 and later can move data with the copy engines. Such a call has copies but no kernel.
    struct Copy
    {
        Track* track = nullptr;
        std::size_t row = 0;
    };
    std::vector<Copy> copies;
    forEachOfGpu(m_tracks, SliceCategory::Memcpy, [&](Track& track, std::size_t row) {
        const SliceColumns& slices = track.slices;
        // A copy with a separate id belongs to an operator inside the call, which moves results to their
        // final place.
        const bool isOfCall = slices.collective[row] != SliceColumns::noRow || slices.externalId[row] == 0
            || calls.byExternalId.contains(slices.externalId[row]);
        if (isOfCall && isBetweenGpus(m_strings->view(slices.name[row])))
            copies.push_back({&track, row});
    });
    if (copies.empty())
        return;
    using Key = std::pair<std::uint32_t, std::uint32_t>; // the CPU call, else the External id
    const auto keyOf = [&](const SliceColumns& slices, std::size_t row) {
        const std::uint32_t call = metadataOf(timeline, calls, slices, row);
        return Key{call, call == SliceColumns::noRow ? slices.externalId[row] : 0};
    };
    std::set<Key> others{{SliceColumns::noRow, 0}}; // the call is unknown, or it has a kernel
    forEachOfGpu(m_tracks, SliceCategory::Kernel, [&](const Track& track, std::size_t row) {
        if (isCommunication(track.slices.kernelClass[row]))
            others.insert(keyOf(track.slices, row));
    });
    std::map<Key, std::uint32_t> made; // row of m_collectives
    for (const Copy& copy : copies) {
        SliceColumns& slices = copy.track->slices;
        const Key key = keyOf(slices, copy.row);
        const std::uint32_t own = slices.collective[copy.row];
        const std::uint32_t from = own != SliceColumns::noRow ? own : key.first;
        if (from == SliceColumns::noRow || others.contains(key))
            continue;
        CollectiveCall call = m_collectives[from];
        call.kind = classifyCollective(m_strings->view(call.name));
        // A group of one rank copies within its GPU. For an unknown group, this cannot be determined.
        constexpr std::int32_t fewestRanks = 2;
        if (call.kind == KernelClass::None || call.groupSize.value_or(0) < fewestRanks)
            continue;
        call.onGpu = true;
        if (own != SliceColumns::noRow)
            m_collectives[own].onGpu = false; // the copies of a call share one entry
        const auto [place, isNew] = made.try_emplace(key, SliceColumns::noRow);
        if (isNew)
            place->second = addCollective(call);
        slices.kernelClass.set(copy.row, call.kind);
        slices.collective.set(copy.row, place->second);
    }
    std::set<Track*> changed;
    for (const Copy& copy : copies)
        changed.insert(copy.track);
    for (Track* const track : changed)
        track->communication = mostlyCommunicates(track->slices);
}

} // namespace collscope
