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
    std::string_view spec;
};
constexpr SpecOfFinding specsOfFindings[] = {
    {FindingKind::UnbalancedWork, "late"},
    {FindingKind::UnbalancedExperts, "late"},
    {FindingKind::PipelineBubble, "stages=balanced"},
    {FindingKind::LaunchBound, "launches=0"},
};

struct SpecOfCause
{
    IdleCause cause;
    std::string_view spec;
};
/// Of idle time of a GPU.
constexpr SpecOfCause specsOfCauses[] = {
    {IdleCause::LoadsData, "input=0"},
    {IdleCause::CpuBound, "launches=0"},
    {IdleCause::LaunchOverhead, "launches=0"},
};

std::optional<Scenario> scenarioOfSpec(std::string_view spec)
{
    return std::get<Scenario>(parseScenario(spec));
}

/// "comm=tp:overlapped" for a finding about groups of a known kind.
std::optional<Scenario> scenarioOfGroup(std::string_view word, std::string_view group, std::string_view value)
{
    const std::string text(word);
    auto ofKind = parseScenario(text + std::string(parallelismKindName(parallelismOfDescription(group))) + ":"
                                + std::string(value));
    if (Scenario* const scenario = std::get_if<Scenario>(&ofKind))
        return std::move(*scenario);
    return scenarioOfSpec(text + std::string(value));
}

} // namespace

std::optional<Scenario> scenarioOfRanks(const std::vector<std::int32_t>& ranks)
{
    std::string spec = "rank=";
    for (std::size_t i = 0; i < ranks.size(); ++i)
        spec += (i > 0 ? "," : "") + std::to_string(ranks[i]);
    return ranks.empty() ? std::nullopt : scenarioOfSpec(spec);
}

std::optional<Scenario> scenarioOf(const Finding& finding)
{
    if (finding.kind == FindingKind::LateRank || finding.kind == FindingKind::SlowKernelsOnRank)
        return scenarioOfRanks(finding.ranks);
    if (finding.kind == FindingKind::ExposedCommunication)
        return scenarioOfGroup("comm=", finding.group, "overlapped");
    if (finding.kind == FindingKind::SlowCollectives)
        return scenarioOfGroup("bandwidth=", finding.group, "2");
    for (const SpecOfCause& known : specsOfCauses) {
        if (finding.idleCause == known.cause)
            return scenarioOfSpec(known.spec);
    }
    const auto* const known
        = std::find_if(std::begin(specsOfFindings), std::end(specsOfFindings),
                       [&](const SpecOfFinding& own) { return own.kind == finding.kind; });
    return known != std::end(specsOfFindings) ? scenarioOfSpec(known->spec) : std::nullopt;
}

} // namespace collscope
