// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the profiler itself changed about the times.

#include "metrics/core/duration_text.h"
#include "metrics/core/interval_profile.h"
#include "metrics/findings/finding_groups.h"

#include <algorithm>

namespace collscope {

namespace {

/// The time in a rank's windows in which the profiler works on any of its threads: events of Kineto's
/// category "overhead", such as the requests and flushes of CUPTI's buffers.
std::int64_t overheadNs(const TraceModel& model, const RankShare& rank)
{
    std::int64_t sumNs = 0;
    for (const StepShare& step : rank.steps) {
        std::vector<TimeRange> inside;
        for (const TrackId id : rank.timelines[step.part]->tracks) {
            const SliceColumns& slices = model.track(id).slices;
            for (std::size_t row = 0; row < slices.size(); ++row) {
                if (slices.category[row] == SliceCategory::Overhead
                    && slices.range(row).overlaps(step.step.range))
                    inside.push_back(slices.range(row).intersected(step.step.range));
            }
        }
        std::sort(inside.begin(), inside.end(),
                  [](TimeRange a, TimeRange b) { return a.beginNs < b.beginNs; });
        std::int64_t endNs = step.step.range.beginNs;
        for (const TimeRange range : inside) {
            sumNs += std::max<std::int64_t>(0, range.endNs - std::max(range.beginNs, endNs));
            endNs = std::max(endNs, range.endNs);
        }
    }
    return sumNs;
}

bool hasCategory(const TraceModel& model, const RankShare& rank, SliceCategory category)
{
    return std::any_of(rank.timelines.begin(), rank.timelines.end(), [&](const Timeline* timeline) {
        return std::any_of(timeline->tracks.begin(), timeline->tracks.end(), [&](TrackId id) {
            const auto& categories = model.track(id).slices.category;
            return std::find(categories.begin(), categories.end(), category) != categories.end();
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
    std::int64_t ownNs = 0;
    bool hasStacks = false;
    for (const RankShare& rank : partition.ranks) {
        if (hasCategory(model, rank, SliceCategory::Overhead))
            ownNs += overheadNs(model, rank);
        hasStacks = hasStacks || hasCategory(model, rank, SliceCategory::Python);
    }
    const auto wholeNs = static_cast<double>(partition.windowNs);
    // Where GPUs wait for the profiler, that is a finding with a cost.
    const bool isSaid = static_cast<double>(partition.idle[static_cast<std::size_t>(IdleCause::Profiles)])
        >= smallShare * wholeNs;
    if (!isSaid && static_cast<double>(ownNs) >= smallShare * wholeNs && ownNs > 0)
        add(input,
            "The profiler itself works for " + percentText(ownNs, partition.windowNs)
                + " of the time (events of its category \"overhead\"): the run may be faster without it.");
    const std::int64_t boundNs = partition.idle[static_cast<std::size_t>(IdleCause::CpuBound)];
    if (hasStacks && static_cast<double>(boundNs) >= matteringShare * wholeNs && boundNs > 0)
        add(input,
            "Python functions were recorded, which slows Python down: without that, the GPU would wait less "
            "for "
            "the CPU than the "
                + percentText(boundNs, partition.windowNs)
                + " found here. The files do not show by how much.");
}

} // namespace collscope
