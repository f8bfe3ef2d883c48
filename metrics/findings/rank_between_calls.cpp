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
    const ExposedCalls calls = callsOf(input.partition.calls, rank.timelines);
    std::map<std::pair<std::uint32_t, const Timeline*>, Arrivals> arrivals;
    for (const CallTiming& timing : calls.times) {
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
