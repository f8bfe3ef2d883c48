// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Measurements that other programs made during the run and stored with its traces: serving benchmarks,
// training logs, gate logs. Figures are as stated in the files; a figure that a file does not state is
// nullopt.

#include "model/ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

/// One kind of duration over the requests (or tokens) of a benchmark, in seconds.
struct BenchmarkTimes
{
    std::optional<double> mean, median, p99;
    std::vector<double> each; ///< as listed; 0 marks a failed request

    bool isKnown() const { return mean || median || p99 || !each.empty(); }
};

/// One run of a load generator: `vllm bench serve`, `vllm bench latency` (*.latency.json), SGLang's
/// bench_serving.
struct ServingBenchmark
{
    SourceId source;
    std::uint32_t record = 0; ///< index in a file with several runs (JSON lines), from 0
    std::string backend, model; ///< empty = not stated
    BenchmarkTimes firstToken; ///< TTFT
    BenchmarkTimes perToken; ///< TPOT: after the first token, mean per request
    BenchmarkTimes betweenTokens; ///< ITL: from one token to the next
    BenchmarkTimes endToEnd; ///< of a request, or of a batch if `ofBatches`
    bool ofBatches = false; ///< a latency run, which repeats the same batch
    std::optional<double> outputTokensPerSecond, totalTokensPerSecond, requestsPerSecond, durationSeconds;
    std::optional<std::int64_t> requests, inputTokens, outputTokens; ///< of completed requests
};

/// One `step: N loss: X ...` line of a training log.
struct LoggedStep
{
    std::int64_t step = 0;
    std::int32_t writer = -1; ///< n of the line's prefix "[rank<n>]:", -1 = none
    bool lossIsFinite = true; ///< false: the log contains nan or inf, and `loss` is empty
    std::optional<double> loss, gradientNorm, learningRate;
    std::optional<double> memoryBytes; ///< the device's peak, as stated in the log
    std::optional<double> tokensPerSecond; ///< per device, as printed by TorchTitan
    std::optional<double> mfuPercent;
};

struct TrainingLog
{
    SourceId source;
    std::vector<LoggedStep> steps; ///< in the order of the file
};

/// Number of tokens that a gate sent to each expert, per step.
struct GateLog
{
    SourceId source;
    std::size_t experts = 0;
    std::vector<std::vector<std::int64_t>> tokens; ///< [step][expert]; every row has `experts` entries
};

/// All measurements of a file or a run.
struct Measurements
{
    std::vector<ServingBenchmark> benchmarks;
    std::vector<TrainingLog> trainingLogs;
    std::vector<GateLog> gateLogs;
    std::optional<std::int32_t> gpuCount; ///< from gpu_count.txt: the size of the run, not a measurement

    /// True if there is a measurement that a metric can read.
    bool measuresAnything() const
    {
        return !benchmarks.empty() || !trainingLogs.empty() || !gateLogs.empty();
    }
};

} // namespace collscope
