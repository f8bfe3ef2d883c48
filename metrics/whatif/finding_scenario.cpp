// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/finding_scenario.h"

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
    {FindingKind::ExposedCommunication, "comm=overlapped"},
    {FindingKind::SlowCollectives, "bandwidth=2"},
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
    return std::get<Scenario>(parseScenario(std::string(spec)));
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
