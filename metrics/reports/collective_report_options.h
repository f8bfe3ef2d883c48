// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The choices of the collective report.

#include <cstddef>

namespace collscope {

struct CollectiveReportOptions
{
    /// Bandwidths in GiB/s under the heading "GB/s", as TraceLens prints them; else decimal GB/s.
    bool gibCompat = false;
    /// Maximum number of ranks with separate columns; with more ranks, use the long form.
    std::size_t wideRanks = 64;
    /// Only nccl_summary_* and straggler_summary: no sheet with a row per call or per collective.
    bool summariesOnly = false;
    /// Make the rows of these sheets while they are written: the analysis must outlive the workbook. Else
    /// they are kept.
    bool streamsRows = false;
};

} // namespace collscope
