// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the user chose in the views: slices, a range, a peak of NVLink, a moment of memory, and where the
// mouse is.

#include "views/state/run_context.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace collscope {

struct RangeSummary;
using RangeSummaryPtr = std::shared_ptr<const RangeSummary>;

/// Setters ignore equal values (except setPeak), and then emit one signal. All times are axis ns.
class ViewSelection : public QObject
{
    Q_OBJECT

public:
    /// `run` must outlive the selection.
    explicit ViewSelection(const RunContext& run)
        : m_run(run)
    { }

    std::optional<TimeRange> range() const { return m_range; }
    void setRange(std::optional<TimeRange> range);

    /// Number of the step that the user chose last: the scope "step N".
    std::optional<std::int64_t> step() const { return m_step; }
    void setStep(std::optional<std::int64_t> step);

    SliceRef slice() const { return m_slice; }
    void setSlice(SliceRef slice);
    /// The other slices of a multiple selection, oldest first. Selecting another slice clears them.
    const std::vector<SliceRef>& otherSlices() const { return m_otherSlices; }
    /// Adds a slice to the selection or removes it. An added slice becomes the selected one; if the selected
    /// slice is removed, the most recently added other slice takes its place. Without a selection, the slice
    /// becomes the selected one.
    void toggleSlice(SliceRef slice);
    /// Rank and axis range of the selected slice if it is on a GPU stream.
    std::optional<std::pair<std::int32_t, TimeRange>> gpuWork() const;
    /// The collective that the selected slice is part of: index into collectives()->matching.instances.
    std::optional<std::uint32_t> collective() const;

    /// Summary of the selected range, else of the visible one; nullptr until it is computed.
    const RangeSummaryPtr& summary() const { return m_summary; }
    void setSummary(RangeSummaryPtr summary);

    std::optional<std::int64_t> hoverTime() const { return m_hoverTime; }
    void setHoverTime(std::optional<std::int64_t> timeNs);

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
    /// nullopt: the rank of the NVLink file is not known.
    std::optional<std::int32_t> rankOf(const Peak& peak) const;
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

signals:
    void rangeChanged();
    void stepChanged();
    void sliceChanged(collscope::SliceRef slice);
    void otherSlicesChanged();
    void summaryChanged();
    void hoverTimeChanged();
    void peakChanged();
    void memoryMomentChanged();

private:
    friend class ViewState;

    /// To nothing, and the first memory snapshot, without a signal.
    void reset();

    const RunContext& m_run;
    std::optional<TimeRange> m_range;
    std::optional<std::int64_t> m_step;
    SliceRef m_slice;
    std::vector<SliceRef> m_otherSlices;
    RangeSummaryPtr m_summary;
    std::optional<std::int64_t> m_hoverTime;
    std::optional<Peak> m_peak;
    std::optional<MemoryMoment> m_memoryMoment;
};

} // namespace collscope
