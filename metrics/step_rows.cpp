// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/step_rows.h"

#include <algorithm>

namespace collscope {

std::int32_t stepAt(const std::vector<Step>& steps, std::int64_t timeNs)
{
    // Numbers and times usually rise together; nested or repeated passes need not, hence the plain search.
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].range.contains(timeNs))
            return static_cast<std::int32_t>(i);
    }
    return -1;
}

StepRows::StepRows(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& steps,
                   MetricOptions::Attribution attribution)
    : m_model(model)
    , m_steps(steps)
    , m_everything(timeline.range)
{
    if (attribution == MetricOptions::Attribution::Clip || timeline.tracks.empty())
        return;
    const auto [first, last] = std::minmax_element(timeline.tracks.begin(), timeline.tracks.end());
    m_firstTrack = first->value;
    m_owner.resize(last->value - m_firstTrack + 1);
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        std::vector<std::int32_t>& owner = m_owner[id.value - m_firstTrack];
        owner.resize(track.slices.size(), -1);
        for (std::size_t row = 0; row < owner.size(); ++row) {
            const std::uint32_t correlation = track.slices.correlation[row];
            const SliceRef launch = correlation != 0 ? timeline.launchOf(correlation) : SliceRef{};
            // Without a known launch, where it runs is all there is to go by.
            owner[row] = stepAt(steps, launch ? model.rangeOf(launch).beginNs : track.slices.startNs[row]);
        }
    }
}

TimeRange StepRows::window(std::size_t step) const
{
    return m_owner.empty() ? m_steps[step].range : m_everything;
}

std::int32_t StepRows::stepOf(TrackId track, std::size_t row) const
{
    if (!m_owner.empty())
        return m_owner[track.value - m_firstTrack][row];
    return stepAt(m_steps, m_model.track(track).slices.startNs[row]);
}

} // namespace collscope
