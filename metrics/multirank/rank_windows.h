// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which timelines and which step windows a metric counts (metrics.md 0 and 2): one source per rank, inner
// steps by default.

#include "metrics/metric.h"
#include "metrics/multirank/clock_map.h"

namespace collscope {

/// One rank as a metric sees it: its timelines (one per iteration) and the windows to count in each.
struct RankWindows
{
    std::int32_t rank = 0;
    struct Part
    {
        const Timeline* timeline = nullptr;
        std::vector<Step> steps; ///< the steps (or the range) that count
    };
    std::vector<Part> parts;

    std::int64_t stepCount() const;
    std::int64_t windowNs() const; ///< sum of the windows' lengths
};

/// The selection for a timeline metric, or the result to return instead (reason filled in).
struct Selection
{
    std::vector<RankWindows> ranks;
    std::string source; ///< "kineto", "nsys", "kineto+nsys"
    std::string window; ///< "inner steps", ...
    std::string scope;
    std::vector<std::string> warnings;
    std::optional<MetricResult> failure;
};
/// `clocks`: from the axis that options.range is on to each timeline's own time.
Selection selectRanks(const TraceModel& model, const MetricOptions& options, const ClockMap& clocks);
/// Of these, the ranks whose files hold GPU work; a warning names the others. A failure if there are none.
Selection withGpuWork(const TraceModel& model, Selection selection);
/// True if any file of the rank holds a kernel, copy or memset. O(1) in practice.
bool hasGpuWork(const TraceModel& model, const RankWindows& rank);
/// The same ranks, each timeline's whole range as its only window, whatever the options say about steps.
Selection selectWholeFiles(const TraceModel& model, const MetricOptions& options);

} // namespace collscope
