// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/step_lateness.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace collscope {

namespace {

std::int64_t latenessOf(const FoldedSteps& steps)
{
    std::int64_t sumNs = 0;
    for (const auto& [step, cell] : steps.cells())
        sumNs += cell.latenessNs;
    return sumNs;
}

/// Of all ranks, ascending.
std::vector<std::int64_t> stepsOf(const StepWaits& waits)
{
    std::vector<std::int64_t> all;
    for (const FoldedSteps& rank : waits.steps) {
        std::vector<std::int64_t> own, joined;
        for (const auto& [step, cell] : rank.cells())
            own.push_back(step);
        if (std::includes(all.begin(), all.end(), own.begin(), own.end()))
            continue;
        std::set_union(all.begin(), all.end(), own.begin(), own.end(), std::back_inserter(joined));
        all = std::move(joined);
    }
    return all;
}

} // namespace

StepWaitsPtr stepWaitsOf(const FoldedStraggler& folded)
{
    return std::make_shared<const StepWaits>(
        StepWaits{folded.arrivals.ranks, folded.steps, folded.arrivals.significantNs});
}

StepLateness::StepLateness(StepWaitsPtr waits, const std::set<std::int32_t>& leftOut)
    : m_waits(std::move(waits))
    , m_steps(stepsOf(*m_waits))
{
    significantNs = m_waits->significantNs;
    for (std::size_t column = 0; column < m_steps.size(); ++column)
        stepStarts.push_back({column, m_steps[column]});
    order(leftOut);
    std::vector<float> cells(ranks.size() * m_steps.size(), absent);
    for (std::size_t row = 0; row < ranks.size(); ++row) {
        for (std::size_t column = 0; column < m_steps.size(); ++column) {
            if (const FoldedCell* const cell = cellOf(row, column))
                cells[row * m_steps.size() + column] = cell->latenessNs > significantNs * cell->calls
                    ? static_cast<float>(cell->latenessNs)
                    : 0.0F;
        }
    }
    setCells(m_steps.size(), std::move(cells));
}

void StepLateness::order(const std::set<std::int32_t>& leftOut)
{
    const std::vector<RankWait>& all = m_waits->ranks;
    std::vector<std::int64_t> lateness(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        lateness[i] = latenessOf(m_waits->steps[i]);
        if (!leftOut.contains(all[i].rank))
            m_order.push_back(i);
    }
    const auto key = [&](std::size_t i) {
        return std::tuple(-all[i].causedNs, -all[i].possiblyCausedNs, -lateness[i], all[i].rank);
    };
    std::sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (const std::size_t i : m_order) {
        ranks.push_back(all[i].rank);
        m_mostCausedNs = std::max(m_mostCausedNs, all[i].causedNs);
    }
}

const FoldedCell* StepLateness::cellOf(std::size_t row, std::size_t column) const
{
    const auto& cells = m_waits->steps[m_order[row]].cells();
    const auto found
        = std::lower_bound(cells.begin(), cells.end(), m_steps[column],
                           [](const auto& cell, std::int64_t step) { return cell.first < step; });
    return found != cells.end() && found->first == m_steps[column] ? &found->second : nullptr;
}

} // namespace collscope
