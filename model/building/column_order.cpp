// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/building/column_order.h"

#include "model/containers/run_sort.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

namespace collscope {

namespace {

std::vector<std::uint32_t> rowsOf(std::size_t count)
{
    std::vector<std::uint32_t> rows(count);
    std::iota(rows.begin(), rows.end(), 0u);
    return rows;
}

/// Sorts by start, then by descending duration, so that a parent precedes its children. Equal slices keep the
/// order of the file.
void sortSlices(SliceColumns& slices)
{
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        if (slices.startNs[a] != slices.startNs[b])
            return slices.startNs[a] < slices.startNs[b];
        if (slices.durationNs[a] != slices.durationNs[b])
            return slices.durationNs[a] > slices.durationNs[b];
        return slices.fileOffset[a] < slices.fileOffset[b];
    };
    std::uint32_t sortedRows = 1;
    while (sortedRows < slices.size() && !before(sortedRows, sortedRows - 1))
        ++sortedRows;
    if (sortedRows < slices.size()) {
        std::vector<std::uint32_t> order = rowsOf(slices.size());
        sortRuns(order.begin(), order.end(), before);
        const Rearrangement sorted(std::move(order));
        slices.forEachColumn([&](auto& column) { rearrange(column, sorted); });
    }
    assert(std::is_sorted(slices.startNs.begin(), slices.startNs.end()));
    slices.forEachColumn([](auto& column) { trim(column); });
}

/// State of one lane while slices are packed: the ends of the slices that are open at the current start.
struct Lane
{
    std::vector<std::int64_t> openEnds;
};

/// True if the slice fits into the lane: on a stream, after all earlier slices; on a thread, also inside an
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

/// Returns the lane of each (sorted) slice and sets the depths. Beyond 250 lanes, all further slices go to
/// the last one.
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

/// Positions of flow ends in a table of all ids, ordered by kind.
struct FlowTable
{
    std::vector<std::uint64_t> entryOfPlace; ///< entry of id 0 at each place, modulo 2^64
    std::uint64_t entries = 0;
};

/// nullopt if the table would be much longer than the list of flows.
std::optional<FlowTable> tableOf(const FlowColumns& flows)
{
    struct Span
    {
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), greatest = 0, begin = 0;
    };
    std::vector<Span> byPlace(flows.places.size());
    for (std::size_t row = 0; row < flows.size(); ++row) {
        Span& ids = byPlace[flows.place[row]];
        ids.least = std::min(ids.least, flows.id[row]);
        ids.greatest = std::max(ids.greatest, flows.id[row]);
    }
    std::map<StringId, Span> byKind;
    for (std::size_t place = 0; place < byPlace.size(); ++place) {
        Span& ids = byKind[flows.places[place].kind];
        ids.least = std::min(ids.least, byPlace[place].least);
        ids.greatest = std::max(ids.greatest, byPlace[place].greatest);
    }
    const std::uint64_t most = 4 * std::uint64_t{flows.size()} + byKind.size();
    FlowTable table;
    for (auto& [kind, ids] : byKind) {
        const std::uint64_t span = ids.least <= ids.greatest ? ids.greatest - ids.least : 0;
        ids.begin = table.entries;
        if (span >= most - table.entries)
            return std::nullopt;
        table.entries += span + 1;
    }
    for (const FlowColumns::Endpoint& place : flows.places)
        table.entryOfPlace.push_back(byKind[place.kind].begin - byKind[place.kind].least);
    return table;
}

/// Rows sorted by kind, id and time. Profilers count ids upwards, so a counting sort usually finds the place
/// of each row.
std::vector<std::uint32_t> flowOrder(const FlowColumns& flows)
{
    std::vector<std::uint32_t> order = rowsOf(flows.size());
    const auto table = tableOf(flows);
    if (!table) {
        const auto key = [&](std::uint32_t row) {
            return std::tuple(flows.kind(row), flows.id[row], flows.timeNs[row]);
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
        return order;
    }
    std::vector<std::uint32_t> begins(table->entries + 1, 0);
    const auto entry = [&](std::size_t row) { return table->entryOfPlace[flows.place[row]] + flows.id[row]; };
    for (std::size_t row = 0; row < flows.size(); ++row)
        ++begins[entry(row) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (std::uint32_t row = 0; row < flows.size(); ++row)
        order[begins[entry(row)]++] = row;
    // Each entry of `begins` is now the end of the rows of its id. These few rows are still in the order of
    // the file.
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(flows.timeNs[a], a) < std::pair(flows.timeNs[b], b);
    };
    auto first = order.begin();
    for (const std::uint32_t end : begins) {
        std::sort(first, order.begin() + end, earlier);
        first = order.begin() + end;
    }
    return order;
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
        const auto deepest = std::max_element(t.slices.depth.begin(), t.slices.depth.end());
        t.maxDepth = deepest == t.slices.depth.end() ? 0 : *deepest;
    }
    return result;
}

void sortInstants(InstantColumns& instants)
{
    std::vector<std::uint32_t> order = rowsOf(instants.size());
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return instants.timeNs[a] < instants.timeNs[b];
    });
    const Rearrangement sorted(std::move(order));
    rearrange(instants.timeNs, sorted);
    rearrange(instants.name, sorted);
}

void sortFlows(FlowColumns& flows)
{
    const Rearrangement sorted(flowOrder(flows));
    rearrange(flows.timeNs, sorted);
    rearrange(flows.id, sorted);
    rearrange(flows.place, sorted);
}

void sortCounter(CounterSeries& counter)
{
    std::vector<std::uint32_t> order = rowsOf(counter.timeNs.size());
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return counter.timeNs[a] < counter.timeNs[b]; });
    const Rearrangement sorted(std::move(order));
    rearrange(counter.timeNs, sorted);
    rearrange(counter.value, sorted);
}

} // namespace collscope
