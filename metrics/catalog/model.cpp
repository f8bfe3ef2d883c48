// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Performance relative to the work of the run: tokens per second and utilization of the hardware's peak.

#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "metrics/memory/rank_memory.h"

#include <algorithm>

namespace collscope {

namespace {

/// Input shared by the metrics of this file: the steps and the tokens per step, or the result to return
/// instead.
struct Tokens
{
    std::optional<MetricResult> failure;
    double perStep = 0; ///< global batch x sequence length
    double perSecond = 0;
};

std::string missingDescription(const Workload& workload, std::string_view figure)
{
    if (!workload.hasDescription)
        return "The run has no workload card and no TorchTitan TOML, so " + std::string(figure)
            + " is unknown. Put a workload_card.yaml next to the traces, or pass one with --card or "
              "--config.";
    return "Neither workload card nor TOML gives " + std::string(figure) + ".";
}

Tokens tokensOf(Analysis& analysis)
{
    Tokens tokens;
    const StepTimes& times = analysis.stepTimes();
    if (times.selection.failure) {
        tokens.failure = *times.selection.failure;
        return tokens;
    }
    const Workload& workload = analysis.workload();
    const auto fail = [&](MetricState state, std::string reason) {
        tokens.failure = noValue(times.selection, state, std::move(reason));
        return tokens;
    };
    if (!workload.globalBatch)
        return fail(MetricState::MissingInput, missingDescription(workload, "the global batch size"));
    if (!workload.seqLen)
        return fail(MetricState::MissingInput, missingDescription(workload, "the sequence length"));
    if (workload.isInference())
        return fail(MetricState::MissingInput,
                    "The workload card states " + workload.phase
                        + ": tokens per second are then output tokens over the wall-clock duration of the "
                          "requests, which a benchmark's JSON contains and a trace of some passes does not.");
    if (times.meanSeconds <= 0)
        return fail(MetricState::NotApplicable, "The chosen steps have no duration.");
    tokens.perStep = static_cast<double>(*workload.globalBatch) * static_cast<double>(*workload.seqLen);
    tokens.perSecond = tokens.perStep / times.meanSeconds;
    return tokens;
}

/// A value computed from the step times, with the step windows as evidence.
MetricResult stepValue(Analysis& analysis)
{
    const Selection& selection = analysis.stepTimes().selection;
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    addEvidence(analysis, selection, result, [](const SliceColumns&, std::size_t) { return false; });
    return result;
}

void warnOfWorldSize(Analysis& analysis, MetricResult& result)
{
    if (const auto warning = worldSizeWarning(analysis.workload()))
        result.warnings.push_back(*warning);
}

/// Adds rows by rank, then by rank and step, of a value that depends on a step time.
void addRows(const StepTimes& times, MetricResult& result, const std::function<double(double seconds)>& f)
{
    for (const RankSteps& rank : times.ranks) {
        if (rank.mean() > 0)
            result.rows.push_back({rank.rank, std::nullopt, f(rank.mean())});
    }
    for (const RankSteps& rank : times.ranks) {
        for (std::size_t i = 0; i < rank.secondsEach.size(); ++i) {
            if (rank.secondsEach[i] > 0)
                result.rows.push_back({rank.rank, rank.numbers[i], f(rank.secondsEach[i])});
        }
    }
}

/// Mean, over the steps that all ranks have, of the slowest rank's step time in seconds; 0 without common
/// steps.
double synchronisedStep(const StepTimes& times)
{
    std::vector<double> slowest;
    for (const StepOverRanks& step : stepsOverRanks(times))
        slowest.push_back(step.slowestSeconds);
    return slowest.empty() ? 0.0 : meanOf(slowest);
}

std::string stepSentence(const StepTimes& times)
{
    return "Step time " + numberText(times.meanSeconds) + " s: mean over "
        + std::to_string(times.ranks.size()) + " ranks of the mean over "
        + std::to_string(times.ranks.front().secondsEach.size()) + " steps.";
}

Value::Object perRankObject(const StepTimes& times, double amount)
{
    Value::Object object;
    for (const RankSteps& rank : times.ranks) {
        if (const auto rate = ratio(amount, rank.mean()))
            object.emplace_back(std::to_string(rank.rank), *rate);
    }
    return object;
}

MetricResult throughput(Analysis& analysis)
{
    const Tokens tokens = tokensOf(analysis);
    if (tokens.failure)
        return *tokens.failure;
    const StepTimes& times = analysis.stepTimes();
    const Workload& workload = analysis.workload();
    MetricResult result = stepValue(analysis);
    result.value = tokens.perSecond;
    addRows(times, result, [&](double seconds) { return tokens.perStep / seconds; });
    const auto steps = static_cast<double>(times.ranks.front().secondsEach.size());
    result.details = {{"throughput_tokens_per_s", tokens.perSecond},
                      {"total_tokens", tokens.perStep * steps},
                      {"measured_duration_s", times.meanSeconds * steps},
                      {"num_iterations", static_cast<std::int64_t>(steps)},
                      {"batch_size", *workload.globalBatch},
                      {"seq_len", *workload.seqLen},
                      {"samples_per_s", static_cast<double>(*workload.globalBatch) / times.meanSeconds},
                      {"time_per_iteration_ms", times.meanSeconds * 1e3}};
    if (const auto sync = ratio(tokens.perStep, synchronisedStep(times)))
        result.details.emplace_back("sync", *sync);
    if (workload.worldSize)
        result.details.emplace_back("per_gpu", tokens.perSecond / static_cast<double>(*workload.worldSize));
    warnOfWorldSize(analysis, result);
    result.details.emplace_back("per_rank", perRankObject(times, tokens.perStep));
    result.inputs = {sentenceOf("Global batch", workload.globalBatch),
                     sentenceOf("Sequence length", workload.seqLen), stepSentence(times)};
    return result;
}

MetricResult perRankThroughput(Analysis& analysis)
{
    const Tokens tokens = tokensOf(analysis);
    if (tokens.failure)
        return *tokens.failure;
    const StepTimes& times = analysis.stepTimes();
    MetricResult result = stepValue(analysis);
    addRows(times, result, [&](double seconds) { return tokens.perStep / seconds; });
    std::vector<double> rates;
    const RankSteps* slowest = &times.ranks.front();
    const RankSteps* fastest = slowest;
    for (const RankSteps& rank : times.ranks) {
        if (const auto rate = ratio(tokens.perStep, rank.mean()))
            rates.push_back(*rate);
        slowest = rank.mean() > slowest->mean() ? &rank : slowest;
        fastest = rank.mean() < fastest->mean() ? &rank : fastest;
    }
    result.value = meanOf(rates);
    result.details = {{"per_rank", perRankObject(times, tokens.perStep)},
                      {"min", *std::min_element(rates.begin(), rates.end())},
                      {"max", *std::max_element(rates.begin(), rates.end())},
                      {"slowest_rank", static_cast<std::int64_t>(slowest->rank)},
                      {"fastest_rank", static_cast<std::int64_t>(fastest->rank)}};
    if (const Known<std::int64_t>& world = analysis.workload().worldSize)
        result.details.emplace_back("per_gpu",
                                    perRankObject(times, tokens.perStep / static_cast<double>(*world)));
    warnOfWorldSize(analysis, result);
    result.inputs = {sentenceOf("Global batch", analysis.workload().globalBatch),
                     sentenceOf("Sequence length", analysis.workload().seqLen), stepSentence(times)};
    return result;
}

MetricResult samplesPerSecond(Analysis& analysis)
{
    const Tokens tokens = tokensOf(analysis);
    if (tokens.failure)
        return *tokens.failure;
    const StepTimes& times = analysis.stepTimes();
    const Workload& workload = analysis.workload();
    const auto batch = static_cast<double>(*workload.globalBatch);
    MetricResult result = stepValue(analysis);
    result.value = batch / times.meanSeconds;
    addRows(times, result, [&](double seconds) { return batch / seconds; });
    result.details = {{"batch_size", *workload.globalBatch},
                      {"sync", ratio(batch, synchronisedStep(times)).value_or(0.0)},
                      {"per_rank", perRankObject(times, batch)}};
    result.inputs = {sentenceOf("Global batch", workload.globalBatch), stepSentence(times)};
    return result;
}

/// FLOPs per training token. Matrix FLOPs are separate because recomputation repeats only the matrices'
/// forward part.
struct Utilisation
{
    std::optional<MetricResult> failure;
    Tokens tokens;
    double flopsPerToken = 0, matrixFlops = 0;
    double peak = 0; ///< FLOP/s of all devices
    double worldSize = 0;

