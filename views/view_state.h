// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The linked-views object: what is visible, selected and hovered. Every view reads it and writes it; none
// knows another.

#include "metrics/multirank/run_collectives.h"
#include "model/slice_search.h"
#include "views/run_edits.h"

#include <QObject>

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace collscope {

struct RangeSummary;
using RangeSummaryPtr = std::shared_ptr<const RangeSummary>;

/// How moments of the axis are written.
enum class TimeFormat
{
    Relative, ///< since the run's first event
    WallClock, ///< time of day, UTC
    Nanoseconds ///< every digit of the relative one
};

/// One per opened run. Setters ignore equal values (but setPeak), clamp times to the run, and then emit one
/// signal. All times: axis ns.
class ViewState : public QObject
{
    Q_OBJECT

public:
    explicit ViewState(QObject* parent = nullptr);

    /// Starts over for a run: visible range = its initial view, nothing selected.
    void setModel(TraceModelPtr model);
    const TraceModelPtr& model() const { return m_model; }

    /// The run's collectives, once they are matched; nullptr before.
    const RunCollectivesPtr& collectives() const { return m_collectives; }
    void setCollectives(RunCollectivesPtr collectives);
    /// Which clocks make the axis. Times of slices (TraceModel) are each timeline's own; times here are on
    /// the axis: clocks() leads from one to the other.
    ClockChoice clockChoice() const { return m_clockChoice; }
    void setClockChoice(ClockChoice choice);
    const ClockMap& clocks() const { return m_clocks; }
    /// When a slice is, on the axis.
    TimeRange rangeOf(SliceRef slice) const;
    /// The GPU (rank) whose kernels explain a counter file. One without a GPU number in its name belongs to
    /// the only rank there is; among several it is taken for GPU 0.
    std::int32_t gpuOf(std::size_t nvlinkDevice) const;
    /// The timeline whose clock a GPU's counters share, that of its kernels (index); nullopt without kernels.
    /// O(timelines).
    std::optional<std::size_t> clockOf(std::size_t nvlinkDevice) const;
    /// The selected slice, if it lies on a stream of a GPU: its rank and its place on the axis.
    std::optional<std::pair<std::int32_t, TimeRange>> selectedGpuWork() const;
    /// All of the run, on the axis.
    TimeRange runRange() const { return m_runRange; }
    /// What a run opens with: the last full step of all ranks, on the axis.
    TimeRange initialView() const;
    /// The collective that the selected slice is part of: index into collectives()->matching.instances.
    std::optional<std::uint32_t> selectedInstance() const;

    /// Beyond the run, what can be brought into sight: another run has more there, and both are looked at
    /// together. Until the next model.
    void setReach(std::optional<TimeRange> reach) { m_reach = reach; }

    TimeRange visibleRange() const { return m_visible; }
    void setVisibleRange(TimeRange range);
    /// Zooms by a factor (> 1 = closer) with the given time kept in place.
    void zoomAround(std::int64_t centreNs, double factor);
    void panBy(std::int64_t deltaNs);
    /// Brings a range into the middle with a margin; keeps the zoom if keepZoom.
    void showRange(TimeRange range, bool keepZoom = false);
    void goBack();
    void goForward();

    std::optional<TimeRange> selectedRange() const { return m_selectedRange; }
    void setSelectedRange(std::optional<TimeRange> range);

    SliceRef selectedSlice() const { return m_selectedSlice; }
    void setSelectedSlice(SliceRef slice);
    /// Slices that were added to the selected one, in that order. Another selected slice ends them.
    const std::vector<SliceRef>& otherSlices() const { return m_otherSlices; }
    /// Adds a slice to the selection, or takes it out; what was added last takes the place of the selected
    /// one. Without a selection the slice becomes it.
    void toggleSlice(SliceRef slice);

    /// What happens in the selected range, else in the visible one; nullptr until it is worked out.
    const RangeSummaryPtr& rangeSummary() const { return m_rangeSummary; }
    void setRangeSummary(RangeSummaryPtr summary);

    /// As in Tracy: the wheel alone zooms, and with Ctrl it scrolls. In every view on the axis.
    bool wheelZooms() const { return m_wheelZooms; }
    void setWheelZooms(bool zooms) { m_wheelZooms = zooms; }

    TimeFormat timeFormat() const { return m_timeFormat; }
    void setTimeFormat(TimeFormat format);

    /// Rows of the timeline whose names are wanted: part of a name in any case, or /a regular expression/;
    /// empty: all.
    const QString& rowFilter() const { return m_rowFilter; }
    void setRowFilter(const QString& filter);

    std::optional<std::int64_t> hoverTime() const { return m_hoverTime; }
    void setHoverTime(std::optional<std::int64_t> timeNs);

    /// Where each rank sits; until the collectives are known by card and hosts alone (then
    /// collectivesChanged).
    const RankMesh& mesh() const { return m_mesh; }

    bool isRankHidden(std::int32_t rank) const { return m_hiddenRanks.contains(rank); }
    const std::set<std::int32_t>& hiddenRanks() const { return m_hiddenRanks; }
    void setRankHidden(std::int32_t rank, bool hidden);
    /// All at once: one signal however many ranks a group has.
    void setHiddenRanks(std::set<std::int32_t> ranks);

    /// What a person added to the run: never nullptr, emptied with each new model.
    RunEdits* edits() { return &m_edits; }
    const RunEdits* edits() const { return &m_edits; }

    /// Slices and ranges that a metric counted, to be drawn emphasised. Slices are sorted.
    const std::vector<SliceRef>& evidence() const { return m_evidence; }
    const std::vector<TimeRange>& evidenceRanges() const { return m_evidenceRanges; }
    bool isEvidence(SliceRef slice) const;
    /// True if some slices stand out from the rest: the evidence, else what a search found.
    bool isEmphasising() const { return !m_evidence.empty() || (m_matches && m_matches->size() > 0); }
    /// Precondition: isEmphasising(). O(log slices that are).
    bool isEmphasised(SliceRef slice) const
    {
        return m_evidence.empty() ? m_matches->contains(slice) : isEvidence(slice);
    }
    void setEvidence(std::vector<SliceRef> slices, std::vector<TimeRange> ranges);

    /// The slices that a search found; nullptr while there is none. New ones take the place of the evidence.
    const SliceMatchesPtr& matches() const { return m_matches; }
    void setMatches(SliceMatchesPtr matches);

    /// GPU and interval whose kernels are wanted (a click on an NVLink peak).
    struct Peak
    {
        std::size_t nvlinkDevice = 0; ///< index into TraceModel::nvlink, unless there is a `timeline`
        TimeRange range;
        /// Of a GPU that Nsight sampled: index into TraceModel::timelines.
        std::optional<std::size_t> timeline = {};
        friend bool operator==(const Peak&, const Peak&) = default;
    };
    std::optional<Peak> peak() const { return m_peak; }
    std::int32_t gpuOf(const Peak& peak) const;
    /// Also selects the peak's range; choosing the same peak again selects its range again.
    void setPeak(std::optional<Peak> peak);

    /// The GPU whose memory is looked at, and the moment: a place in its MemoryHistory; without one its peak.
    struct MemoryMoment
    {
        MemoryDeviceRef of;
        std::optional<std::size_t> place;
        friend bool operator==(const MemoryMoment&, const MemoryMoment&) = default;
    };
    /// nullopt only for a run without memory snapshots; at first the peak of the first rank.
    const std::optional<MemoryMoment>& memoryMoment() const { return m_memoryMoment; }
    void setMemoryMoment(const MemoryMoment& moment);

    /// Makes a slice visible and selected: centred, zoomed so that it can be seen, its rank shown. With
    /// keepView the visible range stays if the slice is in it.
    void revealSlice(SliceRef slice, bool keepView = false);
    /// Clears selection, range, peak and evidence.
    void clearSelection();

signals:
    void modelChanged();
    void collectivesChanged();
    /// Slices of some timelines are elsewhere on the axis now.
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
    /// A view asks that this slice's row be scrolled into sight (after revealSlice).
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
