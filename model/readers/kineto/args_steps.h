// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Steps of trace files whose events state in their args which step they belong to.

#include "model/string_table.h"
#include "model/timeline.h"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace collscope {

class ArgsSteps
{
public:
    /// Adds an event; `step` is the text of its step arg.
    void add(std::string_view step, TimeRange times);
    /// Moves the steps of `later`, which were read from the text that follows, into this object.
    void takeFrom(ArgsSteps& later);
    /// Returns each step from the start of its first event to the end of its last event in the file, or to
    /// the start of the next step. Empty if at most half of the events name a step, or if steps overlap too
    /// far: the arg then means something else.
    std::vector<Step> steps(StringTable& strings) const;

    std::uint64_t slices = 0; ///< events that could name a step

private:
    std::map<std::int64_t, TimeRange> m_rangeOfStep;
    std::uint64_t m_named = 0;
};

} // namespace collscope
