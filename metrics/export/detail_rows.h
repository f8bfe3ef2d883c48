// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a result holds beside its value and its rows per rank and step, as rows of a table with one number
// each.

#include "metrics/metric.h"

namespace collscope {

struct DetailRow
{
    std::string scope; ///< what the number is of: "peak 1, stream 7, kernel gemm, overlap_us", "forward_ms"
    std::optional<std::int32_t> rank;
    std::optional<std::int64_t> step;
    std::string value;
    std::string unit; ///< by the ending of its key; the metric's own where it has none
};

/// The numbers of its tables; where there is no value, also every number of its details.
std::vector<DetailRow> detailRows(const MetricResult& result);

} // namespace collscope
