// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How far apart the ranks' communication is overall: when it ends and how long it takes. Calls are not
// matched.

#include "metrics/analysis/window_agreement.h"
#include "metrics/catalog/catalog.h"
#include "metrics/causes/arrivals.h"
#include "metrics/matching/wait_rule.h"

#include <algorithm>

namespace collscope {

namespace {

/// Range from the first start to the last end of one rank's communication.
struct CommunicationWindow
{
    std::optional<TimeRange> range;
    std::int64_t kernelNs = 0; ///< sum of durations, for kernels that last until the transfer is done
    std::int64_t rooted = 0; ///< calls excluded from kernelNs (hasRoot())
};

std::vector<CommunicationWindow> communicationWindows(Analysis& analysis)
{
    std::vector<CommunicationWindow> windows;
    for (const RankCalls& rank : analysis.calls()) {
        CommunicationWindow& window = windows.emplace_back();
        for (const Call& call : rank.aroundWindow()) {
            if (!call.inWindow())
                continue;
            const TimeRange range = analysis.onAxis(call);
            window.range = window.range ? window.range->united(range) : range;
            const bool isRooted = hasRoot(analysis.model(), call);
            window.kernelNs += isRooted ? 0 : call.durationNs();
            window.rooted += isRooted ? 1 : 0;
        }
    }
    return windows;
}

/// The reason why the windows cannot be compared; nullopt if every rank has one.
std::optional<MetricResult> needsEveryWindow(Analysis& analysis,
                                             const std::vector<CommunicationWindow>& windows)
{
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (!windows[i].range || windows[i].range->isEmpty())
            return noValue(analysis.communicating(), MetricState::NotApplicable,
                           "Rank " + std::to_string(analysis.calls()[i].rank)
                               + " does not communicate in the window (" + analysis.communicating().window
                               + ").");
    }
    return std::nullopt;
}

/// The reason why times of the ranks cannot be compared: their clocks are not connected.
std::optional<MetricResult> needsOneClock(Analysis& analysis)
{
    const std::int32_t sets = analysis.run().clocks.components;
    if (!analysis.run().clocks.isTrusted || sets <= 1)
        return std::nullopt;
    return noValue(analysis.communicating(), MetricState::NotApplicable,
                   "The ranks form " + std::to_string(sets)
                       + " sets without common collectives, so whether the clocks of different sets agree is "
                         "unknown, and which rank ends last cannot be determined.");
}

MetricResult stragglerDelay(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    if (auto failure = needsTwoRanks(analysis, selection))
        return *failure;
    if (auto failure = needsSameSteps(analysis))
        return *failure;
    if (auto failure = needsOneClock(analysis))
        return *failure;
    const std::vector<RankCalls>& ranks = analysis.calls();
    const std::vector<CommunicationWindow> windows = communicationWindows(analysis);
    if (auto failure = needsEveryWindow(analysis, windows))
        return *failure;
    std::int64_t begin = windows.front().range->beginNs;
    std::int64_t firstEnd = windows.front().range->endNs;
    std::size_t latest = 0;
    Value::Object ends;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        begin = std::min(begin, windows[i].range->beginNs);
        firstEnd = std::min(firstEnd, windows[i].range->endNs);
        latest = windows[i].range->endNs > windows[latest].range->endNs ? i : latest;
        ends.emplace_back(std::to_string(ranks[i].rank), nsToUs(windows[i].range->endNs));
    }
    const std::int64_t lastEnd = windows[latest].range->endNs;
    MetricResult result = valueOf(analysis, selection, "last against first rank");
    const auto span = static_cast<double>(lastEnd - begin);
    result.value = static_cast<double>(lastEnd - firstEnd) / span;
    for (std::size_t i = 0; i < windows.size(); ++i)
        result.rows.push_back(
            {ranks[i].rank, std::nullopt, static_cast<double>(windows[i].range->endNs - firstEnd) / span});
    result.details
        = {{"delay_us", nsToUs(lastEnd - firstEnd)},
           {"span_us", nsToUs(lastEnd - begin)},
           {"last_rank", lastEnd > firstEnd ? Value(static_cast<std::int64_t>(ranks[latest].rank)) : Value()},
           {"per_rank_end_times_us", std::move(ends)}};
    result.inputs
        = {"The first rank ends its communication " + numberText(nsToUs(lastEnd - firstEnd))
           + " \u00b5s before the last one (rank " + std::to_string(ranks[latest].rank) + "), of "
           + numberText(nsToUs(lastEnd - begin)) + " \u00b5s from the first start to the last end."};
    addClockWarnings(analysis, analysis.run().clocks, nullptr, result);
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
}

