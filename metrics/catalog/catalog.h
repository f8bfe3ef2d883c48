// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The metrics of the catalog. Each is defined in the file of its family; all_metrics.cpp lists them in the
// order on screen, and metric_names.cpp lists their other names.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// MetricDescriptor::needs of the metrics that need nothing else.
inline constexpr std::string_view needsTimeline = "a timeline (Kineto or nsys)";

// collective_bandwidth.cpp
extern const MetricDescriptor collectiveBandwidthMetric, bandwidthUtilizationMetric;
// collective_calls.cpp
extern const MetricDescriptor collCallNumMetric;
// collective_volume.cpp
extern const MetricDescriptor communicationVolumeMetric;
// communication.cpp
extern const MetricDescriptor communicationMetric, communicationFrequencyMetric,
    communicationEfficiencyMetric, communicationBreakdownMetric;
// copies.cpp
extern const MetricDescriptor averageMemoryBandwidthMetric, memoryTransferOverheadMetric,
    memoryBandwidthUtilizationMetric;
// experts.cpp
extern const MetricDescriptor tokenToExpertAssignmentMetric;
// fsdp.cpp
extern const MetricDescriptor fsdpMetric;
// gpu_time.cpp
extern const MetricDescriptor aggregateGpuUtilizationMetric, gpuIdleTimeMetric, kernelTimeMetric,
    computeEfficiencyMetric, cpuOverheadMetric, totalKernelTimeMetric, totalTraceTimeMetric;
// gpu_timeline_metric.cpp
extern const MetricDescriptor gpuTimelineMetric;
// hockney.cpp
extern const MetricDescriptor hockneyMetric;
// imbalance.cpp
extern const MetricDescriptor loadImbalanceRatioMetric, synchronizationOverheadMetric;
// kernels.cpp
extern const MetricDescriptor dominantKernelConcentrationMetric, moeFractionMetric, kernelBreakdownMetric,
    breakDownStepsMetric;
// memory.cpp
extern const MetricDescriptor memoryMetric;
// model.cpp
extern const MetricDescriptor throughputTokensSecMetric, mfuMetric, gpuStepScoreMetric;
// model_data.cpp
extern const MetricDescriptor computeIntensityMetric, configMetadataMetric;
// nvlink_collectives.cpp
extern const MetricDescriptor nvlinkCollectivesMetric;
// nvlink_throughput.cpp
extern const MetricDescriptor nvlinkAllMetric;
// overlap.cpp
extern const MetricDescriptor commCompOverlapMetric, totalCommunicationTimeMetric,
    exposedCommunicationTimeMetric, communicationFractionMetric;
// peak_kernels_metric.cpp
extern const MetricDescriptor peakKernelsMetric;
// peer_to_peer.cpp
extern const MetricDescriptor peerToPeerMetric;
// phases_metric.cpp
extern const MetricDescriptor trainingPhasesMetric;
// pipeline_bubble.cpp
extern const MetricDescriptor bubbleSizePipelineMetric, pipelineEfficiencyMetric;
// replayed_steps.cpp
extern const MetricDescriptor noLateRankMetric;
// serving.cpp
extern const MetricDescriptor ttftMetric, tpotMetric, interTokenLatencyMetric, requestLatencyMetric,
    outputThroughputMetric, requestThroughputMetric;
// sm_coverage.cpp
extern const MetricDescriptor smMetric, memoryBoundFractionMetric, computeBoundFractionMetric;
// step_time.cpp
extern const MetricDescriptor avgStepTimeMetric;
// straggler.cpp
extern const MetricDescriptor stragglerMetric;
// straggler_spread.cpp
extern const MetricDescriptor stragglerDelayMetric, stragglerSlowdownMetric;
// traffic.cpp
extern const MetricDescriptor trafficDistributionMetric, trafficWindowCommMetric, commBreakdownMetric;
// traffic_windows.cpp
extern const MetricDescriptor trafficWindowMetric, trafficIntervalMetric;
// training_log_metrics.cpp
extern const MetricDescriptor trainingQualityMetric;
// variability.cpp
extern const MetricDescriptor iterationTimeStdMetric, variabilityMetricsMetric;
// what_if.cpp
extern const MetricDescriptor scaleUpBandwidthUtilityMetric;
// xla.cpp
extern const MetricDescriptor xlaMetric;

// Details under the keys of other tools, for the aliases of metric_names.cpp.
Value::Object iterationDetails(Analysis& analysis,
                               const MetricResult& result); ///< step_time.cpp; `result` in ms
Value::Object overlapDetails(Analysis& analysis, const MetricResult& result); ///< overlap.cpp

} // namespace collscope
