// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/nvlink_intervals.h"

#include "metrics/core/prominent_peaks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

namespace collscope {

namespace {

__extension__ using WideInteger = unsigned __int128;

std::string zeroPadded(std::int64_t number, std::size_t width)
{
    std::string text = std::to_string(number);
    return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

std::string gpuNames(const TraceModel& model)
{
    std::string names;
    for (const NvlinkDevice& device : model.nvlink)
        names += (names.empty() ? "" : ", ")
            + (device.gpu ? std::to_string(*device.gpu) : std::string("unnamed"));
    return names;
}

/// An interval with its position in the order that breaks ties.
struct Candidate
{
    LinkInterval interval;
    std::size_t series = 0;
};

/// Compares bytes / duration exactly, without a division.
bool isHigher(const Candidate& a, const Candidate& b)
{
    const auto left = static_cast<WideInteger>(a.interval.bytes())
        * static_cast<std::uint64_t>(b.interval.range().lengthNs());
    const auto right = static_cast<WideInteger>(b.interval.bytes())
        * static_cast<std::uint64_t>(a.interval.range().lengthNs());
    if (left != right)
        return left > right;
    return a.series != b.series ? a.series < b.series : a.interval.index < b.interval.index;
}

} // namespace

NvlinkChoice chooseNvlink(const TraceModel& model, std::optional<std::int32_t> gpu)
{
    NvlinkChoice choice;
    if (model.nvlink.empty()) {
        choice.missing = "No NVLink counter file (NVF1, .bin) was found among the opened files.";
        return choice;
    }
    const auto named = std::find_if(model.nvlink.begin(), model.nvlink.end(),
                                    [&](const NvlinkDevice& device) { return device.gpu == gpu; });
    const NvlinkDevice& first = model.nvlink.front();
    if (gpu && named != model.nvlink.end()) {
        choice.device = &*named;
        const auto same = std::count_if(model.nvlink.begin(), model.nvlink.end(),
                                        [&](const NvlinkDevice& device) { return device.gpu == gpu; });
        if (same > 1)
            choice.warning = std::to_string(same) + " NVLink files name GPU " + std::to_string(*gpu) + "; "
                + model.sources[named->source.value].path
                + " is used. To use another one, open the folder of a single node.";
    } else if (model.nvlink.size() == 1) {
        choice.device = &first;
        if (gpu && first.gpu)
            choice.warning = "The only NVLink file names GPU " + std::to_string(*first.gpu) + ", not GPU "
                + std::to_string(*gpu) + "; it is used nevertheless.";
        else if (gpu)
            choice.warning = "The only NVLink file does not name its GPU; it is used for GPU "
                + std::to_string(*gpu) + ".";
    } else if (!gpu) {
        choice.device = &first;
        choice.warning = "NVLink files of several GPUs were found (" + gpuNames(model)
            + "); the first one is used. Choose another one with --gpu.";
    } else {
        choice.missing = "No NVLink file names GPU " + std::to_string(*gpu) + "; files were found for GPU "
            + gpuNames(model) + ".";
    }
    return choice;
}

std::vector<const LinkSeries*> selectSeries(const NvlinkDevice& device, std::optional<std::uint32_t> link,
                                            std::optional<LinkDirection> direction)
{
    std::vector<const LinkSeries*> selected;
    for (const LinkSeries& series : device.series) {
        if (series.isPerLinkData() && (!link || series.link == *link)
            && (!direction || series.direction == *direction))
            selected.push_back(&series);
    }
    return selected;
}

std::vector<LinkInterval> topIntervals(const std::vector<const LinkSeries*>& series, int count)
{
    std::vector<Candidate> best; // a heap with the lowest kept interval at the front
    const auto wanted = static_cast<std::size_t>(std::max(count, 0));
    for (std::size_t s = 0; s < series.size() && wanted > 0; ++s) {
        for (std::size_t i = 0; i < series[s]->bytes.size(); ++i) {
            const Candidate candidate{{series[s], i}, s};
            if (best.size() == wanted) {
                if (!isHigher(candidate, best.front()))
                    continue;
                std::pop_heap(best.begin(), best.end(), isHigher);
                best.pop_back();
            }
            best.push_back(candidate);
            std::push_heap(best.begin(), best.end(), isHigher);
        }
    }
    std::sort(best.begin(), best.end(), isHigher);
    std::vector<LinkInterval> intervals;
    intervals.reserve(best.size());
    for (const Candidate& candidate : best)
        intervals.push_back(candidate.interval);
    return intervals;
}

StepFunction aggregateThroughput(const NvlinkDevice& device, LinkDirection direction)
{
    struct Cursor
    {
        const LinkSeries* series;
        std::size_t next = 0;
    };
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    constexpr double notSampled = std::numeric_limits<double>::quiet_NaN();
    std::vector<Cursor> cursors;
    std::int64_t time = never;
    for (const LinkSeries* series : selectSeries(device, std::nullopt, direction)) {
        if (series->bytes.empty())
            continue;
        cursors.push_back({series});
        time = std::min(time, series->beginNs.front());
    }
    // The sum is recomputed at every boundary: adding and subtracting rates would accumulate rounding errors.
    StepFunction result;
    while (time != never) {
        double sum = notSampled;
        std::int64_t border = never;
        for (Cursor& cursor : cursors) {
            const LinkSeries& series = *cursor.series;
            while (cursor.next < series.bytes.size() && series.endNs[cursor.next] <= time)
                ++cursor.next;
            if (cursor.next == series.bytes.size())
                continue;
            const LinkInterval interval{&series, cursor.next};
            const bool running = series.beginNs[cursor.next] <= time;
            if (running)
                sum = (std::isnan(sum) ? 0 : sum) + interval.gigabytesPerSecond();
            border = std::min(border, running ? interval.range().endNs : interval.range().beginNs);
        }
        if (result.value.empty() || sum != result.value.back()) { // NaN differs from itself, too
            result.timeNs.push_back(time);
            result.value.push_back(sum);
        }
        time = border;
    }
    return result;
}

std::string isoTime(std::int64_t epochNs)
{
    using namespace std::chrono;
    const sys_time<milliseconds> time(floor<milliseconds>(nanoseconds(epochNs)));
    const sys_days day = floor<days>(time);
    const year_month_day date(day);
    const hh_mm_ss clock(time - day);
    return zeroPadded(static_cast<int>(date.year()), 4) + '-'
        + zeroPadded(static_cast<unsigned>(date.month()), 2) + '-'
        + zeroPadded(static_cast<unsigned>(date.day()), 2) + 'T' + zeroPadded(clock.hours().count(), 2) + ':'
        + zeroPadded(clock.minutes().count(), 2) + ':' + zeroPadded(clock.seconds().count(), 2) + '.'
        + zeroPadded(clock.subseconds().count(), 3) + 'Z';
}

std::string intervalText(const LinkInterval& interval, std::optional<std::int64_t> axisZeroNs)
{
    const TimeRange range = interval.range();
    const double throughput = std::round(interval.gigabytesPerSecond() * 1e3) / 1e3;
    return (axisZeroNs ? isoTime(range.beginNs + *axisZeroNs) : "at " + millisecondsText(range.beginNs))
        + ", " + numberText(nsToUs(range.lengthNs())) + " us, " + numberText(throughput) + " GB/s on link "
        + std::to_string(interval.series->link)
        + (interval.series->direction == LinkDirection::Tx ? ", tx" : ", rx");
}

std::vector<NvlinkPeak> findPeaks(const TraceModel& model, int count)
{
    constexpr std::array directions{LinkDirection::Tx, LinkDirection::Rx};
    std::vector<StepFunction> functions;
    for (const NvlinkDevice& device : model.nvlink) {
        for (const LinkDirection direction : directions)
            functions.push_back(aggregateThroughput(device, direction));
    }
    std::vector<NvlinkPeak> peaks;
    for (const ProminentPeak& peak : prominentPeaks(functions, count))
        peaks.push_back({peak.function / directions.size(), directions[peak.function % directions.size()],
                         peak.range, peak.value});
    return peaks;
}

} // namespace collscope
