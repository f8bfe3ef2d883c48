// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/slow_gpu.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"

#include <algorithm>

namespace collscope {

namespace {

/// Whether a GPU ran slower than the others do in a time.
std::optional<std::string> slowerIn(const HardwareView& view, const HardwareUnit& unit,
                                    std::vector<TimeRange> ranges)
{
    GpuStates states(view, std::move(ranges));
    const HardwareUnit::Recorded* const record = states.recordOf(unit);
    if (!record)
        return std::nullopt;
    const GpuState own = states.stateOf(unit);
    if (!own.isEnough() || 2 * own.loaded < own.samples)
        return std::nullopt;
    const PeerState peers = states.peersOf(unit);
    if (peers.gpus == 0 || !isSlower(own, peers))
        return std::nullopt;
    return slowerText(own, peers) + " (" + countText(own.samples, "sample")
        + apartText(own, record->device->periodNs) + guessText(record->time) + ")";
}

} // namespace

SlowGpu slowGpuOf(Analysis& analysis, std::int32_t rank, const std::vector<TimeRange>& ranges)
{
    const HardwareView& view = hardwareOf(analysis);
    const HardwareUnit* const unit = view.unitOfRank(rank);
    if (!unit || ranges.empty())
        return {};
    const HardwareUnit::Recorded* const record = unit->bestIn(ranges);
    if (!record)
        return {};
    if (const auto text = slowerIn(view, *unit, ranges))
        return {SlowGpu::Kind::Slow, "its GPU " + *text};
    std::int64_t lengthNs = 0;
    for (const TimeRange range : ranges)
        lengthNs += range.lengthNs();
    const std::int64_t periodNs = record->device->periodNs;
    if (lengthNs >= fewestSamples * periodNs)
        return {};
    constexpr std::int64_t around = 5;
    const TimeRange wider{ranges.front().beginNs - around * periodNs,
                          ranges.back().endNs + around * periodNs};
    const auto text = slowerIn(view, *unit, {wider});
    if (!text)
        return {};
    return {SlowGpu::Kind::TooCoarse,
            "About this time its GPU " + *text + ". Such samples do not show what happened within "
                + timeText(lengthNs) + ", so this is not the cause that was found."};
}

std::vector<TimeRange> wallStepsOf(const TraceModel& model, std::optional<std::int32_t> rank,
                                   std::int64_t number)
{
    std::vector<TimeRange> ranges;
    for (const Timeline& timeline : model.timelines) {
        if (!timeline.hasWallClock || (rank && timeline.rank != *rank))
            continue;
        for (const Step& step : timeline.steps) {
            if (step.number == number)
                ranges.push_back(
                    {step.range.beginNs + model.axisZeroNs, step.range.endNs + model.axisZeroNs});
        }
    }
    std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.beginNs < b.beginNs; });
    return ranges;
}

std::vector<TimeRange> wallRangesOf(Analysis& analysis, std::int32_t rank,
                                    const std::function<bool(std::int64_t step)>& isWanted)
{
    std::vector<TimeRange> ranges;
    for (const RankWindows& windows : analysis.selection().ranks) {
        if (windows.rank != rank)
            continue;
        for (const RankWindows::Part& part : windows.parts) {
            const std::int64_t zeroNs = analysis.model().axisZeroNs;
            for (const Step& step : part.steps) {
                if (part.timeline->hasWallClock && isWanted(step.number))
                    ranges.push_back({step.range.beginNs + zeroNs, step.range.endNs + zeroNs});
            }
        }
    }
    std::sort(ranges.begin(), ranges.end(), [](TimeRange a, TimeRange b) { return a.beginNs < b.beginNs; });
    return ranges;
}

} // namespace collscope
