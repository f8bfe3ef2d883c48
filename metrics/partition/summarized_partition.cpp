// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/partition/summarized_partition.h"

#include "metrics/calls/workload.h"
#include "metrics/partition/idle_sums.h"
#include "metrics/partition/part_sweep.h"
#include "metrics/partition/step_facts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace collscope {

namespace {

bool never()
{
    return false;
}

PlaceInWindow placeIn(TimeRange window, TimeRange range)
{
    return {range.beginNs - window.beginNs, range.lengthNs()};
}

/// Keeps the longer place; of equal ones the later, as WorstPlaces.
void keepLonger(PlaceInWindow place, PlaceInWindow& longest)
{
    if (std::tie(place.lengthNs, place.afterNs) > std::tie(longest.lengthNs, longest.afterNs))
        longest = place;
}

/// The communication calls of a timeline, and what they are of.
class KeyedCalls
{
public:
    KeyedCalls(const TraceModel& model, const Timeline& timeline, StringTable& names,
               std::vector<ExposedKey>& keys)
        : m_model(model)
        , m_names(names)
        , m_keys(keys)
    {
        MetricOptions whole;
        whole.rank = timeline.rank;
        Selection selection = selectWholeFiles(model, whole);
        if (!selection.failure)
            selection = withGpuWork(model, std::move(selection));
        if (!selection.failure) {
            const Mesh mesh = describeWorkload(model, nullptr).mesh;
            for (const RankCalls& rank : listCalls(model, selection, mesh, whole))
                add(rank.calls, timeline);
        }
        std::sort(m_calls.begin(), m_calls.end(),
                  [](const Keyed& a, const Keyed& b) { return a.slice < b.slice; });
        for (const Keyed& call : m_calls)
            exposed.times.push_back({.slice = call.slice, .call = {}});
        exposed.shares.resize(m_calls.size());
    }

    ExposedCalls exposed; ///< no waits are known
    std::uint32_t keyOf(std::size_t call) const { return m_calls[call].key; }
    /// Whether it has nobody to wait for.
    bool isAlone(std::size_t call) const { return m_calls[call].isAlone; }

private:
    struct Keyed
    {
        SliceRef slice;
        std::uint32_t key = 0;
        bool isAlone = false;
    };

    void add(const std::vector<Call>& calls, const Timeline& timeline)
    {
        for (const Call& call : calls) {
            if (call.timeline == &timeline)
                m_calls.push_back({call.slice, internKey(call), call.groupSize == 1});
        }
    }
    StringId named(StringId own) { return own ? m_names.intern(m_model.text(own)) : own; }
    std::uint32_t internKey(const Call& call)
    {
        ExposedKey key;
        key.name = m_names.intern(callName(m_model, call));
        if (call.meta) {
            key.group = named(call.meta->group);
            key.groupRanks = named(call.meta->groupRanks);
        }
        const auto [known, isNew]
            = m_known.try_emplace(std::tuple(key.name.value, key.group.value, key.groupRanks.value),
                                  static_cast<std::uint32_t>(m_keys.size()));
        if (isNew)
            m_keys.push_back(key);
        return known->second;
    }

    const TraceModel& m_model;
    StringTable& m_names;
    std::vector<ExposedKey>& m_keys;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> m_known;
    std::vector<Keyed> m_calls;
};

/// Goes through the windows of a timeline in their order.
class PartitionSums
{
public:
    PartitionSums(const TraceModel& model, const Timeline& timeline, StringTable& names, PartitionKeys& keys)
        : m_model(model)
        , m_timeline(timeline)
        , m_names(names)
        , m_calls(model, timeline, names, keys.exposed)
        , m_sweep(model, timeline, m_calls.exposed, m_copies)
        , m_gaps(findGaps(model, timeline, {}, never))
        , m_overhead(overheadOf(model, timeline))
        , m_last(m_calls.exposed.times.size())
    {
        keys.hasPython = hasPython(model, timeline);
        if (timeline.stepSource != StepSource::Detected)
            return;
        // Where the merge does not accept the steps, no gap is cut by them.
        Timeline bare = timeline;
        bare.steps.clear();
        m_gapsWithoutSteps = findGaps(model, bare, {}, never);
    }

    /// The whole timeline has the number 0, and follows no window.
    PartitionSummary of(TimeRange window, std::size_t number)
    {
        PartitionSummary own;
        const PartTimes parts = m_sweep.run(window, never);
        own.computeNs = parts.of(Part::Compute);
        own.communicationNs = parts.of(Part::Communication);
        own.copyNs = parts.of(Part::Copy);
        addCopies(window, own);
        addCalls(window, number, own);
        addIdle(number == 0 && m_gapsWithoutSteps ? *m_gapsWithoutSteps : m_gaps, window, own);
        own.overheadNs = m_overhead.isEmpty() ? 0 : m_overhead.clipped(window).lengthNs();
        own.behindBeginNs = behindNs(m_model, m_timeline, window.beginNs);
        own.behindEndNs = behindNs(m_model, m_timeline, window.endNs);
        return own;
    }

private:
    /// The last windows in which a call ran, and was exposed.
    struct LastSeen
    {
        std::size_t counted = 0, exposed = 0;
    };
    static bool follows(std::size_t last, std::size_t number) { return last > 0 && last + 1 == number; }
    StringId named(StringId own) { return own ? m_names.intern(m_model.text(own)) : own; }

