// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which rank the others wait for (metrics.md 3.2 straggler, 3.4.8, 3.7).

#include "metrics/multirank/arrivals.h"
#include "metrics/multirank/window_agreement.h"
#include "metrics/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

/// Mean over ranks of the length of the window: what skews are compared with.
double meanWindowNs(const std::vector<RankCalls>& ranks)
{
    double sum = 0;
    for (const RankCalls& rank : ranks)
        sum += static_cast<double>(rank.windowNs);
    return sum / static_cast<double>(ranks.size());
}

/// Per rank how far it came behind the first one in the slowest group, per step that group's skew.
void addRows(Analysis& analysis, const Arrivals& arrivals, MetricResult& result)
{
    const std::vector<RankCalls>& ranks = analysis.calls();
    const std::vector<RankWindows>& windows = analysis.communicating().ranks;
    std::vector<std::optional<std::int64_t>> behind(ranks.size()); ///< nothing for ranks of other groups
    std::map<std::int64_t, std::int64_t> skewOfStep;
    CollectiveTimer timer = analysis.timer(arrivals.isByDuration);
    for (const std::size_t i : arrivals.groups.front().arrivals) {
        const Arrival& arrival = arrivals.matched[i];
        const auto members = analysis.matching().membersOf(*arrival.instance);
        timer.of(*arrival.instance);
        for (std::size_t m = 0; m < members.size(); ++m) {
            std::optional<std::int64_t>& own = behind[members[m].rank];
            own = own.value_or(0) + timer.lateness()[m];
        }
        const Call& first = analysis.callOf(members[arrival.times.first]);
        if (const Step* step = stepOf(analysis.communicating(), first))
            skewOfStep[step->number] += arrival.times.heldNs;
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (behind[rank])
            result.rows.push_back(
                {ranks[rank].rank, std::nullopt, static_cast<double>(*behind[rank]) / meanWindowNs(ranks)});
    }
    if (analysis.options().range)
        return;
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> lengthOfStep; // sum and count over ranks
    for (const RankWindows& rank : windows) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps) {
                lengthOfStep[step.number].first += step.range.lengthNs();
                ++lengthOfStep[step.number].second;
            }
        }
    }
    for (const auto& [number, length] : lengthOfStep) {
        if (length.first > 0)
            result.rows.push_back(
                {std::nullopt, number,
                 static_cast<double>(skewOfStep[number]) * static_cast<double>(length.second)
                     / static_cast<double>(length.first)});
    }
}

Value::Object groupTable(const Arrivals& arrivals, double windowNs)
{
    Value::Object groups;
    for (const GroupSkew& group : arrivals.groups)
        groups.emplace_back(group.group.empty() ? "all ranks" : group.group,
                            Value::Object{{"skew_us", nsToUs(group.skewNs)},
                                          {"skew_max_us", nsToUs(group.longestNs)},
                                          {"collectives", static_cast<std::int64_t>(group.arrivals.size())},
                                          {"relative", static_cast<double>(group.skewNs) / windowNs}});
    return groups;
}

/// The collectives with the most skew: every rank's call, and the time that the others waited.
void addMostSkewed(Analysis& analysis, const Arrivals& arrivals, MetricResult& result)
{
    if (!analysis.options().wantEvidence)
        return;
    constexpr std::size_t most = 20;
    std::vector<const Arrival*> sorted;
    for (const Arrival& arrival : arrivals.matched)
        sorted.push_back(&arrival);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Arrival* a, const Arrival* b) { return a->times.heldNs > b->times.heldNs; });
    for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) {
        const Arrival& arrival = *sorted[i];
        if (i > 0 && arrival.times.heldNs <= arrivals.significantNs)
            break;
        for (const CallRef member : analysis.matching().membersOf(*arrival.instance))
            result.evidence.push_back(analysis.callOf(member).slice);
        result.evidenceRanges.push_back(arrival.times.arrivals);
    }
}

