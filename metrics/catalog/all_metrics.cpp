// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/catalog/catalog.h"

#include <vector>

namespace collscope {

namespace {

/// The metrics in the order on screen.
constexpr const MetricDescriptor* metrics[] = {
    &avgStepTimeMetric,
    &throughputTokensSecMetric,
    &mfuMetric,
    &computeIntensityMetric,
    &gpuStepScoreMetric,
    &configMetadataMetric,
    &bubbleSizePipelineMetric,
    &pipelineEfficiencyMetric,
    &fsdpMetric,
    &trainingPhasesMetric,
    &commCompOverlapMetric,
    &totalCommunicationTimeMetric,
    &exposedCommunicationTimeMetric,
    &communicationFractionMetric,
    &collCallNumMetric,
    &collectiveBandwidthMetric,
    &peerToPeerMetric,
    &bandwidthUtilizationMetric,
    &communicationVolumeMetric,
    &communicationMetric,
    &communicationFrequencyMetric,
    &communicationEfficiencyMetric,
    &communicationBreakdownMetric,
    &hockneyMetric,
    &scaleUpBandwidthUtilityMetric,
    &noLateRankMetric,
    &trafficDistributionMetric,
    &trafficWindowMetric,
    &trafficWindowCommMetric,
    &trafficIntervalMetric,
    &commBreakdownMetric,
    &stragglerMetric,
    &stragglerDelayMetric,
    &stragglerSlowdownMetric,
    &loadImbalanceRatioMetric,
    &synchronizationOverheadMetric,
    &iterationTimeStdMetric,
    &variabilityMetricsMetric,
    &aggregateGpuUtilizationMetric,
    &gpuIdleTimeMetric,
    &kernelTimeMetric,
    &computeEfficiencyMetric,
    &cpuOverheadMetric,
    &totalKernelTimeMetric,
    &totalTraceTimeMetric,
    &smMetric,
    &dominantKernelConcentrationMetric,
    &moeFractionMetric,
    &kernelBreakdownMetric,
    &breakDownStepsMetric,
    &memoryBoundFractionMetric,
    &computeBoundFractionMetric,
    &averageMemoryBandwidthMetric,
    &memoryTransferOverheadMetric,
    &memoryBandwidthUtilizationMetric,
    &gpuTimelineMetric,
    &ttftMetric,
    &tpotMetric,
    &interTokenLatencyMetric,
    &requestLatencyMetric,
    &outputThroughputMetric,
    &requestThroughputMetric,
    &tokenToExpertAssignmentMetric,
    &trainingQualityMetric,
    &xlaMetric,
    &memoryMetric,
    &nvlinkAllMetric,
    &peakKernelsMetric,
    &nvlinkCollectivesMetric,
};

/// A part as a metric of its own: what it leaves open is as in the whole.
MetricDescriptor descriptorOf(const MetricDescriptor& whole, const MetricPart& part)
{
    MetricDescriptor metric = whole;
    metric.id = part.id;
    metric.title = part.title;
    metric.unit = part.unit.empty() ? whole.unit : part.unit;
    metric.direction = part.direction.value_or(whole.direction);
    metric.needs = part.needs.empty() ? whole.needs : part.needs;
    metric.meaning = part.meaning.empty() ? whole.meaning : part.meaning;
    metric.definition = part.definition.empty() ? whole.definition : part.definition;
    metric.parts = {};
    metric.whole = &whole;
    if (part.ranks)
        metric.ranks = part.ranks;
    metric.compute = part.compute;
    return metric;
}

std::vector<MetricDescriptor> withParts()
{
    std::size_t count = std::size(metrics);
    for (const MetricDescriptor* metric : metrics)
        count += metric->parts.size();
    std::vector<MetricDescriptor> all;
    all.reserve(count); // the parts point to their wholes in it
    for (const MetricDescriptor* metric : metrics) {
        const MetricDescriptor& whole = all.emplace_back(*metric);
        for (const MetricPart& part : metric->parts)
            all.push_back(descriptorOf(whole, part));
    }
    for (MetricDescriptor& metric : all)
        metric.aliases = aliasesOf(metric.id);
    return all;
}

} // namespace

std::span<const MetricDescriptor> allMetrics()
{
    static const std::vector<MetricDescriptor> all = withParts();
    return all;
}

} // namespace collscope
