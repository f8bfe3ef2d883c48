// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/finding_scenario.h"

#include "metrics/calls/parallelism_kind.h"

#include <algorithm>

namespace collscope {

namespace {

struct SpecOfFinding
{
    FindingKind kind;
    std::optional<IdleCause> cause; ///< of idle time of a GPU; none: whatever the cause
    std::string_view spec;
};
constexpr SpecOfFinding specsOfFindings[] = {
    {FindingKind::UnbalancedWork, std::nullopt, "late"},
    {FindingKind::UnbalancedExperts, std::nullopt, "late"},
    {FindingKind::PipelineBubble, std::nullopt, "stages=balanced"},
    {FindingKind::LaunchBound, std::nullopt, "launches=0"},
    {FindingKind::GpuIdle, IdleCause::CpuBound, "launches=0"},
    {FindingKind::GpuIdle, IdleCause::LoadsData, "input=0"},
};

Scenario scenarioOfSpec(std::string_view spec)
{
    return std::get<Scenario>(parseScenario(spec));
}

} // namespace

Scenario scenarioOfGroups(std::string_view word, ParallelismKind kind, std::string_view value)
{
    const std::string text = std::string(word) + "=";
    auto ofKind = parseScenario(text + std::string(parallelismKindName(kind)) + ":" + std::string(value));
    Scenario* const scenario = std::get_if<Scenario>(&ofKind);
    return scenario ? std::move(*scenario) : scenarioOfSpec(text + std::string(value));
}

std::optional<Scenario> scenarioOfRanks(const std::vector<std::int32_t>& ranks)
{
    std::string spec = "rank=";
    for (std::size_t i = 0; i < ranks.size(); ++i)
        spec += (i > 0 ? "," : "") + std::to_string(ranks[i]);
    return ranks.empty() ? std::nullopt : std::optional(scenarioOfSpec(spec));
}

std::optional<Scenario> scenarioOf(const Finding& finding)
{
    if (finding.kind == FindingKind::LateRank || finding.kind == FindingKind::SlowKernelsOnRank)
        return scenarioOfRanks(finding.ranks);
    if (finding.kind == FindingKind::ExposedCommunication)
        return scenarioOfGroups("comm", parallelismOfDescription(finding.group), "overlapped");
    if (finding.kind == FindingKind::SlowCollectives)
        return scenarioOfGroups("bandwidth", parallelismOfDescription(finding.group), "2");
    const auto* const known
        = std::find_if(std::begin(specsOfFindings), std::end(specsOfFindings), [&](const SpecOfFinding& own) {
              return own.kind == finding.kind && (!own.cause || own.cause == finding.idleCause);
          });
    return known != std::end(specsOfFindings) ? std::optional(scenarioOfSpec(known->spec)) : std::nullopt;
}

} // namespace collscope
