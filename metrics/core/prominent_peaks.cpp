// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/prominent_peaks.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// For each step, the lowest value between it and the nearest strictly higher step before it; 0 if there is
/// none, because no traffic is known outside the samples. One pass with a stack of descending steps.
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

/// Local maxima that rise by at least a tenth of the function's maximum: smaller ones are sampling ripple.
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

StepFunction stepFunctionOf(const SampledCurve& curve)
{
    constexpr double notSampled = std::numeric_limits<double>::quiet_NaN();
    StepFunction steps;
    const auto add = [&](std::int64_t timeNs, double value) {
        if (!steps.value.empty() && steps.value.back() == value) // NaN differs from itself, too
            return;
        steps.timeNs.push_back(timeNs);
        steps.value.push_back(value);
    };
    std::optional<std::int64_t> end;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const TimeRange range = curve.range(i);
        if (end && range.beginNs > *end)
            add(*end, notSampled);
        add(range.beginNs, curve.value(i));
        end = range.endNs;
    }
    if (end)
        add(*end, notSampled);
    return steps;
}

std::vector<ProminentPeak> prominentPeaks(const std::vector<StepFunction>& functions, int count)
{
    std::vector<ProminentStep> candidates;
    for (std::size_t i = 0; i < functions.size(); ++i)
        appendProminentSteps(functions[i], i, candidates);
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [](const ProminentStep& a, const ProminentStep& b) { return a.prominence > b.prominence; });
    std::vector<ProminentPeak> peaks;
    for (const ProminentStep& candidate : candidates) {
        if (peaks.size() >= static_cast<std::size_t>(std::max(count, 0)))
            break;
        const StepFunction& steps = functions[candidate.function];
        const ProminentPeak peak{candidate.function, plateau(steps, candidate.step),
                                 steps.value[candidate.step]};
        const bool isKnown = std::any_of(peaks.begin(), peaks.end(), [&](const ProminentPeak& other) {
            return other.function == peak.function && other.range.overlaps(peak.range);
        });
        if (!isKnown)
            peaks.push_back(peak);
    }
    return peaks;
}

} // namespace collscope
