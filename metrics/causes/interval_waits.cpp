// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Waits of a rank in an interval, with the ranks that it waited for.

#include "metrics/causes/arrivals.h"
#include "metrics/causes/cause_parts.h"
#include "metrics/matching/collective_times.h"
#include "metrics/matching/wait_rule.h"

#include <algorithm>
#include <unordered_map>

namespace collscope {

bool isByDuration(Analysis& analysis)
{
    return analysis.run().clocks.fitsPoorly(analysis.options().clocks);
}

CollectiveTimer timerOf(Analysis& analysis)
{
    const RunCollectives& run = analysis.run();
    return {analysis.model(), run.ranks, run.matching, analysis.clocks(), isByDuration(analysis)};
}

namespace {

/// Cache: the awaited rank of each collective and its arrival.
struct LastArrivals
{
    struct Last
    {
        std::int64_t ns = 0; ///< on the axis
        std::optional<std::int64_t> transferNs; ///< if waits follow from durations instead of clocks
        std::uint32_t rank = 0; ///< index into Analysis::run().ranks
        std::optional<std::uint32_t> onlyWaiter; ///< the root of a reduction: no other rank waits
        bool tellsWaits = false;
        bool isKnown = false; ///< the rank is known: it arrived clearly after the second-to-last
    };
    std::unordered_map<std::uint32_t, Last> byInstance;
};

/// The awaited rank of a collective, and its arrival.
LastArrivals::Last lastArrival(Analysis& analysis, std::uint32_t instance)
{
    auto& known = analysis.table<LastArrivals>([] { return LastArrivals(); }).byInstance;
    if (const auto found = known.find(instance); found != known.end())
        return found->second;
    const RunCollectives& run = analysis.run();
    const CollectiveInstance& of = run.matching.instances[instance];
    CollectiveTimer timer = timerOf(analysis);
    const CollectiveTimes times = timer.of(of);
    const auto members = run.matching.membersOf(of);
    LastArrivals::Last last{timer.members()[times.awaited].beginNs,
                            std::nullopt,
                            members[times.awaited].rank,
                            std::nullopt,
                            times.tellsWaits && of.isWhole,
                            times.leadNs >= arrivalErrorNs(analysis)};
    if (isByDuration(analysis) && synchronises(run.callOf(members.front()).kind))
        last.transferNs = times.transferNs;
    if (waitRuleOf(analysis.model(), run.callOf(members.front())) == WaitRule::RootForAll)
        last.onlyWaiter = members[times.longest].rank;
    known.emplace(instance, last);
    return last;
}

} // namespace

Waits waitsIn(Analysis& analysis, std::uint32_t rank, const Timeline& timeline,
              const IntervalProfile& profile, SliceRef ending)
{
    const RunCollectives& run = analysis.run();
    const TraceModel& model = analysis.model();
    const std::vector<Call>& calls = run.ranks[rank].calls;
    const std::size_t index = analysis.model().indexOf(timeline);
    const std::int32_t ownStream = ending ? model.track(ending.track).stream : -1;
    // Sorted by timeline, then by start. Earlier calls may extend into the interval.
    auto at = std::partition_point(calls.begin(), calls.end(), [&](const Call& call) {
        return call.timeline < &timeline
            || (call.timeline == &timeline && call.range.beginNs < profile.range.beginNs);
    });
    for (int back = 0; back < 64 && at != calls.begin() && std::prev(at)->timeline == &timeline; ++back)
        --at;
    Waits waits;
    std::unordered_map<std::uint32_t, std::uint32_t> ordinals;
    for (; at != calls.end() && at->timeline == &timeline && at->range.beginNs < profile.range.endNs; ++at) {
        TimeRange range = at->range.intersected(profile.range);
        if (range.isEmpty())
            continue;
        const std::uint32_t name = model.track(at->slice.track).slices.name[at->slice.row].value;
        const std::uint64_t place = std::uint64_t{name} << 32 | ordinals[name]++;
        const Track& track
            = model.track(at->slice.track); // threads of a CPU backend work in parallel to the others
        const bool isOwn = ending && track.kind == TrackKind::GpuStream && track.stream == ownStream;
        const auto exposed = [&](TimeRange part) {
            return isOwn ? part.lengthNs() : part.lengthNs() - profile.covering.clipped(part).lengthNs();
        };
        const auto instance = run.instanceOf(at->slice);
        const bool isMatched = instance && run.matching.instances[*instance].memberCount >= 2;
        const LastArrivals::Last last = isMatched ? lastArrival(analysis, *instance) : LastArrivals::Last();
        if (!last.tellsWaits) {
            waits.unmatchedNs += exposed(range);
            continue;
        }
        range.endNs = std::min(range.endNs,
                               last.transferNs ? at->range.endNs - *last.transferNs
                                               : analysis.clocks().fromAxis(index, last.ns));
        if (last.rank == rank || last.onlyWaiter.value_or(rank) != rank || range.isEmpty())
            continue;
        const std::int64_t ns = exposed(range);
        waits.totalNs += ns;
        if (ns > 0)
            waits.each.push_back(
                {*instance, at->slice, range, ns, last.isKnown ? run.ranks[last.rank].rank : -1, place, ns});
    }
    return waits;
}

} // namespace collscope