/// The reason why durations of the ranks cannot be compared; nullopt if every rank has durations that count.
std::optional<MetricResult> needsEveryDuration(Analysis& analysis,
                                               const std::vector<CommunicationWindow>& windows)
{
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (windows[i].kernelNs > 0)
            continue;
        const std::string rank = "Rank " + std::to_string(analysis.calls()[i].rank);
        return noValue(
            analysis.communicating(), MetricState::NotApplicable,
            windows[i].rooted > 0 ? rank + " communicates in the window (" + analysis.communicating().window
                    + ") only in calls that have a root (broadcast, reduce, gather, scatter). Their "
                      "durations do not show which rank waited: a sender may leave before the others arrive."
                                  : rank + "'s communication in the window ("
                    + analysis.communicating().window + ") takes no time.");
    }
    return std::nullopt;
}

/// The ranks whose communication kernels take the least and the most time.
auto leastAndMost(const std::vector<CommunicationWindow>& windows)
{
    return std::minmax_element(
        windows.begin(), windows.end(),
        [](const CommunicationWindow& a, const CommunicationWindow& b) { return a.kernelNs < b.kernelNs; });
}

/// The rank that waits least, if the difference is clear; nullopt otherwise. If several ranks wait about as
/// little, the rank that waits most arrived early instead.
std::optional<std::size_t> clearlyLeast(const std::vector<CommunicationWindow>& windows)
{
    std::vector<std::int64_t> sorted;
    sorted.reserve(windows.size());
    for (const CommunicationWindow& window : windows)
        sorted.push_back(window.kernelNs);
    std::sort(sorted.begin(), sorted.end());
    if (2 * (sorted[1] - sorted[0]) < sorted.back() - sorted[0] || sorted.back() == sorted[0])
        return std::nullopt;
    const auto least = std::find_if(windows.begin(), windows.end(),
                                    [&](const auto& window) { return window.kernelNs == sorted[0]; });
    return static_cast<std::size_t>(least - windows.begin());
}

/// The rank that the others wait for, if both its time and the arrival order point to it. Sums of durations
/// also include transfers and scatter, and the rank that waits least keeps the others waiting only in calls
/// that are the same collective.
std::optional<std::size_t> awaitedRank(Analysis& analysis, const std::vector<CommunicationWindow>& windows)
{
    const auto least = clearlyLeast(windows);
    if (!least || !analysis.matching().complete)
        return std::nullopt;
    const Arrivals& arrivals = measureArrivals(analysis);
    const RankWait* const last = arrivals.straggler();
    const bool agrees = last && arrivals.verdict() != StragglerVerdict::Inconclusive
        && last->rank == analysis.calls()[*least].rank;
    return agrees ? least : std::nullopt;
}

/// Adds sentences on the meaning of the durations, as far as it is known.
void addSlowdownSentences(Analysis& analysis, const std::vector<CommunicationWindow>& windows,
                          bool hasCulprit, MetricResult& result)
{
    const auto byKernels = leastAndMost(windows);
    const auto least = static_cast<std::size_t>(byKernels.first - windows.begin());
    const bool isShared = analysis.matching().complete;
    result.inputs
        = {"Communication kernels take " + numberText(nsToMs(byKernels.second->kernelNs))
           + " ms on the rank where they take longest and " + numberText(nsToMs(byKernels.first->kernelNs))
           + " ms on rank " + std::to_string(analysis.calls()[least].rank)
           + (hasCulprit ? ": the others wait for the rank that waits least in them."
                         : ". This does not show whether the others wait for it.")};
    std::int64_t rooted = 0;
    for (const CommunicationWindow& window : windows)
        rooted += window.rooted;
    if (rooted > 0)
        result.inputs.push_back(
            countText(rooted, "communication call")
            + " excluded: they have a root (broadcast, reduce, gather, scatter), and a sender may leave "
              "before the others arrive, so their durations do not show which rank waited.");
    if (!isShared)
        result.warnings.push_back("Only " + std::to_string(analysis.matching().matchedCalls()) + " of "
                                  + countText(analysis.matching().calls, "communication call")
                                  + " are known to be the same collectives on several ranks: this does not "
                                    "show which rank waited for which.");
}

