// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/tables/step_windows.h"

#include <set>
#include <tuple>

namespace collscope {

StepWindows::StepWindows(Analysis& every, Analysis& counted)
{
    const TraceModel& model = every.model();
    const bool isRange = every.options().range.has_value();
    using Key = std::tuple<std::size_t, std::int64_t, std::int64_t>; // timeline, begin, number
    std::set<Key> chosen;
    for (const RankWindows& rank : counted.allRanks().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps)
                chosen.emplace(model.indexOf(*part.timeline), step.range.beginNs, step.number);
        }
    }
    for (const RankWindows& rank : every.allRanks().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            const std::size_t timeline = model.indexOf(*part.timeline);
            const bool isStep = !isRange && part.timeline->stepSource != StepSource::WholeTrace;
            m_finders.insert_or_assign(timeline, Finder{m_windows.size(), StepFinder(part.steps)});
            for (const Step& step : part.steps) {
                const bool isCounted = chosen.contains({timeline, step.range.beginNs, step.number});
                m_windows.push_back({rank.rank, timeline, step, isStep, isCounted});
            }
        }
    }
}

std::optional<std::size_t> StepWindows::of(const Call& call, const TraceModel& model) const
{
    const auto finder = m_finders.find(model.indexOf(*call.timeline));
    if (finder == m_finders.end())
        return std::nullopt;
    const std::int32_t step = finder->second.steps.at(model.rangeOf(call.slice).beginNs);
    return step < 0 ? std::nullopt : std::optional(finder->second.first + static_cast<std::size_t>(step));
}

} // namespace collscope
