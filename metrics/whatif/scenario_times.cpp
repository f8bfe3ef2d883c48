// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/scenario_times.h"

#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace collscope {

namespace {

std::int64_t scaled(std::int64_t ns, double factor)
{
    return std::llround(static_cast<double>(ns) * factor);
}

} // namespace

ScenarioTimes::ScenarioTimes(const TraceModel& model, const RunCollectives& run, const RunGraph& graph)
    : m_model(model)
    , m_collectives(run)
    , m_run(graph)
    , m_peers(model, run, graph)
{
    fitLatencies();
}

/// Hockney's model: a transfer takes a constant time, and time in proportion to its size. Fitted to the
/// median transfer of each size.
void ScenarioTimes::fitLatencies()
{
    std::map<LinkKind, std::map<std::uint64_t, std::vector<double>>> transfers;
    for (std::uint32_t i = 0; i < m_run.transfers.size(); ++i) {
        if (m_run.transfers[i] == noIndex)
            continue;
        const CollectiveInstance& instance = m_collectives.matching.instances[i];
        const Call& call = m_collectives.callOf(m_collectives.matching.membersOf(instance).front());
        if (call.bytes)
            transfers[{call.kind, call.groupSize, call.parallelismKind}][*call.bytes].push_back(
                static_cast<double>(m_run.nodes[m_run.transfers[i]].durationNs));
    }
    for (auto& [kind, bySize] : transfers) {
        if (bySize.size() < 2)
            continue;
        std::vector<double> sizes, durations;
        for (auto& [bytes, values] : bySize) {
            sizes.push_back(static_cast<double>(bytes));
            durations.push_back(medianOf(std::move(values)));
        }
        const double meanSize = meanOf(sizes);
        const double meanNs = meanOf(durations);
        double products = 0;
        double squares = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            products += (sizes[i] - meanSize) * (durations[i] - meanNs);
            squares += (sizes[i] - meanSize) * (sizes[i] - meanSize);
        }
        if (products <= 0)
            continue; // larger ones take no longer: other links, or something else decides
        const double shortest = *std::min_element(durations.begin(), durations.end());
        m_latencies[kind] = std::clamp(meanNs - products / squares * meanSize, 0.0, shortest);
    }
}

/// nullopt if a single size does not tell.
std::optional<double> ScenarioTimes::latencyNs(std::uint32_t instance) const
{
    const auto members = m_collectives.matching.membersOf(m_collectives.matching.instances[instance]);
    const Call& call = m_collectives.callOf(members.front());
    const auto found = m_latencies.find({call.kind, call.groupSize, call.parallelismKind});
    return found != m_latencies.end() ? std::optional(found->second) : std::nullopt;
}

ScenarioBasis ScenarioTimes::apply(const Scenario& scenario, RunTimes& times) const
{
    ScenarioBasis basis;
    for (const Change& change : scenario.changes) {
        if (basis.refused.empty())
            apply(change, times, basis);
    }
    return basis;
}

void ScenarioTimes::apply(const Change& change, RunTimes& times, ScenarioBasis& basis) const
{
    const auto withoutTime = [&](NodeKind kind) {
        for (std::uint32_t i = 0; i < m_run.nodes.size(); ++i) {
            if (m_run.nodes[i].kind == kind)
                times.durationsNs[m_run.graph.placeOf(i)] = 0;
        }
    };
    switch (change.kind) {
    case ChangeKind::Rank:
    case ChangeKind::Late:
        return likePeers(change, times, basis);
    case ChangeKind::Stages:
        return balanceStages(times, basis);
    case ChangeKind::Kernels:
        return scaleKernels(change, times, basis);
    case ChangeKind::Input:
        return withoutTime(NodeKind::Loading);
    case ChangeKind::Launches:
        basis.isBound = true;
        return withoutLaunches(times);
    case ChangeKind::Bandwidth:
        return scaleTransfers(change, times, basis);
    case ChangeKind::Communication:
    case ChangeKind::Overlapped:
        return withoutTransfers(change, times, basis);
    }
}

