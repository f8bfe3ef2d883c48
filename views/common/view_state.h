// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// State shared by the linked views: what is visible, selected and hovered. Every view reads and writes it;
// views do not know each other.

#include "metrics/matching/run_collectives.h"
#include "model/queries/slice_search.h"
#include "views/common/run_edits.h"

#include <QObject>

#include <cassert>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace collscope {

struct RangeSummary;
using RangeSummaryPtr = std::shared_ptr<const RangeSummary>;

/// How times on the axis are formatted.
enum class TimeFormat
{
    Relative, ///< since the run's first event
    WallClock, ///< time of day, UTC
    Nanoseconds ///< relative, with all digits
};

/// One per open run. Setters ignore equal values (except setPeak), clamp times to the run, and then emit one
/// signal. All times are axis ns.
class ViewState : public QObject
{
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr);

    /// Resets the state for a run: visible range = its initial view, nothing selected.
    void setModel(TraceModelPtr model);
    const TraceModelPtr& model() const { return m_model; }

    /// The run's collectives once they are matched; nullptr before that.
    const RunCollectivesPtr& collectives() const { return m_collectives; }
    void setCollectives(RunCollectivesPtr collectives);
    /// Which clocks define the axis. Times of slices (TraceModel) are on each timeline's own clock; times
    /// here are on the axis. clocks() converts between them.
    ClockChoice clockChoice() const { return m_clockChoice; }
    void setClockChoice(ClockChoice choice);
    const ClockMap& clocks() const { return m_clocks; }
    /// Time range of a slice on the axis.
    TimeRange rangeOf(SliceRef slice) const;
    /// The GPU (rank) whose kernels explain a counter file. A file without a GPU number in its name belongs
    /// to the only rank; with several ranks, it is assumed to be GPU 0.
    std::int32_t gpuOf(std::size_t nvlinkDevice) const;
    /// Index of the timeline whose clock a GPU's counters use, the one of its kernels; nullopt without
    /// kernels. O(timelines).
    std::optional<std::size_t> clockOf(std::size_t nvlinkDevice) const;
    /// Rank and axis range of the selected slice if it is on a GPU stream.
    std::optional<std::pair<std::int32_t, TimeRange>> selectedGpuWork() const;
    /// The complete run, on the axis.
    TimeRange runRange() const { return m_runRange; }
    /// The range shown when a run is opened: the last full step of all ranks, on the axis.
    TimeRange initialView() const;
    /// The collective that the selected slice is part of: index into collectives()->matching.instances.
    std::optional<std::uint32_t> selectedInstance() const;

    /// Extends the range that can be shown beyond the run, because a run in a linked view extends further.
    /// Reset by the next model.
    void setReach(std::optional<TimeRange> reach) { m_reach = reach; }

    TimeRange visibleRange() const { return m_visible; }
    void setVisibleRange(TimeRange range);
    /// Zooms by a factor (> 1 = closer) and keeps the given time in place.
    void zoomAround(std::int64_t centreNs, double factor);
    void panBy(std::int64_t deltaNs);
    /// Centres a range with a margin; keeps the zoom level if keepZoom.
    void showRange(TimeRange range, bool keepZoom = false);
    void goBack();
    void goForward();

    std::optional<TimeRange> selectedRange() const { return m_selectedRange; }
    void setSelectedRange(std::optional<TimeRange> range);

    SliceRef selectedSlice() const { return m_selectedSlice; }
    void setSelectedSlice(SliceRef slice);
    /// The other slices of a multiple selection, oldest first. Selecting another slice clears them.
    const std::vector<SliceRef>& otherSlices() const { return m_otherSlices; }
    /// Adds a slice to the selection or removes it. An added slice becomes the selected one; if the selected
    /// slice is removed, the most recently added other slice takes its place. Without a selection, the slice
    /// becomes the selected one.
    void toggleSlice(SliceRef slice);

    /// Summary of the selected range, else of the visible one; nullptr until it is computed.
    const RangeSummaryPtr& rangeSummary() const { return m_rangeSummary; }
    void setRangeSummary(RangeSummaryPtr summary);

    /// Whether the plain wheel zooms and Ctrl+wheel scrolls, as in Tracy. Applies to every view on the axis.
    bool wheelZooms() const { return m_wheelZooms; }
    void setWheelZooms(bool zooms) { m_wheelZooms = zooms; }

    TimeFormat timeFormat() const { return m_timeFormat; }
    void setTimeFormat(TimeFormat format);

    /// Filter for the names of timeline rows: part of a name in any case, or /a regular expression/; empty:
    /// all rows.
    const QString& rowFilter() const { return m_rowFilter; }
    void setRowFilter(const QString& filter);

    std::optional<std::int64_t> hoverTime() const { return m_hoverTime; }
    void setHoverTime(std::optional<std::int64_t> timeNs);

    /// The position of each rank in the mesh. Until the collectives are known, it is based on card and hosts
    /// alone (then collectivesChanged).
    const RankMesh& mesh() const { return m_mesh; }

    bool isRankHidden(std::int32_t rank) const { return m_hiddenRanks.contains(rank); }
    const std::set<std::int32_t>& hiddenRanks() const { return m_hiddenRanks; }
    void setRankHidden(std::int32_t rank, bool hidden);
    /// Sets all hidden ranks with a single signal.
    void setHiddenRanks(std::set<std::int32_t> ranks);

    /// The user's additions to the run: never nullptr, cleared by each new model.
    RunEdits* edits() { return &m_edits; }
    const RunEdits* edits() const { return &m_edits; }

    /// Slices and ranges that a metric counted, drawn emphasised. Slices are sorted.
    const std::vector<SliceRef>& evidence() const { return m_evidence; }
    const std::vector<TimeRange>& evidenceRanges() const { return m_evidenceRanges; }
    bool isEvidence(SliceRef slice) const;
    /// Whether some slices are emphasised: the evidence, else the search matches.
    bool isEmphasising() const { return !m_evidence.empty() || (m_matches && m_matches->size() > 0); }
    /// Precondition: isEmphasising(). O(log emphasised slices).
    bool isEmphasised(SliceRef slice) const
    {
        assert(isEmphasising());
        return m_evidence.empty() ? m_matches->contains(slice) : isEvidence(slice);
    }
    void setEvidence(std::vector<SliceRef> slices, std::vector<TimeRange> ranges);

    /// The slices that a search found; nullptr without a search. New matches replace the evidence.
    const SliceMatchesPtr& matches() const { return m_matches; }
    void setMatches(SliceMatchesPtr matches);

    /// GPU and time range whose kernels are requested (a click on an NVLink peak).
    struct Peak
    {
        std::size_t nvlinkDevice = 0; ///< index into TraceModel::nvlink, unless there is a `timeline`
        TimeRange range;
        /// Index into TraceModel::timelines, for a GPU sampled by Nsight.
        std::optional<std::size_t> timeline = {};
        friend bool operator==(const Peak&, const Peak&) = default;
    };
    std::optional<Peak> peak() const { return m_peak; }
    std::int32_t gpuOf(const Peak& peak) const;
    /// Also selects the peak's range; setting the same peak again selects its range again.
    void setPeak(std::optional<Peak> peak);

    /// GPU and event (index into its MemoryHistory) of the memory view; without an index, its peak.
    struct MemoryMoment
    {
        MemoryDeviceRef of;
        std::optional<std::size_t> place;
        friend bool operator==(const MemoryMoment&, const MemoryMoment&) = default;
    };
    /// nullopt only without memory snapshots; initially the peak of the first rank.
    const std::optional<MemoryMoment>& memoryMoment() const { return m_memoryMoment; }
    void setMemoryMoment(const MemoryMoment& moment);

    /// Selects a slice and makes it visible: centred, at a suitable zoom, with its rank shown. With keepView
    /// the visible range stays if it contains the slice.
    void revealSlice(SliceRef slice, bool keepView = false);
    /// Clears selection, range, peak and evidence.
    void clearSelection();

