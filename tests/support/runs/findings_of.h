// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is found in a planted run.

#include "metrics/findings/finding.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace collscope {

/// Nothing, if the run cannot be measured.
inline Findings findingsOf(const TraceModel& model, ClockChoice clocks = ClockChoice::Auto)
{
    MetricOptions options;
    options.clocks = clocks;
    Analysis analysis(model, options);
    auto findings = findCosts(analysis);
    return findings ? std::move(*findings) : Findings();
}

inline std::vector<const Finding*> allOf(const Findings& findings, FindingKind kind)
{
    std::vector<const Finding*> found;
    for (const Finding& finding : findings.all) {
        if (finding.kind == kind)
            found.push_back(&finding);
    }
    return found;
}

/// The first finding of a kind about one rank alone; nullptr without one.
inline const Finding* findingOf(const Findings& findings, FindingKind kind, std::int32_t rank)
{
    for (const Finding* finding : allOf(findings, kind)) {
        if (finding->ranks == std::vector<std::int32_t>{rank})
            return finding;
    }
    return nullptr;
}

/// The ranks that others wait for, in ascending order.
inline std::vector<std::int32_t> lateRanks(const Findings& findings)
{
    std::vector<std::int32_t> ranks;
    for (const Finding& finding : findings.all) {
        if (finding.kind == FindingKind::LateRank)
            ranks.insert(ranks.end(), finding.ranks.begin(), finding.ranks.end());
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

} // namespace collscope