    double percent(double flops, double tokensPerSecond) const
    {
        return 100.0 * flops * tokensPerSecond / peak;
    }
};

Utilisation utilisationOf(Analysis& analysis)
{
    Utilisation u;
    u.tokens = tokensOf(analysis);
    if (u.tokens.failure) {
        u.failure = u.tokens.failure;
        return u;
    }
    const Workload& workload = analysis.workload();
    const auto fail = [&](MetricState state, std::string reason) {
        u.failure = noValue(analysis.stepTimes().selection, state, std::move(reason));
        return u;
    };
    std::string missing;
    const auto flops = workload.flopsPerToken(analysis.options().causal, &missing);
    if (!flops)
        return fail(MetricState::MissingInput, missingDescription(workload, missing));
    if (!workload.worldSize || *workload.worldSize <= 0)
        return fail(MetricState::MissingInput, missingDescription(workload, "the number of GPUs"));
    if (!workload.peakTflops)
        return fail(
            MetricState::NotApplicable,
            "peak unknown: "
                + (workload.deviceName.empty() ? std::string("neither card nor trace names the device")
                       : workload.device
                       ? "the table has no peak of \"" + workload.deviceName + "\" for " + workload.precision
                       : "\"" + workload.deviceName + "\" is not in the table")
                + "; specify the peak with --hardware FILE.toml.");
    u.flopsPerToken = *flops;
    u.matrixFlops = workload.matrixFlopsPerToken().value_or(0.0);
    u.worldSize = static_cast<double>(*workload.worldSize);
    u.peak = u.worldSize * *workload.peakTflops * 1e12;
    return u;
}

void addUtilisationInputs(Analysis& analysis, const Utilisation& u, MetricResult& result)
{
    const Workload& workload = analysis.workload();
    const bool causal = analysis.options().causal;
    result.inputs.push_back("Peak " + numberText(*workload.peakTflops) + " TFLOP/s per device: "
                            + workload.peakTflops.source + "; device \"" + workload.deviceName + "\".");
    result.inputs.push_back("FLOP per token " + numberText(u.flopsPerToken) + " = 6 \u00d7 (N - N_emb) "
                            + numberText(u.matrixFlops) + " + 12 \u00d7 L H D S "
                            + numberText(u.flopsPerToken - u.matrixFlops)
                            + (causal ? " (half of the attention, --causal)." : " (no causal halving)."));
    result.inputs.push_back(workload.paramsActive ? sentenceOf("N active parameters", workload.paramsActive)
                                                  : sentenceOf("N parameters", workload.params));
    if (workload.paramsEmbedding)
        result.inputs.push_back(sentenceOf("N_emb of the input embedding", workload.paramsEmbedding));
    else
        result.warnings.emplace_back("The number of embedding parameters is unknown, so they count as matrix "
                                     "parameters; utilization is slightly too high.");
    result.inputs.push_back(sentenceOf("L layers", workload.layers));
    result.inputs.push_back(sentenceOf("H heads", workload.heads));
    result.inputs.push_back(sentenceOf("D head dimension", workload.headDim));
    result.inputs.push_back(sentenceOf("Global batch", workload.globalBatch));
    result.inputs.push_back(sentenceOf("S sequence length", workload.seqLen));
    result.inputs.push_back(sentenceOf("GPUs", workload.worldSize));
    warnOfWorldSize(analysis, result);
    result.inputs.push_back(stepSentence(analysis.stepTimes()));
    if (workload.params.assumed || workload.layers.assumed || workload.peakTflops.assumed)
        result.warnings.emplace_back("Some values are assumed: see the inputs.");
    if (workload.moe.value_or(false) && !workload.paramsActive)
        result.warnings.emplace_back("Mixture of experts without num_params_active: all parameters count, so "
                                     "utilization is too high.");
    if (result.value && *result.value > 100.0)
        result.warnings.emplace_back("More than 100 % of the peak is impossible: check the batch size, the "
                                     "sequence length and the steps of the trace.");
}

MetricResult utilisation(Analysis& analysis, const Utilisation& u, double flops)
{
    MetricResult result = stepValue(analysis);
    result.value = u.percent(flops, u.tokens.perSecond);
    addRows(analysis.stepTimes(), result,
            [&](double seconds) { return u.percent(flops, u.tokens.perStep / seconds); });
    return result;
}

MetricResult mfu(Analysis& analysis)
{
    const Utilisation u = utilisationOf(analysis);
    if (u.failure)
        return *u.failure;
    MetricResult result = utilisation(analysis, u, u.flopsPerToken);
    result.details = {{"flops_per_token", u.flopsPerToken},
                      {"tokens_per_s", u.tokens.perSecond},
                      {"tflops_per_gpu", u.flopsPerToken * u.tokens.perSecond / u.worldSize / 1e12},
                      {"peak_tflops_per_gpu", *analysis.workload().peakTflops},
                      {"num_gpus", *analysis.workload().worldSize},
                      {"gpu_model", analysis.workload().deviceName},
                      {"causal", analysis.options().causal}};
    addUtilisationInputs(analysis, u, result);
    return result;
}

MetricResult hfu(Analysis& analysis)
{
    const Utilisation u = utilisationOf(analysis);
    if (u.failure)
        return *u.failure;
    const std::string& mode = analysis.workload().activationCheckpoint;
    const Selection& selection = analysis.stepTimes().selection;
    if (mode.empty())
        return noValue(selection, MetricState::MissingInput,
                       "Whether activations are checkpointed is unknown (TOML: [activation_checkpoint] "
                       "mode); hardware utilization includes recomputation.");
    if (mode != "full" && mode != "none")
        return noValue(selection, MetricState::NotApplicable,
                       "Activation checkpointing is \"" + mode
                           + "\": how much of the forward pass is recomputed is unknown.");
    const bool full = mode == "full";
    const double flops = u.flopsPerToken + (full ? u.matrixFlops / 3.0 : 0.0);
    MetricResult result = utilisation(analysis, u, flops);
    result.details = {{"flops_per_token", flops},
                      {"mfu_percent", u.percent(u.flopsPerToken, u.tokens.perSecond)},
                      {"activation_checkpoint", mode}};
    result.inputs = {full ? "Full activation checkpointing: the 6 (N - N_emb) term counts 4/3 because the "
                            "forward pass runs twice; attention is not counted again."
                          : "No activation checkpointing: nothing is recomputed, HFU equals MFU."};
    addUtilisationInputs(analysis, u, result);
    return result;
}

MetricResult hardwareSaturation(Analysis& analysis)
{
    const Utilisation u = utilisationOf(analysis);
    if (u.failure)
        return *u.failure;
    MetricResult result = utilisation(analysis, u, u.flopsPerToken);
    const Workload& workload = analysis.workload();
    result.details = {{"mfu_percent", *result.value},
                      {"tflops_per_gpu", u.flopsPerToken * u.tokens.perSecond / u.worldSize / 1e12},
                      {"peak_tflops_per_gpu", *workload.peakTflops},
                      {"num_gpus", *workload.worldSize},
                      {"gpu_model", workload.deviceName},
                      {"tokens_per_s", u.tokens.perSecond}};
    addUtilisationInputs(analysis, u, result);
    result.inputs.emplace_back(
        "Memory is measured only by memory_peak and memory_reserved; it is never estimated here.");
    return result;
}

MetricResult gpuStepScore(Analysis& analysis)
{
    constexpr double weight = 0.5;
    constexpr double referenceGpus = 16;
    constexpr double referenceSeconds = 0.44;
    const StepTimes& times = analysis.stepTimes();
    if (times.selection.failure)
        return *times.selection.failure;
    if (isCpuRun(analysis.model(), times.selection.ranks)) {
        const MetricResult why = withoutGpuWork(analysis.model(), times.selection.ranks);
        return noValue(times.selection, why.state, why.reason);
    }
    const Known<std::int64_t>& world = analysis.workload().worldSize;
    if (!world || *world <= 0)
        return noValue(times.selection, MetricState::MissingInput,
                       missingDescription(analysis.workload(), "the number of GPUs"));
    if (times.meanSeconds <= 0)
        return noValue(times.selection, MetricState::NotApplicable, "The chosen steps have no duration.");
    const double gpus = referenceGpus / static_cast<double>(*world);
    const auto score
        = [&](double seconds) { return weight * gpus + (1.0 - weight) * referenceSeconds / seconds; };
    MetricResult result = stepValue(analysis);
    result.value = score(times.meanSeconds);
    addRows(times, result, score);
    result.details = {{"num_gpus", *world},
                      {"step_time_s", times.meanSeconds},
                      {"weight", weight},
                      {"reference_gpus", referenceGpus},
                      {"reference_step_time_s", referenceSeconds},
                      {"gpu_term", weight * gpus},
                      {"step_term", *result.value - weight * gpus}};
    result.inputs
        = {sentenceOf("GPUs", world), stepSentence(times),
           "Weight 0.5, reference 16 GPUs and 0.44 s per step: the defaults of the dashboard's tool."};
    warnOfWorldSize(analysis, result);
    return result;
}

constexpr std::string_view needsTokens
    = "a timeline (Kineto or nsys) with steps; batch size and sequence length (card or TOML)";
constexpr std::string_view needsPeak = "a timeline (Kineto or nsys) with steps; the model's sizes, batch "
                                       "size and sequence length (card or TOML); a known device";

} // namespace

constexpr MetricPart throughputTokensSecParts[] = {
    {.id = "per_rank_throughput",
     .title = "Throughput per rank",
     .meaning = "Tokens per second of the run, computed from each rank's step time.",
     .definition = "global batch \u00d7 sequence length / the rank's mean step duration, mean of ranks",
     .compute = perRankThroughput},
    {.id = "samples_per_sec",
     .title = "Samples per second",
     .unit = "samples/s",
     .meaning = "Sequences per second over all GPUs of the run.",
     .definition = "global batch / step time; step time = mean over ranks of the mean step duration",
     .compute = samplesPerSecond},
};

const MetricDescriptor throughputTokensSecMetric{
    .id = "throughput_tokens_sec",
    .title = "Training throughput",
    .group = "Model",
    .unit = "tokens/s",
    .direction = MetricDirection::HigherIsBetter,
    .needs = needsTokens,
    .meaning = "Tokens per second over all GPUs of the run.",
    .definition = "global batch \u00d7 sequence length / step time; step time = mean over ranks of the mean "
                  "step duration",
    .parts = throughputTokensSecParts,
    .compute = throughput,
    .fromSummaries = true,
};

constexpr MetricPart mfuParts[] = {
    {.id = "hfu",
     .title = "Hardware FLOPs utilization (HFU)",
     .meaning
     = "Share of the hardware's peak FLOP/s in use, including recomputation from activation checkpointing.",
     .definition
     = "like mfu, with the 6 (N - N_emb) term times 4/3 under full activation checkpointing; equal to mfu "
       "without checkpointing; not defined for selective checkpointing",
     .compute = hfu},
    {.id = "hardware_saturation",
     .title = "Hardware saturation",
     .meaning = "Model FLOPs utilization together with the TFLOP/s that each GPU achieves.",
     .definition = "mfu, with tflops_per_gpu = FLOP per token \u00d7 tokens per second / GPUs",
     .compute = hardwareSaturation},
};

const MetricDescriptor mfuMetric{
    .id = "mfu",
    .title = "Model FLOPs utilization (MFU)",
    .group = "Model",
    .unit = "%",
    .direction = MetricDirection::HigherIsBetter,
    .needs = needsPeak,
    .meaning = "Share of the hardware's peak FLOP/s that the model's arithmetic uses.",
    .definition = "100 \u00d7 FLOP per token \u00d7 tokens per second / (GPUs \u00d7 peak); FLOP per token = "
                  "6 (N - N_emb) "
                  "+ 12 L H D S (PaLM; N active parameters, N_emb input embedding, L layers, H heads, D head "
                  "dimension, S "
                  "sequence length); without recomputation, never capped",
    .parts = mfuParts,
    .compute = mfu,
    .fromSummaries = true,
};

const MetricDescriptor gpuStepScoreMetric{
    .id = "gpu_step_score",
    .title = "GPU step score",
    .group = "Model",
    .unit = "score",
    .direction = MetricDirection::HigherIsBetter,
    .needs = "a timeline (Kineto or nsys) with steps; the number of GPUs",
    .meaning = "Score of a dashboard that rewards few GPUs and short steps.",
    .definition = "w G0/G + (1 - w) T0/T: G GPUs, T step time, w = 0.5, G0 = 16, T0 = 0.44 s",
    .compute = gpuStepScore,
    .fromSummaries = true,
};

} // namespace collscope
