// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/step_summaries.h"

#include "model/partial/packed_steps.h"

#include <algorithm>
#include <stdexcept>

namespace collscope {

StepSummaries::StepSummaries(const Timeline& timeline)
    : m_timeline(timeline)
{
    if (timeline.summary) // they were sound when they were loaded
        m_steps = unpackSteps(timeline.summary->steps).value();
}

const WindowSummary& StepSummaries::of(const Step& step) const
{
    const auto isOf = [&](const WindowSummary& window) {
        return window.range.beginNs == step.range.beginNs && window.range.endNs == step.range.endNs;
    };
    const std::vector<Step>& steps = m_timeline.steps;
    const auto sameNumber
        = std::lower_bound(steps.begin(), steps.end(), step.number,
                           [](const Step& own, std::int64_t number) { return own.number < number; });
    for (auto own = sameNumber; own != steps.end() && own->number == step.number; ++own) {
        const auto place = static_cast<std::size_t>(own - steps.begin());
        if (place < m_steps.size() && isOf(m_steps[place]))
            return m_steps[place];
    }
    if (!isOf(m_timeline.summary->whole))
        throw std::out_of_range("a window that was not summarized");
    return m_timeline.summary->whole;
}

} // namespace collscope
