// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/multirank/cause_text.h"

#include "metrics/multirank/cause_chain.h"
#include "metrics/multirank/collective_times.h"
#include "model/kernel_names.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace collscope {

namespace {

constexpr std::size_t longestName = 60;

std::string fourDigits(double value)
{
    // to_chars, because the desktop locale could write a comma.
    std::array<char, 64> buffer{};
    const auto [end, error]
        = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 4);
    return error == std::errc() ? std::string(buffer.data(), end) : std::string();
}

/// The first bytes of UTF-8 text, cut between characters.
std::string shortened(std::string_view text)
{
    if (text.size() <= longestName)
        return std::string(text);
    std::size_t end = longestName;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u)
        --end;
    return std::string(text.substr(0, end)) + "\u2026";
}

} // namespace

std::string timeText(std::int64_t ns)
{
    const std::int64_t size = std::abs(ns);
    if (size < 1000)
        return std::to_string(ns) + " ns";
    if (size < 1'000'000)
        return fourDigits(nsToUs(ns)) + " \u00b5s";
    if (size < 1'000'000'000)
        return fourDigits(nsToMs(ns)) + " ms";
    return numberText(std::round(nsToSeconds(ns) * 1000) / 1000) + " s";
}

std::string percentText(std::int64_t part, std::int64_t whole)
{
    const double percent = whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
    return std::to_string(std::llround(percent)) + " %";
}

std::string quotedName(std::string_view name)
{
    return "`" + shortened(name) + "`";
}

std::string collectiveText(Analysis& analysis, std::uint32_t instance)
{
    const RunCollectives& run = analysis.run();
    const CollectiveInstance& of = run.matching.instances[instance];
    const Call& call = run.callOf(run.matching.membersOf(of).front());
    std::string text(kernelClassName(call.kind));
    const bool isNumbered = call.meta && call.meta->sequence.has_value();
    if (isNumbered)
        text += " #" + std::to_string(*call.meta->sequence);
    // "#2 of 6" would read as the second of six: the names of most groups are numbers.
    if (const std::string& group = run.matching.groupOf(of).text; !group.empty())
        text += (group[0] >= '0' && group[0] <= '9' ? " of group " : " of ") + shortened(group);
    if (!isNumbered) {
        const CollectiveTimes times = run.timer(analysis.model(), analysis.clocks()).of(of);
        text += " at " + numberText(std::round(nsToUs(times.arrivals.beginNs)) / 1000) + " ms";
    }
    return text;
}

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

std::string alsoLateText(const std::vector<std::int32_t>& ranks)
{
    assert(!ranks.empty());
    constexpr std::size_t mostNamed = 3;
    if (ranks.size() == 1)
        return "rank " + std::to_string(ranks.front());
    std::string text = "ranks ";
    for (std::size_t i = 0; i < std::min(ranks.size(), mostNamed); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
    return text
        + (ranks.size() > mostNamed ? " and " + std::to_string(ranks.size() - mostNamed) + " more" : "");
}

std::string verdictSentence(const CauseChain& chain)
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

} // namespace collscope