/// When the last communication kernel of the window ends on each rank.
Value::Object lastEnds(Analysis& analysis)
{
    Value::Object object;
    for (const RankCalls& rank : analysis.calls()) {
        std::optional<std::int64_t> last;
        for (const Call& call : rank.calls) {
            if (call.inWindow())
                last = std::max(last.value_or(std::numeric_limits<std::int64_t>::min()),
                                analysis.onAxis(call).endNs);
        }
        if (last)
            object.emplace_back(std::to_string(rank.rank), nsToUs(*last));
    }
    return object;
}

std::string_view verdictName(StragglerVerdict verdict)
{
    switch (verdict) {
    case StragglerVerdict::Nobody:
        return "nobody";
    case StragglerVerdict::OneRank:
        return "one_rank";
    case StragglerVerdict::Inconclusive:
        break;
    }
    return "inconclusive";
}

/// How far each rank's clock is ahead of the first one's in the middle of its file, as far as it is known.
Value::Object clockOffsets(Analysis& analysis)
{
    Value::Object offsets;
    const ClockAlignment& alignment = analysis.run().clocks;
    for (const RankWindows& rank : analysis.communicating().ranks) {
        const Timeline& timeline = *rank.parts.front().timeline;
        const auto index = analysis.model().indexOf(timeline);
        if (index >= alignment.fits.size() || alignment.fits[index].component < 0)
            continue;
        const std::int64_t middle = timeline.range.beginNs + timeline.range.lengthNs() / 2;
        offsets.emplace_back(std::to_string(rank.rank), nsToUs(alignment.fits[index].aheadNs(middle)));
    }
    return offsets;
}

void addDetails(Analysis& analysis, const Arrivals& arrivals, MetricResult& result)
{
    const std::vector<RankCalls>& ranks = analysis.calls();
    const double windowNs = meanWindowNs(ranks);
    std::vector<double> skews;
    for (const Arrival& arrival : arrivals.matched)
        skews.push_back(nsToUs(arrival.times.heldNs));
    Value::Object imposed;
    Value::Object own;
    Value::Object caused;
    Value::Object byDuration;
    Value::Object last;
    for (const RankWait& rank : arrivals.ranks) {
        const std::string key = std::to_string(rank.rank);
        imposed.emplace_back(key, nsToUs(rank.imposedNs));
        own.emplace_back(key, nsToUs(rank.ownNs));
        caused.emplace_back(key, nsToUs(rank.causedNs));
        byDuration.emplace_back(key, nsToUs(rank.ownByDurationNs));
        last.emplace_back(key, rank.timesLast);
    }
    double steps = 0;
    for (const RankCalls& rank : ranks)
        steps += rank.stepCount / static_cast<double>(ranks.size());
    const double mean = meanOf(skews);
    const double p50 = medianOf(skews);
    const double p95 = percentileOf(skews, 0.95);
    const auto [least, most] = std::minmax_element(skews.begin(), skews.end());
    const RankWait* const straggler = arrivals.straggler();
    result.details
        = {{"straggler_rank", straggler ? Value(static_cast<std::int64_t>(straggler->rank)) : Value()},
           {"imposed_wait_us", std::move(imposed)},
           {"caused_wait_us", std::move(caused)},
           {"own_wait_us", std::move(own)},
           {"times_last", std::move(last)},
           {"own_wait_by_duration_us", std::move(byDuration)},
           {"verdict", std::string(verdictName(arrivals.verdict()))},
           {"verdict_text", arrivals.verdictText()},
           {"clocks", analysis.run().clocks.isUsed(analysis.options().clocks) ? "aligned" : "raw"},
           {"clock_residual_us", nsToUs(analysis.run().clocks.residualNs)},
           {"clock_offset_us", clockOffsets(analysis)},
           {"significant_us", nsToUs(arrivals.significantNs)},
           {"skew_mean_us", mean},
           {"skew_p50_us", p50},
           {"skew_p95_us", p95},
           {"skew_max_us", *most},
           {"slowest_group", arrivals.groups.front().group},
           {"groups", groupTable(arrivals, windowNs)},
           // The same figures under the names of seed 004.
           {"mean_lag_us", mean},
           {"p50_lag_us", p50},
           {"p95_lag_us", p95},
           {"max_lag_us", *most},
           {"min_lag_us", *least},
           {"num_collectives", static_cast<std::int64_t>(skews.size())},
           {"num_ranks", static_cast<std::int64_t>(ranks.size())},
           {"normalized_lag", mean * 1e3 * steps / windowNs},
           {"per_rank_end_times_us", lastEnds(analysis)},
           {"incomplete_collectives", arrivals.incomplete},
           {"mismatched_collectives", analysis.matching().mismatched}};
}

