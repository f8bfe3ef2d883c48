// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Collectives as objects on the lanes of their process groups: the position of each one on the axis, and the
// rectangles that show a lane at a given resolution. Contains no widget code.

#include "views/common/time_axis.h"
#include "views/rows/draw_list.h"
#include "views/state/view_state.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace collscope {

constexpr std::uint32_t noLane = std::numeric_limits<std::uint32_t>::max();

/// One collective over all its ranks. Times: axis ns.
struct CollectiveSpan
{
    std::int64_t beginNs = 0; ///< arrival of the first rank
    std::int64_t arrivedNs = 0; ///< arrival of the last rank, or of the root; the others wait until then
    std::int64_t endNs = 0; ///< median of the ranks' ends, but no earlier than the last arrival
    std::uint32_t lane = noLane; ///< index into GroupLanes::lanes(); noLane: its group does not have a lane
    std::uint8_t level = 0; ///< level within the lane
    KernelClass kind = KernelClass::OtherCommunication;
    bool waits = false; ///< it is known which ranks waited (CollectiveTimes::tellsWaits)
    SliceRef onlyWaiter; ///< the root of a reduction, the only rank that waits; not set for other collectives
    bool contradicts = false; ///< on these clocks a rank ends before the last rank arrives
};

/// Collectives of a lane in order of start. They do not overlap, except on the last level.
struct LaneLevel
{
    std::vector<std::uint32_t> instances; ///< indices into Matching::instances
    std::vector<std::int64_t> beginNs, endNs; ///< times of each collective
    std::vector<std::int64_t> reachNs; ///< latest end of this and all earlier collectives
    std::vector<KernelClass> kind; ///< class of each collective
    std::vector<std::int64_t> coveredNs; ///< total length of all earlier ones; size is instances + 1
};

/// The collectives of one process group.
struct GroupLane
{
    ParallelismKind parallelismKind = ParallelismKind::Unknown;
    std::uint32_t group = 0; ///< index into Matching::groups; first of groups that look identical
    std::vector<std::int32_t> ranks; ///< the group's ranks listed in the trace, else the loaded ranks
    std::vector<std::int32_t> loaded; ///< ranks with a timeline in the run, ascending
    std::vector<LaneLevel> levels;
};

/// Maximum number of levels in a lane. Further overlapping collectives share the last level.
constexpr int maxLaneLevels = 4;

/// Lanes of all process groups in which at least two loaded ranks have collectives. Ordered by kind of
/// parallelism (tensor, context, expert, data, pipeline, global, unknown), then by ranks. Sends and receives
/// do not have lanes.
class GroupLanes
{
public:
    GroupLanes() = default;
    /// O(members log instances). An end up to significantNs before the last arrival is not a contradiction.
    GroupLanes(const TraceModel& model, const RunCollectives& run, const ClockMap& clocks,
               std::int64_t significantNs);

    const std::vector<GroupLane>& lanes() const { return m_lanes; }
    /// The span of a collective; nullptr if it is not on a lane.
    const CollectiveSpan* span(std::uint32_t instance) const
    {
        return instance < m_spans.size() && m_spans[instance].lane != noLane ? &m_spans[instance] : nullptr;
    }

private:
    std::vector<GroupLane> m_lanes;
    std::vector<CollectiveSpan> m_spans; ///< one per instance
};

/// A collective, or several that share a pixel. In px from the left of the lanes, clipped to the lanes.
struct DrawCollective
{
    double x = 0, arrivedX = 0, endX = 0;
    int level = 0;
    std::uint32_t instance = 0; ///< the longest collective that shares the pixel
    KernelClass kind = KernelClass::OtherCommunication;
    float coverage = 1.0f; ///< < 1: several collectives share the pixel and cover this fraction of it
    bool contradicts = false;
};

/// Returns the visible part of a lane, level by level from left to right, with at most about one entry per
/// pixel and level. O(pixels x log collectives).
std::vector<DrawCollective> drawLane(const GroupLanes& groups, const GroupLane& lane, const TimeAxis& axis);

/// Returns the collective at a time and level of a lane. Collectives are widened by toleranceNs on both
/// sides; the closest one wins.
std::optional<std::uint32_t> collectiveAt(const GroupLanes& groups, const GroupLane& lane,
                                          std::int64_t timeNs, int level, std::int64_t toleranceNs);

/// The member of a collective that arrived last on the common axis; the lowest rank if several did.
CallRef lastArriver(const TraceModel& model, const RunCollectives& run, const ClockMap& clocks,
                    std::uint32_t instance);

/// Combined activity of several groups over time, shown as one row.
class GroupDensity
{
public:
    GroupDensity() = default;
    /// O(collectives log collectives).
    GroupDensity(const GroupLanes& groups, const std::vector<std::size_t>& lanes);
    /// Returns columns of a few px in the colour of the class that takes most of the time, darker where more
    /// groups communicate. O(columns x log collectives).
    std::vector<DrawRect> draw(const TimeAxis& axis) const;

private:
    /// Number of running collectives of one class, and their cumulative length at each change.
    struct Busy
    {
        KernelClass kind = KernelClass::None;
        std::vector<std::int64_t> timeNs, sumNs;
        std::vector<std::int32_t> running;
        std::int64_t upTo(std::int64_t ns) const;
    };
    std::vector<Busy> m_busy;
    double m_groups = 1;
};

/// All that the timeline shows of the process groups of a run, on one choice of clocks.
struct LaidOutGroups
{
    RunCollectivesPtr run;
    ClockChoice clocks = ClockChoice::Auto;
    GroupLanes lanes;
    /// Of all groups of a kind of parallelism, keyed by their lanes.
    std::map<std::vector<std::size_t>, GroupDensity> densities;
};

/// Takes O(members log members): call it off the GUI thread. Asks `cancelled` before the lanes and before
/// each strip, and returns nullptr if it is true.
LaidOutGroupsPtr layOutGroups(const TraceModel& model, const RunCollectivesPtr& run, ClockChoice clocks,
                              const std::function<bool()>& cancelled = nullptr);

} // namespace collscope
