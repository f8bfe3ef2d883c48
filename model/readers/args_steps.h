// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Steps of trace files whose events say in their args which step they belong to.

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
    /// An event of a step, by the text of its args.
    void add(std::string_view step, TimeRange times);
    /// Takes over what the text behind says.
    void takeFrom(ArgsSteps& later);
    /// Each step from the begin of its first event to the end of its last one in the file, or to the begin of
    /// the next step. Empty if most events name no step, or if steps lie within each other: then it means
    /// something else.
    std::vector<Step> steps(StringTable& strings) const;

    std::uint64_t slices = 0; ///< events that could name a step

private:
    std::map<std::int64_t, TimeRange> m_rangeOfStep;
    std::uint64_t m_named = 0;
};

} // namespace collscope
