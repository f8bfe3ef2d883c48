// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The workload card (YAML) and the TorchTitan configuration (TOML): the intended properties of a run. They
// are hints; the traces take precedence.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Degrees of parallelism; nullopt = not stated in the file.
struct Parallelism
{
    std::optional<std::int64_t> dpReplicate, dpShard, tp, pp, cp, ep, microBatches;
    /// dp_replicate x dp_shard x tp x pp x cp. EP does not multiply (it is folded out of the others). nullopt
    /// if dp_shard is unknown (TorchTitan's -1 = the remaining GPUs).
    std::optional<std::int64_t> worldSize() const;
    /// Adopts every degree that `other` has.
    void take(const Parallelism& other);
    /// Display label, "TP2 DP4"; empty if no degree is above 1.
    std::string label() const;
};

/// Fields of CCL-Bench's card template, and of its older schema, which has `parallelism` and `hardware` next
/// to `workload`. Every field may be missing.
struct WorkloadCard
{
    std::string path;
    std::string description, huggingFaceUrl, traceUrl;
    std::string phase; ///< training | inference | serving
    std::optional<bool> moe;
    std::string modelFamily, precision;
    std::optional<std::int64_t> iteration;
    std::optional<std::int64_t> numParams, numParamsEmbedding, numParamsActive, numLayers, numHeads, headDim;
    std::vector<std::int64_t> batchSizes; ///< a list in some cards
    std::optional<std::int64_t> batchSize; ///< of this run (from the folder name if the card has a list)
    std::optional<std::int64_t> localBatchSize; ///< older schema: per data-parallel rank
    std::optional<std::int64_t> seqLen, inputLen, outputLen;
    std::string dataset, topology;
    std::optional<double> scaleOutGbps, scaleUpGbps; ///< gigaBIT per second, as written
    std::string deviceType, deviceModel, driverVersion;
    std::optional<std::int64_t> totalCount, countPerNode;
    std::string framework, compilerTool, communicationLibrary, communicationLibraryVersion;
    Parallelism parallelism;
    std::vector<std::string> protocols, traceTypes, metricSpecificTraces;
};

/// Facts about a run that the user states when opening it. They override card and configuration.
struct GivenFacts
{
    std::string name; ///< name of the run; empty = named after its folder
    std::optional<std::int64_t> params; ///< parameters of the model
    Parallelism parallelism;

    bool hasParallelism() const
    {
        const Parallelism& p = parallelism;
        return p.dpReplicate || p.dpShard || p.tp || p.pp || p.cp || p.ep;
    }
};

/// TorchTitan's job configuration, limited to the fields that metrics and labels need.
struct TrainConfig
{
    std::string path;
    std::string modelName, modelFlavor, description, dtype, pipelineSchedule, commBackend,
        activationCheckpoint;
    std::optional<std::int64_t> localBatchSize, globalBatchSize, seqLen, steps;
    std::optional<std::int64_t> pipelineMicrobatchSize;
    Parallelism parallelism; ///< dp_shard is nullopt if the file contains -1 (= the rest)
};

} // namespace collscope