bool ScenarioTimes::hasTransfers() const
{
    return std::any_of(m_run.transfers.begin(), m_run.transfers.end(),
                       [](std::uint32_t node) { return node != noIndex; });
}

std::string ScenarioTimes::whyNoTransfers(const std::string& scope) const
{
    if (m_run.counts.communicationNs == 0)
        return "the GPUs do not communicate";
    return hasTransfers() ? "no collective is known to be of that kind (" + scope + ")"
                          : "no collective of several ranks could be matched";
}

std::vector<std::uint32_t> ScenarioTimes::ranksOf(const Change& change, std::string& refused) const
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < m_run.ranks.size(); ++i) {
        const std::int32_t rank = m_run.ranks[i].rank;
        const bool isNamed = change.host.empty()
            ? std::binary_search(change.ranks.begin(), change.ranks.end(), rank)
            : m_model.text(m_run.works[i].timeline->host) == change.host;
        if (isNamed)
            found.push_back(i);
    }
    if (!change.host.empty() && found.empty())
        refused = "no rank ran on a host of that name";
    else if (found.size() < change.ranks.size())
        refused = "a rank of the scenario has no trace";
    return found;
}

void ScenarioTimes::likePeers(const Change& change, RunTimes& times, ScenarioBasis& basis) const
{
    std::vector<PeerTable::Comparison> comparisons;
    if (change.kind == ChangeKind::Late) {
        comparisons.push_back(m_peers.nobodyLate(times));
    } else {
        for (const std::uint32_t rank : ranksOf(change, basis.refused)) {
            comparisons.push_back(m_peers.likePeers(rank, times));
            if (basis.refused.empty() && comparisons.back().basis == PeerBasis::None)
                basis.refused
                    = "no rank does the same work as rank " + std::to_string(m_run.ranks[rank].rank);
        }
    }
    for (const PeerTable::Comparison& comparison : comparisons) {
        basis.comparison = std::max(basis.comparison, comparison.basis);
        basis.uncomparedTransfersNs += comparison.uncomparedTransfersNs;
        basis.peers.insert(basis.peers.end(), comparison.peers.begin(), comparison.peers.end());
    }
    std::sort(basis.peers.begin(), basis.peers.end());
    basis.peers.erase(std::unique(basis.peers.begin(), basis.peers.end()), basis.peers.end());
    if (basis.refused.empty() && basis.comparison == PeerBasis::None)
        basis.refused = "no two ranks do the same work";
}

/// The stage of each rank, if the mesh tells, else by the pairs that send to each other: a pipeline is a
/// chain of ranks. -1: unknown.
std::vector<std::int32_t> ScenarioTimes::stagesOfRanks() const
{
    const std::size_t count = m_run.works.size();
    std::vector<std::int32_t> stages;
    for (const RankWork& work : m_run.works) {
        const RankPlace* const place = m_collectives.mesh.placeOf(work.timeline->rank);
        stages.push_back(place ? place->at(MeshDimension::Pipeline) : -1);
    }
    if (std::find(stages.begin(), stages.end(), -1) == stages.end())
        return stages;
    std::map<std::int32_t, std::uint32_t> indexOf;
    for (std::uint32_t i = 0; i < count; ++i)
        indexOf[m_run.works[i].timeline->rank] = i;
    std::vector<std::set<std::uint32_t>> partners(count);
    for (std::uint32_t i = 0; i < m_run.transfers.size(); ++i) {
        const auto members = m_collectives.matching.membersOf(m_collectives.matching.instances[i]);
        if (m_run.transfers[i] == noIndex || members.size() != 2
            || m_collectives.callOf(members.front()).kind != KernelClass::SendRecv)
            continue;
        const std::uint32_t first = indexOf[m_collectives.ranks[members[0].rank].rank];
        const std::uint32_t second = indexOf[m_collectives.ranks[members[1].rank].rank];
        partners[first].insert(second);
        partners[second].insert(first);
    }
    stages.assign(count, -1);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (partners[i].size() != 1 || stages[i] >= 0)
            continue;
        std::int32_t stage = 0; // along the chain, from its lower end
        for (std::uint32_t rank = i; rank != noIndex;) {
            stages[rank] = stage++;
            const auto next = std::find_if(partners[rank].begin(), partners[rank].end(),
                                           [&](std::uint32_t other) { return stages[other] < 0; });
            rank = next != partners[rank].end() && partners[*next].size() <= 2 ? *next : noIndex;
        }
    }
    return stages;
}

