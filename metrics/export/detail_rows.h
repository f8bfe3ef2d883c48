// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The numbers of a result other than its value and its rows per rank and step, as table rows with one number
// each.

#include "metrics/core/metric.h"

namespace collscope {

struct DetailRow
{
    std::string scope; ///< meaning of the number: "peak 1, stream 7, kernel gemm, overlap_us", "forward_ms"
    std::optional<std::int32_t> rank;
    std::optional<std::int64_t> step;
    std::string value;
    std::string unit; ///< by the suffix of its key; the metric's own unit without one
};

/// The numbers of the result's tables; without a value, also every number of its details.
std::vector<DetailRow> detailRows(const MetricResult& result);

} // namespace collscope
