// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/peak_kernels.h"

#include "model/queries/slice_query.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace collscope {

namespace {

bool hasKernels(const TraceModel& model, const Timeline& timeline)
{
    return std::any_of(timeline.tracks.begin(), timeline.tracks.end(), [&](TrackId id) {
        const Track& track = model.track(id);
        return track.kind == TrackKind::GpuStream && holdsKernels(track.slices);
    });
}

bool isWanted(SourceKind kind, ProfileMode mode)
{
    if (kind == SourceKind::Nsys)
        return mode != ProfileMode::Torch;
    return kind == SourceKind::Kineto && mode != ProfileMode::Nsys;
}

} // namespace

KernelSource chooseKernelSource(const TraceModel& model, std::int32_t gpu, ProfileMode mode)
{
    KernelSource source;
    bool anyTimeline = false;
    bool anyKernels = false;
    for (const SourceKind kind : {SourceKind::Nsys, SourceKind::Kineto}) {
        for (const Timeline& timeline : model.timelines) {
            if (timeline.kind != kind || !isWanted(kind, mode))
                continue;
            anyTimeline = true;
            if (timeline.rank != gpu || !hasKernels(model, timeline))
                continue;
            anyKernels = true;
            if (timeline.hasWallClock)
                source.timelines.push_back(&timeline);
        }
        if (!source.timelines.empty())
            return source;
    }
    const std::string name = "GPU " + std::to_string(gpu);
    if (!anyTimeline) {
        source.missing = "Kernels cannot be listed without a timeline: open an Nsight Systems export "
                         "(.sqlite) or a Kineto trace.";
    } else {
        source.state = MetricState::NotApplicable;
        source.missing = anyKernels ? "The timeline of " + name
                + " has no wall clock (session start, or baseTimeNanoseconds), so it cannot be "
                  "compared with the NVLink counters."
                                    : "No timeline contains kernels of " + name + ".";
    }
    return source;
}

std::vector<KernelOverlap> kernelsDuring(const TraceModel& model, std::span<const Timeline* const> timelines,
                                         TimeRange interval, bool communicationOnly)
{
    std::vector<KernelOverlap> overlaps;
    std::vector<TrackId> streams;
    for (const Timeline* timeline : timelines) {
        std::copy_if(timeline->tracks.begin(), timeline->tracks.end(), std::back_inserter(streams),
                     [&](TrackId id) { return model.track(id).kind == TrackKind::GpuStream; });
    }
    for (const TrackId id : streams) {
        const Track& track = model.track(id);
        forEachOverlapping(track.slices, interval, [&](std::size_t row) {
            const KernelClass kernelClass = track.slices.kernelClass[row];
            const bool communication = isCommunication(kernelClass);
            if (!isKernel(kernelClass) || (communicationOnly && !communication))
                return;
            KernelOverlap overlap;
            overlap.slice = {id, static_cast<std::uint32_t>(row)};
            overlap.range = track.slices.range(row);
            overlap.overlapNs = overlap.range.intersected(interval).lengthNs();
            overlap.overlapPercent = interval.isEmpty()
                ? 0.0
                : 100.0 * static_cast<double>(overlap.overlapNs) / static_cast<double>(interval.lengthNs());
            overlap.communication = communication;
            overlaps.push_back(overlap);
        });
    }
    std::sort(overlaps.begin(), overlaps.end(), [](const KernelOverlap& a, const KernelOverlap& b) {
        return std::tuple(-a.overlapNs, a.range.beginNs, a.slice)
            < std::tuple(-b.overlapNs, b.range.beginNs, b.slice);
    });
    return overlaps;
}

} // namespace collscope
