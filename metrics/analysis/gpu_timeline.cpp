// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/gpu_timeline.h"

#include "metrics/core/launch_links.h"
#include "model/text/lower_case.h"

namespace collscope {

namespace {

bool has(const std::string& text, std::string_view needle)
{
    return text.find(needle) != std::string::npos;
}

/// Whether `text` starts with `word`; if so, removes the word.
bool take(std::string_view& text, std::string_view word)
{
    if (!text.starts_with(word))
        return false;
    text.remove_prefix(word.size());
    return true;
}

/// Copies that older ROCm traces record as kernels. The whole name must match.
bool isCopyKernel(std::string_view lower)
{
    if (take(lower, "memory_copy_"))
        return lower == "host_to_device" || lower == "device_to_host" || lower == "device_to_device";
    if (!take(lower, "__amd_rocclr_copybuffer"))
        return false;
    take(lower, "rect");
    take(lower, "aligned");
    take(lower, ".kd");
    return lower.empty();
}

} // namespace

GpuTimeline& GpuTimeline::operator+=(const GpuTimeline& other)
{
    for (const GpuTimelineRow& row : gpuTimelineRows())
        this->*row.ns += other.*row.ns;
    events += other.events;
    unlinked += other.unlinked;
    return *this;
}

std::span<const GpuTimelineRow> gpuTimelineRows()
{
    static constexpr GpuTimelineRow rows[] = {{"computation_time", &GpuTimeline::computationNs},
                                              {"exposed_comm_time", &GpuTimeline::exposedCommunicationNs},
                                              {"exposed_memcpy_time", &GpuTimeline::exposedCopyNs},
                                              {"busy_time", &GpuTimeline::busyNs},
                                              {"idle_time", &GpuTimeline::idleNs},
                                              {"total_time", &GpuTimeline::totalNs},
                                              {"total_comm_time", &GpuTimeline::communicationNs},
                                              {"total_memcpy_time", &GpuTimeline::copyNs}};
    return rows;
}

GpuTimelineMeter::GpuTimelineMeter(const TraceModel& model)
    : m_model(model)
    , m_flags(model.strings.size(), 0)
{ }

std::uint8_t GpuTimelineMeter::flagsOf(StringId name)
{
    std::uint8_t& flags = m_flags[name.value];
    if (flags == 0) {
        const std::string lower = lowered(m_model.text(name));
        unsigned found = Known;
        if (has(lower, "nccl") || has(lower, "rccl") || has(lower, "cross_device_reduce"))
            found |= NamesCommunication;
        if (isCopyKernel(lower))
            found |= NamesCopyKernel;
        flags = static_cast<std::uint8_t>(found);
    }
    return flags;
}

unsigned GpuTimelineMeter::kindOf(const SliceColumns& slices, std::size_t row)
{
    switch (slices.category[row]) {
    case SliceCategory::Memcpy:
        return isCommunication(slices.kernelClass[row]) ? ActiveCommunication : ActiveCopy;
    case SliceCategory::Kernel: {
        const std::uint8_t flags = flagsOf(slices.name[row]);
        return (flags & NamesCopyKernel) != 0          ? ActiveCopy
            : isCommunication(slices.kernelClass[row]) ? ActiveCommunication
                                                       : ActiveCompute;
    }
    case SliceCategory::Memset:
        return (flagsOf(slices.name[row]) & NamesCommunication) != 0 ? ActiveCommunication : ActiveCompute;
    default:
        return 0;
    }
}

GpuTimeline GpuTimelineMeter::measure(const Timeline& timeline, bool linkedOnly,
                                      const std::function<bool()>& cancelled,
                                      std::optional<std::int32_t> device)
{
    std::optional<LaunchLinks> links;
    if (linkedOnly)
        links.emplace(m_model, timeline);
    const auto isElsewhere = [&](const Track& track) { return device && track.device != *device; };
    const auto counted = [&](const Track& track, std::size_t row) {
        if (isElsewhere(track))
            return 0u;
        const unsigned kind = kindOf(track.slices, row);
        return kind == 0 || (links && !links->launchOf(track.slices.correlation[row])) ? 0u : kind;
    };
    GpuTimeline times;
    std::optional<TimeRange> window;
    for (const TrackId id : timeline.tracks) {
        const Track& track = m_model.track(id);
        if (track.kind != TrackKind::GpuStream || isElsewhere(track))
            continue;
        for (std::size_t row = 0; row < track.slices.size(); ++row) {
            if ((row & 0xFFFFu) == 0 && cancelled())
                return times;
            if (!isGpuWork(track.slices.category[row]))
                continue;
            if (counted(track, row) == 0) {
                ++times.unlinked;
                continue;
            }
            ++times.events;
            const TimeRange range = track.slices.range(row);
            window = window ? window->united(range) : range;
        }
    }
    if (!window)
        return times;
    const ActiveTimes active = sweep(m_model, timeline, *window, counted, cancelled);
    times.computationNs = active.anyOf(ActiveCompute);
    times.exposedCommunicationNs = active.anyOf(ActiveCommunication, ActiveCompute);
    times.exposedCopyNs = active.anyOf(ActiveCopy, ActiveKernel);
    times.busyNs = active.anyOf(ActiveAnything);
    times.idleNs = active.idle();
    times.totalNs = window->lengthNs();
    times.communicationNs = active.anyOf(ActiveCommunication);
    times.copyNs = active.anyOf(ActiveCopy);
    return times;
}

} // namespace collscope
