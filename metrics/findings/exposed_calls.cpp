// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/exposed_calls.h"

#include "metrics/causes/arrivals.h"
#include "metrics/causes/handed_work.h"

#include <algorithm>
#include <optional>

namespace collscope {

namespace {

/// Index of the first call of each rank in one list of all calls.
std::vector<std::size_t> offsetsOf(const std::vector<RankCalls>& ranks)
{
    std::vector<std::size_t> offsets{0};
    for (const RankCalls& rank : ranks)
        offsets.push_back(offsets.back() + rank.calls.size());
    return offsets;
}

/// Whether a call has nobody to wait for.
bool isAlone(const Call& call)
{
    return call.groupSize == 1;
}

std::vector<CallTiming> listTimes(const std::vector<RankCalls>& ranks, std::size_t count)
{
    std::vector<CallTiming> times;
    times.reserve(count);
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        for (std::uint32_t call = 0; call < ranks[rank].calls.size(); ++call) {
            CallTiming& timing = times.emplace_back();
            timing.slice = ranks[rank].calls[call].slice;
            timing.call = {rank, call};
            timing.isSplit = isAlone(ranks[rank].calls[call]);
        }
    }
    return times;
}

/// Whether the members of a collective share a clock, or the run's collectives show their clocks. Clocks that
/// the user chose are believed. Two files that name no host may be of two.
bool sharesClock(Analysis& analysis, std::span<const CallRef> members)
{
    const RunCollectives& run = analysis.run();
    if (run.clocks.isTrusted || analysis.options().clocks == ClockChoice::Raw)
        return true;
    const Timeline& first = *run.callOf(members.front()).timeline;
    return std::all_of(members.begin(), members.end(), [&](CallRef member) {
        const Timeline& timeline = *run.callOf(member).timeline;
        const bool isSameHost = first.host && timeline.host == first.host;
        return timeline.hasWallClock && (isSameHost || timeline.source == first.source);
    });
}

/// How far two arrivals of a collective can be wrong; nullopt if they cannot be compared. Where nothing else
/// shows that the clocks agree, its own ends may: clocks that differ would show ends that differ.
std::optional<std::int64_t> errorOf(Analysis& analysis, std::span<const CallRef> members,
                                    const CollectiveTimes& times, std::int64_t clockErrorNs)
{
    if (sharesClock(analysis, members))
        return clockErrorNs;
    const bool areComparable = std::all_of(members.begin(), members.end(), [&](CallRef member) {
        return analysis.run().callOf(member).timeline->hasWallClock;
    });
    const std::int64_t apartNs = times.departures.lengthNs();
    constexpr std::int64_t together = 10; // a tenth of the collective
    return areComparable && together * apartNs <= times.range().lengthNs()
        ? std::optional(std::max(clockErrorNs, apartNs))
        : std::nullopt;
}

void sortBySlice(std::vector<CallTiming>& times)
{
    std::sort(times.begin(), times.end(),
              [](const CallTiming& a, const CallTiming& b) { return a.slice < b.slice; });
}

} // namespace

std::size_t ExposedCalls::firstAt(SliceRef slice) const
{
    const auto found
        = std::lower_bound(times.begin(), times.end(), slice,
                           [](const CallTiming& timing, SliceRef wanted) { return timing.slice < wanted; });
    return static_cast<std::size_t>(found - times.begin());
}

ExposedCalls callsOf(const ExposedCalls& all, std::span<const Timeline* const> timelines)
{
    ExposedCalls calls;
    for (const Timeline* const timeline : timelines) {
        for (const TrackId track : timeline->tracks) {
            const auto first = all.times.begin() + static_cast<std::ptrdiff_t>(all.firstAt({track, 0}));
            const auto end
                = all.times.begin() + static_cast<std::ptrdiff_t>(all.firstAt({TrackId{track.value + 1}, 0}));
            calls.times.insert(calls.times.end(), first, end);
        }
    }
    sortBySlice(calls.times);
    calls.shares.resize(calls.times.size());
    return calls;
}

ExposedCalls timeCalls(Analysis& analysis)
{
    const RunCollectives& run = analysis.run();
    const std::vector<std::size_t> offsets = offsetsOf(run.ranks);
    ExposedCalls calls;
    calls.times = listTimes(run.ranks, offsets.back());
    const std::int64_t clockErrorNs = arrivalErrorNs(analysis);
    const bool byDuration = run.clocks.fitsPoorly(analysis.options().clocks);
    CollectiveTimer timer(analysis.model(), run.ranks, run.matching, analysis.clocks(), byDuration);
    const HandedWork stages(run.ranks, run.matching);
    for (std::uint32_t i = 0; i < run.matching.instances.size(); ++i) {
        if ((i & 0xFFFu) == 0 && analysis.options().cancelled())
            break;
        const CollectiveInstance& instance = run.matching.instances[i];
        const auto members = run.matching.membersOf(instance);
        if (members.empty())
            continue;
        const CollectiveTimes times = timer.of(instance);
        const std::optional<std::int64_t> errorNs = errorOf(analysis, members, times, clockErrorNs);
        const bool isSplit = isAlone(run.callOf(members.front())) || (times.tellsWaits && errorNs);
        const bool isLastKnown = isSplit && errorNs && times.leadNs >= *errorNs;
        const bool isStaged = (stages.isTransfer(instance) && !stages.isExchange(instance))
            || (isSplit && stages.mayExplainLast(instance, timer, times));
        for (std::size_t member = 0; member < members.size(); ++member) {
            CallTiming& timing = calls.times[offsets[members[member].rank] + members[member].call];
            timing.instance = i;
            timing.isSplit = isSplit;
            timing.isStaged = isStaged;
            timing.isWhole = instance.isWhole && instance.absent == 0;
            const std::int64_t waitNs = timer.waits()[member];
            timing.waitNs = isSplit && errorNs && waitNs > *errorNs ? waitNs : 0;
            if (timing.waitNs > 0 && isLastKnown)
                timing.awaited = run.ranks[members[times.awaited].rank].rank;
        }
    }
    sortBySlice(calls.times);
    calls.shares.resize(calls.times.size());
    return calls;
}

} // namespace collscope
