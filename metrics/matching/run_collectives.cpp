// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/run_collectives.h"

#include "metrics/calls/workload.h"
#include "metrics/matching/call_matching.h"
#include "metrics/matching/match_evidence.h"
#include "metrics/matching/match_gaps.h"

#include <algorithm>

namespace collscope {

namespace {

/// Whether the calls are operators of a CPU run, whose ends are not those of the collectives.
bool areOnlyCalled(const TraceModel& model, const std::vector<RankCalls>& ranks)
{
    const auto isOperator = [&](const Call& call) {
        return model.track(call.slice.track).slices.category[call.slice.row] == SliceCategory::CpuOp;
    };
    return std::any_of(ranks.begin(), ranks.end(), [&](const RankCalls& rank) {
        return std::any_of(rank.calls.begin(), rank.calls.end(), isOperator);
    });
}

} // namespace

std::optional<std::uint32_t> RunCollectives::instanceOf(SliceRef slice) const
{
    const auto found = std::lower_bound(places.begin(), places.end(), slice,
                                        [](const Place& place, SliceRef s) { return place.slice < s; });
    return found != places.end() && found->slice == slice ? std::optional(found->instance) : std::nullopt;
}

RunCollectivesPtr matchRun(const TraceModel& model, const MetricOptions& options)
{
    MetricOptions whole;
    whole.profileMode = options.profileMode;
    whole.hardware = options.hardware;
    whole.cancelled = options.cancelled;
    auto run = std::make_shared<RunCollectives>();
    run->profileMode = options.profileMode;
    const Mesh described = describeWorkload(model, options.hardware.get()).mesh;
    Selection selection = selectWholeFiles(model, whole);
    if (!selection.failure)
        selection = withCalls(model, std::move(selection));
    if (!selection.failure) {
        run->ranks = listCalls(model, selection, described, whole);
        run->matching = matchCalls(model, run->ranks, options.cancelled);
        if (!areOnlyCalled(model, run->ranks)) // call times do not show clocks
            run->clocks = settleClocks(model, run->ranks, run->matching, options.cancelled);
        else
            run->clocks.fits.resize(model.timelines.size());
        run->clocks.isOfCpu = selection.isOfCpu;
        explainGaps(model, run->ranks, run->clocks, run->matching);
        noteMissingRanks(model, run->ranks, run->matching);
    }
    run->mesh = placeRanks(model, described, run->ranks);
    for (std::uint32_t i = 0; i < run->matching.instances.size(); ++i) {
        for (const CallRef member : run->matching.membersOf(run->matching.instances[i]))
            run->places.push_back({run->callOf(member).slice, i});
    }
    std::sort(
        run->places.begin(), run->places.end(),
        [](const RunCollectives::Place& a, const RunCollectives::Place& b) { return a.slice < b.slice; });
    if (options.cancelled())
        return nullptr;
    return run;
}

} // namespace collscope
