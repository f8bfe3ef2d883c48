// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the profiler itself changed about the times.

#include "metrics/core/duration_text.h"
#include "metrics/findings/finding_groups.h"
#include "model/interval_set.h"

#include <algorithm>

namespace collscope {

namespace {

/// The time in a rank's windows in which the profiler works on any of its threads: events of Kineto's
/// category "overhead", such as the requests and flushes of CUPTI's buffers. O(slices).
std::int64_t overheadNs(const TraceModel& model, const RankShare& rank)
{
    std::int64_t sumNs = 0;
    for (std::uint32_t part = 0; part < rank.timelines.size(); ++part) {
        std::vector<TimeRange> events;
        for (const TrackId id : rank.timelines[part]->tracks) {
            const SliceColumns& slices = model.track(id).slices;
            for (std::size_t row = 0; row < slices.size(); ++row) {
                if (slices.category[row] == SliceCategory::Overhead)
                    events.push_back(slices.range(row));
            }
        }
        const IntervalSet busy(std::move(events));
        for (const StepShare& step : rank.steps)
            sumNs += step.part == part && !busy.isEmpty() ? busy.clipped(step.step.range).lengthNs() : 0;
    }
    return sumNs;
}

bool hasPython(const TraceModel& model, const RankShare& rank)
{
    return std::any_of(rank.timelines.begin(), rank.timelines.end(), [&](const Timeline* timeline) {
        return std::any_of(timeline->tracks.begin(), timeline->tracks.end(), [&](TrackId id) {
            const auto& categories = model.track(id).slices.category;
            return std::find(categories.begin(), categories.end(), SliceCategory::Python) != categories.end();
        });
    });
}

void add(const FindingInput& input, std::string title)
{
    Finding& finding = input.findings.all.emplace_back();
    finding.kind = FindingKind::ProfilerOverhead;
    finding.title = std::move(title);
    finding.count = 1;
}

} // namespace

void addProfilerOverhead(const FindingInput& input)
{
    const TraceModel& model = input.analysis.model();
    const Partition& partition = input.partition;
    const auto costs = [&](std::int64_t ns, double share) {
        return ns > 0 && static_cast<double>(ns) >= share * static_cast<double>(partition.windowNs);
    };
    const auto idleNs = [&](IdleCause cause) { return partition.idle[static_cast<std::size_t>(cause)]; };
    std::int64_t ownNs = 0;
    for (const RankShare& rank : partition.ranks)
        ownNs += overheadNs(model, rank);
    // Where GPUs wait for the profiler, that is a finding with a cost.
    if (costs(ownNs, smallShare) && !costs(idleNs(IdleCause::Profiles), smallShare))
        add(input,
            "The profiler itself works for " + percentText(ownNs, partition.windowNs)
                + " of the time (events of its category \"overhead\"): the run may be faster without it.");
    const std::int64_t boundNs = idleNs(IdleCause::CpuBound);
    const auto isSlowed = [&](const RankShare& rank) { return hasPython(model, rank); };
    if (costs(boundNs, matteringShare)
        && std::any_of(partition.ranks.begin(), partition.ranks.end(), isSlowed))
        add(input,
            "Python functions were recorded, which slows Python down: without that, GPUs may wait less for "
            "the CPU than the "
                + percentText(boundNs, partition.windowNs)
                + " found here. The files do not show by how much.");
}

} // namespace collscope
