// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Collectives as objects on the lanes of their process groups: where each one lies on the axis, and what of a
// lane a number of pixels can show. No widget.

#include "views/time_axis.h"
#include "views/timeline/draw_list.h"
#include "views/view_state.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace collscope {

constexpr std::uint32_t noLane = std::numeric_limits<std::uint32_t>::max();

/// One collective over all its ranks. Times: axis ns.
struct CollectiveSpan
{
    std::int64_t beginNs = 0; ///< the first rank arrives
    std::int64_t arrivedNs = 0; ///< the last rank arrives, or the root; until then the others wait
    std::int64_t endNs = 0; ///< median of the ranks' ends, but no earlier than the last arrival
    std::uint32_t lane = noLane; ///< into GroupLanes::lanes(); noLane: of no group with a lane
    std::uint8_t level = 0; ///< of the lane
    KernelClass kind = KernelClass::OtherCommunication;
    bool waits = false; ///< it is known who waited for whom (CollectiveTimes::tellsWaits)
    SliceRef onlyWaiter; ///< the root of a reduction: nobody else waits; none in other collectives
    bool contradicts = false; ///< on these clocks a rank leaves before the last one arrives
};

/// Collectives of a lane that do not overlap (on the last level they may), by begin.
struct LaneLevel
{
    std::vector<std::uint32_t> instances; ///< into Matching::instances
    std::vector<std::int64_t> beginNs, endNs; ///< of each
    std::vector<std::int64_t> reachNs; ///< latest end of it and of all before it
    std::vector<KernelClass> kind; ///< of each
    std::vector<std::int64_t> coveredNs; ///< sum of the lengths of all before it; one more than instances
};

/// The collectives of one process group.
struct GroupLane
{
    ParallelismKind parallelismKind = ParallelismKind::Unknown;
    std::uint32_t group = 0; ///< into Matching::groups: the first of those that differ in nothing shown
    std::vector<std::int32_t> ranks; ///< of the group as the trace lists them, else those that are loaded
    std::vector<std::int32_t> loaded; ///< those with a timeline in the run, ascending
    std::vector<LaneLevel> levels;
};

/// Levels of a lane; what overlaps still more shares the last one.
constexpr int maxLaneLevels = 4;

/// Lanes of all process groups that two loaded ranks or more have collectives in: by purpose (tensor,
/// context, expert, data, pipeline, global, unknown), then by their ranks. Sends and receives have none.
class GroupLanes
{
public:
    GroupLanes() = default;
    /// O(members log instances). An end up to significantNs before the last arrival contradicts nothing.
    GroupLanes(const TraceModel& model, const RunCollectives& run, const ClockMap& clocks,
               std::int64_t significantNs);

    const std::vector<GroupLane>& lanes() const { return m_lanes; }
    /// Where a collective lies; nullptr if it is on no lane.
    const CollectiveSpan* span(std::uint32_t instance) const
    {
        return instance < m_spans.size() && m_spans[instance].lane != noLane ? &m_spans[instance] : nullptr;
    }

private:
    std::vector<GroupLane> m_lanes;
    std::vector<CollectiveSpan> m_spans; ///< one per instance
};

/// A collective, or several that share a pixel, in px from the left of the lanes, clipped to them.
struct DrawCollective
{
    double x = 0, arrivedX = 0, endX = 0;
    int level = 0;
    std::uint32_t instance = 0; ///< the longest of those that share the pixel
    KernelClass kind = KernelClass::OtherCommunication;
    float coverage = 1.0f; ///< < 1: several share the pixel and cover only this part of it
    bool contradicts = false;
};

/// What is visible of a lane, level by level from left to right, at most about one entry per pixel and level.
/// O(pixels x log collectives).
std::vector<DrawCollective> drawLane(const GroupLanes& groups, const GroupLane& lane, const TimeAxis& axis);

/// The collective at a time and level of a lane, widened by toleranceNs on both sides; the closest wins.
std::optional<std::uint32_t> collectiveAt(const GroupLanes& groups, const GroupLane& lane,
                                          std::int64_t timeNs, int level, std::int64_t toleranceNs);

/// The member of a collective that came last on the common axis; the lowest rank where several did.
CallRef lastArriver(const TraceModel& model, const RunCollectives& run, const ClockMap& clocks,
                    std::uint32_t instance);

/// How busy several groups together are over time, so that one row can stand for all of them.
class GroupDensity
{
public:
    GroupDensity() = default;
    /// O(collectives log collectives).
    GroupDensity(const GroupLanes& groups, const std::vector<std::size_t>& lanes);
    /// Columns of a few px in the colour of the class that takes most of their time, darker where more groups
    /// communicate. O(columns x log collectives).
    std::vector<DrawRect> draw(const TimeAxis& axis) const;

private:
    /// How many collectives of one class run, and their lengths summed up to each change.
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

} // namespace collscope
