// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Description of the workload, from card, TOML and trace: batch, lengths, model sizes, device peaks. Each
// figure states its source; assumptions are marked.

#include "metrics/calls/calls.h"

namespace collscope {

/// A figure and its source in words ("workload_card.yaml"). Assumptions are stated as such.
template<typename T>
struct Known
{
    std::optional<T> value;
    std::string source;
    bool assumed = false;
    bool isLeast = false; ///< lower bound: the figure may be higher

    explicit operator bool() const { return value.has_value(); }
    const T& operator*() const { return *value; }
};

struct Workload
{
    std::string phase; ///< "training", "inference", "serving"; empty = unknown
    std::optional<bool> moe;
    std::string precision; ///< "bf16", "fp8"; empty = unknown
    std::string modelName; ///< display name
    Known<std::int64_t> globalBatch, seqLen, outputLen, worldSize;
    bool isBatchOfOnePass = false; ///< local batch x data-parallel ranks; a step may accumulate several
    Known<std::int64_t> params, paramsEmbedding, paramsActive, layers, heads, headDim;
    Known<std::int64_t> microBatches;
    std::string deviceName; ///< as named in the card or the trace
    const DevicePeak* device = nullptr; ///< nullptr = peak unknown
    Known<double> peakTflops; ///< for the precision used by the run
    std::optional<std::int64_t> ranksPerNode;
    Mesh mesh;
    std::string activationCheckpoint; ///< "full", "selective", "none"; empty = unknown
    bool hasDescription = false; ///< whether there is a card or a TOML
    std::vector<std::string> notes; ///< contradictions between the sources, a sentence each

    bool isInference() const { return phase == "inference" || phase == "serving"; }
    /// FLOPs of one training token forward and backward, 6 N' + 12 L H D S, or a third of it for one
    /// inference token (PaLM, arXiv:2204.02311, appendix B; N' = active parameters without the input
    /// embedding); nullopt + the name of the missing figure. `causal` counts half of the attention term.
    std::optional<double> flopsPerToken(bool causal, std::string* missing) const;
    /// The part of flopsPerToken() that multiplies with weights: 6 N' (training) or 2 N' (inference).
    std::optional<double> matrixFlopsPerToken() const;
    /// Decimal GB/s that one device can send through its links; nullopt = unknown.
    std::optional<double> linkGbpsPerDirection() const;
};

Workload describeWorkload(const TraceModel& model, const HardwareDatabase* hardware);

/// "4", "at least 4", "unknown".
std::string textOf(const Known<std::int64_t>& figure);

/// Warning for per-GPU figures if the number of GPUs is a lower bound; else nullopt.
std::optional<std::string> worldSizeWarning(const Workload& workload);

/// "batch 16 and sequence length 4096 (workload_card.yaml)", for MetricResult::inputs.
std::string sentenceOf(std::string_view what, const Known<std::int64_t>& figure);

} // namespace collscope
