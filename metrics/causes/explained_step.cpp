// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/explained_step.h"

#include "metrics/analysis/interval_profile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace collscope {

namespace {

/// The first step with a number; nullptr if the timeline has none. Steps are sorted by number.
const Step* stepOf(const Timeline& timeline, std::int64_t number)
{
    const auto found
        = std::lower_bound(timeline.steps.begin(), timeline.steps.end(), number,
                           [](const Step& step, std::int64_t wanted) { return step.number < wanted; });
    return found != timeline.steps.end() && found->number == number ? &*found : nullptr;
}

/// "10-14, 20".
std::string numbersText(const std::set<std::int64_t>& numbers)
{
    std::string text;
    for (auto at = numbers.begin(); at != numbers.end();) {
        const std::int64_t first = *at;
        std::int64_t last = first;
        for (++at; at != numbers.end() && *at == last + 1; ++at)
            ++last;
        if (text.size() > 80)
            return text + ", ...";
        text += (text.empty() ? "" : ", ") + std::to_string(first);
        if (last > first)
            text += "-" + std::to_string(last);
    }
    return text;
}

Error noSuchStep(const std::set<std::int64_t>& numbers, std::int64_t number, std::optional<std::int32_t> rank)
{
    const std::string whose = rank ? "The trace of rank " + std::to_string(*rank) : "The trace";
    if (numbers.empty())
        return Error{Error::Kind::NotFound, whose + " has no step markers, so no step can be explained."};
    const std::string who = rank ? "Rank " + std::to_string(*rank) + " has no step " : "No rank has a step ";
    return Error{Error::Kind::NotFound,
                 who + std::to_string(number) + ". Available steps: " + numbersText(numbers) + "."};
}

} // namespace

Result<ExplainedStep> findExplainedStep(const Selection& selection, std::int64_t number,
                                        std::optional<std::int32_t> rank)
{
    ExplainedStep found;
    std::set<std::int64_t> numbers;
    std::map<std::int64_t, std::int64_t> longest; // by step number: duration on the slowest rank
    for (std::uint32_t i = 0; i < selection.ranks.size(); ++i) {
        const RankWindows& own = selection.ranks[i];
        const bool isChosen = !rank || *rank == own.rank;
        bool isFound = false;
        for (const RankWindows::Part& part : own.parts) {
            const Timeline& timeline = *part.timeline;
            if (timeline.stepSource == StepSource::WholeTrace)
                continue;
            const Step* const step = stepOf(timeline, number);
            if (step && !isFound)
                found.ranks.push_back({i, &timeline, step});
            isFound |= step != nullptr;
            if (!isChosen)
                continue;
            if (step
                && (!found.slowest.step || step->range.lengthNs() > found.slowest.step->range.lengthNs()))
                found.slowest = {i, &timeline, step};
            for (const Step& other : timeline.steps) {
                std::int64_t& ns = longest[other.number];
                ns = std::max(ns, other.range.lengthNs());
                numbers.insert(other.number);
            }
        }
    }
    if (!found.slowest.step)
        return noSuchStep(numbers, number, rank);
    std::vector<double> others;
    for (const auto& [other, ns] : longest) {
        if (other != number)
            others.push_back(static_cast<double>(ns));
    }
    found.others = others.size();
    found.othersNs = std::llround(middleOf(std::move(others)));
    return found;
}

} // namespace collscope
