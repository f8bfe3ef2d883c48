// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/step_rows.h"

#include <algorithm>
#include <limits>

namespace collscope {

StepFinder::StepFinder(const std::vector<Step>& steps)
{
    m_steps.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        m_steps.push_back({steps[i].range, 0, i});
    std::sort(m_steps.begin(), m_steps.end(),
              [](const Entry& a, const Entry& b) { return a.range.beginNs < b.range.beginNs; });
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    for (Entry& step : m_steps)
        latest = step.latestEndNs = std::max(latest, step.range.endNs);
}

const Step* stepAround(const Timeline& timeline, std::int64_t timeNs)
{
    const Step* found = nullptr;
    for (const Step& step : timeline.steps) {
        if (step.range.contains(timeNs) && (!found || step.range.beginNs >= found->range.beginNs))
            found = &step;
    }
    return found;
}

std::int32_t StepFinder::at(std::int64_t timeNs) const
{
    std::size_t first = m_steps.size();
    forEachOverlapping({timeNs, timeNs + 1},
                       [&](std::size_t index, TimeRange) { first = std::min(first, index); });
    return first < m_steps.size() ? static_cast<std::int32_t>(first) : -1;
}

StepRows::StepRows(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& steps,
                   MetricOptions::Attribution attribution)
    : m_model(model)
    , m_steps(steps)
    , m_finder(steps)
{
    if (attribution == MetricOptions::Attribution::Clip || timeline.tracks.empty())
        return;
    const auto [first, last] = std::minmax_element(timeline.tracks.begin(), timeline.tracks.end());
    m_firstTrack = first->value;
    m_owner.resize(last->value - m_firstTrack + 1);
    m_hull.resize(steps.size());
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        std::vector<std::int32_t>& owner = m_owner[id.value - m_firstTrack];
        owner.resize(track.slices.size(), -1);
        for (std::size_t row = 0; row < owner.size(); ++row) {
            const std::uint32_t correlation = track.slices.correlation[row];
            const SliceRef launch = correlation != 0 ? timeline.launchOf(correlation) : SliceRef{};
            // Without a known launch, only the time at which it runs is left to decide.
            owner[row] = m_finder.at(launch ? model.rangeOf(launch).beginNs : track.slices.startNs[row]);
            if (owner[row] < 0)
                continue;
            TimeRange& hull = m_hull[static_cast<std::size_t>(owner[row])];
            hull = hull.isEmpty() ? track.slices.range(row) : hull.united(track.slices.range(row));
        }
    }
}

TimeRange StepRows::window(std::size_t step) const
{
    return m_owner.empty() ? m_steps[step].range : m_hull[step];
}

std::int32_t StepRows::stepOf(TrackId track, std::size_t row) const
{
    // Work that runs on the CPU itself was not launched: the time at which it runs decides its step.
    if (!m_owner.empty() && m_model.track(track).kind == TrackKind::GpuStream)
        return m_owner[track.value - m_firstTrack][row];
    return m_finder.at(m_model.track(track).slices.startNs[row]);
}

} // namespace collscope
