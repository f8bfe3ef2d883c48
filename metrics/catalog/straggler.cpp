// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Identifies the rank that the other ranks wait for.

#include "metrics/catalog/catalog.h"
#include "metrics/causes/arrivals.h"
#include "metrics/causes/straggler_rows.h"
#include "metrics/core/statistics.h"
#include "metrics/summary/summarized_straggler.h"

#include <algorithm>

namespace collscope {

namespace {

/// Mean over ranks of the window length, which skews are compared with. nullopt if the files mark no steps,
/// because the length of a recording is unrelated to the work.
std::optional<double> meanWindowNs(Analysis& analysis)
{
    if (hasNoSteps(analysis.communicating()))
        return std::nullopt;
    const std::vector<RankCalls>& ranks = analysis.calls();
    double sum = 0;
    for (const RankCalls& rank : ranks)
        sum += static_cast<double>(rank.windowNs);
    return sum / static_cast<double>(ranks.size());
}

/// What the details state, from the calls of the ranks or from their summaries.
struct StragglerFigures
{
    const Arrivals& arrivals;
    const ClockAlignment& clocks;
    std::optional<double> windowNs; ///< mean over ranks
    SampleFigures skews; ///< of the counted collectives
    std::vector<std::int64_t> collectives; ///< of each group
};

Value shareOf(double ns, std::optional<double> windowNs)
{
    return windowNs ? Value(ns / *windowNs) : Value();
}

StragglerSums sumsOfSlowestGroup(Analysis& analysis, const Arrivals& arrivals)
{
    StragglerSums sums;
    const std::vector<RankWindows>& windows = analysis.communicating().ranks;
    CollectiveTimer timer = analysis.timer(arrivals.isByDuration);
    for (const std::size_t i : arrivals.groups.front().arrivals) {
        const Arrival& arrival = arrivals.matched[i];
        const auto members = analysis.matching().membersOf(*arrival.instance);
        timer.of(*arrival.instance);
        for (std::size_t m = 0; m < members.size(); ++m)
            sums.behindNs[windows[members[m].rank].rank] += timer.lateness()[m];
        const CallRef first = members[arrival.times.first];
        if (const Step* step = stepOf(windows[first.rank], analysis.callOf(first)))
            sums.skewOfStep[step->number] += arrival.times.heldNs;
    }
    return sums;
}

/// None without steps: rows are shares.
void addRows(Analysis& analysis, const StragglerFigures& figures, const StragglerSums& sums,
             MetricResult& result)
{
    if (!figures.windowNs)
        return;
    const bool isRange = analysis.options().range.has_value();
    result.rows = stragglerRows(sums, isRange ? std::vector<RankWindows>() : analysis.communicating().ranks,
                                *figures.windowNs);
}

Value::Object groupTable(const StragglerFigures& figures)
{
    Value::Object groups;
    for (std::size_t i = 0; i < figures.collectives.size(); ++i) {
        const GroupSkew& group = figures.arrivals.groups[i];
        groups.emplace_back(
            group.group.empty() ? "all ranks" : group.group,
            Value::Object{{"skew_us", nsToUs(group.skewNs)},
                          {"skew_max_us", nsToUs(group.longestNs)},
                          {"collectives", figures.collectives[i]},
                          {"relative", shareOf(static_cast<double>(group.skewNs), figures.windowNs)}});
    }
    return groups;
}

/// Adds the collectives with the most skew as evidence: the call on every rank, and the time range of the
/// arrivals.
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

/// End of the last communication kernel of the window on each rank.
Value::Object lastEnds(Analysis& analysis)
{
    Value::Object object;
    for (const RankCalls& rank : analysis.calls()) {
        std::optional<std::int64_t> last;
        for (const Call& call : rank.aroundWindow()) {
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

/// How far each rank's clock is ahead of the first rank's in the middle of its file, if known.
Value::Object clockOffsets(Analysis& analysis, const ClockAlignment& alignment)
{
    Value::Object offsets;
    const std::vector<RankWindows>& ranks = analysis.communicating().ranks;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const RankWindows& rank = ranks[i];
        const Timeline& timeline = *rank.parts.front().timeline;
        // A fold has one timeline for each of its ranks.
        const auto index = timeline.summary ? i : analysis.model().indexOf(timeline);
        if (index >= alignment.fits.size() || alignment.fits[index].component < 0)
            continue;
        const std::int64_t middle = timeline.range.beginNs + timeline.range.lengthNs() / 2;
        offsets.emplace_back(std::to_string(rank.rank), nsToUs(alignment.fits[index].aheadNs(middle)));
    }
    return offsets;
}

void addDetails(Analysis& analysis, const StragglerFigures& figures, MetricResult& result)
{
    const Arrivals& arrivals = figures.arrivals;
    const std::vector<RankWindows>& ranks = analysis.communicating().ranks;
    Value::Object imposed;
    Value::Object own;
    Value::Object caused;
    Value::Object byDuration;
    Value::Object last;
    Value::Object early;
    for (const RankWait& rank : arrivals.ranks) {
        const std::string key = std::to_string(rank.rank);
        imposed.emplace_back(key, nsToUs(rank.imposedNs));
        own.emplace_back(key, nsToUs(rank.ownNs));
        caused.emplace_back(key, nsToUs(rank.causedNs));
        byDuration.emplace_back(key, nsToUs(rank.ownByDurationNs));
        last.emplace_back(key, rank.timesLast);
        early.emplace_back(key, nsToUs(rank.earlyNs));
    }
    double steps = 0;
    for (const RankWindows& rank : ranks)
        steps += static_cast<double>(rank.stepCount()) / static_cast<double>(ranks.size());
    const auto& [count, mean, p50, p95, least, most] = figures.skews;
    const RankWait* const straggler = arrivals.isOnlyEarly() ? nullptr : arrivals.straggler();
    result.details
        = {{"straggler_rank", straggler ? Value(static_cast<std::int64_t>(straggler->rank)) : Value()},
           {"imposed_wait_us", std::move(imposed)},
           {"caused_wait_us", std::move(caused)},
           {"own_wait_us", std::move(own)},
           {"times_last", std::move(last)},
           {"early_wait_us", std::move(early)},
           {"last_unknown_collectives", arrivals.lastUnknown},
           {"last_unknown_wait_us", nsToUs(arrivals.lastUnknownNs)},
           {"cause_unknown_wait_us", nsToUs(arrivals.causeUnknownWaitNs)},
           {"own_wait_by_duration_us", std::move(byDuration)},
           {"verdict", std::string(verdictName(arrivals.verdict()))},
           {"verdict_text", arrivals.verdictText()},
           {"clocks", figures.clocks.isUsed(analysis.options().clocks) ? "aligned" : "raw"},
           {"clock_residual_us", nsToUs(figures.clocks.residualNs)},
           {"clock_offset_us", clockOffsets(analysis, figures.clocks)},
           {"significant_us", nsToUs(arrivals.significantNs)},
           {"significant_ratio",
            shareOf(static_cast<double>(arrivals.groups.front().significantNs), figures.windowNs)},
           {"skew_mean_us", mean},
           {"skew_p50_us", p50},
           {"skew_p95_us", p95},
           {"skew_max_us", most},
           {"slowest_group", arrivals.groups.front().group},
           {"groups", groupTable(figures)},
           // The same values under the names of ccl-torchtitan-train's straggler_lag_16.
           {"mean_lag_us", mean},
           {"p50_lag_us", p50},
           {"p95_lag_us", p95},
           {"max_lag_us", most},
           {"min_lag_us", least},
           {"num_collectives", static_cast<std::int64_t>(count)},
           {"num_ranks", static_cast<std::int64_t>(ranks.size())},
           {"normalized_lag", shareOf(mean * 1e3 * steps, figures.windowNs)}};
}

/// What summaries do not tell.
void addDetailsOfCalls(Analysis& analysis, const Arrivals& arrivals, MetricResult& result)
{
    result.details.emplace_back("per_rank_end_times_us", lastEnds(analysis));
    result.details.emplace_back("incomplete_collectives", arrivals.incomplete);
    result.details.emplace_back("mismatched_collectives", analysis.matching().mismatched);
}

/// Adds a sentence on the part of the value within clock error, which cannot be distinguished from
/// simultaneous arrival.
void addScatter(const GroupSkew& slowest, std::optional<double> windowNs, MetricResult& result)
{
    const std::int64_t scatterNs = slowest.skewNs - slowest.significantNs;
    if (100 * scatterNs < slowest.skewNs || scatterNs == 0)
        return;
    std::string text = numberText(nsToUs(scatterNs)) + " of the " + numberText(nsToUs(slowest.skewNs))
        + " \u00b5s are skews below the accuracy of the clocks"
        + (windowNs ? ": without them the value is "
                   + numberText(static_cast<double>(slowest.significantNs) / *windowNs) + "."
                    : ".");
    // If that part dominates, the value mainly reflects clock error.
    (2 * scatterNs > slowest.skewNs ? result.warnings : result.inputs).push_back(std::move(text));
}

void addSentences(Analysis& analysis, const StragglerFigures& figures, const std::string& rule,
                  MetricResult& result)
{
    const Arrivals& arrivals = figures.arrivals;
    const auto count = static_cast<std::int64_t>(figures.skews.count);
    const auto us = [](std::int64_t ns) { return numberText(nsToUs(ns)) + " \u00b5s"; };
    const GroupSkew& slowest = arrivals.groups.front();
    const std::optional<double> windowNs = figures.windowNs;
    result.inputs
        = {countText(count, "collective") + " of the window matched between ranks, " + rule + ".",
           "Slowest group" + (slowest.group.empty() ? "" : " " + slowest.group) + ": skews of "
               + countText(figures.collectives.front(), "collective") + " add up to " + us(slowest.skewNs)
               + (windowNs ? std::string(analysis.options().range ? "; the range lasts "
                                                                  : "; the steps of the window last ")
                          + numberText(*windowNs / 1e3) + " \u00b5s (mean of ranks)."
                           : ".")};
    result.inputs.push_back(arrivals.verdictText());
    addScatter(slowest, windowNs, result);
    if (arrivals.incomplete > 0)
        result.warnings.push_back(
            "In " + std::to_string(arrivals.incomplete) + " of " + std::to_string(count)
            + " collectives not every rank of the group is loaded: the last rank may be missing.");
}

void addSentencesOfCalls(Analysis& analysis, const Arrivals& arrivals, MetricResult& result)
{
    const std::vector<std::string> matching = analysis.matchingWarnings();
    result.warnings.insert(result.warnings.end(), matching.begin(), matching.end());
    if (arrivals.pointToPoint > 0)
        result.inputs.push_back(std::to_string(arrivals.pointToPoint)
                                + " sends and receives are excluded: they involve two ranks, not the group.");
}

/// Only steps make a share of their time.
void setValue(const Analysis& analysis, const StragglerFigures& figures, MetricResult& result)
{
    if (figures.windowNs) {
        result.value = static_cast<double>(figures.arrivals.groups.front().skewNs) / *figures.windowNs;
        return;
    }
    result.state = MetricState::NotApplicable;
    result.reason = "The trace marks no steps, so waiting cannot be given as a share of the step time. "
                    "The details give the waiting times of the ranks";
    result.reason += analysis.model().isSummarized() ? "." : "; select a range to get a share.";
}

MetricResult withoutDuration(const Selection& selection)
{
    return noValue(selection, MetricState::NotApplicable,
                   "The steps of the window have no duration, so the skew cannot be compared with them.");
}

MetricResult summarizedStraggler(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    const Result<FoldedStraggler>& folded = stragglerOfSummaries(analysis);
    if (!folded)
        return noValue(selection,
                       folded.error().kind == Error::Kind::NotFound ? MetricState::NotApplicable
                                                                    : MetricState::MissingInput,
                       folded.error().message);
    const StragglerFigures figures{folded->arrivals, folded->clocks, folded->windowNs, folded->skews,
                                   folded->collectivesOfGroup};
    if (figures.windowNs && *figures.windowNs <= 0)
        return withoutDuration(selection);
    MetricResult result = valueOf(analysis, selection, "slowest group");
    setValue(analysis, figures, result);
    addDetails(analysis, figures, result);
    result.details.emplace_back("incomplete_collectives", figures.arrivals.incomplete);
    addSentences(analysis, figures, "by their sequence numbers, sends and receives by their order", result);
    addRows(analysis, figures, folded->slowest, result);
    if (folded->missing > 0)
        result.warnings.push_back("The call of a loaded rank is missing in "
                                  + countText(folded->missing, "collective") + " of the window.");
    if (folded->differing > 0)
        result.warnings.push_back("Name, type or size differ between the ranks in "
                                  + countText(folded->differing, "call")
                                  + " that have the sequence number of another.");
    addClockWarnings(analysis, folded->clocks, &figures.arrivals, result);
    return result;
}

MetricResult straggler(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    if (auto failure = needsTwoRanks(analysis, selection))
        return *failure;
    if (analysis.model().isSummarized())
        return summarizedStraggler(analysis);
    const Arrivals& arrivals = measureArrivals(analysis);
    if (auto failure = needsArrivals(analysis, arrivals))
        return *failure;
    StragglerFigures figures{arrivals, analysis.run().clocks, meanWindowNs(analysis), {}, {}};
    if (figures.windowNs && *figures.windowNs <= 0)
        return withoutDuration(selection);
    DurationSample skews;
    for (const Arrival& arrival : arrivals.matched)
        skews.add(arrival.times.heldNs);
    figures.skews = skews.figures();
    for (const GroupSkew& group : arrivals.groups)
        figures.collectives.push_back(static_cast<std::int64_t>(group.arrivals.size()));
    MetricResult result = valueOf(analysis, selection, "slowest group");
    setValue(analysis, figures, result);
    addDetails(analysis, figures, result);
    addDetailsOfCalls(analysis, arrivals, result);
    addSentences(analysis, figures, analysis.matching().rule, result);
    addSentencesOfCalls(analysis, arrivals, result);
    addRows(analysis, figures, sumsOfSlowestGroup(analysis, arrivals), result);
    addClockWarnings(analysis, figures.clocks, &arrivals, result);
    addMostSkewed(analysis, arrivals, result);
    return result;
}

} // namespace

const MetricDescriptor stragglerMetric{
    .id = "straggler",
    .title = "Time lost to stragglers",
    .group = "Ranks",
    .unit = "ratio",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "timelines of at least two ranks that communicate (Kineto or nsys)",
    .meaning = "Share of the step time between the first and the last rank's arrival at their collectives.",
    .definition
    = "sum of skew_i over the matched collectives of a group / sum of the step durations (mean of ranks), "
      "for "
      "the group with the largest sum; skew_i = latest - earliest start of collective i, limited to the "
      "duration of the kernel of the rank that waited; for collectives with a root (broadcast, reduce): "
      "waiting time of the receivers or of the root. imposed_wait_us: the waits of all ranks in the "
      "collectives in which others waited more than the clocks can tell (at least 1 \u00b5s), if these show "
      "which rank was last; "
      "caused_wait_us: the same waits, attributed to the rank where the lateness originated; its maximum "
      "determines straggler_rank; early_wait_us: waits of ranks that arrived before most of the others, "
      "which "
      "arrived together; significant_ratio: the value without skews below the accuracy of the clocks",
    .compute = straggler,
    .fromSummaries = true,
    .foldsCalls = true,
};

} // namespace collscope
