// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What would make the steps of a run shorter, by how much, and how sure that is.

#include "metrics/whatif/slowdown.h"
#include "metrics/whatif/what_if_replay.h"

#include <variant>

namespace collscope {

struct WhatIfAnswer
{
    std::shared_ptr<const WhatIfReplay> replay;
    std::vector<ScenarioAnswer> scenarios; ///< what one can do, the largest gain first; or as they were asked
    std::vector<ScenarioAnswer> limits; ///< what no change reaches
    std::vector<ScenarioAnswer> after; ///< the best one with another one, and those with a third
    /// Of timelines of operations, which have no scenarios: how much longer their steps take than with the
    /// usual duration of each operation.
    std::optional<Slowdown> slowdown;
    std::size_t small = 0; ///< scenarios that gain less than WhatIfReplay::barNs(), and are left out

    bool isRefused() const { return !replay->refused().empty(); }
};

/// Of timelines of operations; or why there is none, as a sentence.
std::variant<Slowdown, std::string> slowdownOf(Analysis& analysis);

/// Answers the scenarios in their order or, without any, those that WhatIfReplay suggests.
WhatIfAnswer answerWhatIf(Analysis& analysis, const std::vector<Scenario>& asked);

} // namespace collscope
