// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/view_state.h"

#include "metrics/calls/workload.h"
#include "metrics/counters/peak_kernels.h"
#include "metrics/memory/history.h"
#include "model/queries/initial_view.h"

#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <utility>

namespace collscope {

namespace {

constexpr std::int64_t shortestVisibleNs = 10;
constexpr std::size_t historyLength = 100;

/// Clamps a range to the allowed lengths and keeps at least part of the run visible.
TimeRange clampedTo(TimeRange run, TimeRange wanted)
{
    const std::int64_t longest = run.lengthNs() + run.lengthNs() / 5 + shortestVisibleNs;
    const std::int64_t length = std::clamp(wanted.lengthNs(), shortestVisibleNs, longest);
    const std::int64_t middle = wanted.beginNs + wanted.lengthNs() / 2;
    const std::int64_t begin
        = std::clamp(middle - length / 2, run.beginNs - length / 2, run.endNs - length / 2);
    return {begin, begin + length};
}

} // namespace

ViewState::ViewState(QObject* parent)
    : QObject(parent)
{ }

void ViewState::setModel(TraceModelPtr model)
{
    m_model = std::move(model);
    m_collectives.reset();
    m_clocks = {};
    m_mesh = m_model ? placeRanks(*m_model, describeWorkload(*m_model, nullptr).mesh, {}) : RankMesh();
    m_runRange = m_model ? m_model->range : TimeRange{0, 1};
    m_back.clear();
    m_forward.clear();
    m_selectedRange.reset();
    m_selectedSlice = {};
    m_otherSlices.clear();
    m_rangeSummary.reset();
    m_rowFilter.clear();
    m_hoverTime.reset();
    m_hiddenRanks.clear();
    m_evidence.clear();
    m_evidenceRanges.clear();
    m_peak.reset();
    m_memoryMoment.reset();
    if (const auto devices = m_model ? memoryDevices(*m_model) : std::vector<MemoryDeviceRef>();
        !devices.empty())
        m_memoryMoment = MemoryMoment{devices.front(), std::nullopt};
    {
        const QSignalBlocker quiet(m_edits); // listeners only need to know that the run changed
        m_edits.reset({});
    }
    m_matches.reset();
    m_reach.reset();
    m_visible = m_model ? clampedTo(m_runRange, initialView()) : TimeRange{0, 1};
    emit modelChanged();
    emit visibleRangeChanged(m_visible);
}

void ViewState::setCollectives(RunCollectivesPtr collectives)
{
    m_collectives = std::move(collectives);
    if (m_collectives)
        m_mesh = m_collectives->mesh;
    updateClocks();
    emit collectivesChanged();
}

void ViewState::setClockChoice(ClockChoice choice)
{
    if (choice == m_clockChoice)
        return;
    m_clockChoice = choice;
    updateClocks();
}

void ViewState::updateClocks()
{
    const bool wereIdentity = m_clocks.isIdentity();
    const bool atStart = m_model && m_visible == clampedTo(m_runRange, initialView());
    m_clocks = m_collectives ? m_collectives->clocks.map(m_clockChoice) : ClockMap();
    if (wereIdentity && m_clocks.isIdentity())
        return;
    std::optional<TimeRange> all; // the raw range would leave room for corrected clock errors
    for (std::size_t timeline = 0; timeline < m_model->timelines.size(); ++timeline) {
        const TimeRange own = m_clocks.toAxis(timeline, m_model->timelines[timeline].range);
        all = all ? all->united(own) : own;
    }
    const bool isAll = all && !m_clocks.isIdentity() && m_model->nvlink.empty();
    m_runRange = isAll ? *all : all ? m_model->range.united(*all) : m_model->range;
    emit clocksChanged();
    setPeak(std::nullopt); // its position on the axis has changed
    // If the view has not moved since the run was opened, keep showing the initial step.
    setVisibleRange(atStart ? initialView() : m_visible);
}

TimeRange ViewState::initialView() const
{
    return collscope::initialView(
        *m_model, [this](std::size_t timeline, TimeRange range) { return m_clocks.toAxis(timeline, range); });
}

std::int32_t ViewState::gpuOf(std::size_t nvlinkDevice) const
{
    const std::vector<std::int32_t> ranks = m_model->ranks();
    return m_model->nvlink[nvlinkDevice].gpu.value_or(ranks.size() == 1 ? ranks.front() : 0);
}

std::optional<std::size_t> ViewState::clockOf(std::size_t nvlinkDevice) const
{
    const KernelSource source = chooseKernelSource(*m_model, gpuOf(nvlinkDevice), ProfileMode::Auto);
    return source.timelines.empty() ? std::nullopt
                                    : std::optional(m_model->indexOf(*source.timelines.front()));
}

std::int32_t ViewState::gpuOf(const Peak& peak) const
{
    return peak.timeline ? m_model->timelines[*peak.timeline].rank : gpuOf(peak.nvlinkDevice);
}

std::optional<std::pair<std::int32_t, TimeRange>> ViewState::selectedGpuWork() const
{
    if (!m_selectedSlice || m_model->track(m_selectedSlice.track).kind != TrackKind::GpuStream)
        return std::nullopt;
    return std::pair(m_model->timelineOf(m_selectedSlice).rank, rangeOf(m_selectedSlice));
}

TimeRange ViewState::rangeOf(SliceRef slice) const
{
    return m_clocks.toAxis(m_model->track(slice.track).timeline.value, m_model->rangeOf(slice));
}

std::optional<std::uint32_t> ViewState::selectedInstance() const
{
    return m_collectives && m_selectedSlice ? m_collectives->instanceOf(m_selectedSlice) : std::nullopt;
}

void ViewState::setVisibleRange(TimeRange range)
{
    if (m_model)
        range = clampedTo(m_reach ? m_runRange.united(*m_reach) : m_runRange, range);
    if (range == m_visible || range.isEmpty())
        return;
    m_visible = range;
    emit visibleRangeChanged(m_visible);
}

void ViewState::zoomAround(std::int64_t centreNs, double factor)
{
    const auto scaled = [&](std::int64_t distance) {
        return static_cast<std::int64_t>(std::llround(static_cast<double>(distance) / factor));
    };
    const TimeRange wanted{centreNs - scaled(centreNs - m_visible.beginNs),
                           centreNs + scaled(m_visible.endNs - centreNs)};
    // At the closest zoom, a clamped range would drift away from the cursor.
    if (wanted.lengthNs() >= shortestVisibleNs || factor < 1)
        setVisibleRange(wanted);
}

void ViewState::panBy(std::int64_t deltaNs)
{
    setVisibleRange({m_visible.beginNs + deltaNs, m_visible.endNs + deltaNs});
}

void ViewState::showRange(TimeRange range, bool keepZoom)
{
    pushHistory();
    const std::int64_t middle = range.beginNs + range.lengthNs() / 2;
    const std::int64_t half
        = keepZoom ? m_visible.lengthNs() / 2 : range.lengthNs() * 6 / 10 + shortestVisibleNs;
    setVisibleRange({middle - half, middle + half});
}

void ViewState::pushHistory()
{
    m_forward.clear();
    if (!m_back.empty() && m_back.back() == m_visible)
        return;
    m_back.push_back(m_visible);
    if (m_back.size() > historyLength)
        m_back.erase(m_back.begin());
}

void ViewState::goBack()
{
    if (m_back.empty())
        return;
    m_forward.push_back(m_visible);
    const TimeRange previous = m_back.back();
    m_back.pop_back();
    setVisibleRange(previous);
}

void ViewState::goForward()
{
    if (m_forward.empty())
        return;
    m_back.push_back(m_visible);
    const TimeRange next = m_forward.back();
    m_forward.pop_back();
    setVisibleRange(next);
}

void ViewState::setSelectedRange(std::optional<TimeRange> range)
{
    if (range && range->isEmpty())
        range.reset();
    if (range == m_selectedRange)
        return;
    m_selectedRange = range;
    emit selectedRangeChanged();
}

void ViewState::setSelectedSlice(SliceRef slice)
{
    if (slice == m_selectedSlice)
        return;
    m_selectedSlice = slice;
    const bool hadOthers = !std::exchange(m_otherSlices, {}).empty();
    emit selectedSliceChanged(slice);
    if (hadOthers)
        emit otherSlicesChanged();
}

void ViewState::toggleSlice(SliceRef slice)
{
    if (!slice || !m_selectedSlice)
        return setSelectedSlice(slice);
    const auto at = std::find(m_otherSlices.begin(), m_otherSlices.end(), slice);
    if (at != m_otherSlices.end()) {
        m_otherSlices.erase(at);
    } else if (slice == m_selectedSlice) {
        if (m_otherSlices.empty())
            return setSelectedSlice({});
        m_selectedSlice = m_otherSlices.back();
        m_otherSlices.pop_back();
        emit selectedSliceChanged(m_selectedSlice);
    } else {
        m_otherSlices.push_back(std::exchange(m_selectedSlice, slice));
        emit selectedSliceChanged(slice);
    }
    emit otherSlicesChanged();
}

void ViewState::setRangeSummary(RangeSummaryPtr summary)
{
    if (summary == m_rangeSummary)
        return;
    m_rangeSummary = std::move(summary);
    emit rangeSummaryChanged();
}

void ViewState::setTimeFormat(TimeFormat format)
{
    if (format == m_timeFormat)
        return;
    m_timeFormat = format;
    emit timeFormatChanged();
}

void ViewState::setRowFilter(const QString& filter)
{
    if (filter == m_rowFilter)
        return;
    m_rowFilter = filter;
    emit rowFilterChanged();
}

void ViewState::setHoverTime(std::optional<std::int64_t> timeNs)
{
    if (timeNs == m_hoverTime)
        return;
    m_hoverTime = timeNs;
    emit hoverTimeChanged();
}

void ViewState::setRankHidden(std::int32_t rank, bool hidden)
{
    const bool changed = hidden ? m_hiddenRanks.insert(rank).second : m_hiddenRanks.erase(rank) > 0;
    if (changed)
        emit hiddenRanksChanged();
}

void ViewState::setHiddenRanks(std::set<std::int32_t> ranks)
{
    if (ranks == m_hiddenRanks)
        return;
    m_hiddenRanks = std::move(ranks);
    emit hiddenRanksChanged();
}

bool ViewState::isEvidence(SliceRef slice) const
{
    return std::binary_search(m_evidence.begin(), m_evidence.end(), slice);
}

void ViewState::setEvidence(std::vector<SliceRef> slices, std::vector<TimeRange> ranges)
{
    if (slices == m_evidence && ranges == m_evidenceRanges)
        return;
    m_evidence = std::move(slices);
    m_evidenceRanges = std::move(ranges);
    emit evidenceChanged();
}

void ViewState::setMatches(SliceMatchesPtr matches)
{
    if (matches == m_matches)
        return;
    m_matches = std::move(matches);
    emit matchesChanged();
    if (m_matches && m_matches->size() > 0)
        setEvidence({}, {});
}

void ViewState::setPeak(std::optional<Peak> peak)
{
    const bool changed = peak != m_peak;
    m_peak = peak;
    // Choosing the same peak again returns to it from another range or tab, so it must emit again.
    if (changed || m_peak)
        emit peakChanged();
    if (m_peak)
        setSelectedRange(m_peak->range);
}

void ViewState::setMemoryMoment(const MemoryMoment& moment)
{
    if (!m_memoryMoment || moment == *m_memoryMoment)
        return;
    m_memoryMoment = moment;
    emit memoryMomentChanged();
}

void ViewState::revealSlice(SliceRef slice, bool keepView)
{
    if (!m_model || !slice)
        return;
    setRankHidden(m_model->timelineOf(slice).rank, false);
    const TimeRange range = rangeOf(slice);
    // A slice that fills a tenth of the view is visible together with its neighbours.
    const bool goodSize
        = range.lengthNs() * 40 >= m_visible.lengthNs() && range.lengthNs() * 2 <= m_visible.lengthNs();
    if (keepView && m_visible.contains(range.beginNs) && m_visible.contains(range.endNs)) {
        // Keep the view, so that the user does not lose orientation.
    } else if (goodSize) {
        showRange(range, true);
    } else {
        const std::int64_t margin = range.lengthNs() * 4 + shortestVisibleNs;
        showRange({range.beginNs - margin, range.endNs + margin});
    }
    setSelectedSlice(slice);
    emit revealRequested(slice);
}

void ViewState::clearSelection()
{
    setSelectedSlice({});
    setSelectedRange(std::nullopt);
    setPeak(std::nullopt);
    setEvidence({}, {});
}

} // namespace collscope