bool ScenarioTimes::hasStages() const
{
    const std::vector<std::int32_t> stages = stagesOfRanks();
    const auto [least, most] = std::minmax_element(stages.begin(), stages.end());
    return !stages.empty() && *least >= 0 && *most > *least;
}

/// The computation of a stage takes the mean of all stages, without optimizer and copies: these do not move
/// with the layers of the model.
void ScenarioTimes::balanceStages(RunTimes& times, ScenarioBasis& basis) const
{
    std::map<std::int32_t, std::vector<double>> sums; // of the ranks of each stage
    const std::vector<std::int32_t> stages = stagesOfRanks();
    const auto counts = [](const GpuActivity& activity) {
        return isCompute(activity.kind) && activity.kind != KernelClass::Optimizer;
    };
    const auto durationOf = [&](std::size_t rank, std::size_t activity) -> std::int64_t& {
        return times.durationsNs[m_run.graph.placeOf(m_run.ranks[rank].arrivals[activity])];
    };
    for (std::size_t rank = 0; rank < m_run.works.size(); ++rank) {
        const std::vector<GpuActivity>& activities = m_run.works[rank].activities;
        double sum = 0;
        for (std::size_t i = 0; i < activities.size(); ++i)
            sum += counts(activities[i]) ? static_cast<double>(durationOf(rank, i)) : 0;
        sums[stages[rank]].push_back(sum);
    }
    if (sums.contains(-1) || sums.size() < 2) {
        basis.refused = "no pipeline of several stages is known";
        return;
    }
    double mean = 0;
    for (const auto& [stage, ranks] : sums)
        mean += meanOf(ranks) / static_cast<double>(sums.size());
    for (std::uint32_t rank = 0; rank < m_run.works.size(); ++rank) {
        const double own = meanOf(sums[stages[rank]]);
        const RankWork& work = m_run.works[rank];
        for (std::uint32_t i = 0; own > 0 && i < work.activities.size(); ++i) {
            if (!counts(work.activities[i]))
                continue;
            std::int64_t& ns = durationOf(rank, i);
            ns = scaled(ns, mean / own);
        }
    }
}

void ScenarioTimes::scaleKernels(const Change& change, RunTimes& times, ScenarioBasis& basis) const
{
    std::map<StringId, bool> wanted;
    std::size_t found = 0;
    for (std::uint32_t rank = 0; rank < m_run.works.size(); ++rank) {
        const RankWork& work = m_run.works[rank];
        for (std::uint32_t i = 0; i < work.activities.size(); ++i) {
            const GpuActivity& activity = work.activities[i];
            if (activity.communicates())
                continue;
            const StringId name = m_model.track(activity.slice.track).slices.name[activity.slice.row];
            const auto [known, isNew] = wanted.try_emplace(name, false);
            if (isNew)
                known->second = change.kernels.countsName(m_model.text(name));
            if (!known->second)
                continue;
            ++found;
            std::int64_t& ns = times.durationsNs[m_run.graph.placeOf(m_run.ranks[rank].arrivals[i])];
            ns = scaled(ns, change.factor);
        }
    }
    if (found == 0)
        basis.refused = "no kernel that computes has such a name";
}

bool ScenarioTimes::isInScope(const CollectiveInstance& instance, const std::string& scope) const
{
    if (scope.empty())
        return true;
    const Matching& matching = m_collectives.matching;
    if (scope != "inside" && scope != "across")
        return parallelismKindName(m_collectives.callOf(matching.membersOf(instance).front()).parallelismKind)
            == scope;
    std::string_view node;
    bool isInside = true;
    for (const CallRef member : matching.membersOf(instance)) {
        const RankPlace* const place = m_collectives.mesh.placeOf(m_collectives.ranks[member.rank].rank);
        if (!place || place->node.empty())
            return false;
        isInside = isInside && (node.empty() || node == place->node);
        node = place->node;
    }
    return isInside == (scope == "inside");
}

