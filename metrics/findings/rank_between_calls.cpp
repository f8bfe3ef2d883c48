// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/rank_between_calls.h"

#include "model/queries/slice_query.h"

#include <algorithm>
#include <utility>

namespace collscope {

RankBetweenCalls::RankBetweenCalls(const FindingInput& input, const RankShare& rank)
    : m_input(&input)
    , m_rank(&rank)
{
    const RunCollectives& run = input.analysis.run();
    m_calls = callsOf(input.partition.calls, rank.timelines);
    std::map<std::pair<std::uint32_t, const Timeline*>, Arrivals> arrivals;
    for (const CallTiming& timing : m_calls.times) {
        if (timing.instance == CallTiming::noInstance)
            continue;
        m_matched.push_back({timing.instance, timing.call, 0, std::nullopt});
        const Call& call = run.callOf(timing.call);
        const std::uint32_t group = run.matching.instances[timing.instance].group;
        arrivals[{group, call.timeline}].emplace_back(arrivalNs(call), timing.instance);
        const ProcessGroup& pair = run.matching.groups[group];
        if (pair.kind != ProcessGroup::Kind::Pair || !timing.isStaged)
            continue;
        m_partners.insert(pair.to == rank.rank ? pair.from : pair.to);
        if (pair.to == rank.rank)
            m_receives[call.timeline].push_back(input.analysis.model().rangeOf(call.slice).endNs);
    }
    for (auto& [timeline, receives] : m_receives)
        std::sort(receives.begin(), receives.end());
    std::stable_sort(m_matched.begin(), m_matched.end(),
                     [](const Matched& a, const Matched& b) { return a.instance < b.instance; });
    m_matched.erase(std::unique(m_matched.begin(), m_matched.end(),
                                [](const Matched& a, const Matched& b) { return a.instance == b.instance; }),
                    m_matched.end());
    for (auto& [group, ofGroup] : arrivals)
        noteArrivals(std::move(ofGroup));
}

std::size_t RankBetweenCalls::indexOf(std::uint32_t instance) const
{
    const auto found
        = std::lower_bound(m_matched.begin(), m_matched.end(), instance,
                           [](const Matched& own, std::uint32_t wanted) { return own.instance < wanted; });
    return static_cast<std::size_t>(found - m_matched.begin());
}

const RankBetweenCalls::Matched* RankBetweenCalls::find(std::uint32_t instance) const
{
    const std::size_t index = indexOf(instance);
    return index < m_matched.size() && m_matched[index].instance == instance ? &m_matched[index] : nullptr;
}

/// Of two calls that arrive at once, on two streams, the second one has an empty way.
void RankBetweenCalls::noteArrivals(Arrivals ofGroup)
{
    std::sort(ofGroup.begin(), ofGroup.end());
    std::optional<std::size_t> last;
    for (const auto& [ns, instance] : ofGroup) {
        const std::size_t index = indexOf(instance);
        m_matched[index].arrivalNs = ns;
        m_matched[index].last = std::exchange(last, index);
    }
}

const Call& RankBetweenCalls::callOf(const Matched& own) const
{
    return m_input->analysis.run().callOf(own.call);
}

std::optional<Way> RankBetweenCalls::before(std::uint32_t instance) const
{
    const Matched* const own = find(instance);
    if (!own)
        return std::nullopt;
    const Call& call = callOf(*own);
    const StepShare* const step = stepOf(call);
    if (!step)
        return std::nullopt;
    const std::int64_t stepNs = step->step.range.beginNs;
    const std::int64_t ns = own->arrivalNs;
    std::int64_t lastNs = own->last ? m_matched[*own->last].arrivalNs : stepNs;
    // Stages do different work: they are alike only in what they do after their last work came.
    if (const auto receives = m_receives.find(call.timeline); receives != m_receives.end()) {
        const auto after = std::upper_bound(receives->second.begin(), receives->second.end(), ns);
        if (after != receives->second.begin())
            lastNs = std::max(lastNs, *std::prev(after));
    }
    return Way{call.timeline, {lastNs, ns}, std::max(lastNs, stepNs)};
}

Spending RankBetweenCalls::spendingIn(const Timeline& timeline, TimeRange range)
{
    Spending spent{};
    const std::size_t part = m_rank->partOf(timeline);
    if (part == m_rank->timelines.size() || range.isEmpty())
        return spent;
    m_rank->gaps[part].forEachIn(
        range, [&](const GpuGap& gap, TimeRange inside) { addGap(timeline, gap, inside, spent); });
    auto sweep = m_sweeps.find(&timeline);
    if (sweep == m_sweeps.end())
        sweep = m_sweeps.try_emplace(&timeline, m_input->analysis.model(), timeline, m_calls, m_copies).first;
    const PartTimes parts = sweep->second.run(range, m_input->analysis.options().cancelled);
    spent[computeSpending] = parts.of(Part::Compute);
    spent[copySpending] = parts.of(Part::Copy);
    spent[communicationSpending] = parts.of(Part::Communication);
    return spent;
}

/// A long gap is divided: one cause gets all of it in the findings about idle time, but ranks may differ in
/// another one, which covers less of it.
void RankBetweenCalls::addGap(const Timeline& timeline, const GpuGap& gap, TimeRange inside, Spending& spent)
{
    constexpr std::int64_t shortestNs = 10 * longestLaunchOverheadNs; // looks at threads are slow
    // What the thread does while queued work does not start is not the reason.
    const bool isQueued = gap.cause == IdleCause::Unexplained || gap.cause == IdleCause::WaitsOnStream;
    if (!gap.thread || isQueued || gap.cause == IdleCause::NotRecorded || inside.lengthNs() < shortestNs) {
        spent[static_cast<std::size_t>(gap.cause)] += inside.lengthNs();
        return;
    }
    const ThreadLook look = readerOf(timeline).look(gap.thread, inside);
    std::int64_t restNs = inside.lengthNs();
    for (std::size_t cause = 0; cause < namedCauseCount; ++cause) {
        spent[cause] += look.causeNs[cause];
        restNs -= look.causeNs[cause];
    }
    const std::int64_t waitedNs = std::clamp<std::int64_t>(look.waitedNs, 0, restNs);
    restNs -= waitedNs;
    const std::int64_t workedNs
        = std::clamp<std::int64_t>(look.recordedNs - look.namedNs - waitedNs, 0, restNs);
    restNs -= workedNs;
    spent[static_cast<std::size_t>(IdleCause::Waits)] += waitedNs;
    spent[static_cast<std::size_t>(IdleCause::CpuBound)] += workedNs;
    spent[static_cast<std::size_t>(IdleCause::Outside)] += restNs; // no event shows what it was
}

ThreadReader& RankBetweenCalls::readerOf(const Timeline& timeline)
{
    auto reader = m_readers.find(&timeline);
    if (reader == m_readers.end())
        reader = m_readers.try_emplace(&timeline, m_input->analysis.model(), timeline).first;
    return reader->second;
}

SliceRef RankBetweenCalls::launchOf(const Call& call) const
{
    const Track& track = m_input->analysis.model().track(call.slice.track);
    const std::uint32_t correlation = track.slices.correlation[call.slice.row];
    return correlation != 0 ? call.timeline->launchOf(correlation) : SliceRef();
}

bool RankBetweenCalls::startsAtLaunch(std::uint32_t instance) const
{
    constexpr std::int64_t promptNs = 100'000;
    const Matched* const own = find(instance);
    if (!own)
        return false;
    const Call& call = callOf(*own);
    const SliceRef launch = launchOf(call);
    return launch && arrivalNs(call) - m_input->analysis.model().rangeOf(launch).endNs <= promptNs;
}

CpuTimes RankBetweenCalls::lookAt(const Timeline& timeline, TrackId thread, TimeRange range)
{
    const ThreadLook look = readerOf(timeline).look(thread, range);
    CpuTimes times{};
    std::copy(look.causeNs.begin(), look.causeNs.end(), times.begin());
    const auto set = [&](IdleCause cause, std::int64_t ns) {
        times[static_cast<std::size_t>(cause)] = std::max<std::int64_t>(ns, 0);
    };
    set(IdleCause::Waits, look.waitedNs);
    set(IdleCause::CpuBound, look.recordedNs - look.namedNs - look.waitedNs);
    set(IdleCause::Outside, range.lengthNs() - std::max(look.recordedNs, look.namedNs));
    return times;
}

/// One track of each thread that launches work.
const std::vector<TrackId>& RankBetweenCalls::launchingThreads(const Timeline& timeline)
{
    const auto [known, isNew] = m_launching.try_emplace(&timeline);
    if (!isNew)
        return known->second;
    TrackId before;
    for (const LaunchLink& work : timeline.launches) {
        if (work.slice.track == before)
            continue;
        before = work.slice.track;
        if (std::none_of(known->second.begin(), known->second.end(),
                         [&](TrackId thread) { return readerOf(timeline).isSameThread(thread, before); }))
            known->second.push_back(before);
    }
    return known->second;
}

std::optional<CpuTimes> RankBetweenCalls::cpuBefore(std::uint32_t instance)
{
    const Matched* const own = find(instance);
    if (!own)
        return std::nullopt;
    const Call& call = callOf(*own);
    const StepShare* const step = stepOf(call);
    const SliceRef launch = launchOf(call);
    const std::optional<std::size_t> before = own->last;
    const SliceRef last = before ? launchOf(callOf(m_matched[*before])) : SliceRef();
    if (!step || !launch || (before && !last))
        return std::nullopt;
    const TraceModel& model = m_input->analysis.model();
    const TimeRange range{last ? model.rangeOf(last).endNs : step->step.range.beginNs,
                          model.rangeOf(launch).beginNs};
    if (range.isEmpty())
        return CpuTimes{};
    // One thread hands over to another one, as autograd does: what any of them does may delay the launch.
    CpuTimes times = lookAt(*call.timeline, launch.track, range);
    constexpr auto outside = static_cast<std::size_t>(IdleCause::Outside);
    for (const TrackId thread : launchingThreads(*call.timeline)) {
        if (readerOf(*call.timeline).isSameThread(thread, launch.track))
            continue;
        const CpuTimes others = lookAt(*call.timeline, thread, range);
        for (std::size_t cause = 0; cause < times.size(); ++cause)
            times[cause] = cause == outside ? std::min(times[cause], others[cause])
                                            : std::max(times[cause], others[cause]);
    }
    return times;
}

RankBetweenCalls::Events RankBetweenCalls::eventsOf(const Way& way, bool isInStep,
                                                    const CountsRow& counts) const
{
    const TimeRange range = way.part(isInStep);
    Events events;
    for (const TrackId id : way.timeline->tracks) {
        const Track& track = m_input->analysis.model().track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        forEachOverlapping(track.slices, range, [&](std::size_t row) {
            if (!counts(track.slices, row))
                return;
            events.count += range.contains(track.slices.startNs[row]) ? 1 : 0;
            events.ns += track.slices.range(row).intersected(range).lengthNs();
        });
    }
    return events;
}

} // namespace collscope
