// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The NVTX ranges of an nsys file that mark training steps, and the windows made from them.

#include "model/timeline.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace collscope {

class NvtxSteps
{
public:
    /// Adds an NVTX range if its text marks a step: "train step 3", "training step 3", "iteration 3", "step
    /// 3" (alone), or an optimizer's step; case does not matter.
    void add(StringId name, std::string_view text, TimeRange range, std::int64_t thread);

    /// Returns numbered ranges, merged over threads by min start and max end; without any, an optimizer's
    /// steps on the busiest thread make start-to-start windows. Empty without either.
    std::vector<Step> steps(StepSource& source) const;
    /// Whether one thread used a number twice: the merged window then covers more than one step.
    bool hasRepeatedNumbers() const { return m_repeated; }

private:
    struct NumberedStep
    {
        Step step;
        std::int64_t thread = 0;
    };
    using ByNumber = std::map<std::int64_t, NumberedStep>;
    static constexpr int patternCount = 3;
    ByNumber m_numbered[patternCount]; ///< by pattern, the most specific first
    std::map<std::int64_t, std::vector<Step>> m_optimizerSteps; ///< by thread
    bool m_repeated = false;
};

} // namespace collscope
