// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What other programs measured during the run and wrote beside its traces: serving benchmarks, training logs,
// gate logs. Figures as the files state them; a figure that a file does not state is nullopt.

#include "model/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

/// One kind of time over the requests (or tokens) of a benchmark, in seconds.
struct BenchmarkTimes
{
    std::optional<double> mean, median, p99;
    std::vector<double> each; ///< as listed; 0 stands for a request that failed

    bool isKnown() const { return mean || median || p99 || !each.empty(); }
};

/// One run of a load generator: `vllm bench serve`, `vllm bench latency` (*.latency.json), SGLang's
/// bench_serving.
struct ServingBenchmark
{
    SourceId source;
    std::uint32_t record = 0; ///< place in a file that holds several runs (JSON lines), from 0
    std::string backend, model; ///< empty = not stated
    BenchmarkTimes firstToken; ///< TTFT
    BenchmarkTimes perToken; ///< TPOT: after the first token, mean per request
    BenchmarkTimes betweenTokens; ///< ITL: from one token to the next
    BenchmarkTimes endToEnd; ///< of a request; of a batch where `ofBatches`
    bool ofBatches = false; ///< a latency run: the same batch again and again
    std::optional<double> outputTokensPerSecond, totalTokensPerSecond, requestsPerSecond, durationSeconds;
    std::optional<std::int64_t> requests, inputTokens, outputTokens; ///< of completed requests
};

/// One `step: N loss: X ...` line of a training log.
struct LoggedStep
{
    std::int64_t step = 0;
    std::int32_t writer = -1; ///< n of the line's prefix "[rank<n>]:", -1 = none
    bool lossIsFinite = true; ///< false: the log says nan or inf, and `loss` is empty
    std::optional<double> loss, gradientNorm, learningRate;
    std::optional<double> memoryBytes; ///< the device's peak, as the log states it
    std::optional<double> tokensPerSecond; ///< per device, as TorchTitan prints it
    std::optional<double> mfuPercent;
};

struct TrainingLog
{
    SourceId source;
    std::vector<LoggedStep> steps; ///< in the order of the file
};

/// Tokens that a gate sent to each expert, per step.
struct GateLog
{
    SourceId source;
    std::size_t experts = 0;
    std::vector<std::vector<std::int64_t>> tokens; ///< [step][expert]; every row has `experts` entries
};

/// Everything of this kind that a file, or a run, holds.
struct Measurements
{
    std::vector<ServingBenchmark> benchmarks;
    std::vector<TrainingLog> trainingLogs;
    std::vector<GateLog> gateLogs;
    std::optional<std::int32_t> gpuCount; ///< of gpu_count.txt: says how large the run was, measures nothing

    /// True if there is something that a metric can read.
    bool measuresAnything() const
    {
        return !benchmarks.empty() || !trainingLogs.empty() || !gateLogs.empty();
    }
};

} // namespace collscope
