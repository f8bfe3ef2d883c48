// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/partition/exposure.h"

#include "metrics/core/rank_windows.h"
#include "metrics/partition/part_sweep.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace collscope {

namespace {

ExposedTime exposedTimeOf(const CallShare& share)
{
    return {share.moving.ns + share.waiting.ns, share.waiting.ns};
}

/// What a row of a summary stands for.
using RangeRowKey = std::pair<std::uint32_t, std::uint32_t>; ///< track, name

void averageCollectives(Exposure& exposure, std::size_t instances)
{
    std::vector<std::int64_t> counts(instances);
    exposure.meanNs.assign(instances, 0);
    for (std::size_t i = 0; i < exposure.calls.times.size(); ++i) {
        const std::uint32_t instance = exposure.calls.times[i].instance;
        if (instance == CallTiming::noInstance || !exposure.calls.shares[i].isCounted)
            continue;
        exposure.meanNs[instance] += static_cast<double>(exposedTimeOf(exposure.calls.shares[i]).ns);
        ++counts[instance];
    }
    for (std::size_t i = 0; i < instances; ++i)
        exposure.meanNs[i] /= static_cast<double>(std::max<std::int64_t>(counts[i], 1));
}

/// Sweeps one timeline in a window and adds what is exposed.
void addWindow(const TraceModel& model, const Timeline& timeline, TimeRange window, const Exposure& exposure,
               const std::function<bool()>& cancelled, std::map<RangeRowKey, ExposedSum>& sums)
{
    ExposedCalls calls = callsOf(exposure.calls, std::array{&timeline});
    std::vector<CopyShare> copies;
    PartSweep(model, timeline, calls, copies).run(window, cancelled);
    for (std::size_t i = 0; i < calls.times.size(); ++i) {
        const SliceRef slice = calls.times[i].slice;
        if (calls.shares[i].isCounted)
            sums[{slice.track.value, model.track(slice.track).slices.name[slice.row].value}].add(
                exposedTimeOf(calls.shares[i]), calls.times[i]);
    }
    for (const CopyShare& copy : copies)
        sums[{copy.track.value, copy.name.value}].time += {copy.ns, 0};
}

} // namespace

void ExposedSum::add(const ExposedTime& own, const CallTiming& call)
{
    time += own;
    ++calls.counted;
    calls.unsplit += own.ns > 0 && call.mayHideWaits() ? 1 : 0;
}

std::optional<std::int64_t> ExposedSum::waitingNs() const
{
    return calls.tellWaits(time.waitingNs) ? std::optional(time.waitingNs) : std::nullopt;
}

std::optional<std::size_t> Exposure::find(SliceRef slice) const
{
    const std::size_t index = calls.firstAt(slice);
    if (index == calls.times.size() || calls.times[index].slice != slice || !calls.shares[index].isCounted)
        return std::nullopt;
    return index;
}

std::optional<ExposedTime> Exposure::of(SliceRef slice) const
{
    const std::optional<std::size_t> index = find(slice);
    return index ? std::optional(exposedTimeOf(calls.shares[*index])) : std::nullopt;
}

std::optional<double> Exposure::meanOf(SliceRef slice) const
{
    const std::optional<std::size_t> index = find(slice);
    if (!index)
        return std::nullopt;
    const std::uint32_t instance = calls.times[*index].instance;
    return instance == CallTiming::noInstance ? static_cast<double>(exposedTimeOf(calls.shares[*index]).ns)
                                              : meanNs[instance];
}

ExposurePtr measureExposure(const TraceModel& model, const MetricOptions& options)
{
    MetricOptions whole = options;
    whole.range.reset();
    Analysis analysis(model, whole);
    auto exposure = std::make_shared<Exposure>();
    exposure->calls = timeCalls(analysis);
    const std::vector<RankWindows>& ranks = analysis.wholeFiles().ranks;
    options.parallel.forEach(ranks.size(), [&](std::size_t i) {
        for (const RankWindows::Part& part : ranks[i].parts) {
            std::vector<CopyShare> copies;
            PartSweep sweep(model, *part.timeline, exposure->calls, copies);
            for (const Step& window : part.steps)
                sweep.run(window.range, options.cancelled);
        }
    });
    averageCollectives(*exposure, analysis.run().matching.instances.size());
    return options.cancelled() ? nullptr : exposure;
}

void addExposure(const TraceModel& model, const Exposure& exposure, const ClockMap& clocks,
                 const std::set<std::int32_t>& hiddenRanks, const std::function<bool()>& cancelled,
                 RangeSummary& summary)
{
    MetricOptions options;
    options.range = summary.range;
    std::map<RangeRowKey, ExposedSum> sums;
    for (const RankWindows& rank : selectRanks(model, options, clocks).ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& window : part.steps) {
                if (!hiddenRanks.contains(rank.rank) && !cancelled())
                    addWindow(model, *part.timeline, window.range, exposure, cancelled, sums);
            }
        }
    }
    for (RangeRow& row : summary.rows) {
        const auto found = sums.find({row.track.value, row.name.value});
        const bool canBeExposed = model.track(row.track).kind == TrackKind::GpuStream
            && (isCommunication(row.kernelClass) || row.kernelClass == KernelClass::Copy);
        if (!canBeExposed)
            continue;
        const ExposedSum sum = found != sums.end() ? found->second : ExposedSum();
        row.exposedNs = sum.time.ns;
        if (isCommunication(row.kernelClass))
            row.waitingNs = sum.waitingNs();
    }
}

} // namespace collscope
