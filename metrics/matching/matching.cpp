// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Texts about matches.

#include "metrics/matching/matching.h"

#include <algorithm>
#include <array>

namespace collscope {

std::string_view matchRuleName(MatchRule rule)
{
    static constexpr std::array<std::string_view, matchRuleCount> names{
        "Comms Id and Seq",
        "process group and Seq",
        "process group and call order",
        "call order within each step",
        "call order on the stream (the trace names no process groups)",
        "end times (the trace names no process groups, and several streams communicate)"};
    return names[static_cast<std::size_t>(rule)];
}

std::string_view matchConfidenceName(MatchConfidence confidence)
{
    static constexpr std::array<std::string_view, matchConfidenceCount> names{
        "profiler sequence numbers", "end times or steps", "program order", "order alone"};
    return names[static_cast<std::size_t>(confidence)];
}

std::string_view unmatchedReasonText(UnmatchedReason reason)
{
    switch (reason) {
    case UnmatchedReason::NoGroup:
        return "the trace names no process group for it, and nothing else identifies the matching call on "
               "another rank";
    case UnmatchedReason::PartnersUnknown:
        return "the trace does not state which ranks take part";
    case UnmatchedReason::Differs:
        return "name, type or size differs on the other ranks";
    case UnmatchedReason::NoSuchCall:
        return "no trace of another loaded rank of the group contains this call";
    case UnmatchedReason::OthersNotLoaded:
        return "the traces of the group's other ranks are not loaded";
    case UnmatchedReason::Ambiguous:
        return "the ranks' traces do not contain the same calls around it, so the matching call is ambiguous";
    case UnmatchedReason::EndsApart:
        return "the calls at the same position on other ranks ended at a different time";
    case UnmatchedReason::EndedBefore:
        return "its kernel ended before the kernel at the same position on another rank started, or vice "
               "versa";
    case UnmatchedReason::NobodyInTime:
        return "several streams communicate without process groups, and no end time identifies the matching "
               "call on another rank";
    case UnmatchedReason::SmallerGroups:
        return "the trace names no process groups, and the ranks ended only some of their calls together: "
               "they communicate in smaller groups, whose members cannot be determined";
    }
    return {};
}

std::int64_t Matching::matchedCalls() const
{
    std::int64_t matched = 0;
    for (const CollectiveInstance& instance : instances)
        matched += instance.memberCount > 1 ? instance.memberCount : 0;
    return matched;
}

std::int64_t Matching::byOrderAlone() const
{
    return std::count_if(instances.begin(), instances.end(), [](const CollectiveInstance& instance) {
        return instance.memberCount > 1 && instance.confidence == MatchConfidence::OrderAlone;
    });
}

} // namespace collscope
