// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The scenario that answers what it would help to do about a finding.

#include "metrics/findings/finding.h"
#include "metrics/whatif/scenario.h"

namespace collscope {

/// nullopt: none is about it.
std::optional<Scenario> scenarioOf(const Finding& finding);
/// "rank=3,5": these ranks like their peers. nullopt without ranks.
std::optional<Scenario> scenarioOfRanks(const std::vector<std::int32_t>& ranks);

} // namespace collscope
