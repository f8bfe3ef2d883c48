// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the times of a serving benchmark are distributed.

#include "model/measurements.h"

#include <string_view>

namespace collscope {

/// One kind of time of a benchmark, in seconds. Figures of listed times are worked out from them; where a
/// file lists none, they are those that it states, and the others are unknown.
struct Latency
{
    std::string_view key; ///< "ttft", "tpot", "itl", "e2el", "latency": the words of the tools
    std::vector<double> sorted; ///< listed times above 0: that stands for a request that failed
    std::size_t failed = 0;
    std::optional<double> mean, median, p90, p95, p99, longest;
};

/// Those that the benchmark knows, in the order in which a request meets them.
std::vector<Latency> latenciesOf(const ServingBenchmark& benchmark);

/// How many of some sorted times lie in each of equal bins from 0 to the longest.
std::vector<std::size_t> latencyBins(const std::vector<double>& sorted, std::size_t bins);

} // namespace collscope
