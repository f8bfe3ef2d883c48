// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How late each rank of a summarized run was in each step, with the ranks that made the others wait first.

#include "metrics/matching/lateness_cells.h"
#include "metrics/summary/folded_straggler.h"

#include <memory>
#include <set>

namespace collscope {

/// What FoldedStraggler tells of ranks and steps.
struct StepWaits
{
    std::vector<RankWait> ranks;
    std::vector<FoldedSteps> steps; ///< by rank, as `ranks`
    std::int64_t significantNs = 0; ///< as Arrivals
};
using StepWaitsPtr = std::shared_ptr<const StepWaits>;
StepWaitsPtr stepWaitsOf(const FoldedStraggler& folded);

/// Its columns are steps. A cell is the lateness of a rank behind the first one, summed over its collectives
/// that began in the step.
class StepLateness : public LatenessCells
{
public:
    /// Rows: the rank that caused most waiting first, then those that may have (of several that arrived last
    /// together), then by lateness and by number; none of the ranks in `leftOut`. O(ranks log ranks + cells).
    StepLateness(StepWaitsPtr waits, const std::set<std::int32_t>& leftOut);

    const std::vector<std::int64_t>& steps() const { return m_steps; } ///< number by column
    const RankWait& waitsOf(std::size_t row) const { return m_waits->ranks[m_order[row]]; }
    /// Exact sums; nullptr if the rank has no counted collective in the step.
    const FoldedCell* cellOf(std::size_t row, std::size_t column) const;
    std::int64_t mostCausedNs() const { return m_mostCausedNs; } ///< of all rows

private:
    void order(const std::set<std::int32_t>& leftOut);

    StepWaitsPtr m_waits;
    std::vector<std::size_t> m_order; ///< into StepWaits::ranks
    std::vector<std::int64_t> m_steps; ///< ascending
    std::int64_t m_mostCausedNs = 0;
};
using StepLatenessPtr = std::shared_ptr<const StepLateness>;

} // namespace collscope
