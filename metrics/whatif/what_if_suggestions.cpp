// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which scenarios are worth a question, and what they are called.

#include "metrics/core/duration_text.h"
#include "metrics/whatif/what_if_replay.h"

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

namespace {

Scenario scenarioOf(const std::string& spec)
{
    return std::get<Scenario>(parseScenario(spec));
}

std::string ranksText(const std::vector<std::int32_t>& ranks)
{
    constexpr std::size_t mostNamed = 16;
    if (ranks.size() > mostNamed)
        return countText(static_cast<std::int64_t>(ranks.size()), "rank");
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < ranks.size(); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
    return text;
}

/// " of dp", " inside nodes", "".
std::string scopeText(const Change& change)
{
    if (change.scope == "inside")
        return " inside nodes";
    if (change.scope == "across")
        return " between nodes";
    return change.scope.empty() ? "" : " of " + change.scope;
}

std::string bandwidthText(const Change& change)
{
    return (change.factor == 2 ? "twice the bandwidth" : numberText(change.factor) + " x the bandwidth")
        + scopeText(change);
}

std::string changeText(const Change& change)
{
    switch (change.kind) {
    case ChangeKind::Rank:
        return change.host.empty()
            ? ranksText(change.ranks) + (change.ranks.size() == 1 ? " like its peers" : " like their peers")
            : "the ranks of " + change.host + " like their peers";
    case ChangeKind::Late:
        return "no rank late";
    case ChangeKind::Stages:
        return "balanced stages";
    case ChangeKind::Kernels:
        return "kernels " + quotedName(change.label.empty() ? change.kernels.name : change.label) + " in "
            + numberText(100 * change.factor) + " % of their time";
    case ChangeKind::Input:
        return "input in no time";
    case ChangeKind::Launches:
        return "launches in no time";
    case ChangeKind::Bandwidth:
        return bandwidthText(change);
    case ChangeKind::Communication:
        return "communication" + scopeText(change) + " in no time";
    case ChangeKind::Overlapped:
        return "communication" + scopeText(change) + " hidden";
    }
    return {};
}

} // namespace

std::string WhatIfReplay::textOf(const Scenario& scenario) const
{
    std::string text;
    for (const Change& change : scenario.changes)
        text += (text.empty() ? "" : ", ") + changeText(change);
    return text;
}

/// Ranks, and hosts of such ranks, that do more than their peers.
void WhatIfReplay::suggestRanks(std::vector<Scenario>& scenarios) const
{
    constexpr double leastShare = 0.01;
    constexpr std::size_t most = 8;
    constexpr std::size_t mostCompared = 64; // piece by piece
    const double least = leastShare * m_measuredNs * static_cast<double>(m_run.ranks.front().numbers.size());
    struct Late
    {
        std::int64_t ns;
        std::uint32_t rank;
    };
    const auto byNs = [](const Late& a, const Late& b) { return a.ns > b.ns; };
    const PeerTable& peers = m_scenarios->peers();
    std::vector<Late> late; // by what they do more, from sums
    for (std::uint32_t rank = 0; rank < m_run.ranks.size(); ++rank)
        late.push_back({peers.excessNs(rank), rank});
    // The sums of medians are not the medians of sums: half of it is enough to look closer.
    std::erase_if(late, [&](const Late& own) { return 2 * static_cast<double>(own.ns) <= least; });
    std::stable_sort(late.begin(), late.end(), byNs);
    late.resize(std::min(late.size(), mostCompared));
    std::map<StringId, std::pair<std::size_t, std::size_t>> hosts; // late ranks, all
    for (const RankWork& work : m_run.works)
        ++hosts[work.timeline->host].second;
    RunTimes times = m_base;
    for (Late& own : late)
        own.ns = peers.likePeers(own.rank, times).savedNs;
    std::erase_if(late, [&](const Late& own) { return static_cast<double>(own.ns) <= least; });
    for (const Late& own : late)
        ++hosts[m_run.works[own.rank].timeline->host].first;
    std::stable_sort(late.begin(), late.end(), byNs);
    for (std::size_t i = 0; i < std::min(late.size(), most); ++i)
        scenarios.push_back(scenarioOf("rank=" + std::to_string(m_run.ranks[late[i].rank].rank)));
    for (const auto& [host, counts] : hosts) {
        const std::string name(host ? m_model.text(host) : std::string_view());
        if (hosts.size() > 1 && counts.second > 1 && counts.first == counts.second && !name.empty()
            && name.find('+') == std::string::npos)
            scenarios.push_back(scenarioOf("rank=host:" + name));
    }
}

/// The kernels with most time on the longest chain.
void WhatIfReplay::suggestKernels(std::vector<Scenario>& scenarios) const
{
    constexpr std::size_t most = 10;
    constexpr int percent = 50;
    const TraceModel& model = m_model;
    std::map<StringId, std::int64_t> onPath;
    for (const PathItem& item : m_path.items) {
        const RunNode& node = m_run.nodes[item.node];
        if (node.kind == NodeKind::Gpu && isCompute(model.classOf(node.slice)))
            onPath[model.track(node.slice.track).slices.name[node.slice.row]] += item.ns;
    }
    std::vector<std::pair<std::int64_t, StringId>> names;
    names.reserve(onPath.size());
    for (const auto& [name, ns] : onPath)
        names.emplace_back(-ns, name);
    std::sort(names.begin(), names.end());
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
        if (const auto scenario = scenarioOfKernel(model.text(names[i].second), percent))
            scenarios.push_back(*scenario);
    }
}

std::vector<Scenario> WhatIfReplay::suggestions() const
{
    std::vector<Scenario> scenarios;
    const bool hasOthers = m_run.ranks.size() > 1;
    std::set<std::string> kinds;
    for (std::size_t i = 0; i < m_run.transfers.size(); ++i) {
        const Matching& matching = m_collectives->matching;
        if (m_run.transfers[i] == noIndex)
            continue;
        const Call& call = m_collectives->callOf(matching.membersOf(matching.instances[i]).front());
        kinds.insert(std::string(parallelismKindName(call.parallelismKind)));
    }
    if (hasOthers) {
        scenarios.push_back(scenarioOf("late"));
        suggestRanks(scenarios);
    }
    suggestKernels(scenarios);
    const bool areKindsKnown = kinds.size() > 1 && !kinds.contains("unknown");
    for (const std::string& kind : kinds) {
        if (areKindsKnown)
            scenarios.push_back(scenarioOf("bandwidth=" + kind + ":2"));
    }
    if (!kinds.empty()) {
        scenarios.push_back(scenarioOf("bandwidth=2"));
        scenarios.push_back(scenarioOf("comm=overlapped"));
        scenarios.push_back(scenarioOf("comm=0"));
    }
    scenarios.push_back(scenarioOf("launches=0"));
    if (std::any_of(m_run.nodes.begin(), m_run.nodes.end(),
                    [](const RunNode& node) { return node.kind == NodeKind::Loading; }))
        scenarios.push_back(scenarioOf("input=0"));
    if (m_scenarios->hasStages())
        scenarios.push_back(scenarioOf("stages=balanced"));
    return scenarios;
}

} // namespace collscope
