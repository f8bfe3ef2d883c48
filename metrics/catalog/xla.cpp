// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sums over the events of an XLA (TPU) profile (metrics.md 3.3, group 21). Those profiles are read in a later
// version: every metric here says so.

#include "metrics/analysis.h"

namespace collscope {

namespace {

MetricResult needsXla(Analysis&)
{
    return MetricResult::missingInput("It needs an XLA/TPU profile (trace JSON with hlo_category, "
                                      "device_duration_ps and model_flops); reading those is part of a later "
                                      "version.");
}

constexpr MetricDescriptor ofXla(std::string_view id, std::string_view title, std::string_view unit,
                                 MetricDirection direction, std::string_view meaning,
                                 std::string_view definition, std::span<const MetricAlias> aliases = {})
{
    return {id,      title,      "Model", unit,    direction, "an XLA/TPU profile (a later version)",
            meaning, definition, aliases, needsXla};
}

constexpr auto neutral = MetricDirection::Neutral;
constexpr auto lower = MetricDirection::LowerIsBetter;
constexpr auto higher = MetricDirection::HigherIsBetter;

constexpr MetricAlias bandwidthAliases[] = {{"avg_comm_bandwidth_GBps"}};

} // namespace

extern const MetricDescriptor wallTimeSMetric, totalComputeTimeSMetric, totalCommTimeSMetric,
    avgCommKernelTimeSMetric, allreduceCommTimeSMetric, computeUtilizationProxyMetric, numCommKernelsMetric,
    avgCommBandwidthGbpsMetric, achievedFlopsFromTraceJsonMetric, totalModelFlopsFromArgsMetric,
    estimatedThroughputTokensPerSMetric, flopsPerTokenUsedMetric, estimatedTotalTokensMetric;

constexpr MetricDescriptor wallTimeSMetric
    = ofXla("wall_time_s", "XLA: wall time", "s", lower, "How long the profile lasts.",
            "end of the last XLA event - start of the first, over all chips");

constexpr MetricDescriptor totalComputeTimeSMetric
    = ofXla("total_compute_time_s", "XLA: compute time", "s", neutral,
            "Time of all XLA operations that compute, over all chips.",
            "sum of the durations of XLA events that are no communication");

constexpr MetricDescriptor totalCommTimeSMetric
    = ofXla("total_comm_time_s", "XLA: communication time", "s", lower,
            "Time of all XLA operations that communicate, over all chips.",
            "sum of the durations of XLA communication events");

constexpr MetricDescriptor avgCommKernelTimeSMetric
    = ofXla("avg_comm_kernel_time_s", "XLA: mean communication", "s", lower,
            "How long one XLA communication takes on average.",
            "sum of the durations of XLA communication events / their number");

constexpr MetricDescriptor allreduceCommTimeSMetric
    = ofXla("allreduce_comm_time_s", "XLA: all-reduce time", "s", lower,
            "Time of all XLA all-reduces, over all chips.", "sum of the durations of XLA all-reduce events");

constexpr MetricDescriptor computeUtilizationProxyMetric
    = ofXla("compute_utilization_proxy", "XLA: compute share", "ratio", higher,
            "Share of the profile's time in which XLA operations compute.",
            "total_compute_time_s / (wall_time_s x chips)");

constexpr MetricDescriptor numCommKernelsMetric = ofXla(
    "num_comm_kernels", "XLA: communications", "count", neutral,
    "Number of XLA operations that communicate, over all chips.", "number of XLA communication events");

constexpr MetricDescriptor avgCommBandwidthGbpsMetric
    = ofXla("avg_comm_bandwidth_gbps", "XLA: communication bandwidth", "GB/s", higher,
            "Bytes that XLA communication moves per second of its time.",
            "sum of bytes_accessed / sum of the durations of XLA communication events, decimal GB/s",
            bandwidthAliases);

constexpr MetricDescriptor achievedFlopsFromTraceJsonMetric = ofXla(
    "achieved_flops_from_trace_json", "XLA: achieved FLOP/s", "FLOP/s", higher,
    "Floating-point operations per second that the profile shows.", "sum of model_flops / wall_time_s");

constexpr MetricDescriptor totalModelFlopsFromArgsMetric
    = ofXla("total_model_flops_from_args", "XLA: model FLOPs", "FLOP", neutral,
            "Floating-point operations of all XLA events.", "sum of model_flops");

constexpr MetricDescriptor estimatedThroughputTokensPerSMetric
    = ofXla("estimated_throughput_tokens_per_s", "XLA: estimated tokens/s", "tokens/s", higher,
            "Tokens per second that the profile's FLOPs stand for.", "estimated_total_tokens / wall_time_s");

constexpr MetricDescriptor flopsPerTokenUsedMetric
    = ofXla("flops_per_token_used", "XLA: FLOPs per token", "FLOP", neutral,
            "Floating-point operations that are counted for one token.",
            "6 x parameters of the model, by the workload card");

constexpr MetricDescriptor estimatedTotalTokensMetric = ofXla(
    "estimated_total_tokens", "XLA: estimated tokens", "tokens", neutral,
    "Tokens that the profile's FLOPs stand for.", "total_model_flops_from_args / flops_per_token_used");

} // namespace collscope