MetricResult stragglerSlowdown(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    if (auto failure = needsTwoRanks(analysis, selection))
        return *failure;
    const std::vector<RankCalls>& ranks = analysis.calls();
    const std::vector<CommunicationWindow> windows = communicationWindows(analysis);
    if (auto failure = needsEveryWindow(analysis, windows))
        return *failure;
    if (auto failure = needsEveryDuration(analysis, windows))
        return *failure;
    const auto byKernels = leastAndMost(windows);
    const auto byLength = std::minmax_element(windows.begin(), windows.end(),
                                              [](const CommunicationWindow& a, const CommunicationWindow& b) {
                                                  return a.range->lengthNs() < b.range->lengthNs();
                                              });
    const auto least = static_cast<double>(byKernels.first->kernelNs);
    const auto most = static_cast<double>(byKernels.second->kernelNs);
    const auto culprit = awaitedRank(analysis, windows);
    MetricResult result = valueOf(analysis, selection, "max over min of ranks");
    result.value = most / least;
    Value::Object perRank;
    for (std::size_t i = 0; i < windows.size(); ++i) {
        result.rows.push_back(
            {ranks[i].rank, std::nullopt, static_cast<double>(windows[i].kernelNs) / least});
        perRank.emplace_back(
            std::to_string(ranks[i].rank),
            Value::Object{{"communication_kernel_ms", nsToMs(windows[i].kernelNs)},
                          {"communication_window_ms", nsToMs(windows[i].range->lengthNs())}});
    }
    result.details
        = {{"relative_spread", (most - least) / most},
           {"culprit_rank", culprit ? Value(static_cast<std::int64_t>(ranks[*culprit].rank)) : Value()},
           {"window_slowdown",
            static_cast<double>(byLength.second->range->lengthNs())
                / static_cast<double>(byLength.first->range->lengthNs())},
           {"per_rank", std::move(perRank)}};
    addSlowdownSentences(analysis, windows, culprit.has_value(), result);
    addCallEvidence(analysis, result, [&](const Call& call) { return !hasRoot(analysis.model(), call); });
    return result;
}

} // namespace

const MetricDescriptor stragglerDelayMetric{
    .id = "straggler_delay",
    .title = "Delay of the last rank",
    .group = "Ranks",
    .unit = "ratio",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "timelines of at least two ranks that communicate (Kineto or nsys)",
    .meaning = "How much later the last rank ends its communication than the first rank.",
    .definition
    = "(latest end - earliest end) / (latest end - earliest start) over ranks, of the time from a rank's "
      "first "
      "communication kernel that starts in the window to the end of its last one; compares the ranks' clocks",
    .compute = stragglerDelay,
};

const MetricDescriptor stragglerSlowdownMetric{
    .id = "straggler_slowdown",
    .title = "Communication time spread",
    .group = "Ranks",
    .unit = "ratio",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "timelines of at least two ranks that communicate (Kineto or nsys)",
    .meaning
    = "Largest relative to smallest summed duration of the communication kernels of a rank: early ranks wait "
      "in them for late ranks.",
    .definition
    = "max / min over ranks of the summed durations of the communication kernels that start in the window, "
      "excluding calls that have a root (broadcast, reduce, gather, scatter); relative_spread = (max - min) "
      "/ "
      "max; window_slowdown = the longest / the shortest time from a rank's first start to its last end; the "
      "rank with clearly the least time (culprit_rank) keeps the others waiting",
    .compute = stragglerSlowdown,
};

} // namespace collscope
