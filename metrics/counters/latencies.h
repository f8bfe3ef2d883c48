// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The distribution of the times of a serving benchmark.

#include "model/measurements.h"

#include <string_view>

namespace collscope {

/// One kind of time of a benchmark, in seconds. Figures are computed from the listed times; if a file lists
/// none, they are those stated in the file, and the others are unknown.
struct Latency
{
    std::string_view key; ///< "ttft", "tpot", "itl", "e2el", "latency": the names used by the tools
    std::vector<double> sorted; ///< listed times above 0; a time of 0 marks a failed request
    std::size_t failed = 0;
    std::optional<double> mean, median, p90, p95, p99, longest;
};

/// The latencies in the benchmark, in the order in which a request encounters them.
std::vector<Latency> latenciesOf(const ServingBenchmark& benchmark);

/// Number of times in each of `bins` equal bins from 0 to the longest. The times must be sorted.
std::vector<std::size_t> latencyBins(const std::vector<double>& sorted, std::size_t bins);

} // namespace collscope
