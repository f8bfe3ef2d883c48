// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The stages of pipelines from summaries: of which collectives the order of the stages may explain who is
// last. What HandedWork tells of calls in memory, by the same rules (metrics/causes/pipeline_stages.h).

#include "metrics/summary/arrival_order.h"
#include "model/parallel.h"

namespace collscope {

class FoldedStages
{
public:
    /// `groups`: of the run; `pairs`: their matches, of which PairMatches::isOfRing is set. Reads the calls
    /// of the groups again, one group for each thread at a time. Memory of a thread: the transfers of one
    /// rank, 24 bytes each, and 24 bytes for each call of the group before which its rank handed work on.
    FoldedStages(const SummarizedRun& run, const std::vector<OrderedGroup>& groups,
                 std::vector<PairMatches>& pairs, const OrderOptions& options, const Parallel& parallel);

    /// Of the collective with this place in its group: HandedWork::mayExplainLast().
    bool mayExplainLast(std::size_t group, std::uint64_t number) const
    {
        return number < m_mayExplain[group].size() && m_mayExplain[group][number];
    }

private:
    /// A lane of a group of transfers.
    struct Place
    {
        std::uint32_t group = 0, lane = 0;
    };
    void placeRanks();
    std::set<std::uint32_t> findRings(TransferGraph& graph);
    bool mostlyExchanges(std::uint32_t rank) const;
    template<typename F>
    void forEachTransfer(std::uint32_t rank, const F& f) const;
    HandoverSums handoversOf(std::uint32_t rank) const;
    std::vector<bool> explained(std::size_t group, const OrderOptions& options) const;

    const SummarizedRun& m_run;
    const std::vector<OrderedGroup>& m_groups;
    std::vector<PairMatches>& m_pairs; ///< by group
    std::vector<std::vector<Place>> m_transfersOf; ///< by rank
    PipelineStages m_stages;
    std::vector<std::vector<bool>> m_mayExplain; ///< by group and number
};

} // namespace collscope
