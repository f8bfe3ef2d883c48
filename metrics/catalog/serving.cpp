// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Latency and throughput of a served model. Measurements of a load generator take precedence; TTFT and TPOT
// can also be derived from the passes of a trace.

#include "metrics/analysis/serving_passes.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

using ServingFigure = std::optional<double> (*)(const ServingBenchmark&);
using Times = BenchmarkTimes ServingBenchmark::*;

constexpr const char* wantedFile = "the JSON that `vllm bench serve --save-result` or SGLang's bench_serving "
                                   "writes, placed next to the traces";

std::string fileOf(const TraceModel& model, const ServingBenchmark& benchmark)
{
    return benchmark.source ? model.sources[benchmark.source.value].path : std::string();
}

void addTimes(const BenchmarkTimes& times, const std::string& name, Value::Object& object)
{
    const auto add = [&](const char* which, const std::optional<double>& seconds) {
        if (seconds)
            object.emplace_back(which + name + "_ms", *seconds * 1e3);
    };
    add("mean_", times.mean);
    add("median_", times.median);
    add("p99_", times.p99);
}

/// Values stated by one benchmark, under the keys of the tools' files.
Value::Object stated(const TraceModel& model, const ServingBenchmark& benchmark)
{
    Value::Object object{{"file", fileOf(model, benchmark)},
                         {"record", static_cast<std::int64_t>(benchmark.record)}};
    const auto add = [&](const char* key, const auto& figure) {
        if (figure)
            object.emplace_back(key, *figure);
    };
    if (!benchmark.backend.empty())
        object.emplace_back("backend", benchmark.backend);
    if (!benchmark.model.empty())
        object.emplace_back("model", benchmark.model);
    add("completed", benchmark.requests);
    add("duration", benchmark.durationSeconds);
    add("total_input_tokens", benchmark.inputTokens);
    add("total_output_tokens", benchmark.outputTokens);
    add("request_throughput", benchmark.requestsPerSecond);
    add("output_throughput", benchmark.outputTokensPerSecond);
    add("total_token_throughput", benchmark.totalTokensPerSecond);
    addTimes(benchmark.firstToken, "ttft", object);
    addTimes(benchmark.perToken, "tpot", object);
    addTimes(benchmark.betweenTokens, "itl", object);
    addTimes(benchmark.endToEnd, benchmark.ofBatches ? "latency" : "e2el", object);
    return object;
}

/// The mean of the values of the benchmarks in `used`, with their other stated values as details.
MetricResult benchmarkResult(Analysis& analysis, const std::vector<const ServingBenchmark*>& used,
                             const std::vector<double>& values, std::string reduction)
{
    const TraceModel& model = analysis.model();
    MetricResult result;
    result.state = MetricState::Value;
    result.value = meanOf(values);
    result.window = "whole benchmark";
    result.reduction = std::move(reduction);
    result.source = "benchmark";
    result.scope = used.size() == 1 ? "1 benchmark" : std::to_string(used.size()) + " benchmarks";
    if (used.size() == 1) {
        result.details = stated(model, *used.front());
    } else {
        Value::Array all;
        for (const ServingBenchmark* benchmark : used)
            all.emplace_back(stated(model, *benchmark));
        result.details = {{"benchmarks", std::move(all)}};
        result.reduction += ", mean of benchmarks";
        result.warnings.emplace_back(
            "The run contains " + std::to_string(used.size())
            + " benchmark results, possibly with different loads. Open one file alone to see its value.");
    }
    for (std::size_t i = 0; i < used.size(); ++i)
        result.inputs.push_back(
            numberText(values[i]) + " from " + fileOf(model, *used[i])
            + (used[i]->requests ? " (" + std::to_string(*used[i]->requests) + " requests)" : std::string())
            + ".");
    if (analysis.options().rank)
        result.warnings.emplace_back("A benchmark measures the server, not a single rank.");
    const Workload& workload = analysis.workload();
    if (!workload.phase.empty() && !workload.isInference())
        result.warnings.emplace_back("The workload description states " + workload.phase
                                     + "; the benchmark result takes precedence.");
    return result;
}

/// The times above 0: a benchmark writes 0 for a request that failed and for times it could not measure.
std::vector<double> measured(const std::vector<double>& each)
{
    std::vector<double> values;
    std::copy_if(each.begin(), each.end(), std::back_inserter(values), [](double v) { return v > 0; });
    return values;
}

/// Median (or mean) of one kind of time: as stated, else computed from the listed times.
std::optional<double> typical(const BenchmarkTimes& times, bool asMean)
{
    const std::optional<double>& figure = asMean ? times.mean : times.median;
    if (figure && *figure > 0)
        return figure;
    const std::vector<double> listed = measured(times.each);
    if (listed.empty())
        return std::nullopt;
    return asMean ? meanOf(listed) : medianOf(listed);
}

