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
    if (!timeline.summary)
        return;
    auto steps = unpackSteps(*timeline.summary);
    if (!steps) // they were sound when they were loaded
        timeline.summary->steps.bytes.throwLost();
    m_steps = std::move(*steps);
}

std::size_t StepSummaries::placeOf(const Step& step) const
{
    const std::vector<Step>& steps = m_timeline.steps;
    const auto sameNumber
        = std::lower_bound(steps.begin(), steps.end(), step.number,
                           [](const Step& own, std::int64_t number) { return own.number < number; });
    for (auto own = sameNumber; own != steps.end() && own->number == step.number; ++own) {
        const auto place = static_cast<std::size_t>(own - steps.begin());
        if (place < m_steps.size() && m_steps[place].range == step.range)
            return place;
    }
    if (m_timeline.summary->whole.range != step.range)
        throw std::out_of_range("a window that was not summarized");
    return m_steps.size();
}

const WindowSummary& StepSummaries::at(std::size_t place) const
{
    return place < m_steps.size() ? m_steps[place] : m_timeline.summary->whole;
}

} // namespace collscope
