// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/step_times.h"

#include "metrics/core/common_steps.h"
#include "metrics/core/statistics.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

RankSteps measure(const RankWindows& windows)
{
    RankSteps result;
    result.rank = windows.rank;
    for (const RankWindows::Part& part : windows.parts) {
        const std::vector<Step>& all = part.timeline->steps;
        for (const Step& step : part.steps) {
            result.secondsEach.push_back(nsToSeconds(step.range.lengthNs()));
            result.totalNs += step.range.lengthNs();
            result.numbers.push_back(step.number);
            const auto self = std::find_if(all.begin(), all.end(),
                                           [&](const Step& s) { return s.number == step.number; });
            if (self != all.end() && self + 1 != all.end())
                result.periods.push_back(nsToSeconds((self + 1)->range.beginNs - self->range.beginNs));
        }
    }
    return result;
}

void keepStepsInside(TimeRange range, Selection& selection)
{
    for (RankWindows& rank : selection.ranks) {
        for (RankWindows::Part& part : rank.parts) {
            part.steps = part.timeline->steps;
            std::erase_if(part.steps, [&](const Step& step) {
                return step.range.beginNs < range.beginNs || step.range.endNs > range.endNs;
            });
        }
    }
    std::erase_if(selection.ranks, [](const RankWindows& rank) { return rank.stepCount() == 0; });
    selection.window = "steps inside the range";
    if (selection.ranks.empty())
        selection.failure = MetricResult::notApplicable("No complete step lies inside the selected range.");
    selection = keepCommonSteps(std::move(selection));
}

/// Removes the files without step markers of ranks that also have files with markers. Ranks without any
/// markers were already removed by keepCommonSteps().
void keepMarked(Selection& selection)
{
    if (auto none = withoutSteps(selection)) {
        selection.failure = std::move(none);
        return;
    }
    for (RankWindows& rank : selection.ranks) {
        std::erase_if(rank.parts, [](const RankWindows::Part& part) {
            return part.timeline->stepSource == StepSource::WholeTrace;
        });
    }
    std::erase(selection.warnings, unmarkedFilesWarning);
}

} // namespace

std::optional<MetricResult> withoutSteps(const Selection& selection)
{
    if (selection.failure || !hasNoSteps(selection))
        return std::nullopt;
    MetricResult result = MetricResult::notApplicable(
        "The trace contains no step markers, so per-step values are not available: call profiler.step() "
        "after each iteration, put NVTX ranges around it, or select a range.");
    result.scope = selection.scope;
    result.window = selection.window;
    result.source = selection.source;
    return result;
}

bool haveCommonSteps(const Selection& selection)
{
    const auto sameStep = [](const Step& a, const Step& b) {
        return a.number == b.number && a.range.beginNs == b.range.beginNs && a.range.endNs == b.range.endNs;
    };
    const auto samePart = [&](const RankWindows::Part& a, const RankWindows::Part& b) {
        return a.timeline->source.value == b.timeline->source.value
            && std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(), sameStep);
    };
    const auto sameRank = [&](const RankWindows& rank) {
        const std::vector<RankWindows::Part>& first = selection.ranks.front().parts;
        return std::equal(rank.parts.begin(), rank.parts.end(), first.begin(), first.end(), samePart);
    };
    return selection.ranks.size() > 1
        && std::all_of(selection.ranks.begin() + 1, selection.ranks.end(), sameRank);
}

double RankSteps::mean() const
{
    return meanOf(secondsEach);
}

std::vector<CommonStep> commonSteps(const std::vector<std::vector<std::int64_t>>& numbersByRank)
{
    // A run of several profiler iterations can repeat a number.
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> found;
    std::vector<std::pair<std::int64_t, std::int64_t>> order;
    for (std::size_t rank = 0; rank < numbersByRank.size(); ++rank) {
        std::map<std::int64_t, std::int64_t> seen;
        for (std::size_t i = 0; i < numbersByRank[rank].size(); ++i) {
            const std::int64_t number = numbersByRank[rank][i];
            const std::pair key(number, seen[number]++);
            if (rank == 0)
                order.push_back(key);
            std::vector<std::size_t>& index = found[key];
            if (index.size() == rank)
                index.push_back(i);
        }
    }
    std::vector<CommonStep> common;
    for (const auto& key : order) {
        if (found[key].size() == numbersByRank.size())
            common.push_back({key.first, found[key]});
    }
    return common;
}

std::vector<StepOverRanks> stepsOverRanks(const StepTimes& times)
{
    std::vector<std::vector<std::int64_t>> numbers;
    for (const RankSteps& rank : times.ranks)
        numbers.push_back(rank.numbers);
    std::vector<StepOverRanks> steps;
    for (const CommonStep& common : commonSteps(numbers)) {
        StepOverRanks& step = steps.emplace_back();
        step.number = common.number;
        for (std::size_t rank = 0; rank < times.ranks.size(); ++rank) {
            const double seconds = times.ranks[rank].secondsEach[common.index[rank]];
            step.meanSeconds += seconds / static_cast<double>(times.ranks.size());
            step.slowestSeconds = std::max(step.slowestSeconds, seconds);
        }
    }
    return steps;
}

StepTimes measureStepTimes(const TraceModel& model, const MetricOptions& options)
{
    StepTimes times;
    MetricOptions ownSteps = options;
    ownSteps.range.reset();
    times.selection = selectRanks(model, ownSteps, ClockMap());
    keepMarked(times.selection);
    if (options.range && !times.selection.failure)
        keepStepsInside(*options.range, times.selection);
    if (times.selection.failure)
        return times;
    std::vector<double> means;
    for (const RankWindows& windows : times.selection.ranks) {
        times.ranks.push_back(measure(windows));
        means.push_back(times.ranks.back().mean());
    }
    times.meanSeconds = meanOf(means);
    return times;
}

} // namespace collscope