/// Result for one kind of time, in seconds, from the benchmarks of one sort; nullopt if they do not state it.
std::optional<MetricResult> timesOf(Analysis& analysis, Times times, bool ofBatches, bool asMean,
                                    const std::string& over)
{
    std::vector<const ServingBenchmark*> used;
    std::vector<double> values;
    for (const ServingBenchmark& benchmark : analysis.model().measurements.benchmarks) {
        const auto value = typical(benchmark.*times, asMean);
        if (benchmark.ofBatches != ofBatches || !value)
            continue;
        used.push_back(&benchmark);
        values.push_back(*value);
    }
    if (used.empty())
        return std::nullopt;
    return benchmarkResult(analysis, used, values, (asMean ? "mean over " : "median over ") + over);
}

/// Median of one kind of time, or its mean if the benchmarks state only that.
std::optional<MetricResult> medianTime(Analysis& analysis, Times times, const char* over)
{
    auto result = timesOf(analysis, times, false, false, over);
    return result ? result : timesOf(analysis, times, false, true, over);
}

std::optional<MetricResult> figureOfBenchmarks(Analysis& analysis, ServingFigure figure)
{
    std::vector<const ServingBenchmark*> used;
    std::vector<double> values;
    for (const ServingBenchmark& benchmark : analysis.model().measurements.benchmarks) {
        if (const auto value = figure(benchmark)) {
            used.push_back(&benchmark);
            values.push_back(*value);
        }
    }
    if (used.empty())
        return std::nullopt;
    return benchmarkResult(analysis, used, values, "total over requests");
}

std::optional<MetricResult> notServing(Analysis& analysis)
{
    const Workload& workload = analysis.workload();
    if (workload.phase.empty() || workload.isInference())
        return std::nullopt;
    return MetricResult::notApplicable("The workload description states " + workload.phase
                                       + ": the run does not serve requests.");
}

/// Why no benchmark gives a value.
MetricResult noBenchmark(Analysis& analysis, const std::string& what)
{
    if (const auto result = notServing(analysis))
        return *result;
    if (!analysis.model().measurements.benchmarks.empty())
        return MetricResult::missingInput("The benchmark result does not state " + what + ".");
    return MetricResult::missingInput("No benchmark result was found. This metric needs "
                                      + std::string(wantedFile) + ".");
}

/// A time in seconds, derived from the passes of one timeline; nullopt if they do not show it.
using PassTime = std::optional<double> (*)(const ServingPasses&);

std::optional<double> firstTokenSeconds(const ServingPasses& passes)
{
    if (!passes.hasPrefill())
        return std::nullopt;
    return nsToSeconds(passes.prefillEndNs() - passes.prefillBeginNs());
}

std::optional<double> perTokenSeconds(const ServingPasses& passes)
{
    return ratio(static_cast<double>(passes.passes.back().range.endNs - passes.prefillEndNs()),
                 1e9 * static_cast<double>(passes.generating()));
}

/// Duration of the first pass, which the existing tool calls TTFT.
std::optional<double> firstPassSeconds(const ServingPasses& passes)
{
    if (!passes.hasPrefill())
        return std::nullopt;
    return nsToSeconds(passes.passes.front().range.lengthNs());
}

/// Mean duration of the passes between the first and the last (of the second pass, if there are two), which
/// the existing tool calls TPOT. It excludes gaps between passes.
std::optional<double> meanPassSeconds(const ServingPasses& passes)
{
    if (passes.passes.size() < 2)
        return std::nullopt;
    const std::size_t end = std::max<std::size_t>(2, passes.passes.size() - 1);
    std::int64_t sum = 0;
    for (std::size_t i = 1; i < end; ++i)
        sum += passes.passes[i].range.lengthNs();
    return static_cast<double>(sum) / (1e9 * static_cast<double>(end - 1));
}

std::optional<double> meanOfParts(const RankPasses& rank, PassTime time)
{
    std::vector<double> values;
    for (const ServingPasses& part : rank.parts) {
        if (const auto value = time(part))
            values.push_back(*value);
    }
    return values.empty() ? std::nullopt : std::optional(meanOf(values));
}

std::optional<double> meanOfRanksOf(const std::vector<RankPasses>& ranks, PassTime time)
{
    std::vector<double> values;
    for (const RankPasses& rank : ranks) {
        if (const auto value = meanOfParts(rank, time))
            values.push_back(*value);
    }
    return values.empty() ? std::nullopt : std::optional(meanOf(values));
}

