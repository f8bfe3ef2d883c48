// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The open run as the views see it: its model, and what is known about its collectives, clocks and ranks.

#include "metrics/counters/nvlink_ranks.h"
#include "metrics/findings/gap_table.h"
#include "metrics/matching/run_collectives.h"
#include "metrics/partition/exposure.h"
#include "metrics/whatif/ghost_lanes.h"
#include "views/state/run_edits.h"

#include <QObject>

#include <memory>
#include <optional>

namespace collscope {

struct LaidOutGroups;
using LaidOutGroupsPtr = std::shared_ptr<const LaidOutGroups>;

/// Views read it; only ViewState changes it. Times of slices (TraceModel) are on each timeline's own clock;
/// the views show times on the axis. clocks() converts between them.
class RunContext : public QObject
{
    Q_OBJECT

public:
    const TraceModelPtr& model() const { return m_model; }
    /// The run's collectives once they are matched; nullptr before that.
    const RunCollectivesPtr& collectives() const { return m_collectives; }
    /// The process groups on the axis; nullptr until they are laid out for these collectives and clocks.
    const LaidOutGroupsPtr& groups() const { return m_groups; }
    /// How much of each communication kernel is exposed, on the clocks of the axis; nullptr until measured.
    const ExposurePtr& exposure() const { return m_exposure; }
    /// When and why the GPU of a timeline was idle; empty until that is known. See GapLanes.
    std::span<const LaneGap> gapsOf(TimelineId timeline) const;
    /// The run as it would be in a scenario; nullptr: none is shown.
    const GhostLanesPtr& ghost() const { return m_ghost; }
    /// Which clocks define the axis.
    ClockChoice clockChoice() const { return m_clockChoice; }
    const ClockMap& clocks() const { return m_clocks; }
    /// Time range of a slice on the axis.
    TimeRange rangeOf(SliceRef slice) const;
    /// The complete run, on the axis.
    TimeRange range() const { return m_range; }
    /// The range shown when a run is opened: the last full step of all ranks, on the axis.
    TimeRange initialView() const;
    /// The position of each rank in the mesh. Until the collectives are known, it is based on card and hosts
    /// alone (then collectivesChanged).
    const RankMesh& mesh() const { return m_mesh; }

    /// Which rank each NVLink file belongs to, and how that is known.
    const NvlinkRanks& nvlinkRanks() const { return m_nvlinkRanks; }
    /// "GPU 3"; "Rank 11: GPU 3 of node07" where the number is not that of the rank.
    QString nvlinkName(std::size_t nvlinkDevice) const;
    /// Index of the timeline whose clock a GPU's counters use, the one of its kernels; nullopt without
    /// kernels. O(timelines).
    std::optional<std::size_t> clockOf(std::size_t nvlinkDevice) const;

    /// The user's additions to the run: never nullptr, cleared by each new model.
    RunEdits* edits() { return &m_edits; }
    const RunEdits* edits() const { return &m_edits; }

signals:
    void modelChanged();
    void collectivesChanged();
    void groupsChanged(); ///< not when they change with collectives or clocks
    void exposureChanged();
    void gapsChanged();
    void ghostChanged();
    /// Slices of some timelines have moved on the axis.
    void clocksChanged();

private:
    friend class ViewState; // announces a change when all parts of the state know of it

    void setModel(TraceModelPtr model);
    void setCollectives(RunCollectivesPtr collectives);
    void setGaps(const GapLanes& gaps);
    /// Whether times on the axis may have changed.
    bool updateClocks();

    TraceModelPtr m_model;
    RunCollectivesPtr m_collectives;
    LaidOutGroupsPtr m_groups;
    ExposurePtr m_exposure;
    GapLanes m_gaps;
    GhostLanesPtr m_ghost;
    ClockChoice m_clockChoice = ClockChoice::Auto;
    ClockMap m_clocks;
    NvlinkRanks m_nvlinkRanks;
    TimeRange m_range{0, 1};
    RankMesh m_mesh;
    RunEdits m_edits;
};

} // namespace collscope
