// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/partition/exposed_calls.h"

#include "metrics/causes/arrivals.h"
#include "metrics/causes/handed_work.h"

#include <algorithm>
#include <optional>

namespace collscope {

namespace {

/// Whether a call has nobody to wait for.
bool isAlone(const Call& call)
{
    return call.groupSize == 1;
}

/// Times calls collective by collective; several threads may time different ones.
class CallTimer
{
public:
    explicit CallTimer(Analysis& analysis)
        : m_model(analysis.model())
        , m_run(analysis.run())
        , m_clocks(analysis.clocks())
        , m_clockErrorNs(arrivalErrorNs(analysis))
        , m_isByDuration(m_run.clocks.fitsPoorly(analysis.options().clocks))
        , m_areClocksKnown(m_run.clocks.isTrusted || analysis.options().clocks == ClockChoice::Raw)
        , m_stages(m_run.ranks, m_run.matching)
    {
        for (const RankCalls& rank : m_run.ranks)
            m_offsets.push_back(m_offsets.back() + rank.calls.size());
    }

    /// All calls, rank by rank, without their collectives.
    std::vector<CallTiming> listed() const;
    /// Times the collectives [first, end). `calls`: as listed() gave them.
    void time(std::size_t first, std::size_t end, std::vector<CallTiming>& calls) const;

private:
    bool sharesClock(std::span<const CallRef> members) const;
    std::optional<std::int64_t> errorOf(std::span<const CallRef> members, const CollectiveTimes& times) const;

    const TraceModel& m_model;
    const RunCollectives& m_run;
    const ClockMap& m_clocks;
    std::int64_t m_clockErrorNs;
    bool m_isByDuration;
    bool m_areClocksKnown; ///< the run's collectives show them, or the user chose them
    HandedWork m_stages;
    std::vector<std::size_t> m_offsets{0}; ///< of the first call of each rank
};

std::vector<CallTiming> CallTimer::listed() const
{
    std::vector<CallTiming> times;
    times.reserve(m_offsets.back());
    for (std::uint32_t rank = 0; rank < m_run.ranks.size(); ++rank) {
        const std::vector<Call>& calls = m_run.ranks[rank].calls;
        for (std::uint32_t call = 0; call < calls.size(); ++call) {
            CallTiming& timing = times.emplace_back();
            timing.slice = calls[call].slice;
            timing.call = {rank, call};
            timing.isSplit = isAlone(calls[call]);
        }
    }
    return times;
}

/// Whether the members of a collective share a clock, or all clocks are known. Two files that name no host
/// may be of two.
bool CallTimer::sharesClock(std::span<const CallRef> members) const
{
    if (m_areClocksKnown)
        return true;
    const Timeline& first = *m_run.callOf(members.front()).timeline;
    return std::all_of(members.begin(), members.end(), [&](CallRef member) {
        const Timeline& timeline = *m_run.callOf(member).timeline;
        const bool isSameHost = first.host && timeline.host == first.host;
        return timeline.hasWallClock && (isSameHost || timeline.source == first.source);
    });
}

/// How far two arrivals of a collective can be wrong; nullopt if they cannot be compared. Where nothing else
/// shows that the clocks agree, its own ends may: clocks that differ would show ends that differ.
std::optional<std::int64_t> CallTimer::errorOf(std::span<const CallRef> members,
                                               const CollectiveTimes& times) const
{
    if (sharesClock(members))
        return m_clockErrorNs;
    const bool areComparable = std::all_of(members.begin(), members.end(), [&](CallRef member) {
        return m_run.callOf(member).timeline->hasWallClock;
    });
    const std::int64_t apartNs = times.departures.lengthNs();
    constexpr std::int64_t together = 10; // a tenth of the collective
    return areComparable && together * apartNs <= times.range().lengthNs()
        ? std::optional(std::max(m_clockErrorNs, apartNs))
        : std::nullopt;
}

void CallTimer::time(std::size_t first, std::size_t end, std::vector<CallTiming>& calls) const
{
    CollectiveTimer timer(m_model, m_run.ranks, m_run.matching, m_clocks, m_isByDuration);
    for (std::size_t i = first; i < end; ++i) {
        const CollectiveInstance& instance = m_run.matching.instances[i];
        const auto members = m_run.matching.membersOf(instance);
        if (members.empty())
            continue;
        const CollectiveTimes times = timer.of(instance);
        const std::optional<std::int64_t> errorNs = errorOf(members, times);
        const bool isSplit = isAlone(m_run.callOf(members.front())) || (times.tellsWaits && errorNs);
        const bool isLastKnown = isSplit && errorNs && times.leadNs >= *errorNs;
        const bool isStaged = (m_stages.isTransfer(instance) && !m_stages.isExchange(instance))
            || (isSplit && m_stages.mayExplainLast(instance, timer, times));
        for (std::size_t member = 0; member < members.size(); ++member) {
            CallTiming& timing = calls[m_offsets[members[member].rank] + members[member].call];
            timing.instance = static_cast<std::uint32_t>(i);
            timing.isSplit = isSplit;
            timing.isStaged = isStaged;
            timing.isWhole = instance.isWhole && instance.absent == 0;
            const std::int64_t waitNs = timer.waits()[member];
            timing.waitNs = isSplit && errorNs && waitNs > *errorNs ? waitNs : 0;
            if (timing.waitNs > 0 && isLastKnown)
                timing.awaited = m_run.ranks[members[times.awaited].rank].rank;
        }
    }
}

void sortBySlice(std::vector<CallTiming>& times)
{
    std::sort(times.begin(), times.end(),
              [](const CallTiming& a, const CallTiming& b) { return a.slice < b.slice; });
}

} // namespace

bool SplitCalls::tellWaits(std::int64_t waitingNs) const
{
    return isSummarized ? unsplit == 0 : 2 * unsplit <= counted || waitingNs > 0;
}

std::string_view SplitCalls::whyUnsplit() const
{
    return isSummarized ? "the sums of a rank do not show when the others arrived"
                        : "the files do not show when all ranks arrived";
}

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
    const CallTimer timer(analysis);
    ExposedCalls calls;
    calls.times = timer.listed();
    constexpr std::size_t turnLength = 4096; // collectives between two looks at `cancelled`
    const std::size_t count = run.matching.instances.size();
    // The system takes as long to find memory for the shares as the other threads take to time the calls.
    analysis.options().parallel.forEach(1 + (count + turnLength - 1) / turnLength, [&](std::size_t turn) {
        if (turn == 0)
            calls.shares.resize(calls.times.size());
        else if (!analysis.options().cancelled())
            timer.time((turn - 1) * turnLength, std::min(count, turn * turnLength), calls.times);
    });
    sortBySlice(calls.times);
    return calls;
}

} // namespace collscope
