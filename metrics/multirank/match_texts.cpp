// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is said of matches, in words.

#include "metrics/multirank/call_matching.h"

#include <array>

namespace collscope {

std::string_view matchRuleName(MatchRule rule)
{
    static constexpr std::array<std::string_view, matchRuleCount> names{
        "Comms Id and Seq",
        "process group and Seq",
        "process group and order of the calls",
        "order of the calls in each step",
        "order on the stream (the trace names no process groups)",
        "their ends (the trace names no process groups, and several streams communicate)"};
    return names[static_cast<std::size_t>(rule)];
}

std::string_view matchConfidenceName(MatchConfidence confidence)
{
    static constexpr std::array<std::string_view, matchConfidenceCount> names{
        "numbers of the profiler", "confirmed by ends or steps", "order of the program", "order alone"};
    return names[static_cast<std::size_t>(confidence)];
}

std::string_view unmatchedReasonText(UnmatchedReason reason)
{
    switch (reason) {
    case UnmatchedReason::NoGroup:
        return "the trace names no process group for it, and nothing else tells which call of another rank "
               "it is";
    case UnmatchedReason::PartnersUnknown:
        return "the trace does not say which ranks take part";
    case UnmatchedReason::Differs:
        return "name, type or size is another on the other ranks";
    case UnmatchedReason::NoSuchCall:
        return "the trace of no other loaded rank of the group holds this call";
    case UnmatchedReason::OthersNotLoaded:
        return "the traces of the group's other ranks are not loaded";
    case UnmatchedReason::Ambiguous:
        return "the traces of the ranks do not hold the same calls around it, so that it cannot be told "
               "apart";
    case UnmatchedReason::EndsApart:
        return "the calls of other ranks that its order gives it ended at another time";
    case UnmatchedReason::EndedBefore:
        return "its kernel had ended before the one that its order gives it began, or that one before it";
    case UnmatchedReason::NobodyInTime:
        return "several streams communicate without process groups, and no call of another rank can be "
               "told by its end to be the same one";
    case UnmatchedReason::SmallerGroups:
        return "the trace names no process groups, and the ranks left some calls together and others not: "
               "they communicate in smaller groups, and which ranks these have cannot be told";
    }
    return {};
}

} // namespace collscope