void addSentences(Analysis& analysis, const Arrivals& arrivals, MetricResult& result)
{
    const auto us = [](std::int64_t ns) { return numberText(nsToUs(ns)) + " \u00b5s"; };
    const GroupSkew& slowest = arrivals.groups.front();
    result.inputs
        = {std::to_string(arrivals.matched.size()) + " collectives of the window matched between ranks, "
               + analysis.matching().rule + ".",
           "Slowest group" + (slowest.group.empty() ? "" : " " + slowest.group) + ": skews of "
               + std::to_string(slowest.arrivals.size()) + " collectives add up to " + us(slowest.skewNs)
               + "; the steps of the window last " + numberText(meanWindowNs(analysis.calls()) / 1e3)
               + " \u00b5s (mean of ranks)."};
    result.inputs.push_back(arrivals.verdictText());
    if (arrivals.incomplete > 0)
        result.warnings.push_back(
            "In " + std::to_string(arrivals.incomplete) + " of " + std::to_string(arrivals.matched.size())
            + " collectives not every rank of the group is in the run: the last one may "
              "be missing.");
    const std::vector<std::string> matching = analysis.matchingWarnings();
    result.warnings.insert(result.warnings.end(), matching.begin(), matching.end());
    if (arrivals.pointToPoint > 0)
        result.inputs.push_back(std::to_string(arrivals.pointToPoint)
                                + " sends and receives are left out: they pair two ranks, not the group.");
}

MetricResult straggler(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    if (auto failure = needsTwoRanks(analysis, selection))
        return *failure;
    const Arrivals arrivals = measureArrivals(analysis);
    if (auto failure = needsArrivals(analysis, arrivals))
        return *failure;
    const double windowNs = meanWindowNs(analysis.calls());
    if (windowNs <= 0)
        return noValue(
            selection, MetricState::NotApplicable,
            "The steps of the window have no duration: there is nothing to compare the skew with.");
    MetricResult result = valueOf(analysis, selection, "slowest group");
    result.value = static_cast<double>(arrivals.groups.front().skewNs) / windowNs;
    addDetails(analysis, arrivals, result);
    addSentences(analysis, arrivals, result);
    addRows(analysis, arrivals, result);
    addClockWarnings(analysis, &arrivals, result);
    addMostSkewed(analysis, arrivals, result);
    return result;
}

/// From the first start to the last end of one rank's communication.
struct CommunicationWindow
{
    std::optional<TimeRange> range;
    std::int64_t kernelNs = 0; ///< durations added up
};

std::vector<CommunicationWindow> communicationWindows(Analysis& analysis)
{
    std::vector<CommunicationWindow> windows;
    for (const RankCalls& rank : analysis.calls()) {
        CommunicationWindow& window = windows.emplace_back();
        for (const Call& call : rank.calls) {
            if (!call.inWindow())
                continue;
            const TimeRange range = analysis.onAxis(call);
            window.range = window.range ? window.range->united(range) : range;
            window.kernelNs += call.durationNs();
        }
    }
    return windows;
}

/// The reason why the windows cannot be compared; nullopt if every rank has one.
std::optional<MetricResult> needsEveryWindow(Analysis& analysis,
                                             const std::vector<CommunicationWindow>& windows)
{
    for (std::size_t i = 0; i < windows.size(); ++i) {
        if (!windows[i].range || windows[i].range->isEmpty() || windows[i].kernelNs <= 0)
            return noValue(analysis.communicating(), MetricState::NotApplicable,
                           "Rank " + std::to_string(analysis.calls()[i].rank)
                               + " does not communicate in the window (" + analysis.communicating().window
                               + ").");
    }
    return std::nullopt;
}

