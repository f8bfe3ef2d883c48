// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The eight GPU times of one file as defined by TraceLens, exact in ns: computation + exposed communication +
// exposed copies + idle = total.

#include "metrics/core/sweep.h"

#include <optional>
#include <span>
#include <string_view>

namespace collscope {

/// Times in ns of all GPU events of one file, or sums over several files.
struct GpuTimeline
{
    std::int64_t computationNs = 0; ///< union of the compute kernels and memsets
    std::int64_t exposedCommunicationNs = 0; ///< communication while nothing computes
    std::int64_t exposedCopyNs = 0; ///< copies while nothing computes or communicates
    std::int64_t busyNs = 0; ///< union of all GPU events
    std::int64_t idleNs = 0;
    std::int64_t totalNs = 0; ///< from the first start to the last end of a GPU event
    std::int64_t communicationNs = 0; ///< union of the communication kernels
    std::int64_t copyNs = 0; ///< union of the copies
    std::int64_t events = 0; ///< number of counted events
    std::int64_t unlinked = 0; ///< number of events excluded because they lack a launch link

    GpuTimeline& operator+=(const GpuTimeline& other);
};

/// A row of the report: its name ("computation_time") and its figure. Rows are in the order of the report.
struct GpuTimelineRow
{
    std::string_view name;
    std::int64_t GpuTimeline::*ns;
};
std::span<const GpuTimelineRow> gpuTimelineRows();

/// Sorts the GPU events of a run's files into the three classes of the report. Each name is examined once.
class GpuTimelineMeter
{
public:
    explicit GpuTimelineMeter(const TraceModel& model);

    /// All GPU events of a file or, if linkedOnly, only those with a launch link (launch_links.h). O(GPU
    /// events), times log(flows) if linkedOnly. `device`: only events of this GPU.
    GpuTimeline measure(const Timeline& timeline, bool linkedOnly, const std::function<bool()>& cancelled,
                        std::optional<std::int32_t> device = std::nullopt);
    /// The ActiveKind of a GPU slice: compute (also a memset), communication or copy; 0 = not counted.
    unsigned kindOf(const SliceColumns& slices, std::size_t row);

private:
    /// Properties of a name; 0 = not examined yet.
    enum NameFlags : std::uint8_t
    {
        Known = 1,
        NamesCommunication = 2,
        NamesCopyKernel = 4
    };
    std::uint8_t flagsOf(StringId name);

    const TraceModel& m_model;
    std::vector<std::uint8_t> m_flags; ///< by StringId
};

} // namespace collscope
