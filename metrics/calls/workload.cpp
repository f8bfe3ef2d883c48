// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/calls/workload.h"

#include "model/text/lower_case.h"

namespace collscope {

namespace {

std::string fileName(const std::string& path)
{
    const std::size_t slash = path.find_last_of('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

template<typename T>
void fill(Known<T>& figure, const std::optional<T>& value, const std::string& source, bool assumed = false)
{
    if (!figure && value)
        figure = {value, source, assumed};
}

std::int64_t dataParallel(const Parallelism& p)
{
    return p.dpReplicate.value_or(1) * p.dpShard.value_or(1);
}

/// The size of the run if a source states it: nothing can be derived from a lower bound.
std::optional<std::int32_t> knownWorldSize(const TraceModel& model)
{
    return model.isWorldSizeLeast ? std::nullopt : model.worldSize;
}

/// An open dp_shard (-1 in the TOML, omitted in the card) covers the remaining GPUs.
Parallelism completed(Parallelism p, const std::optional<std::int32_t>& worldSize)
{
    if (!p.dpShard && worldSize) {
        const std::int64_t others
            = p.dpReplicate.value_or(1) * p.tp.value_or(1) * p.pp.value_or(1) * p.cp.value_or(1);
        if (others > 0 && *worldSize % others == 0)
            p.dpShard = *worldSize / others;
    }
    return p;
}

void takeCard(const WorkloadCard& card, const std::optional<std::int32_t>& worldSize, Workload& workload)
{
    const std::string source = fileName(card.path);
    workload.hasDescription = true;
    workload.phase = lowered(card.phase);
    workload.moe = card.moe;
    workload.precision = lowered(card.precision);
    workload.modelName = card.modelFamily;
    workload.ranksPerNode = card.countPerNode;
    workload.deviceName = card.deviceModel;
    fill(workload.globalBatch, card.batchSize, source);
    const Parallelism parallelism = completed(card.parallelism, worldSize);
    workload.isBatchOfOnePass = !workload.globalBatch;
    if (!workload.globalBatch && card.localBatchSize && parallelism.dpShard)
        fill(workload.globalBatch, std::optional(*card.localBatchSize * dataParallel(parallelism)),
             source + ": local batch x data-parallel ranks");
    fill(workload.seqLen, card.seqLen, source);
    if (!workload.seqLen && card.inputLen && card.outputLen)
        fill(workload.seqLen, std::optional(*card.inputLen + *card.outputLen),
             source + ": input + output length");
    fill(workload.outputLen, card.outputLen, source);
    fill(workload.params, card.numParams, source);
    fill(workload.paramsEmbedding, card.numParamsEmbedding, source);
    fill(workload.paramsActive, card.numParamsActive, source);
    fill(workload.layers, card.numLayers, source);
    fill(workload.heads, card.numHeads, source);
    fill(workload.headDim, card.headDim, source);
    fill(workload.microBatches, card.parallelism.microBatches, source);
}

void takeConfig(const TrainConfig& config, const Parallelism& parallelism, Workload& workload)
{
    const std::string source = fileName(config.path);
    workload.hasDescription = true;
    if (workload.phase.empty())
        workload.phase = "training"; // a TorchTitan job configuration describes training
    if (workload.precision.empty())
        workload.precision = lowered(config.dtype);
    if (workload.modelName.empty())
        workload.modelName = config.modelName + (config.modelFlavor.empty() ? "" : " " + config.modelFlavor);
    workload.activationCheckpoint = lowered(config.activationCheckpoint);
    if (!workload.globalBatch)
        workload.isBatchOfOnePass = !config.globalBatchSize;
    fill(workload.globalBatch, config.globalBatchSize, source);
    if (!workload.globalBatch && config.localBatchSize && parallelism.dpShard)
        fill(workload.globalBatch, std::optional(*config.localBatchSize * dataParallel(parallelism)),
             source + ": local batch x data-parallel ranks");
    fill(workload.seqLen, config.seqLen, source);
    if (config.localBatchSize && config.pipelineMicrobatchSize && *config.pipelineMicrobatchSize > 0)
        fill(workload.microBatches, std::optional(*config.localBatchSize / *config.pipelineMicrobatchSize),
             source);
}

void takeMesh(const Parallelism& p, const std::string& source, Workload& workload)
{
    Mesh& mesh = workload.mesh;
    mesh.tp = p.tp.value_or(1);
    mesh.cp = p.cp.value_or(1);
    mesh.pp = p.pp.value_or(1);
    mesh.ep = p.ep.value_or(1);
    mesh.dpShard = p.dpShard.value_or(1);
    mesh.dpReplicate = p.dpReplicate.value_or(1);
    mesh.isKnown = p.tp || p.cp || p.pp || p.dpShard || p.dpReplicate;
    mesh.source = fileName(source);
}

void takeKnownModel(const HardwareDatabase& hardware, const TraceModel& model, Workload& workload)
{
    const KnownModel* known = model.trainConfig
        ? hardware.findModel(model.trainConfig->modelName, model.trainConfig->modelFlavor)
        : nullptr;
    if (!known)
        known = hardware.findModel(workload.modelName, "");
    if (!known)
        return;
    // A name is weaker evidence than a number: a smaller model of the family is a different model.
    constexpr double tolerance = 0.05;
    if (workload.params && known->params) {
        const double share = static_cast<double>(*workload.params) / static_cast<double>(*known->params);
        if (share < 1.0 - tolerance || share > 1.0 + tolerance) {
            workload.notes.push_back("The run is called " + workload.modelName
                                     + ", but its parameter count differs from that of this model: the "
                                       "published sizes of the model are not used.");
            return;
        }
    }
    const std::string source = "assumed: the published sizes of " + known->name
        + (known->flavor.empty() ? "" : " " + known->flavor);
    fill(workload.params, known->params, source, true);
    fill(workload.paramsEmbedding, known->paramsEmbedding, source, true);
    fill(workload.paramsActive, known->paramsActive, source, true);
    fill(workload.layers, known->layers, source, true);
    fill(workload.heads, known->heads, source, true);
    fill(workload.headDim, known->headDim, source, true);
}

void takeDevice(const TraceModel& model, const HardwareDatabase* hardware, Workload& workload)
{
    // The trace recorded the device; the card only states what it should be, often less precisely.
    std::vector<std::string> names;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.deviceName)
            names.emplace_back(model.text(timeline.deviceName));
    }
    names.push_back(workload.deviceName);
    for (const std::string& name : names) {
        if (!hardware || workload.device || name.empty())
            continue;
        workload.device = hardware->findDevice(name);
        if (workload.device)
            workload.deviceName = name;
    }
    if (workload.deviceName.empty())
        workload.deviceName = names.front();
    if (!workload.device)
        return;
    const bool fp8 = workload.precision.find("fp8") != std::string::npos
        || workload.precision.find("float8") != std::string::npos;
    const bool fp32
        = workload.precision == "fp32" || workload.precision == "float32" || workload.precision == "tf32";
    const std::string& device = workload.device->name;
    if (fp8)
        workload.peakTflops = {workload.device->fp8Tflops, "FP8 peak of " + device};
    else if (fp32)
        workload.peakTflops = {workload.device->tf32Tflops, "TF32 peak of " + device};
    else
        workload.peakTflops
            = {workload.device->bf16Tflops,
               "BF16 peak of " + device
                   + (workload.precision.empty() ? ", assumed: no card states the precision" : ""),
               workload.precision.empty()};
}

} // namespace

std::optional<double> Workload::flopsPerToken(bool causal, std::string* missing) const
{
    const Known<std::int64_t>& weights = paramsActive ? paramsActive : params;
    const std::pair<const Known<std::int64_t>*, const char*> needed[] = {
        {&weights, "num_params"}, {&layers, "num_layers"}, {&heads, "num_heads"},
        {&headDim, "head_dim"},   {&seqLen, "seq_len"},
    };
    for (const auto& [figure, name] : needed) {
        if (*figure)
            continue;
        if (missing)
            *missing = name;
        return std::nullopt;
    }
    const double attention = static_cast<double>(*layers) * static_cast<double>(*heads)
        * static_cast<double>(*headDim) * static_cast<double>(*seqLen) * (causal ? 0.5 : 1.0);
    return *matrixFlopsPerToken() + (isInference() ? 4.0 : 12.0) * attention;
}

std::optional<double> Workload::matrixFlopsPerToken() const
{
    const Known<std::int64_t>& weights = paramsActive ? paramsActive : params;
    if (!weights)
        return std::nullopt;
    const auto matrices = static_cast<double>(*weights - paramsEmbedding.value.value_or(0));
    return (isInference() ? 2.0 : 6.0) * matrices;
}

std::optional<double> Workload::linkGbpsPerDirection() const
{
    return device && device->linkGbps ? std::optional(*device->linkGbps / 2.0) : std::nullopt;
}

Workload describeWorkload(const TraceModel& model, const HardwareDatabase* hardware)
{
    Workload workload;
    fill(workload.params, model.given.params, "--model_params");
    if (model.worldSize)
        workload.worldSize = {*model.worldSize, model.worldSizeSource, false, model.isWorldSizeLeast};
    if (model.card)
        takeCard(*model.card, knownWorldSize(model), workload);
    std::optional<Parallelism> parallelism;
    std::string source;
    if (model.card && !model.card->parallelism.label().empty()) {
        parallelism = model.card->parallelism;
        source = model.card->path;
    }
    if (model.trainConfig) {
        const Parallelism own = completed(model.trainConfig->parallelism, knownWorldSize(model));
        takeConfig(*model.trainConfig, own, workload);
        if (!parallelism) {
            parallelism = own;
            source = model.trainConfig->path;
        }
    }
    if (!parallelism && model.card) {
        parallelism = model.card->parallelism;
        source = model.card->path;
    }
    if (model.given.hasParallelism()) {
        // The card and the configuration already contain these degrees.
        parallelism = parallelism.value_or(completed(model.given.parallelism, knownWorldSize(model)));
        source = "the options" + (source.empty() ? "" : " and " + fileName(source));
    }
    if (parallelism)
        takeMesh(*parallelism, source, workload);
    if (hardware)
        takeKnownModel(*hardware, model, workload);
    if (model.given.params)
        workload.paramsActive = {}; // belongs to the card or a known model, not to this number
    takeDevice(model, hardware, workload);
    return workload;
}

std::string textOf(const Known<std::int64_t>& figure)
{
    return figure ? (figure.isLeast ? "at least " : "") + std::to_string(*figure) : "unknown";
}

std::optional<std::string> worldSizeWarning(const Workload& workload)
{
    const Known<std::int64_t>& size = workload.worldSize;
    if (!size || !size.isLeast)
        return std::nullopt;
    return "The number of GPUs of the run is not stated; it is at least " + std::to_string(*size) + " ("
        + size.source
        + "). With more GPUs, figures per GPU are lower. To state it, set total_count in a workload card.";
}

std::string sentenceOf(std::string_view what, const Known<std::int64_t>& figure)
{
    return std::string(what) + " " + textOf(figure) + " (" + figure.source + ").";
}

} // namespace collscope
