// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/kept_events.h"

#include "metrics/analysis/launches.h"
#include "model/building/execution_join.h"
#include "model/building/steps.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

class EventKeeper
{
public:
    explicit EventKeeper(TraceFragment& fragment)
        : m_fragment(fragment)
        , m_saysMore(fragment.strings.size(), -1)
    { }

    void reduce(Timeline& timeline)
    {
        m_launches = launchesWithoutMetadata(timeline);
        m_hasUnknownCalls
            = std::any_of(timeline.collectives.begin(), timeline.collectives.end(), lacksMetadata);
        for (const TrackId id : timeline.tracks) {
            Track& track = m_fragment.tracks[id.value];
            track.instants = {};
            if (track.kind == TrackKind::CpuThread)
                reduce(track, id, timeline);
            // Execution traces refer to CPU events by these ids; GPU work is attributed by correlation.
            else
                dropExternalIds(track.slices, timeline);
        }
        keepArrows(timeline.flows);
    }

private:
    /// Sorted times at which the CPU launched collectives that an execution trace may describe better.
    std::vector<std::int64_t> launchesWithoutMetadata(const Timeline& timeline) const
    {
        std::vector<std::int64_t> times;
        for (const CollectiveCall& call : timeline.collectives) {
            if (!lacksMetadata(call) || !call.slice)
                continue;
            const SliceColumns& kernels = m_fragment.tracks[call.slice.track.value].slices;
            const std::uint32_t correlation = kernels.correlation[call.slice.row];
            const SliceRef launch = correlation != 0 ? timeline.launchOf(correlation) : SliceRef();
            if (launch)
                times.push_back(m_fragment.tracks[launch.track.value].slices.startNs[launch.row]);
        }
        std::sort(times.begin(), times.end());
        return times;
    }

    /// Evaluated once per name.
    bool saysMore(StringId name)
    {
        std::int8_t& known = m_saysMore[name.value];
        if (known < 0) {
            const std::string_view text = m_fragment.strings.view(name);
            known = launchMarksOf(text) != 0 || namesStep(text) || text.starts_with("Optimizer.")
                    || text == "record_param_comms" // what the join looks for around a launch
                ? 1
                : 0;
        }
        return known != 0;
    }

    bool launches(TimeRange range) const
    {
        const auto next = std::lower_bound(m_launches.begin(), m_launches.end(), range.beginNs);
        return next != m_launches.end() && *next <= range.endNs;
    }

    void reduce(Track& track, TrackId id, Timeline& timeline)
    {
        const SliceColumns all = std::move(track.slices);
        track.slices = {};
        std::int64_t operatorsUntil = std::numeric_limits<std::int64_t>::min();
        for (std::uint32_t row = 0; row < all.size(); ++row) {
            const SliceCategory category = all.category[row];
            const TimeRange range = all.range(row);
            bool isKept = all.depth[row] == 0 || all.correlation[row] != 0
                || all.collective[row] != SliceColumns::noRow || saysMore(all.name[row]) || launches(range);
            if (category == SliceCategory::CpuOp) {
                // The union of all operators has the same length as the union of the outermost ones.
                isKept |= range.endNs > operatorsUntil;
                operatorsUntil = std::max(operatorsUntil, range.endNs);
            } else if (category != SliceCategory::Python && category != SliceCategory::Other
                       && category != SliceCategory::Overhead) {
                isKept = true;
            }
            if (!isKept)
                continue;
            if (all.collective[row] != SliceColumns::noRow)
                timeline.collectives[all.collective[row]].slice
                    = {id, static_cast<std::uint32_t>(track.slices.size())};
            SliceRow kept = all.at(row);
            if (!m_hasUnknownCalls)
                kept.externalId = 0;
            track.slices.append(kept);
            track.slices.depth.back() = all.depth[row];
        }
    }

    static void dropExternalIds(SliceColumns& slices, const Timeline& timeline)
    {
        const auto all = std::move(slices.externalId);
        slices.externalId.clear();
        for (std::size_t row = 0; row < slices.size(); ++row) {
            const std::uint32_t call = slices.collective[row];
            const bool isUnknown = call != SliceColumns::noRow && lacksMetadata(timeline.collectives[call]);
            slices.externalId.push_back(isUnknown ? all[row] : 0);
        }
    }

    /// Keeps the ends of the arrows from forward operators to their backward functions.
    void keepArrows(FlowColumns& flows) const
    {
        const StringId arrows = m_fragment.strings.find("fwdbwd");
        FlowColumns kept;
        kept.places = flows.places;
        for (std::size_t row = 0; arrows && row < flows.size(); ++row) {
            if (flows.kind(row) != arrows || flows.phase(row) != FlowPhase::End)
                continue;
            kept.timeNs.push_back(flows.timeNs[row]);
            kept.id.push_back(0);
            kept.place.push_back(flows.place[row]);
        }
        flows = std::move(kept);
    }

    TraceFragment& m_fragment;
    std::vector<std::int8_t> m_saysMore; ///< by string id, -1 = undecided
    std::vector<std::int64_t> m_launches;
    bool m_hasUnknownCalls = false; ///< a kernel of the timeline lacks metadata
};

} // namespace

void keepWhatMetricsRead(TraceFragment& fragment)
{
    EventKeeper keeper(fragment);
    for (Timeline& timeline : fragment.timelines)
        keeper.reduce(timeline);
    fragment.source.isReduced = !fragment.timelines.empty();
}

} // namespace collscope
