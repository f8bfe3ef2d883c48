// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The exposed time of communication kernels one by one: how much of each no compute kernel hides, and how
// much of that is waiting.

#include "metrics/analysis/range_summary.h"
#include "metrics/partition/exposed_calls.h"

namespace collscope {

/// Where several calls are exposed at once, they share the time equally. In ns.
struct ExposedTime
{
    std::int64_t ns = 0; ///< while no compute kernel runs
    std::int64_t waitingNs = 0; ///< of it, until the last rank arrived

    ExposedTime& operator+=(const ExposedTime& other)
    {
        ns += other.ns;
        waitingNs += other.waitingNs;
        return *this;
    }
};

/// What several calls expose.
struct ExposedSum
{
    ExposedTime time;
    SplitCalls calls; ///< a call without exposed time hides no wait

    void add(const ExposedTime& own, const CallTiming& call);
    /// nullopt: most waits could not be measured.
    std::optional<std::int64_t> waitingNs() const;
};

/// The calls of a run over its whole files.
struct Exposure
{
    ExposedCalls calls;
    std::vector<double> meanNs; ///< of the counted calls of each matched collective; 0 without one

    /// Of one slice; nullopt if it is not the (first) kernel of a communication call. O(log calls).
    std::optional<ExposedTime> of(SliceRef slice) const;
    /// Exposed ns of the collective of a slice, averaged over its ranks; nullopt as above. O(log calls).
    std::optional<double> meanOf(SliceRef slice) const;

private:
    /// The index of a counted call.
    std::optional<std::size_t> find(SliceRef slice) const;
};
using ExposurePtr = std::shared_ptr<const Exposure>;

/// Of the ranks of the options, without their window. nullptr if cancelled. O(slices).
ExposurePtr measureExposure(const TraceModel& model, const MetricOptions& options);

/// Sets the exposed times of a summary's rows inside its range: of communication kernels and of copies, over
/// the ranks that it counts. `exposure` is of the same run and clocks. O(slices in the range).
void addExposure(const TraceModel& model, const Exposure& exposure, const ClockMap& clocks,
                 const std::set<std::int32_t>& hiddenRanks, const std::function<bool()>& cancelled,
                 RangeSummary& summary);

} // namespace collscope
