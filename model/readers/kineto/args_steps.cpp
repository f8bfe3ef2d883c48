// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/args_steps.h"

#include "model/readers/text/decimal_time.h"

#include <algorithm>
#include <string>

namespace collscope {

void ArgsSteps::add(std::string_view step, TimeRange times)
{
    constexpr std::size_t mostSteps = std::size_t{1} << 20;
    const auto number = integerFromText(step);
    if (!number || *number < 0 || m_rangeOfStep.size() >= mostSteps)
        return;
    ++m_named;
    const auto [found, isNew] = m_rangeOfStep.try_emplace(*number, times);
    if (!isNew)
        found->second = found->second.united(times);
}

void ArgsSteps::takeFrom(ArgsSteps& later)
{
    for (const auto& [number, times] : later.m_rangeOfStep) {
        const auto [found, isNew] = m_rangeOfStep.try_emplace(number, times);
        if (!isNew)
            found->second = found->second.united(times);
    }
    slices += later.slices;
    m_named += later.m_named;
    later = {};
}

std::vector<Step> ArgsSteps::steps(StringTable& strings) const
{
    std::vector<Step> steps;
    if (m_named * 2 <= slices)
        return steps;
    for (const auto& [number, times] : m_rangeOfStep)
        steps.push_back({number, StringId{0}, times});
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        TimeRange& own = steps[i].range;
        const TimeRange& next = steps[i + 1].range;
        // A late event of one rank may overlap the next step of another rank.
        const bool isInOrder = own.beginNs < next.beginNs && own.endNs - next.beginNs <= next.lengthNs() / 2;
        if (!isInOrder)
            return {};
        own.endNs = std::min(own.endNs, next.beginNs);
    }
    for (Step& step : steps)
        step.name = strings.intern("step " + std::to_string(step.number));
    return steps;
}

} // namespace collscope