Value::Object passCounts(const std::vector<RankPasses>& ranks, MetricResult& result)
{
    Value::Object perRank;
    bool isInterleaved = false;
    std::size_t mixed = 0;
    for (const RankPasses& rank : ranks) {
        std::size_t all = 0, prefill = 0, generating = 0;
        for (const ServingPasses& part : rank.parts) {
            all += part.passes.size();
            prefill += part.prefillEnd - part.prefillBegin;
            generating += part.generating();
            isInterleaved |= part.isInterleaved;
            mixed += part.mixed;
        }
        perRank.emplace_back(std::to_string(rank.rank),
                             Value::Object{{"passes", static_cast<std::int64_t>(all)},
                                           {"prefill_passes", static_cast<std::int64_t>(prefill)},
                                           {"passes_after_prefill", static_cast<std::int64_t>(generating)}});
        result.inputs.push_back("Rank " + std::to_string(rank.rank) + ": " + std::to_string(all) + " passes, "
                                + std::to_string(prefill) + " of them read the first prompt, "
                                + std::to_string(generating) + " follow it.");
    }
    if (mixed > 0)
        result.warnings.emplace_back(std::to_string(mixed)
                                     + " of the passes that read the prompt also generate tokens of other "
                                       "requests (chunked prefill): the time includes both.");
    if (isInterleaved)
        result.warnings.emplace_back(
            "Prompts are read again after generation started: several requests were served concurrently, and "
            "the passes do not belong to one request. A benchmark result would measure requests.");
    return perRank;
}

/// Windows of the passes that make up the time, as a selection.
Selection passWindows(const Selection& whole, const std::vector<RankPasses>& ranks, bool prefill)
{
    Selection windows = whole;
    windows.ranks.clear();
    for (const RankWindows& rank : whole.ranks) {
        const auto found = std::find_if(ranks.begin(), ranks.end(),
                                        [&](const RankPasses& own) { return own.rank == rank.rank; });
        if (found == ranks.end())
            continue;
        RankWindows own{rank.rank, {}};
        for (const ServingPasses& part : found->parts) {
            const auto at
                = [&](std::size_t i) { return part.passes.begin() + static_cast<std::ptrdiff_t>(i); };
            own.parts.push_back({part.timeline,
                                 prefill ? std::vector<Step>(at(part.prefillBegin), at(part.prefillEnd))
                                         : std::vector<Step>(at(part.prefillEnd), part.passes.end())});
        }
        windows.ranks.push_back(std::move(own));
    }
    return windows;
}

/// TTFT or TPOT from the passes of the trace.
MetricResult timeOfPasses(Analysis& analysis, bool first)
{
    if (const auto result = notServing(analysis))
        return *result;
    const Workload& workload = analysis.workload();
    if (!first && workload.outputLen && *workload.outputLen <= 1)
        return MetricResult::notApplicable("The workload description states that one token is generated ("
                                           + workload.outputLen.source
                                           + "), so the time per further token is undefined.");
    const std::string wanted = "No benchmark result gives this value (" + std::string(wantedFile) + ")";
    const Selection& selection = analysis.wholeFiles();
    if (selection.failure)
        return MetricResult::missingInput(
            wanted + ", and it cannot be derived from server passes: " + selection.failure->reason);
    const std::vector<RankPasses> ranks
        = findPasses(analysis.model(), selection, analysis.workload().isInference());
    if (ranks.empty())
        return MetricResult::missingInput(wanted
                                          + ", and the trace marks no server passes (execute_* or step[...] "
                                            "annotations, run_batch calls).");
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    result.window = "all passes";
    result.scope = ranks.size() == 1 ? "rank " + std::to_string(ranks.front().rank)
                                     : std::to_string(ranks.size()) + " ranks";
    const PassTime time = first ? firstTokenSeconds : perTokenSeconds;
    for (const RankPasses& rank : ranks) {
        if (const auto value = meanOfParts(rank, time))
            result.rows.push_back({rank.rank, std::nullopt, *value});
    }
    result.value = meanOfRanksOf(ranks, time);
    if (!result.value)
        return MetricResult::notApplicable(
            first ? "All passes of the trace generate tokens: none of them reads a prompt."
                  : "No pass follows the prompt: the trace shows no generation of further tokens.");
    const char* const key = first ? "ttft_pass" : "tpot_pass_mean";
    if (const auto pass = meanOfRanksOf(ranks, first ? firstPassSeconds : meanPassSeconds))
        result.details.emplace_back(key, *pass);
    result.details.emplace_back("per_rank", passCounts(ranks, result));
    result.warnings.emplace_back("Derived from the passes of the trace, not from requests: queueing, "
                                 "sampling and network are not included.");
    addEvidence(analysis, passWindows(selection, ranks, first), result,
                [](const SliceColumns&, std::size_t) { return true; });
    return result;
}

