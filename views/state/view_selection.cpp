// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/state/view_selection.h"

#include "metrics/memory/history.h"

#include <algorithm>
#include <utility>

namespace collscope {

void ViewSelection::reset()
{
    m_range.reset();
    m_step.reset();
    m_slice = {};
    m_otherSlices.clear();
    m_summary.reset();
    m_hoverTime.reset();
    m_peak.reset();
    m_memoryMoment.reset();
    if (const auto devices = m_run.model() ? memoryDevices(*m_run.model()) : std::vector<MemoryDeviceRef>();
        !devices.empty())
        m_memoryMoment = MemoryMoment{devices.front(), std::nullopt};
}

void ViewSelection::setStep(std::optional<std::int64_t> step)
{
    if (std::exchange(m_step, step) != step)
        emit stepChanged();
}

void ViewSelection::setRange(std::optional<TimeRange> range)
{
    if (range && range->isEmpty())
        range.reset();
    if (range == m_range)
        return;
    m_range = range;
    emit rangeChanged();
}

void ViewSelection::setSlice(SliceRef slice)
{
    if (slice == m_slice)
        return;
    m_slice = slice;
    const bool hadOthers = !std::exchange(m_otherSlices, {}).empty();
    emit sliceChanged(slice);
    if (hadOthers)
        emit otherSlicesChanged();
}

void ViewSelection::toggleSlice(SliceRef slice)
{
    if (!slice || !m_slice)
        return setSlice(slice);
    const auto at = std::find(m_otherSlices.begin(), m_otherSlices.end(), slice);
    if (at != m_otherSlices.end()) {
        m_otherSlices.erase(at);
    } else if (slice == m_slice) {
        if (m_otherSlices.empty())
            return setSlice({});
        m_slice = m_otherSlices.back();
        m_otherSlices.pop_back();
        emit sliceChanged(m_slice);
    } else {
        m_otherSlices.push_back(std::exchange(m_slice, slice));
        emit sliceChanged(slice);
    }
    emit otherSlicesChanged();
}

std::optional<std::pair<std::int32_t, TimeRange>> ViewSelection::gpuWork() const
{
    if (!m_slice || m_run.model()->track(m_slice.track).kind != TrackKind::GpuStream)
        return std::nullopt;
    return std::pair(m_run.model()->timelineOf(m_slice).rank, m_run.rangeOf(m_slice));
}

std::optional<std::uint32_t> ViewSelection::collective() const
{
    return m_run.collectives() && m_slice ? m_run.collectives()->instanceOf(m_slice) : std::nullopt;
}

void ViewSelection::setSummary(RangeSummaryPtr summary)
{
    if (summary == m_summary)
        return;
    m_summary = std::move(summary);
    emit summaryChanged();
}

void ViewSelection::setHoverTime(std::optional<std::int64_t> timeNs)
{
    if (timeNs == m_hoverTime)
        return;
    m_hoverTime = timeNs;
    emit hoverTimeChanged();
}

std::optional<std::int32_t> ViewSelection::rankOf(const Peak& peak) const
{
    return peak.timeline ? std::optional(m_run.model()->timelines[*peak.timeline].rank)
                         : m_run.nvlinkRanks().of(peak.nvlinkDevice).rank;
}

void ViewSelection::setPeak(std::optional<Peak> peak)
{
    const bool changed = peak != m_peak;
    m_peak = peak;
    // Choosing the same peak again returns to it from another range or tab, so it must emit again.
    if (changed || m_peak)
        emit peakChanged();
    if (m_peak)
        setRange(m_peak->range);
}

void ViewSelection::setMemoryMoment(const MemoryMoment& moment)
{
    if (!m_memoryMoment || moment == *m_memoryMoment)
        return;
    m_memoryMoment = moment;
    emit memoryMomentChanged();
}

} // namespace collscope
