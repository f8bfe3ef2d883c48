// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Maps values of a comparison back to the two runs: which slices a row of a comparison sheet covers, and
// where they are.

#include "metrics/comparison/step_comparison.h"
#include "metrics/reports/run_report.h"

#include <map>

namespace collscope {

/// A compared run, with the data needed to find slices in it.
struct ComparedRun
{
    /// A step of one rank that counts (inner steps, as everywhere).
    struct Window
    {
        std::int32_t rank = 0;
        std::int64_t step = 0; ///< number, as in the trace
        std::size_t timeline = 0; ///< index into the model's timelines
        TimeRange range; ///< in the timeline's own time
    };

    TraceModelPtr model;
    MetricOptions options; ///< with the run's collectives
    ClockMap clocks; ///< according to the options
    RunSheets sheets;
    std::vector<Window> windows; ///< by rank

    /// Whether any rank has step markers; else each rank's whole trace acts as a step.
    bool hasSteps() const;
    /// From the start on the first rank to the end on the last rank, on the axis; nullopt if no rank has that
    /// step.
    std::optional<TimeRange> stepOnAxis(std::int64_t step) const;
    /// Step numbers, ascending.
    std::vector<std::int64_t> steps() const;
};
using ComparedRunPtr = std::shared_ptr<const ComparedRun>;

/// Matches the run, unless the options already contain its collectives, and creates its sheets. nullptr if
/// cancelled.
ComparedRunPtr prepareRun(TraceModelPtr model, MetricOptions options, std::string label,
                          const RunReportOptions& report);

/// Location of a subject in one run.
struct ComparedLocation
{
    std::optional<TimeRange> range; ///< to be shown, on the axis of the run
    SliceRef slice; ///< the slice to select; invalid: none
    std::optional<TimeRange> gap; ///< the longest idle time of a GPU, on the axis, if requested
    std::int32_t gapRank = 0;
    std::vector<SliceRef> slices; ///< all slices in the step (calls: in the run), sorted
};
struct ComparedLocations
{
    ComparedLocation base, test;
};

/// Kernels and parts are searched in the given steps or in the subject's steps, calls in the whole run. The
/// selected slice is the longest one in the test and, in the baseline, the slice of the same rank at the same
/// position. For idle time, the location is the longest gap between the GPU slices of a rank in each run. O(n
/// log n) of the GPU slices of the steps, or calls of the runs.
ComparedLocations findLocations(const ComparedRun& base, const ComparedRun& test,
                                const ComparedSubject& subject, const std::optional<StepPair>& steps);

/// The collective of `to` that corresponds to one of `from`: same process group, name and position among
/// these in its step, else in the run. Indices into Matching::instances; nullopt if none corresponds.
std::optional<std::uint32_t> counterpartOf(const ComparedRun& from, std::uint32_t instance,
                                           const ComparedRun& to);

} // namespace collscope
