// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The members of the types in a fragment, for the archive. A structured binding names all of them, so that a
// member that is added later does not compile until it is decided whether it is archived.

#include "model/building/fragment.h"
#include "model/partial/archive.h"
#include "model/partial/partition_fields.h"

namespace collscope {

template<>
inline constexpr SliceCategory lastOf<SliceCategory> = SliceCategory::Other;
template<>
inline constexpr KernelClass lastOf<KernelClass> = KernelClass::Memset;
template<>
inline constexpr FlowPhase lastOf<FlowPhase> = FlowPhase::End;
template<>
inline constexpr CounterUnit lastOf<CounterUnit> = CounterUnit::Megahertz;
template<>
inline constexpr TrackKind lastOf<TrackKind> = TrackKind::CpuThread;
template<>
inline constexpr SourceKind lastOf<SourceKind> = lastSourceKind;
template<>
inline constexpr StepSource lastOf<StepSource> = StepSource::Detected;
template<>
inline constexpr LinkDirection lastOf<LinkDirection> = LinkDirection::Rx;
template<>
inline constexpr Severity lastOf<Severity> = Severity::Error;

inline auto fields(TimeRange& range)
{
    auto& [beginNs, endNs] = range;
    return std::tie(beginNs, endNs);
}
inline auto fields(SliceRef& slice)
{
    auto& [track, row] = slice;
    return std::tie(track, row);
}

/// Excludes the offsets in the file, the longest slice and the index. The last two follow from the other
/// members.
inline auto fields(SliceColumns& slices)
{
    auto& [startNs, durationNs, name, category, kernelClass, depth, correlation, externalId, detail,
           collective, fileOffset, longestNs, index]
        = slices;
    return std::tie(startNs, durationNs, name, category, kernelClass, depth, correlation, externalId, detail,
                    collective);
}
inline auto fields(InstantColumns& instants)
{
    auto& [timeNs, name] = instants;
    return std::tie(timeNs, name);
}
inline auto fields(FlowColumns::Endpoint& own)
{
    auto& [kind, track, phase] = own;
    return std::tie(kind, track, phase);
}
inline auto fields(FlowColumns& flows)
{
    auto& [places, timeNs, id, place] = flows;
    return std::tie(places, timeNs, id, place);
}
inline auto fields(KernelDetail& detail)
{
    auto& [device, stream, grid, block, registersPerThread, sharedMemoryBytes, blocksPerSm, occupancyPercent,
           bytes, modelFlops, copyKind]
        = detail;
    return std::tie(device, stream, grid, block, registersPerThread, sharedMemoryBytes, blocksPerSm,
                    occupancyPercent, bytes, modelFlops, copyKind);
}
inline auto fields(CounterSeries& counter)
{
    auto& [name, unit, device, timeNs, value] = counter;
    return std::tie(name, unit, device, timeNs, value);
}
inline auto fields(CollectiveCall& call)
{
    auto& [kind, slice, onGpu, fromExecutionTrace, name, group, groupDescription, groupRanks, elementType,
           inSplit, outSplit, groupSize, sequence, commsId, inElements, outElements, payloadBytes, sourceRank,
           destinationRank, order]
        = call;
    return std::tie(kind, slice, onGpu, fromExecutionTrace, name, group, groupDescription, groupRanks,
                    elementType, inSplit, outSplit, groupSize, sequence, commsId, inElements, outElements,
                    payloadBytes, sourceRank, destinationRank, order);
}
inline auto fields(Step& step)
{
    auto& [number, name, range] = step;
    return std::tie(number, name, range);
}
inline auto fields(Track& track)
{
    auto& [kind, timeline, name, pid, tid, device, stream, lane, maxDepth, communication, slices, instants]
        = track;
    return std::tie(kind, timeline, name, pid, tid, device, stream, lane, maxDepth, communication, slices,
                    instants);
}
inline auto fields(PipelineWorker& worker)
{
    auto& [dp, stage, tp] = worker;
    return std::tie(dp, stage, tp);
}
inline auto fields(SyncDetail& sync)
{
    auto& [correlation, stream, waitedStream, recordCorrelation] = sync;
    return std::tie(correlation, stream, waitedStream, recordCorrelation);
}
inline auto fields(NameBreakdown& own)
{
    auto& [name, kernelClass, ns, communicationNs, calls, started] = own;
    return std::tie(name, kernelClass, ns, communicationNs, calls, started);
}
inline auto fields(CopyBreakdown& copies)
{
    auto& [kind, bytes, ns, calls] = copies;
    return std::tie(kind, bytes, ns, calls);
}
/// Excludes the sums of doubles, which depend on the order in which windows are summed.
inline auto fields(KernelBreakdown& own)
{
    auto& [names, copies, sets, unsizedCopies, coverageNs, coverageKnownNs, occupancyNs, occupancyKnownNs,
           lowCoverageNs, highCoverageNs, kernelNs, kernels, communicationKernels, byCollectiveName]
        = own;
    return std::tie(names, copies, sets, unsizedCopies, coverageKnownNs, occupancyKnownNs, lowCoverageNs,
                    highCoverageNs, kernelNs, kernels, communicationKernels, byCollectiveName);
}
inline auto fields(WindowSummary& window)
{
    auto& [range, activeNs, kernelSumNs, communicationSumNs, communicationCalls, kernelCalls, kernels, selfNs,
           operatorNs, callNs, launchBoundNs, partition]
        = window;
    return std::tie(range, activeNs, kernelSumNs, communicationSumNs, communicationCalls, kernelCalls,
                    kernels, selfNs, operatorNs, callNs, launchBoundNs, partition);
}
/// Excludes the shift, which assemble() decides.
inline auto fields(PackedSteps& steps)
{
    auto& [count, names, shiftNs, bytes] = steps;
    return std::tie(count, names, bytes);
}
inline auto fields(JobCallKind& own)
{
    auto& [kind, name, elements, count] = own;
    return std::tie(kind, name, elements, count);
}
inline auto fields(NumberedJobCalls& calls)
{
    auto& [number, kind, beginNs, durationNs] = calls;
    return std::tie(number, kind, beginNs, durationNs);
}
inline auto fields(JobGroupCalls& own)
{
    auto& [group, ranks, description, range, kinds, numbered] = own;
    return std::tie(group, ranks, description, range, kinds, numbered);
}
inline auto fields(JobCalls& calls)
{
    auto& [groups, hasUnlistedRanks] = calls;
    return std::tie(groups, hasUnlistedRanks);
}
inline auto fields(TimelineSummary& summary)
{
    auto& [whole, steps, detectedNs, kernels, gpuEvents, digest, hasSeveralGpus, communicates, thread,
           isThreadMarked, hasOperators, partition, jobCalls, calls]
        = summary;
    return std::tie(whole, steps, detectedNs, kernels, gpuEvents, digest, hasSeveralGpus, communicates,
                    thread, isThreadMarked, hasOperators, partition, jobCalls, calls);
}
/// Excludes launches and gpuSlices, which follow from the tracks, and the members that assemble() sets in
/// every timeline.
inline auto fields(Timeline& timeline)
{
    auto& [rank, kind, source, iteration, device, deviceName, host, multiprocessors, isXla, hasWallClock,
           fileToAxisNs, worldSize, tracks, counters, collectives, kernelDetails, flows, syncs, steps,
           stepSource, graphTraceSpans, range, launches, gpuSlices, backend, processGroups, recording,
           copyOfRank, saysNoGpu, isLegacyProfile, worker, isRankAssumed, apart, summary]
        = timeline;
    return std::tie(rank, kind, device, deviceName, host, multiprocessors, isXla, worldSize, tracks, counters,
                    collectives, kernelDetails, flows, syncs, steps, stepSource, graphTraceSpans, range,
                    backend, processGroups, saysNoGpu, isLegacyProfile, worker, isRankAssumed, summary);
}

inline auto fields(LinkSeries::FailedRead& failed)
{
    auto& [timeNs, bytes] = failed;
    return std::tie(timeNs, bytes);
}
inline auto fields(LinkSeries& series)
{
    auto& [link, direction, raw, beginNs, endNs, bytes, gap, resets, medianPeriodNs, failedReads, firstBytes,
           foldedBytes]
        = series;
    return std::tie(link, direction, raw, beginNs, endNs, bytes, gap, resets, medianPeriodNs, failedReads,
                    firstBytes, foldedBytes);
}
inline auto fields(NvlinkDevice& device)
{
    auto& [gpu, source, hasWallClock, series] = device;
    return std::tie(gpu, hasWallClock, series);
}

inline auto fields(ExecutionTrace::Call& call)
{
    auto& [meta, recordId] = call;
    return std::tie(meta, recordId);
}
inline auto fields(ExecutionTrace& trace)
{
    auto& [source, rank, schema, pid, nodes, calls] = trace;
    return std::tie(rank, schema, pid, nodes, calls);
}

inline auto fields(Parallelism& degrees)
{
    auto& [dpReplicate, dpShard, tp, pp, cp, ep, microBatches] = degrees;
    return std::tie(dpReplicate, dpShard, tp, pp, cp, ep, microBatches);
}
inline auto fields(WorkloadCard& card)
{
    auto& [path, description, huggingFaceUrl, traceUrl, phase, moe, modelFamily, precision, iteration,
           numParams, numParamsEmbedding, numParamsActive, numLayers, numHeads, headDim, batchSizes,
           batchSize, localBatchSize, seqLen, inputLen, outputLen, dataset, topology, scaleOutGbps,
           scaleUpGbps, deviceType, deviceModel, driverVersion, totalCount, countPerNode, framework,
           compilerTool, communicationLibrary, communicationLibraryVersion, parallelism, protocols,
           traceTypes, metricSpecificTraces]
        = card;
    return std::tie(path, description, huggingFaceUrl, traceUrl, phase, moe, modelFamily, precision,
                    iteration, numParams, numParamsEmbedding, numParamsActive, numLayers, numHeads, headDim,
                    batchSizes, batchSize, localBatchSize, seqLen, inputLen, outputLen, dataset, topology,
                    scaleOutGbps, scaleUpGbps, deviceType, deviceModel, driverVersion, totalCount,
                    countPerNode, framework, compilerTool, communicationLibrary, communicationLibraryVersion,
                    parallelism, protocols, traceTypes, metricSpecificTraces);
}
inline auto fields(TrainConfig& config)
{
    auto& [path, modelName, modelFlavor, description, dtype, pipelineSchedule, commBackend,
           activationCheckpoint, localBatchSize, globalBatchSize, seqLen, steps, pipelineMicrobatchSize,
           parallelism]
        = config;
    return std::tie(path, modelName, modelFlavor, description, dtype, pipelineSchedule, commBackend,
                    activationCheckpoint, localBatchSize, globalBatchSize, seqLen, steps,
                    pipelineMicrobatchSize, parallelism);
}

inline auto fields(BenchmarkTimes& times)
{
    auto& [mean, median, p99, each] = times;
    return std::tie(mean, median, p99, each);
}
inline auto fields(ServingBenchmark& benchmark)
{
    auto& [source, record, backend, model, firstToken, perToken, betweenTokens, endToEnd, ofBatches,
           outputTokensPerSecond, totalTokensPerSecond, requestsPerSecond, durationSeconds, requests,
           inputTokens, outputTokens]
        = benchmark;
    return std::tie(record, backend, model, firstToken, perToken, betweenTokens, endToEnd, ofBatches,
                    outputTokensPerSecond, totalTokensPerSecond, requestsPerSecond, durationSeconds, requests,
                    inputTokens, outputTokens);
}
inline auto fields(LoggedStep& logged)
{
    auto& [step, writer, lossIsFinite, loss, gradientNorm, learningRate, memoryBytes, tokensPerSecond,
           mfuPercent]
        = logged;
    return std::tie(step, writer, lossIsFinite, loss, gradientNorm, learningRate, memoryBytes,
                    tokensPerSecond, mfuPercent);
}
inline auto fields(TrainingLog& log)
{
    auto& [source, steps] = log;
    return std::tie(steps);
}
inline auto fields(GateLog& log)
{
    auto& [source, experts, tokens] = log;
    return std::tie(experts, tokens);
}
inline auto fields(Measurements& measurements)
{
    auto& [benchmarks, trainingLogs, gateLogs, gpuCount] = measurements;
    return std::tie(benchmarks, trainingLogs, gateLogs, gpuCount);
}

inline auto fields(Diagnostic& problem)
{
    auto& [severity, code, file, firstOffset, count, excludedEvents, explanation] = problem;
    return std::tie(severity, code, file, firstOffset, count, excludedEvents, explanation);
}
inline auto fields(SourceInfo& source)
{
    auto& [path, kind, bytes, rank, iteration, eventsInFile, shown, excluded, isReduced] = source;
    return std::tie(path, kind, bytes, rank, iteration, eventsInFile, shown, excluded, isReduced);
}

} // namespace collscope
