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

std::string gpuNames(const TraceModel& model, const NvlinkRanks& ranks)
{
    std::string names;
    for (std::size_t i = 0; i < model.nvlink.size(); ++i) {
        const auto& gpu = model.nvlink[i].gpu;
        const std::string plain = gpu ? std::to_string(*gpu) : std::string("unnamed");
        const bool isPlain = !gpu || ranks.nameOf(i) == "GPU " + plain;
        names += (names.empty() ? "" : ", ") + (isPlain ? plain : ranks.textOf(i));
    }
    return names;
}

NvlinkChoice chosenFile(const TraceModel& model, const NvlinkRanks& ranks, std::size_t device)
{
    NvlinkChoice choice;
    choice.device = &model.nvlink[device];
    choice.name = ranks.nameOf(device);
    choice.place = ranks.of(device);
    return choice;
}

std::string counterFileOf(const TraceModel& model, const NvlinkDevice& device)
{
    return device.source.value < model.sources.size() ? model.sources[device.source.value].path
                                                      : std::string("the first one");
}

/// The file of a rank, or nothing if none is known to be of it.
std::optional<NvlinkChoice> chosenByRank(const TraceModel& model, const NvlinkRanks& ranks, std::int32_t rank)
{
    const std::vector<std::size_t> own = ranks.devicesOf(rank);
    if (own.empty())
        return std::nullopt;
    NvlinkChoice choice = chosenFile(model, ranks, own.front());
    if (own.size() > 1)
        choice.warning = std::to_string(own.size()) + " NVLink files are of " + ranks.nameOf(own.front())
            + ", rank " + std::to_string(rank) + "; " + counterFileOf(model, *choice.device) + " is used.";
    return choice;
}

/// The file that names a GPU, of which no file is known to be of the rank with that number.
NvlinkChoice chosenByNumber(const TraceModel& model, const NvlinkRanks& ranks,
                            const std::vector<std::size_t>& named, std::int32_t gpu)
{
    const std::size_t first = named.front();
    const std::string number = std::to_string(gpu);
    const std::vector<std::int32_t> open = model.ranks();
    const bool isOpen = std::binary_search(open.begin(), open.end(), gpu);
    NvlinkChoice choice = chosenFile(model, ranks, first);
    if (open.empty() && named.size() > 1) {
        choice.warning = std::to_string(named.size()) + " NVLink files name GPU " + number + "; "
            + counterFileOf(model, *choice.device)
            + " is used. To use another one, open the folder of a single node.";
    } else if (choice.place.rank && !isOpen && named.size() == 1) {
        choice.warning = "GPU " + number + " is that of rank " + std::to_string(*choice.place.rank) + ", "
            + choice.place.why + ".";
    } else if (named.size() == 1 && !choice.place.rank) {
        if (!open.empty())
            choice.warning = "The rank of GPU " + number + " cannot be told: " + choice.place.why + ".";
    } else {
        std::string files;
        for (const std::size_t i : named)
            files += (files.empty() ? "" : ", ") + ranks.textOf(i);
        choice = {};
        choice.missing = "No NVLink file is known to be of rank " + number + ". Files of GPU " + number + ": "
            + files + ".";
        for (const std::size_t i : named) {
            if (!ranks.of(i).rank) {
                choice.missing
                    += " The rank of " + ranks.nameOf(i) + " cannot be told: " + ranks.of(i).why + ".";
                break;
            }
        }
    }
    return choice;
}

/// The only file, for a GPU that it does not name.
NvlinkChoice chosenAlone(const TraceModel& model, const NvlinkRanks& ranks, std::int32_t gpu)
{
    NvlinkChoice choice = chosenFile(model, ranks, 0);
    const std::string number = std::to_string(gpu);
    if (choice.place.rank && !isGuess(choice.place.evidence)) {
        choice.missing = "The only NVLink file is of rank " + std::to_string(*choice.place.rank) + ", "
            + choice.place.why + ", not of rank " + number + ".";
        choice.device = nullptr;
        return choice;
    }
    choice.place = {};
    choice.warning = choice.device->gpu
        ? "The only NVLink file names GPU " + std::to_string(*choice.device->gpu) + ", not GPU " + number
            + "; it is used nevertheless."
        : "The only NVLink file does not name its GPU; it is used for GPU " + number + ".";
    return choice;
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

using SharedNvlinkRanks = std::shared_ptr<const NvlinkRanks>;

NvlinkChoice chosenOf(const TraceModel& model, const NvlinkRanks& ranks, std::optional<std::int32_t> gpu)
{
    if (model.nvlink.empty()) {
        NvlinkChoice choice;
        choice.missing = "No NVLink counter file (NVF1, .bin) was found among the opened files.";
        return choice;
    }
    if (!gpu) {
        NvlinkChoice choice = chosenFile(model, ranks, 0);
        if (model.nvlink.size() > 1)
            choice.warning = "NVLink files of several GPUs were found (" + gpuNames(model, ranks)
                + "); the first one is used. Choose another one with --gpu.";
        return choice;
    }
    if (auto choice = chosenByRank(model, ranks, *gpu))
        return std::move(*choice);
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < model.nvlink.size(); ++i) {
        if (model.nvlink[i].gpu == gpu)
            named.push_back(i);
    }
    if (!named.empty())
        return chosenByNumber(model, ranks, named, *gpu);
    if (model.nvlink.size() == 1)
        return chosenAlone(model, ranks, *gpu);
    NvlinkChoice choice;
    choice.missing = "No NVLink file names GPU " + std::to_string(*gpu) + "; files were found for GPU "
        + gpuNames(model, ranks) + ".";
    return choice;
}

} // namespace

NvlinkChoice chooseNvlink(const TraceModel& model, std::optional<std::int32_t> gpu)
{
    return chosenOf(model, NvlinkRanks(model), gpu);
}

NvlinkChoice chooseNvlink(Analysis& analysis, std::optional<std::int32_t> gpu)
{
    return chosenOf(analysis.model(), nvlinkRanksOf(analysis), gpu);
}

const NvlinkRanks& nvlinkRanksOf(Analysis& analysis)
{
    return *analysis.table<SharedNvlinkRanks>(
        [&] { return std::make_shared<const NvlinkRanks>(analysis.model()); });
}

void shareNvlinkRanks(Analysis& from, Analysis& to)
{
    nvlinkRanksOf(from);
    const auto known = from.table<SharedNvlinkRanks>([] { return SharedNvlinkRanks(); });
    to.table<SharedNvlinkRanks>([&] { return known; });
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