MetricResult ttft(Analysis& analysis)
{
    auto result = medianTime(analysis, &ServingBenchmark::firstToken, "requests");
    return result ? std::move(*result) : timeOfPasses(analysis, true);
}

MetricResult tpot(Analysis& analysis)
{
    auto result = medianTime(analysis, &ServingBenchmark::perToken, "requests");
    return result ? std::move(*result) : timeOfPasses(analysis, false);
}

MetricResult interTokenLatency(Analysis& analysis)
{
    auto result = medianTime(analysis, &ServingBenchmark::betweenTokens, "tokens");
    return result ? std::move(*result) : noBenchmark(analysis, "times between tokens (ITL)");
}

MetricResult requestLatency(Analysis& analysis)
{
    auto result = timesOf(analysis, &ServingBenchmark::endToEnd, false, true, "requests");
    if (!result)
        result = timesOf(analysis, &ServingBenchmark::endToEnd, true, true, "batches");
    return result ? std::move(*result) : noBenchmark(analysis, "the request latency");
}

/// The value as stated, else the quotient of `count` and the duration.
std::optional<double> perSecond(const std::optional<double>& figure, const std::optional<std::int64_t>& count,
                                const std::optional<double>& seconds)
{
    if (figure || !count || !seconds)
        return figure;
    return ratio(static_cast<double>(*count), *seconds);
}

MetricResult outputThroughput(Analysis& analysis)
{
    auto result = figureOfBenchmarks(analysis, [](const ServingBenchmark& b) {
        return perSecond(b.outputTokensPerSecond, b.outputTokens, b.durationSeconds);
    });
    return result ? std::move(*result) : noBenchmark(analysis, "a throughput of output tokens");
}

MetricResult requestThroughput(Analysis& analysis)
{
    auto result = figureOfBenchmarks(analysis, [](const ServingBenchmark& b) {
        return perSecond(b.requestsPerSecond, b.requests, b.durationSeconds);
    });
    return result ? std::move(*result) : noBenchmark(analysis, "a throughput of requests");
}

} // namespace

const MetricDescriptor ttftMetric{
    .id = "ttft",
    .title = "Time to first token (TTFT)",
    .group = "Serving",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a benchmark result (vLLM, SGLang), or a trace with server passes",
    .meaning = "Time from a request to the first token of its answer.",
    .definition
    = "median over the requests of a benchmark; without one, from the start of the first pass that reads the "
      "prompt to the end of the last prompt pass before generation starts, mean of ranks",
    .compute = ttft,
};

const MetricDescriptor tpotMetric{
    .id = "tpot",
    .title = "Time per output token (TPOT)",
    .group = "Serving",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a benchmark result (vLLM, SGLang), or a trace with server passes",
    .meaning = "Time for each token of an answer after the first one.",
    .definition
    = "median over the requests of a benchmark; without one, (end of the last pass - end of the prefill) / "
      "number of passes after the prefill, gaps included, mean of ranks",
    .compute = tpot,
};

const MetricDescriptor interTokenLatencyMetric{
    .id = "inter_token_latency",
    .title = "Inter-token latency (ITL)",
    .group = "Serving",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a benchmark result (vLLM, SGLang)",
    .meaning = "Time from one token of an answer to the next, as measured by the client.",
    .definition = "median over the intervals between consecutive tokens of all requests of a benchmark (ITL)",
    .compute = interTokenLatency,
};

const MetricDescriptor requestLatencyMetric{
    .id = "request_latency",
    .title = "Request latency",
    .group = "Serving",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a benchmark result (vLLM, SGLang, *.latency.json)",
    .meaning = "Time from sending a request to its last token.",
    .definition
    = "mean over the requests of a benchmark; for a latency run (*.latency.json), mean over its batches",
    .compute = requestLatency,
};

const MetricDescriptor outputThroughputMetric{
    .id = "output_throughput",
    .title = "Output tokens per second",
    .group = "Serving",
    .unit = "tokens/s",
    .direction = MetricDirection::HigherIsBetter,
    .needs = "a benchmark result (vLLM, SGLang)",
    .meaning = "Tokens generated by the server per second, over all requests.",
    .definition = "generated tokens of completed requests / duration of the benchmark",
    .compute = outputThroughput,
};

const MetricDescriptor requestThroughputMetric{
    .id = "request_throughput",
    .title = "Requests per second",
    .group = "Serving",
    .unit = "requests/s",
    .direction = MetricDirection::HigherIsBetter,
    .needs = "a benchmark result (vLLM, SGLang)",
    .meaning = "Requests completed by the server per second.",
    .definition = "completed requests / duration of the benchmark",
    .compute = requestThroughput,
};

} // namespace collscope