    void addCopies(TimeRange window, PartitionSummary& own)
    {
        for (const CopyShare& share : std::exchange(m_copies, {})) {
            if (share.ns == 0)
                continue;
            const StringId name = named(share.name);
            const auto known = std::find_if(own.copies.begin(), own.copies.end(),
                                            [&](const CopySummary& copies) { return copies.name == name; });
            CopySummary& copies = known != own.copies.end()
                ? *known
                : own.copies.emplace_back(CopySummary{.name = name, .longest = {}});
            copies.ns += share.ns;
            copies.copies += share.count;
            keepLonger(placeIn(window, share.places.all().front().range), copies.longest);
        }
    }

    void addCalls(TimeRange window, std::size_t number, PartitionSummary& own)
    {
        std::map<std::uint32_t, ExposedSummary> byKey;
        const std::vector<CallTiming>& times = m_calls.exposed.times;
        for (const TrackId track : m_timeline.tracks) {
            const SliceColumns& slices = m_model.track(track).slices;
            const auto row = static_cast<std::uint32_t>(firstReaching(slices, window.beginNs));
            std::size_t call = m_calls.exposed.firstAt({track, row});
            // What is reached first may be a further copy of the call before.
            if (call > 0 && times[call - 1].slice.track == track)
                --call;
            for (; call < times.size() && times[call].slice.track == track
                 && slices.startNs[times[call].slice.row] < window.endNs;
                 ++call)
                addCall(call, window, number, byKey, own);
        }
        for (auto& [key, exposed] : byKey)
            own.exposed.push_back(exposed);
    }

    void addCall(std::size_t call, TimeRange window, std::size_t number,
                 std::map<std::uint32_t, ExposedSummary>& byKey, PartitionSummary& own)
    {
        const CallShare share = std::exchange(m_calls.exposed.shares[call], {});
        if (!share.isCounted)
            return;
        LastSeen& last = m_last[call];
        const std::int64_t again = follows(last.counted, number) ? 1 : 0;
        last.counted = number;
        ++own.calls;
        own.continued += again;
        if (m_calls.isAlone(call)) {
            ++own.alone;
            own.continuedAlone += again;
        }
        if (share.moving.ns == 0)
            return;
        ExposedSummary& exposed = byKey[m_calls.keyOf(call)];
        exposed.key = m_calls.keyOf(call);
        exposed.ns += share.moving.ns;
        ++exposed.calls;
        exposed.continued += follows(std::exchange(last.exposed, number), number) ? 1 : 0;
        keepLonger(placeIn(window, share.moving.longest), exposed.longest);
    }

    void addIdle(const TimelineGaps& gaps, TimeRange window, PartitionSummary& own)
    {
        for (const IdleSum& sum : m_idle.of(m_timeline.rank, gaps, window)) {
            IdleSummary& idle = own.idle.emplace_back();
            idle.cause = sum.cause;
            idle.ns = sum.ns;
            idle.gaps = sum.gaps;
            idle.insideGraphNs = sum.insideGraphNs;
            idle.queuedNs = sum.queuedNs;
            idle.shownNs = sum.shownNs;
            for (const auto& [name, ns] : sum.names)
                idle.names.emplace_back(named(name), ns);
            idle.longest = placeIn(window, sum.places.all().front().range);
            idle.words = wordsOf(m_model, m_timeline, *sum.longestGap);
            for (StringId* const word : {&idle.words.repeated, &idle.words.under, &idle.words.driverCall})
                *word = named(*word);
        }
    }

    const TraceModel& m_model;
    const Timeline& m_timeline;
    StringTable& m_names;
    KeyedCalls m_calls;
    std::vector<CopyShare> m_copies;
    PartSweep m_sweep;
    TimelineGaps m_gaps;
    std::optional<TimelineGaps> m_gapsWithoutSteps;
    IntervalSet m_overhead;
    IdleMeter m_idle;
    std::vector<LastSeen> m_last; ///< by call
};

/// Which windows launched the compute kernels.
void addLaunches(const TraceModel& model, const Timeline& timeline, std::span<const Step> windows,
                 std::span<WindowSummary> summaries)
{
    RankShare share;
    share.rank = timeline.rank;
    share.timelines = {&timeline};
    for (const Step& window : windows)
        share.steps.emplace_back().step = window;
    const std::vector<LaunchedCompute> launched = launchedCompute(model, share);
    for (std::size_t i = 0; i < launched.size(); ++i) {
        summaries[i].partition.launchedNs = launched[i].ns;
        summaries[i].partition.hasLaunches = launched[i].isKnown;
    }
}

} // namespace

void summarizePartition(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& windows,
                        StringTable& names, PartitionKeys& keys, std::span<WindowSummary> summaries)
{
    PartitionSums sums(model, timeline, names, keys);
    for (std::size_t i = 0; i < windows.size(); ++i)
        summaries[i].partition = sums.of(windows[i].range, i);
    const std::span<const Step> all(windows);
    addLaunches(model, timeline, all.first(1), summaries.first(1));
    addLaunches(model, timeline, all.subspan(1), summaries.subspan(1));
}

} // namespace collscope
