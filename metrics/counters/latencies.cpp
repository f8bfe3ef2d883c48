// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/latencies.h"

#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

Latency latencyOf(std::string_view key, const BenchmarkTimes& times)
{
    Latency latency;
    latency.key = key;
    for (const double seconds : times.each) {
        if (std::isfinite(seconds) && seconds > 0)
            latency.sorted.push_back(seconds);
        else
            ++latency.failed;
    }
    if (latency.sorted.empty()) {
        latency.mean = times.mean;
        latency.median = times.median;
        latency.p99 = times.p99;
        return latency;
    }
    std::sort(latency.sorted.begin(), latency.sorted.end());
    latency.mean = meanOf(latency.sorted);
    latency.median = medianOf(latency.sorted);
    latency.p90 = percentileOf(latency.sorted, 0.90);
    latency.p95 = percentileOf(latency.sorted, 0.95);
    latency.p99 = percentileOf(latency.sorted, 0.99);
    latency.longest = latency.sorted.back();
    return latency;
}

} // namespace

std::vector<Latency> latenciesOf(const ServingBenchmark& benchmark)
{
    std::vector<Latency> latencies;
    const auto add = [&](std::string_view key, const BenchmarkTimes& times) {
        if (times.isKnown())
            latencies.push_back(latencyOf(key, times));
    };
    add("ttft", benchmark.firstToken);
    add("tpot", benchmark.perToken);
    add("itl", benchmark.betweenTokens);
    add(benchmark.ofBatches ? "latency" : "e2el", benchmark.endToEnd);
    return latencies;
}

std::vector<std::size_t> latencyBins(const std::vector<double>& sorted, std::size_t bins)
{
    std::vector<std::size_t> counts(bins, 0);
    if (sorted.empty() || bins == 0 || !(sorted.back() > 0))
        return counts;
    for (const double seconds : sorted) {
        const double place = seconds / sorted.back() * static_cast<double>(bins);
        ++counts[std::min(bins - 1, static_cast<std::size_t>(std::max(place, 0.0)))];
    }
    return counts;
}

} // namespace collscope
