// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/column_order.h"

#include "model/run_sort.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace collscope {

namespace {

template<typename Column>
void reorder(Column& column, const std::vector<std::uint32_t>& order)
{
    Column sorted;
    sorted.reserve(order.size());
    for (const std::uint32_t row : order)
        sorted.push_back(column[row]);
    column = std::move(sorted);
}

/// By start, then longer first, so that a parent precedes its children; equal ones keep the file's order.
void sortSlices(SliceColumns& slices)
{
    std::vector<std::uint32_t> order(slices.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (slices.startNs[a] != slices.startNs[b])
            return slices.startNs[a] < slices.startNs[b];
        if (slices.durationNs[a] != slices.durationNs[b])
            return slices.durationNs[a] > slices.durationNs[b];
        return slices.fileOffset[a] < slices.fileOffset[b];
    };
    if (!std::is_sorted(order.begin(), order.end(), before)) {
        sortRuns(order.begin(), order.end(), before);
        slices.forEachColumn([&](auto& column) { reorder(column, order); });
    }
    slices.forEachColumn([](auto& column) { trim(column); });
}

/// One lane while slices are packed: the ends of the slices that are open at the current start.
struct Lane
{
    std::vector<std::int64_t> openEnds;
};

/// True if the slice fits into the lane: on a stream after everything before it, on a thread also inside an
/// open slice.
bool placeInLane(Lane& lane, TimeRange slice, bool nests, std::uint8_t& depth)
{
    while (!lane.openEnds.empty() && lane.openEnds.back() <= slice.beginNs)
        lane.openEnds.pop_back();
    if (!lane.openEnds.empty() && (!nests || slice.endNs > lane.openEnds.back()))
        return false;
    depth = static_cast<std::uint8_t>(std::min<std::size_t>(lane.openEnds.size(), 255));
    lane.openEnds.push_back(slice.endNs);
    return true;
}

/// Lane of each (sorted) slice; sets depths. Beyond 250 lanes everything goes to the last one.
std::vector<std::uint8_t> packLanes(SliceColumns& slices, bool nests)
{
    std::vector<std::uint8_t> laneOf(slices.size(), 0);
    std::vector<Lane> lanes(1);
    for (std::size_t row = 0; row < slices.size(); ++row) {
        std::size_t lane = 0;
        while (lane < lanes.size() && !placeInLane(lanes[lane], slices.range(row), nests, slices.depth[row]))
            ++lane;
        if (lane == lanes.size()) {
            if (lanes.size() < 250) {
                lanes.emplace_back();
                placeInLane(lanes.back(), slices.range(row), nests, slices.depth[row]);
            } else {
                lane = lanes.size() - 1;
            }
        }
        laneOf[row] = static_cast<std::uint8_t>(lane);
    }
    return laneOf;
}

} // namespace

std::vector<Track> splitLanes(Track&& track)
{
    sortSlices(track.slices);
    const std::vector<std::uint8_t> laneOf = packLanes(
        track.slices, track.kind == TrackKind::CpuThread || track.kind == TrackKind::GpuAnnotation);
    const std::uint8_t last = laneOf.empty() ? 0 : *std::max_element(laneOf.begin(), laneOf.end());
    std::vector<Track> result;
    if (last == 0) {
        result.push_back(std::move(track));
    } else {
        SliceColumns all = std::move(track.slices);
        track.slices = {};
        for (std::uint8_t lane = 0; lane <= last; ++lane) {
            Track sibling = track;
            if (lane > 0)
                sibling.instants = {};
            sibling.lane = lane;
            for (std::size_t row = 0; row < all.size(); ++row) {
                if (laneOf[row] == lane) {
                    sibling.slices.append(all.at(row));
                    sibling.slices.depth.back() = all.depth[row];
                }
            }
            result.push_back(std::move(sibling));
        }
    }
    for (Track& t : result) {
        t.slices.index.build(t.slices.startNs, t.slices.durationNs);
        const auto deepest = std::max_element(t.slices.depth.begin(), t.slices.depth.end());
        t.maxDepth = deepest == t.slices.depth.end() ? 0 : *deepest;
    }
    return result;
}

void sortInstants(InstantColumns& instants)
{
    std::vector<std::uint32_t> order(instants.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return instants.timeNs[a] < instants.timeNs[b];
    });
    reorder(instants.timeNs, order);
    reorder(instants.name, order);
}

void sortFlows(FlowColumns& flows)
{
    // Of one kind, ids mostly rise through the file; of all kinds together they do not.
    std::map<StringId, std::vector<std::uint32_t>> rowsOfKind;
    for (std::uint32_t row = 0; row < flows.size(); ++row)
        rowsOfKind[flows.kind(row)].push_back(row);
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        const std::uint64_t idA = flows.id[a];
        const std::uint64_t idB = flows.id[b];
        return idA != idB ? idA < idB : flows.timeNs[a] < flows.timeNs[b];
    };
    std::vector<std::uint32_t> order;
    order.reserve(flows.size());
    for (auto& [kind, rows] : rowsOfKind) {
        sortRuns(rows.begin(), rows.end(), before);
        order.insert(order.end(), rows.begin(), rows.end());
    }
    if (std::is_sorted(order.begin(), order.end()))
        return;
    reorder(flows.timeNs, order);
    reorder(flows.id, order);
    reorder(flows.place, order);
}

void sortCounter(CounterSeries& counter)
{
    std::vector<std::uint32_t> order(counter.timeNs.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return counter.timeNs[a] < counter.timeNs[b]; });
    reorder(counter.timeNs, order);
    reorder(counter.value, order);
}

} // namespace collscope
