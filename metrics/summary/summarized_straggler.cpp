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

/// Whose fold an analysis takes; nullptr: its own.
struct FoldLender
{
    SharedStraggler* shared = nullptr;
};

} // namespace

void SharedStraggler::lendTo(Analysis& analysis)
{
    if (!analysis.options().rank)
        analysis.table<FoldLender>([this] { return FoldLender{this}; });
}

SharedStraggler::FoldPtr SharedStraggler::of(Analysis& analysis)
{
    std::call_once(m_once, [&] {
        m_fold = std::make_shared<const Result<FoldedStraggler>>(fold(analysis, m_parallel));
    });
    return m_fold;
}

const Result<FoldedStraggler>& stragglerOfSummaries(Analysis& analysis)
{
    return *analysis.table<SharedStraggler::FoldPtr>([&] {
        SharedStraggler* const lender = analysis.table<FoldLender>([] { return FoldLender(); }).shared;
        return lender ? lender->of(analysis) : SharedStraggler(analysis.options().parallel).of(analysis);
    });
}

} // namespace collscope
