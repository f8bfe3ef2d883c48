// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/summarized_straggler.h"

#include "metrics/calls/workload.h"
#include "metrics/summary/stored_calls.h"
#include "model/text/needs_events.h"

namespace collscope {

namespace {

TimeRange inFile(const Timeline& timeline, TimeRange range)
{
    return {range.beginNs - timeline.fileToAxisNs, range.endNs - timeline.fileToAxisNs};
}

/// The calls of a rank with what the merge decided about it: its number, clock and steps.
Result<RankSummary> summaryOf(const TraceModel& model, const RankWindows& rank)
{
    const std::string name = "rank " + std::to_string(rank.rank);
    const Timeline& timeline = *rank.parts.front().timeline;
    if (rank.parts.size() > 1)
        return Error{Error::Kind::Unsupported, "Several recordings of " + name + " are summarized."};
    if (!timeline.summary || timeline.summary->calls.isEmpty())
        return Error{Error::Kind::Unsupported, "The summary of " + name + " does not contain its calls."};
    auto calls = openCalls(timeline.summary->calls);
    if (!calls)
        return calls.error();
    SummarizedCalls& head = calls->head;
    head.rank = timeline.rank;
    head.iteration = timeline.iteration;
    head.range = inFile(timeline, timeline.range);
    head.hasWallClock = timeline.hasWallClock;
    head.clockOffsetNs = timeline.hasWallClock ? timeline.fileToAxisNs + model.axisZeroNs : 0;
    head.stepSource = timeline.stepSource;
    head.steps.clear();
    for (const Step& step : timeline.steps)
        head.steps.emplace_back(step.number, inFile(timeline, step.range));
    return calls;
}

Result<FoldedStraggler> fold(Analysis& analysis, const Parallel& parallel)
{
    if (analysis.options().range)
        return Error{Error::Kind::Unsupported, summariesLack("sums of a range")};
    std::vector<RankSummary> ranks;
    for (const RankWindows& rank : analysis.communicating().ranks) {
        auto summary = summaryOf(analysis.model(), rank);
        if (!summary)
            return summary.error();
        ranks.push_back(std::move(*summary));
    }
    const auto run = SummarizedRun::make(std::move(ranks));
    if (!run)
        return run.error();
    const Mesh mesh = describeWorkload(analysis.model(), analysis.options().hardware.get()).mesh;
    MetricOptions options = analysis.options();
    options.parallel = parallel;
    return foldStraggler(**run, options, mesh);
}

/// Whom an analysis asks for its fold; empty: nobody.
struct FoldLender
{
    std::function<StragglerFoldPtr(Analysis& analysis)> lend;
};

} // namespace

StragglerFoldPtr foldSummaries(Analysis& analysis, const Parallel& parallel)
{
    return std::make_shared<const Result<FoldedStraggler>>(fold(analysis, parallel));
}

const Result<FoldedStraggler>& stragglerOfSummaries(Analysis& analysis)
{
    return *analysis.table<StragglerFoldPtr>([&] {
        const FoldLender& lender = analysis.table<FoldLender>([] { return FoldLender(); });
        return lender.lend ? lender.lend(analysis) : foldSummaries(analysis, analysis.options().parallel);
    });
}

void lendStraggler(Analysis& analysis, std::function<StragglerFoldPtr(Analysis& analysis)> lender)
{
    if (!analysis.options().rank)
        analysis.table<FoldLender>([&] { return FoldLender{std::move(lender)}; });
}

} // namespace collscope
