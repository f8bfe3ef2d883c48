// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The scenario that answers what it would help to do about something: a finding, groups, or ranks.

#include "metrics/findings/finding.h"
#include "metrics/whatif/scenario.h"

namespace collscope {

/// nullopt: none is about it.
std::optional<Scenario> scenarioOf(const Finding& finding);
/// "bandwidth=dp:2": of groups of one kind; of all, if the kind is not known.
Scenario scenarioOfGroups(std::string_view word, ParallelismKind kind, std::string_view value);
/// "rank=3,5": these ranks like their peers. nullopt without ranks.
std::optional<Scenario> scenarioOfRanks(const std::vector<std::int32_t>& ranks);

} // namespace collscope
