// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Durations by kernel name over whole files: the columns of `nsys stats --report cuda_gpu_kern_sum`, for any
// timeline.

#include "metrics/core/metric.h"
#include "metrics/core/sheet.h"
#include "model/result.h"

#include <optional>

namespace collscope {

struct KernelSummaryRow
{
    std::string_view name; ///< points into the model's string table
    double timePercent = 0; ///< of the time of all kernels
    std::int64_t totalNs = 0, instances = 0, minNs = 0, maxNs = 0;
    double averageNs = 0, medianNs = 0, deviationNs = 0; ///< standard deviation with n - 1
    /// Of communication kernels: time that no compute kernel hides, and the waiting in it, as far as it is
    /// known; nullopt if most calls do not show it and none waited.
    std::optional<std::int64_t> exposedNs, waitingNs;
    std::int64_t unsplit = 0; ///< exposed calls that may contain waits that are not counted as such
};

/// Kernels of the ranks selected by the options, longest total first, whole files, unclipped. Returns an
/// error with the reason if a timeline or kernels are missing.
Result<std::vector<KernelSummaryRow>> kernelSummary(const TraceModel& model, const MetricOptions& options);

/// With the column names of nsys, then exposed and waiting time.
std::string kernelSummaryText(const std::vector<KernelSummaryRow>& rows);
std::string kernelSummaryJson(const std::vector<KernelSummaryRow>& rows);
std::string kernelSummaryCsv(const std::vector<KernelSummaryRow>& rows);
/// kernel_summary, with the columns of nsys alone.
Sheet kernelSummarySheet(const std::vector<KernelSummaryRow>& rows);

} // namespace collscope
