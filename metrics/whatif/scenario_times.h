// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The durations of a run in a scenario.

#include "metrics/whatif/peers.h"
#include "metrics/whatif/scenario.h"

namespace collscope {

/// What a scenario's durations rest on.
struct ScenarioBasis
{
    PeerBasis comparison = PeerBasis::None; ///< of changes that compare ranks
    std::vector<std::int32_t> peers; ///< ranks that were compared with
    double uncomparedTransfersNs = 0; ///< see PeerTable::Comparison
    bool leavesOutRanks = false; ///< calls of other ranks are not known, see AbsentRanks
    bool isBound = false; ///< the step cannot get shorter than that, and may not get that short
    std::vector<std::int64_t> leastNs
        = {}; ///< no step gets shorter than that, unless it was; empty: any does
    std::string refused; ///< why it is not answered; empty: it is
};

class ScenarioTimes
{
public:
    /// All must outlive this. O(nodes).
    ScenarioTimes(const TraceModel& model, const RunCollectives& run, const RunGraph& graph);

    const PeerTable& peers() const { return m_peers; }
    /// Changes durations that are as recorded to those of the scenario.
    ScenarioBasis apply(const Scenario& scenario, RunTimes& times) const;
    bool hasStages() const; ///< whether the stages of a pipeline are known
    /// Per step: the longest time that the collectives of one stream of a rank transfer.

private:
    void apply(const Change& change, RunTimes& times, ScenarioBasis& basis) const;
    void likePeers(const Change& change, RunTimes& times, ScenarioBasis& basis) const;
    std::vector<std::int32_t> stagesOfRanks() const;
    void balanceStages(RunTimes& times, ScenarioBasis& basis) const;
    void scaleKernels(const Change& change, RunTimes& times, ScenarioBasis& basis) const;
    void scaleTransfers(const Change& change, RunTimes& times, ScenarioBasis& basis) const;
    void withoutLaunches(RunTimes& times) const;
    std::vector<std::uint32_t> ranksOf(const Change& change, std::string& refused) const;
    bool isInScope(const CollectiveInstance& instance, const std::string& scope) const;
    void withoutTransfers(const Change& change, RunTimes& times, ScenarioBasis& basis) const;
    std::vector<std::int64_t> longestTransfers(const std::string& scope, const RunTimes& times) const;
    bool hasTransfers() const;
    std::string whyNoTransfers(const std::string& scope) const;
    std::optional<double> latencyNs(std::uint32_t instance) const;
    void fitLatencies();

    const TraceModel& m_model;
    const RunCollectives& m_collectives;
    const RunGraph& m_run;
    PeerTable m_peers;
    /// Part of a transfer that does not depend on its size, by kind and group size. None: a single size.
    using LinkKind = std::tuple<KernelClass, std::int32_t, ParallelismKind>; ///< and the number of ranks
    std::map<LinkKind, double> m_latencies;
};

} // namespace collscope
