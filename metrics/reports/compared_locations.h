// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From the figures of a comparison back to the two runs: which slices a row of a comparison sheet is about,
// and where they are.

#include "metrics/reports/run_report.h"
#include "metrics/reports/step_comparison.h"

#include <map>

namespace collscope {

/// A run that is compared, with what it takes to find things in it.
struct ComparedRun
{
    /// A step of one rank that counts (inner steps, as everywhere).
    struct Window
    {
        std::int32_t rank = 0;
        std::int64_t step = 0; ///< number, as the trace names it
        std::size_t timeline = 0; ///< index into the model's
        TimeRange range; ///< of the timeline's own time
    };

    TraceModelPtr model;
    MetricOptions options; ///< with the run's collectives
    ClockMap clocks; ///< those of the options
    RunSheets sheets;
    std::vector<Window> windows; ///< by rank

    /// Whether any rank has step markers; else each rank's whole trace stands for a step.
    bool hasSteps() const;
    /// From the first rank's begin to the last one's end, on the axis; nullopt if no rank has that step.
    std::optional<TimeRange> stepOnAxis(std::int64_t step) const;
    /// Numbers, ascending.
    std::vector<std::int64_t> steps() const;
};
using ComparedRunPtr = std::shared_ptr<const ComparedRun>;

/// Matches the run, if the options do not bring its collectives, and makes its sheets. nullptr if cancelled.
ComparedRunPtr prepareRun(TraceModelPtr model, MetricOptions options, std::string label,
                          const RunReportOptions& report);

/// What a row of a comparison sheet is about; what is not set does not narrow it.
struct ComparedSubject
{
    std::optional<std::int32_t> rank;
    std::optional<StepPart> part;
    unsigned kinds = 0; ///< ActiveKind bits of GPU slices; 0 = none are meant
    std::string kernelClass, kernel; ///< names; empty = any
    /// Of collectives: cells of the row by column ("Collective name", "dtype", ...). Empty: no collective.
    std::map<std::string, std::string> call;
    bool waitsForAll = false; ///< only collectives in which all wait for all
    std::optional<StepPair> steps; ///< the row is about these two

    friend bool operator==(const ComparedSubject&, const ComparedSubject&) = default;
};

/// ActiveKind bits of the slices that make a part; 0 for idle time.
unsigned kindsOf(StepPart part);

/// Of a row of one of finalReport()'s sheets. Precondition: the row exists.
ComparedSubject subjectOf(const Sheet& sheet, std::size_t row);

/// Where a subject is in one run.
struct ComparedLocation
{
    std::optional<TimeRange> range; ///< to be shown, on the axis of the run
    SliceRef slice; ///< the one to select; invalid: none
    std::optional<TimeRange> gap; ///< the longest idle time of a GPU, on the axis, where that is asked for
    std::int32_t gapRank = 0;
    std::vector<SliceRef> slices; ///< all of them in the step (a call: in the run), sorted
};
struct ComparedLocations
{
    ComparedLocation base, test;
};

/// Kernels and parts are looked for in the steps given, or the subject's own; calls in the whole run. Of
/// several slices the one that lasts longest in the test is selected, and in the baseline that of the same
/// rank and place in line. Of idle time it is the longest gap between the GPU slices of a rank in each run.
/// O(n log n) of the GPU slices of the steps, or calls of the runs.
ComparedLocations findLocations(const ComparedRun& base, const ComparedRun& test,
                                const ComparedSubject& subject, const std::optional<StepPair>& steps);

/// The collective of `to` that stands where one of `from` does: same process group, name and place among
/// these in its step, else in the run. Indices into Matching::instances; nullopt if there is none.
std::optional<std::uint32_t> counterpartOf(const ComparedRun& from, std::uint32_t instance,
                                           const ComparedRun& to);

} // namespace collscope
