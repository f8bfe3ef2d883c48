// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Arithmetic relative to bytes moved, and the configuration of the run.

#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

/// Mean over the windows of the samples of DRAM bandwidth in one direction, in %; nullopt without samples.
std::optional<double> meanSample(const RankWindows& rank, const TraceModel& model, std::string_view direction)
{
    double sum = 0;
    std::size_t count = 0;
    for (const RankWindows::Part& part : rank.parts) {
        for (const CounterSeries& series : part.timeline->counters) {
            const std::string_view name = model.text(series.name);
            if (series.unit != CounterUnit::Percent || name.find("DRAM") == std::string_view::npos
                || name.find(direction) == std::string_view::npos)
                continue;
            for (const Step& step : part.steps) {
                const auto first
                    = std::lower_bound(series.timeNs.begin(), series.timeNs.end(), step.range.beginNs);
                const auto last = std::lower_bound(first, series.timeNs.end(), step.range.endNs);
                for (auto i = first - series.timeNs.begin(); i < last - series.timeNs.begin(); ++i)
                    sum += series.value[static_cast<std::size_t>(i)];
                count += static_cast<std::size_t>(last - first);
            }
        }
    }
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

/// Bytes that a rank moved in its windows, and their origin.
struct Moved
{
    double bytes = 0;
    std::int64_t unsizedCalls = 0;
    bool measured = false; ///< sampled DRAM traffic; false: messages of collectives
};

/// The sampled DRAM traffic; nullopt if it was not sampled or the memory's peak is unknown.
std::optional<double> dramBytes(Analysis& analysis, const RankWindows& rank)
{
    const DevicePeak* device = analysis.workload().device;
    const auto read = meanSample(rank, analysis.model(), "Read");
    const auto written = meanSample(rank, analysis.model(), "Write");
    if (!device || !device->memoryGbps || (!read && !written))
        return std::nullopt;
    return (read.value_or(0.0) + written.value_or(0.0)) / 100.0 * *device->memoryGbps
        * static_cast<double>(rank.windowNs());
}

Moved messagesOf(const RankCalls& rank)
{
    Moved moved;
    for (const Call& call : rank.aroundWindow()) {
        if (!call.inWindow())
            continue;
        if (call.bytes)
            moved.bytes += static_cast<double>(*call.bytes);
        else
            ++moved.unsizedCalls;
    }
    return moved;
}

MetricResult computeIntensity(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    const Workload& workload = analysis.workload();
    const auto missing = [&](const std::string& figure) {
        return noValue(selection, MetricState::MissingInput,
                       (workload.hasDescription
                            ? "Neither workload card nor TOML gives "
                            : "The run has no workload card and no TorchTitan TOML, which would give ")
                           + figure + ".");
    };
    if (workload.isInference())
        return noValue(selection, MetricState::NotApplicable,
                       "The workload card states " + workload.phase
                           + ": the arithmetic of a pass depends on its number of tokens, which the trace "
                             "does not contain.");
    if (const auto none = withoutSteps(selection))
        return *none;
    if (selection.window == "range")
        return noValue(selection, MetricState::NotApplicable,
                       "The number of tokens in a range is unknown: select whole steps.");
    std::string figure;
    const auto flopsPerToken = workload.flopsPerToken(analysis.options().causal, &figure);
    if (!flopsPerToken)
        return missing(figure);
    if (!workload.globalBatch)
        return missing("the global batch size");
    if (!workload.worldSize || *workload.worldSize <= 0)
        return missing("the number of GPUs");
    const double flopsPerStep = *flopsPerToken * static_cast<double>(*workload.globalBatch)
        * static_cast<double>(*workload.seqLen) / static_cast<double>(*workload.worldSize);

    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    std::vector<double> values;
    double bytes = 0;
    std::int64_t unsized = 0;
    std::size_t measured = 0;
    for (std::size_t i = 0; i < selection.ranks.size(); ++i) {
        const RankWindows& rank = selection.ranks[i];
        Moved moved;
        if (const auto sampled = dramBytes(analysis, rank)) {
            moved.bytes = *sampled;
            ++measured;
        } else {
            moved = messagesOf(analysis.calls()[i]);
        }
        unsized += moved.unsizedCalls;
        bytes += moved.bytes;
        const auto intensity = ratio(flopsPerStep * static_cast<double>(rank.stepCount()), moved.bytes);
        if (!intensity)
            continue;
        values.push_back(*intensity);
        result.rows.push_back({rank.rank, std::nullopt, *intensity});
    }
    if (values.empty())
        return noValue(selection, MetricState::NotApplicable,
                       "The trace contains neither samples of the DRAM bandwidth nor collectives with a "
                       "message size in the window.");
    const std::string which = measured == selection.ranks.size() ? "dram"
        : measured == 0                                          ? "communicated"
                                                                 : "mixed";
    result.value = meanOf(values);
    result.details = {{"bytes_are", which},
                      {"flops_per_step_per_gpu", flopsPerStep},
                      {"bytes", bytes},
                      {"flops_per_token", *flopsPerToken}};
    result.inputs = {"Model FLOP per step and GPU " + numberText(flopsPerStep) + ".",
                     numberText(bytes) + " bytes over ranks and steps: "
                         + (measured > 0 ? "sampled DRAM bandwidth." : "messages of collectives.")};
    if (const auto warning = worldSizeWarning(workload))
        result.warnings.push_back(*warning);
    if (measured == 0)
        result.warnings.emplace_back("The bytes are message bytes of collectives, not GPU memory traffic: "
                                     "the trace has no samples of the DRAM bandwidth.");
    if (unsized > 0)
        result.warnings.push_back(std::to_string(unsized)
                                  + " collectives have no known size and are not counted.");
    addCallEvidence(analysis, result, [](const Call& call) { return call.bytes.has_value(); });
    return result;
}

template<typename T>
void add(Value::Object& object, const char* key, const std::optional<T>& value)
{
    if (value)
        object.emplace_back(key, static_cast<std::int64_t>(*value));
}

void add(Value::Object& object, const char* key, const std::string& value)
{
    if (!value.empty())
        object.emplace_back(key, value);
}

Value::Object parallelismOf(const Workload& workload)
{
    Value::Object object;
    add(object, "world_size", workload.worldSize.value);
    if (workload.worldSize.isLeast)
        object.emplace_back("world_size_is", "at least"); // the total number is not stated anywhere
    const Mesh& mesh = workload.mesh;
    if (mesh.isKnown) {
        const std::pair<const char*, std::int64_t> degrees[] = {{"tp", mesh.tp},
                                                                {"dp", mesh.dpShard * mesh.dpReplicate},
                                                                {"dp_shard", mesh.dpShard},
                                                                {"dp_replicate", mesh.dpReplicate},
                                                                {"pp", mesh.pp},
                                                                {"cp", mesh.cp},
                                                                {"ep", mesh.ep}};
        for (const auto& [key, degree] : degrees)
            object.emplace_back(key, degree);
    }
    add(object, "micro_batches", workload.microBatches.value);
    return object;
}

MetricResult configMetadata(Analysis& analysis)
{
    const Workload& workload = analysis.workload();
    const TraceModel& model = analysis.model();
    Value::Object parallelism = parallelismOf(workload);
    Value::Object data;
    add(data, "batch_size", workload.globalBatch.value);
    add(data, "seq_len", workload.seqLen.value);
    add(data, "output_len", workload.outputLen.value);
    if (model.card)
        add(data, "dataset", model.card->dataset);
    Value::Object hardware;
    add(hardware, "gpu_model", workload.deviceName);
    add(hardware, "num_gpus", workload.worldSize.value);
    if (workload.worldSize.isLeast)
        hardware.emplace_back("num_gpus_is", "at least");
    add(hardware, "gpus_per_node", workload.ranksPerNode);
    if (model.card)
        add(hardware, "interconnect", model.card->topology);
    if (workload.peakTflops)
        hardware.emplace_back("peak_tflops", *workload.peakTflops);
    Value::Object sizes;
    add(sizes, "name", workload.modelName);
    add(sizes, "phase", workload.phase);
    add(sizes, "precision", workload.precision);
    if (workload.moe)
        sizes.emplace_back("moe", *workload.moe);
    add(sizes, "num_params", workload.params.value);
    add(sizes, "num_params_embedding", workload.paramsEmbedding.value);
    add(sizes, "num_params_active", workload.paramsActive.value);
    add(sizes, "num_layers", workload.layers.value);
    add(sizes, "num_heads", workload.heads.value);
    add(sizes, "head_dim", workload.headDim.value);
    add(sizes, "activation_checkpoint", workload.activationCheckpoint);
    if (parallelism.empty() && data.empty() && hardware.empty() && sizes.empty())
        return MetricResult::missingInput(
            "Neither a workload card, nor a TOML, nor the trace describes the run.");

    MetricResult result;
    result.state = MetricState::Value;
    result.scope = "the run";
    result.window = "whole file";
    result.reduction = "none";
    result.source = model.card && model.trainConfig ? "card+toml"
        : model.card                                ? "card"
        : model.trainConfig                         ? "toml"
                                                    : "trace";
    result.details = {{"parallelism", std::move(parallelism)},
                      {"data", std::move(data)},
                      {"hardware", std::move(hardware)},
                      {"model", std::move(sizes)}};
    for (const auto& [name, figure] : {std::pair{"World size", &workload.worldSize},
                                       {"Global batch", &workload.globalBatch},
                                       {"Sequence length", &workload.seqLen},
                                       {"Parameters", &workload.params}}) {
        if (*figure)
            result.inputs.push_back(sentenceOf(name, *figure));
    }
    if (!workload.hasDescription)
        result.warnings.emplace_back("No workload card and no TOML: only values from the trace.");
    if (const auto warning = worldSizeWarning(workload))
        result.warnings.push_back(*warning);
    result.warnings.insert(result.warnings.end(), workload.notes.begin(), workload.notes.end());
    return result;
}

} // namespace

const MetricDescriptor computeIntensityMetric{
    .id = "compute_intensity",
    .title = "Compute intensity",
    .group = "Model",
    .unit = "FLOP/byte",
    .direction = MetricDirection::HigherIsBetter,
    .needs
    = "a timeline (Kineto or nsys); the model's sizes, batch size and sequence length (card or TOML); DRAM "
      "samples or collectives with message sizes",
    .meaning = "Model arithmetic per byte moved; low values indicate that data movement limits the run.",
    .definition
    = "model FLOP per step and GPU / bytes per step: sampled DRAM bytes if there are any, else the message "
      "bytes of the collectives; mean of ranks",
    .ranks = &Analysis::selection,
    .compute = computeIntensity,
};

const MetricDescriptor configMetadataMetric{
    .id = "config_metadata",
    .title = "Run configuration",
    .group = "Model",
    .unit = "object",
    .needs = "a workload card, a TorchTitan TOML or a trace",
    .meaning = "Intended configuration of the run: parallelism, data, hardware and model.",
    .definition = "fields of the workload card, else of the TOML, else of the trace; no single number",
    .compute = configMetadata,
    .fromSummaries = true,
};

} // namespace collscope
