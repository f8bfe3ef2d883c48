// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/nvlink_needs.h"

#include "metrics/counters/needed_bytes.h"
#include "metrics/counters/nvlink_intervals.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

bool isWithinAny(const std::vector<TimeRange>& ranges, TimeRange range)
{
    return std::any_of(ranges.begin(), ranges.end(), [&](TimeRange own) {
        return own.beginNs <= range.beginNs && range.endNs <= own.endNs;
    });
}

/// Sums of what calls need, by sample.
class SampledNeeds
{
public:
    /// `timesNs`: where samples begin, and where the last one ends; at least two. Must outlive it.
    explicit SampledNeeds(const std::vector<std::int64_t>& timesNs)
        : m_times(timesNs)
        , m_edgeBytes(timesNs.size() - 1)
        , m_changes(timesNs.size())
    { }

    void add(TimeRange call, const NeededBytes::Need& need)
    {
        if (!call.overlaps({m_times.front(), m_times.back()}))
            return;
        const TimeRange sampled = call.intersected({m_times.front(), m_times.back()});
        const bool isKnown = need.doubt == TrafficDoubt::None || need.doubt == TrafficDoubt::OneRank;
        const double rate = isKnown ? need.bytes / static_cast<double>(call.lengthNs()) : 0;
        const std::size_t first = sampleAt(sampled.beginNs), last = sampleAt(sampled.endNs - 1);
        const auto addPart = [&](std::size_t sample) {
            const TimeRange part = sampled.intersected(rangeOf(sample));
            m_edgeBytes[sample] += rate * static_cast<double>(part.lengthNs());
        };
        addPart(first);
        if (last > first)
            addPart(last);
        change(first, last + 1, {0, 0, isKnown ? 0 : 1});
        if (last > first + 1)
            change(first + 1, last, {rate, 1, 0});
    }

    /// Tells of samples that lie in one of the ranges `recorded`.
    std::shared_ptr<const StepFunction> steps(const std::vector<TimeRange>& recorded) const
    {
        auto steps = std::make_shared<StepFunction>();
        const auto append = [&](std::int64_t time, double value) {
            if (!std::isnan(value) || (!steps->value.empty() && !std::isnan(steps->value.back()))) {
                steps->timeNs.push_back(time);
                steps->value.push_back(value);
            }
        };
        const double absent = std::nan("");
        Change now;
        for (std::size_t i = 0; i < m_edgeBytes.size(); ++i) {
            now += m_changes[i];
            const double rate = now.inside > 0 ? now.rate : 0; // without what rounding leaves of calls before
            const auto length = static_cast<double>(rangeOf(i).lengthNs());
            const bool isTold = now.unknown == 0 && isWithinAny(recorded, rangeOf(i));
            append(m_times[i], isTold ? rate + m_edgeBytes[i] / length : absent);
        }
        append(m_times.back(), absent);
        return steps;
    }

private:
    struct Change
    {
        double rate = 0; ///< bytes per ns
        std::int64_t inside = 0; ///< calls that go on through the whole sample
        std::int64_t unknown = 0; ///< calls whose need cannot be told
        Change& operator+=(const Change& other)
        {
            rate += other.rate;
            inside += other.inside;
            unknown += other.unknown;
            return *this;
        }
    };

    /// Of the samples [first, end).
    void change(std::size_t first, std::size_t end, const Change& by)
    {
        m_changes[first] += by;
        m_changes[end] += {-by.rate, -by.inside, -by.unknown};
    }
    TimeRange rangeOf(std::size_t sample) const { return {m_times[sample], m_times[sample + 1]}; }
    std::size_t sampleAt(std::int64_t timeNs) const
    {
        const auto after = std::upper_bound(m_times.begin(), m_times.end(), timeNs);
        return static_cast<std::size_t>(after - m_times.begin()) - 1;
    }

    const std::vector<std::int64_t>& m_times;
    std::vector<double> m_edgeBytes; ///< of calls that begin or end in the sample
    std::vector<Change> m_changes; ///< at the begin of each sample
};

/// Where the samples of a GPU begin and end: those of the link that has most. Links are read one after
/// another, so that those of the others are nearly the same. A time between samples counts as one, too.
std::vector<std::int64_t> sampleTimes(const NvlinkDevice& device)
{
    const auto most = std::max_element(
        device.series.begin(), device.series.end(),
        [](const LinkSeries& a, const LinkSeries& b) { return a.endNs.size() < b.endNs.size(); });
    std::vector<std::int64_t> times;
    if (most == device.series.end())
        return times;
    times.insert(times.end(), most->beginNs.begin(), most->beginNs.end());
    times.insert(times.end(), most->endNs.begin(), most->endNs.end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

/// What the traces recorded from which the calls of a rank are taken.
std::vector<TimeRange> recordedRanges(const RankWindows& rank)
{
    std::vector<TimeRange> ranges;
    for (const RankWindows::Part& part : rank.parts) {
        if (part.timeline->hasWallClock)
            ranges.push_back(part.timeline->range);
    }
    return ranges;
}

} // namespace

std::shared_ptr<const NvlinkNeeds> nvlinkNeeds(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const NvlinkRanks& ranks = nvlinkRanksOf(analysis);
    NeededBytes needs(analysis, ranks);
    auto result = std::make_shared<NvlinkNeeds>();
    result->devices.resize(model.nvlink.size());
    const std::vector<RankCalls>& calls = analysis.calls(); // of the same ranks as their windows
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const std::vector<TimeRange> recorded = recordedRanges(analysis.communicating().ranks[i]);
        for (const std::size_t device : ranks.devicesOf(calls[i].rank)) {
            if (analysis.options().cancelled())
                return nullptr;
            const std::vector<std::int64_t> times = sampleTimes(model.nvlink[device]);
            if (times.size() < 2)
                continue;
            SampledNeeds sums(times);
            for (const Call& call : calls[i].calls) {
                if (call.timeline->hasWallClock && call.range.lengthNs() > 0)
                    sums.add(call.range, needs.of(call));
            }
            result->devices[device] = SampledCurve(sums.steps(recorded));
        }
    }
    result->isOneNodeGuessed = needs.isOneNodeGuessed();
    return result;
}

} // namespace collscope