MetricResult stragglerDelay(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    if (auto failure = needsTwoRanks(analysis, selection))
        return *failure;
    if (auto failure = needsSameSteps(analysis))
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
    addClockWarnings(analysis, nullptr, result);
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
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
    const auto byKernels = std::minmax_element(
        windows.begin(), windows.end(),
        [](const CommunicationWindow& a, const CommunicationWindow& b) { return a.kernelNs < b.kernelNs; });
    const auto byLength = std::minmax_element(windows.begin(), windows.end(),
                                              [](const CommunicationWindow& a, const CommunicationWindow& b) {
                                                  return a.range->lengthNs() < b.range->lengthNs();
                                              });
    const auto least = static_cast<double>(byKernels.first->kernelNs);
    const auto most = static_cast<double>(byKernels.second->kernelNs);
    const std::int32_t culprit = ranks[static_cast<std::size_t>(byKernels.first - windows.begin())].rank;
    // Only in calls that are the same ones does the one who waits least keep the others waiting.
    const Matching& matching = analysis.matching();
    const bool isShared = matching.complete;
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
           {"culprit_rank", most > least && isShared ? Value(static_cast<std::int64_t>(culprit)) : Value()},
           {"window_slowdown",
            static_cast<double>(byLength.second->range->lengthNs())
                / static_cast<double>(byLength.first->range->lengthNs())},
           {"per_rank", std::move(perRank)}};
    result.inputs = {"Communication kernels last " + numberText(most / 1e6)
                     + " ms on the rank where they last "
                       "longest and "
                     + numberText(least / 1e6) + " ms on rank " + std::to_string(culprit)
                     + (isShared ? ": who waits least in them is the one the others wait for." : ".")};
    if (!isShared)
        result.warnings.push_back("Only " + std::to_string(matching.matchedCalls()) + " of "
                                  + countText(matching.calls, "communication call")
                                  + " are known to be the same ones on several ranks: this does not say who "
                                    "waited for whom.");
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
}

constexpr MetricAlias stragglerAliases[] = {{"straggler_lag"}, {"straggler_lag_16"}};

} // namespace

extern const MetricDescriptor stragglerMetric, stragglerDelayMetric, stragglerSlowdownMetric;

const MetricDescriptor stragglerMetric{
    "straggler",
    "Time lost to late ranks",
    "Ranks",
    "ratio",
    MetricDirection::LowerIsBetter,
    "timelines of at least two ranks that communicate (Kineto or nsys)",
    "Share of the step time that passes between the first and the last rank's arrival at their collectives.",
    "sum of skew_i over the matched collectives of a group / sum of the step durations (mean of ranks), of "
    "the group with the largest sum; skew_i = latest - earliest start of collective i, but no longer than "
    "the kernel of the rank "
    "that waited; where there is a root (broadcast, reduce): how long its receivers, or it, waited. "
    "imposed_wait_us: the "
    "waits of all ranks in the collectives that a rank was last in, by more than 1 \u00b5s; its maximum "
    "names "
    "straggler_rank",
    stragglerAliases,
    straggler};

const MetricDescriptor stragglerDelayMetric{
    "straggler_delay",
    "Delay of the last rank",
    "Ranks",
    "ratio",
    MetricDirection::LowerIsBetter,
    "timelines of at least two ranks that communicate (Kineto or nsys)",
    "How much later the last rank ends its communication than the first one.",
    "(latest end - earliest end) / (latest end - earliest start) over ranks, of the time from a rank's first "
    "communication kernel that starts in the window to the end of its last one; compares the ranks' clocks",
    {},
    stragglerDelay};

const MetricDescriptor stragglerSlowdownMetric{
    "straggler_slowdown",
    "Spread of communication time",
    "Ranks",
    "ratio",
    MetricDirection::LowerIsBetter,
    "timelines of at least two ranks that communicate (Kineto or nsys)",
    "How many times longer the communication kernels of one rank last than those of another: early ranks "
    "wait in "
    "them for late ones.",
    "max / min over ranks of the summed durations of the communication kernels that start in the window; "
    "relative_spread = (max - min) / max; window_slowdown = the longest / the shortest time from a rank's "
    "first start to its last end; the rank with the least time (culprit_rank) keeps the others waiting",
    {},
    stragglerSlowdown};

} // namespace collscope