signals:
    void modelChanged();
    void collectivesChanged();
    /// Slices of some timelines have moved on the axis.
    void clocksChanged();
    void visibleRangeChanged(collscope::TimeRange range);
    void selectedRangeChanged();
    void selectedSliceChanged(collscope::SliceRef slice);
    void otherSlicesChanged();
    void rangeSummaryChanged();
    void timeFormatChanged();
    void rowFilterChanged();
    void hoverTimeChanged();
    void hiddenRanksChanged();
    void evidenceChanged();
    void matchesChanged();
    void peakChanged();
    void memoryMomentChanged();
    /// Requests scrolling to this slice's row (after revealSlice).
    void revealRequested(collscope::SliceRef slice);

private:
    void pushHistory();
    void updateClocks();

    TraceModelPtr m_model;
    RunCollectivesPtr m_collectives;
    ClockChoice m_clockChoice = ClockChoice::Auto;
    ClockMap m_clocks;
    TimeRange m_runRange{0, 1};
    std::optional<TimeRange> m_reach;
    TimeRange m_visible{0, 1};
    std::optional<TimeRange> m_selectedRange;
    SliceRef m_selectedSlice;
    std::vector<SliceRef> m_otherSlices;
    RangeSummaryPtr m_rangeSummary;
    TimeFormat m_timeFormat = TimeFormat::Relative;
    bool m_wheelZooms = false;
    QString m_rowFilter;
    std::optional<std::int64_t> m_hoverTime;
    std::set<std::int32_t> m_hiddenRanks;
    RankMesh m_mesh;
    std::vector<SliceRef> m_evidence;
    std::vector<TimeRange> m_evidenceRanges;
    std::optional<Peak> m_peak;
    std::optional<MemoryMoment> m_memoryMoment;
    RunEdits m_edits;
    SliceMatchesPtr m_matches;
    std::vector<TimeRange> m_back, m_forward;
};

} // namespace collscope
