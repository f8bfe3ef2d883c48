// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/cause_chain.h"

#include "metrics/causes/cause_text.h"

#include <array>

namespace collscope {

std::string_view causeName(Cause cause)
{
    static constexpr std::array<std::string_view, causeCount> names{
        "none",          "slow_kernel",       "more_work",       "slow_cpu",
        "late_input",    "memory_allocation", "synchronisation", "waited_elsewhere",
        "slow_transfer", "inconclusive"};
    return names[static_cast<std::size_t>(cause)];
}

std::string_view causeText(Cause cause, bool onCpu)
{
    if (onCpu && cause == Cause::SlowKernel)
        return "slower operators";
    if (onCpu && cause == Cause::SlowCpu)
        return "time outside recorded operators";
    if (onCpu && cause == Cause::Synchronisation)
        return "synchronisation";
    static constexpr std::array<std::string_view, causeCount> texts{"nothing to explain",
                                                                    "slower kernels",
                                                                    "more work",
                                                                    "late launches by the CPU",
                                                                    "late input",
                                                                    "memory allocation",
                                                                    "synchronisation of CPU and GPU",
                                                                    "waiting for another rank",
                                                                    "slower communication",
                                                                    "inconclusive"};
    return texts[static_cast<std::size_t>(cause)];
}

std::string_view causeVerdictName(CauseVerdict verdict)
{
    switch (verdict) {
    case CauseVerdict::NobodyLate:
        return "nobody_late";
    case CauseVerdict::LateRank:
        return "late_rank";
    case CauseVerdict::AllRanks:
        return "all_ranks";
    case CauseVerdict::Inconclusive:
        break;
    }
    return "inconclusive";
}

namespace {

std::string verdictWithoutCost(const CauseChain& chain)
{
    std::string cause(causeText(chain.cause, chain.onCpu));
    if (chain.alsoCause)
        cause += " and " + std::string(causeText(*chain.alsoCause, chain.onCpu));
    switch (chain.verdict) {
    case CauseVerdict::NobodyLate:
        if (!chain.early.empty())
            return "No rank was late, but " + alsoLateText(chain.early)
                + " arrived early and waited for the other ranks.";
        return "No rank was clearly late.";
    case CauseVerdict::LateRank:
        if (chain.links.empty())
            return (chain.othersUnknown ? "Rank " : "No rank was late at a collective; rank ")
                + std::to_string(chain.rank) + " took longer on its own: " + cause + ".";
        if (chain.rank >= 0 && !chain.alsoLate.empty())
            return "Rank " + std::to_string(chain.rank) + " and " + alsoLateText(chain.alsoLate)
                + " together delayed the other ranks; rank " + std::to_string(chain.rank) + ": " + cause
                + ".";
        return (chain.rank >= 0 ? "Rank " + std::to_string(chain.rank) : "More than one rank")
            + " delayed the other ranks: " + cause + ".";
    case CauseVerdict::AllRanks:
        if (chain.rank >= 0)
            return "Rank " + std::to_string(chain.rank) + " took longer: " + cause + ".";
        return (chain.othersUnknown
                    ? "The step took longer on most of the ranks compared: "
                    : "No rank was late; the step took longer on most of the ranks compared: ")
            + cause + ".";
    case CauseVerdict::Inconclusive:
        break;
    }
    if (chain.arrivalsUnknown)
        return "Inconclusive: the late rank cannot be determined for too many of its collectives.";
    return "Inconclusive: the measurements explain too little of the time.";
}

} // namespace

std::string verdictSentence(const CauseChain& chain)
{
    return verdictWithoutCost(chain) + (chain.hardware.empty() ? "" : " " + chain.hardware)
        + (chain.largestCost.empty() ? "" : " " + chain.largestCost);
}

} // namespace collscope
