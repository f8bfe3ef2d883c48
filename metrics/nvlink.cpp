// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/nvlink.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace collscope {

namespace {

__extension__ using WideInteger = unsigned __int128;

std::string gpuNames(const TraceModel& model)
{
    std::string names;
    for (const NvlinkDevice& device : model.nvlink)
        names += (names.empty() ? "" : ", ")
            + (device.gpu ? std::to_string(*device.gpu) : std::string("unnamed"));
    return names;
}

/// An interval with its place in the order that breaks ties.
struct Candidate
{
    LinkInterval interval;
    std::size_t series = 0;
};

/// Compares bytes / duration exactly, without dividing.
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

/// For each step how low the function falls between it and the next strictly higher step before it; 0 if
/// there is none, because outside the samples nothing is known to move. One pass with a stack of ever lower
/// steps.
std::vector<double> basesBefore(const std::vector<double>& value)
{
    struct Entry
    {
        double value;
        double lowest; ///< since the entry below
    };
    std::vector<Entry> higher;
    std::vector<double> bases;
    bases.reserve(value.size());
    for (const double v : value) {
        double lowest = v;
        while (!higher.empty() && higher.back().value <= v) {
            lowest = std::min(lowest, higher.back().lowest);
            higher.pop_back();
        }
        bases.push_back(higher.empty() ? 0 : lowest);
        higher.push_back({v, lowest});
    }
    return bases;
}

struct ProminentStep
{
    std::size_t function = 0;
    std::size_t step = 0;
    double prominence = 0;
};

/// Local maxima that rise by at least a tenth of the function's maximum: less is the ripple of sampling.
void appendProminentSteps(const StepFunction& steps, std::size_t function, std::vector<ProminentStep>& found)
{
    if (steps.value.empty())
        return;
    std::vector<double> value = steps.value;
    std::replace_if(
        value.begin(), value.end(), [](double one) { return std::isnan(one); }, 0.0);
    const std::vector<double> before = basesBefore(value);
    std::vector<double> after = basesBefore({value.rbegin(), value.rend()});
    std::reverse(after.begin(), after.end());
    const double least = steps.highest() / 10;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const bool rises = i == 0 || value[i] > value[i - 1];
        const bool falls = i + 1 == value.size() || value[i] > value[i + 1];
        const double prominence = value[i] - std::max(before[i], after[i]);
        if (rises && falls && prominence > 0 && prominence >= least)
            found.push_back({function, i, prominence});
    }
}

TimeRange plateau(const StepFunction& steps, std::size_t step)
{
    const double least = 0.95 * steps.value[step];
    std::size_t first = step;
    while (first > 0 && steps.value[first - 1] >= least)
        --first;
    std::size_t last = step;
    while (last + 1 < steps.value.size() && steps.value[last + 1] >= least)
        ++last;
    const std::size_t end = std::min(last + 1, steps.timeNs.size() - 1);
    return {steps.timeNs[first], steps.timeNs[end]};
}

} // namespace

NvlinkChoice chooseNvlink(const TraceModel& model, std::optional<std::int32_t> gpu)
{
    NvlinkChoice choice;
    if (model.nvlink.empty()) {
        choice.missing = "No NVLink counter file (NVF1, .bin) was found in what was opened.";
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
                + " was used. Open the folder of one node for another.";
    } else if (model.nvlink.size() == 1) {
        choice.device = &first;
        if (gpu && first.gpu)
            choice.warning = "The only NVLink file names GPU " + std::to_string(*first.gpu) + ", not GPU "
                + std::to_string(*gpu) + "; it was used all the same.";
        else if (gpu)
            choice.warning = "The only NVLink file does not say which GPU it belongs to; it was used for GPU "
                + std::to_string(*gpu) + ".";
    } else if (!gpu) {
        choice.device = &first;
        choice.warning = "There are NVLink files of several GPUs (" + gpuNames(model)
            + "); the first was used. Choose with "
              "--gpu.";
    } else {
        choice.missing = "No NVLink file names GPU " + std::to_string(*gpu) + "; there are files of GPU "
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
    std::vector<Candidate> best; // a heap whose front is the lowest of those kept
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
    // The sum is taken anew at every border: adding and subtracting rates would let rounding errors pile up.
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
        if (result.value.empty() || sum != result.value.back()) { // NaN is unlike all, also itself
            result.timeNs.push_back(time);
            result.value.push_back(sum);
        }
        time = border;
    }
    return result;
}

std::vector<NvlinkPeak> findPeaks(const TraceModel& model, int count)
{
    struct Function
    {
        std::size_t device;
        LinkDirection direction;
        StepFunction steps;
    };
    std::vector<Function> functions;
    std::vector<ProminentStep> candidates;
    for (std::size_t device = 0; device < model.nvlink.size(); ++device) {
        for (const LinkDirection direction : {LinkDirection::Tx, LinkDirection::Rx}) {
            functions.push_back({device, direction, aggregateThroughput(model.nvlink[device], direction)});
            appendProminentSteps(functions.back().steps, functions.size() - 1, candidates);
        }
    }
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [](const ProminentStep& a, const ProminentStep& b) { return a.prominence > b.prominence; });
    std::vector<NvlinkPeak> peaks;
    for (const ProminentStep& candidate : candidates) {
        if (peaks.size() >= static_cast<std::size_t>(std::max(count, 0)))
            break;
        const Function& function = functions[candidate.function];
        const NvlinkPeak peak{function.device, function.direction, plateau(function.steps, candidate.step),
                              function.steps.value[candidate.step]};
        const bool known = std::any_of(peaks.begin(), peaks.end(), [&](const NvlinkPeak& other) {
            return other.device == peak.device && other.direction == peak.direction
                && other.range.overlaps(peak.range);
        });
        if (!known)
            peaks.push_back(peak);
    }
    return peaks;
}

} // namespace collscope
