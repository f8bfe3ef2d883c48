// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The short kernels of a rank: so short that launching them costs more than running them.

#include "metrics/operators/kernel_tables.h"

namespace collscope {

/// The kernels of one rank with durations below a threshold.
class ShortKernels
{
public:
    /// `thresholdNs`: a kernel of exactly this duration is not short. One pass over the kernels.
    ShortKernels(const TraceModel& model, std::span<const OperatorLaunchers> files, std::int64_t thresholdNs,
                 const std::function<bool()>& cancelled);

    /// short_kernel_histogram: number of kernels by duration, in 100 equal bins from the shortest to the
    /// longest, the last one closed. No rows without short kernels.
    Sheet histogramSheet() const;
    /// short_kernels_summary: their durations by parent and name. `totalNs` is the total_time of
    /// gpu_timeline.
    Sheet summarySheet(std::int64_t totalNs) const;

private:
    struct Sum
    {
        std::int64_t count = 0, ns = 0;
    };
    std::vector<std::int64_t> m_durationsNs;
    std::map<std::pair<std::string_view, std::string_view>, Sum> m_sums; ///< by parent and kernel
    bool m_hasOperators = false;
};

} // namespace collscope
