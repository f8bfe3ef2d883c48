// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/initial_view.h"

namespace collscope {

TimeRange initialView(const TraceModel& model,
                      const std::function<TimeRange(std::size_t timeline, TimeRange)>& onAxis)
{
    // The last step that is followed by another one is complete. If there is only one step, it is used.
    std::optional<TimeRange> steps;
    for (std::size_t i = 0; i < model.timelines.size(); ++i) {
        const Timeline& timeline = model.timelines[i];
        if (timeline.steps.empty() || timeline.stepSource == StepSource::WholeTrace)
            continue;
        const std::size_t index = timeline.steps.size() > 1 ? timeline.steps.size() - 2 : 0;
        const TimeRange step = onAxis(i, timeline.steps[index].range);
        if (!steps)
            steps = step;
        else if (step.overlaps(*steps))
            steps = steps->united(step);
    }
    std::optional<TimeRange> gpu;
    for (const Track& track : model.tracks) {
        if (track.kind != TrackKind::GpuStream || track.slices.isEmpty())
            continue;
        const TimeRange own
            = onAxis(track.timeline.value,
                     {track.slices.startNs.front(), track.slices.endNs(track.slices.size() - 1)});
        gpu = gpu ? gpu->united(own) : own;
    }
    const TimeRange view = steps ? *steps : gpu ? *gpu : model.range;
    const std::int64_t margin = view.lengthNs() / 50 + 1;
    return {view.beginNs - margin, view.endNs + margin};
}

} // namespace collscope