void ScenarioTimes::scaleTransfers(const Change& change, RunTimes& times, ScenarioBasis& basis) const
{
    std::size_t found = 0;
    for (std::uint32_t i = 0; i < m_run.transfers.size(); ++i) {
        if (m_run.transfers[i] == noIndex || !isInScope(m_collectives.matching.instances[i], change.scope))
            continue;
        ++found;
        std::int64_t& ns = times.durationsNs[m_run.graph.placeOf(m_run.transfers[i])];
        const std::optional<double> latency = latencyNs(i);
        // A single size does not tell how much of the transfer depends on the bandwidth.
        basis.isBound = basis.isBound || !latency;
        const auto fixedNs = std::min(static_cast<std::int64_t>(latency.value_or(0)), ns);
        ns = fixedNs + scaled(ns - fixedNs, 1 / change.factor);
    }
    if (found == 0)
        basis.refused = whyNoTransfers(change.scope);
}

void ScenarioTimes::withoutLaunches(RunTimes& times) const
{
    for (std::uint32_t i = 0; i < m_run.nodes.size(); ++i) {
        if (m_run.nodes[i].kind == NodeKind::Cpu)
            times.durationsNs[m_run.graph.placeOf(i)] = 0;
    }
    for (const EdgeKind kind : {EdgeKind::Launch, EdgeKind::Resume})
        times.withoutLag[static_cast<std::size_t>(kind)] = true;
}

void ScenarioTimes::withoutTransfers(const Change& change, RunTimes& times, ScenarioBasis& basis) const
{
    basis.isBound = true;
    bool isAny = false;
    if (change.kind == ChangeKind::Overlapped) {
        const std::vector<std::int64_t> longest = longestTransfers(change.scope, times);
        basis.leastNs.resize(longest.size());
        for (std::size_t step = 0; step < longest.size(); ++step)
            basis.leastNs[step] = std::max(basis.leastNs[step], longest[step]);
    }
    for (std::uint32_t i = 0; i < m_run.transfers.size(); ++i) {
        if (m_run.transfers[i] == noIndex || !isInScope(m_collectives.matching.instances[i], change.scope))
            continue;
        times.durationsNs[m_run.graph.placeOf(m_run.transfers[i])] = 0;
        isAny = true;
    }
    if (!isAny)
        basis.refused = whyNoTransfers(change.scope);
}

/// By step: the longest sum of transfers on one stream.
std::vector<std::int64_t> ScenarioTimes::longestTransfers(const std::string& scope,
                                                          const RunTimes& times) const
{
    std::vector<std::int64_t> longest;
    for (const RankWork& work : m_run.works) {
        longest.resize(std::max(longest.size(), work.steps.size()));
        std::map<std::pair<std::size_t, std::uint32_t>, std::int64_t> sums; // by step and stream
        for (const GpuActivity& activity : work.activities) {
            if (activity.collective == noIndex || activity.launch == noIndex
                || !isInScope(m_collectives.matching.instances[activity.collective], scope))
                continue;
            const std::int64_t launchNs = work.launchNs(activity);
            const auto after
                = std::partition_point(work.steps.begin(), work.steps.end(),
                                       [&](const Step& step) { return step.range.beginNs <= launchNs; });
            if (after == work.steps.begin() || !(after - 1)->range.contains(launchNs))
                continue;
            const auto step = static_cast<std::size_t>(after - 1 - work.steps.begin());
            sums[{step, activity.stream}]
                += times.durationsNs[m_run.graph.placeOf(m_run.transfers[activity.collective])];
        }
        for (const auto& [key, ns] : sums)
            longest[key.first] = std::max(longest[key.first], ns);
    }
    return longest;
}

} // namespace collscope
