// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One rank's timeline from one source file. A rank that was traced by both Kineto and Nsight has two.

#include "model/collective.h"
#include "model/source_traits.h"
#include "model/timeline_summary.h"
#include "model/track.h"

#include <optional>
#include <string_view>

namespace collscope {

/// The kind of marker by which a timeline's steps were found. Metrics name it in their result.
enum class StepSource : std::uint8_t
{
    ProfilerStep,
    ExecuteContext,
    ServerStep, ///< "step[DECODE bs=32]"
    RunBatch,
    XlaStep,
    NvtxStep,
    OptimizerMarker,
    ArgsStep, ///< args of events contain step numbers
    WholeTrace,
    Detected ///< nobody marked them: the sequence of kernels repeats
};
std::string_view stepSourceName(StepSource source);

struct Step
{
    std::int64_t number = 0; ///< as named in the trace
    StringId name;
    TimeRange range; ///< [start, end) of the marker on the CPU (or NVTX) side
};

/// The CPU call that launched the GPU work of a correlation id.
struct LaunchLink
{
    std::uint32_t correlation = 0;
    SliceRef slice;
};

/// What a call that makes a stream or the CPU wait for the GPU waits for, where the profiler tells: cuda_sync
/// events of Kineto.
struct SyncDetail
{
    std::uint32_t correlation = 0; ///< of the call
    std::int32_t stream = -1; ///< that waits or, where the CPU waits, is waited for; -1 = not stated
    std::int32_t waitedStream = -1; ///< on which the event was recorded; -1 = not stated
    std::uint32_t recordCorrelation = 0; ///< of the call that recorded the event; 0 = not stated
    friend bool operator==(const SyncDetail&, const SyncDetail&) = default;
};

/// Whose operations a timeline shows, in a file of operations (model/readers/kineto/pipeline_workers.h). Such
/// a file cannot contain copies.
struct PipelineWorker
{
    std::int32_t dp = 0; ///< data-parallel rank
    std::int32_t stage = 0; ///< of the pipeline
    std::int32_t tp = 0; ///< tensor-parallel rank
    // NOLINTNEXTLINE(modernize-use-nullptr): mistaken
    friend auto operator<=>(const PipelineWorker&, const PipelineWorker&) = default;
};

/// Evidence that timelines do not belong to one job, the most certain first.
enum class JobEvidence : std::uint8_t
{
    None,
    WorldSize, ///< the files state different numbers of ranks
    Time, ///< further apart than clocks can be
    TooMany, ///< a rank beyond the number of ranks that the files state
    Members, ///< it calls a process group that it cannot be a member of, by the list of ranks
    Calls, ///< the ranks of one process group do not call the same collectives
    Ends, ///< calls with the same number on a process group do not end together on any clocks
    HostClock, ///< calls with the same number do not fit the one clock of their host
    Kernels, ///< hardly any kernels in common
};

struct Timeline
{
    std::int32_t rank = 0; ///< rank of the run; for nsys, file rank x devices + device
    SourceKind kind = SourceKind::Kineto;
    SourceId source;
    std::int64_t iteration = -1; ///< profiler iteration from its folder, -1 = none
    std::int32_t device = -1; ///< the GPU that most kernels ran on
    StringId deviceName; ///< "NVIDIA A100-SXM4-80GB"; none if unknown
    StringId host; ///< none if unknown
    std::int32_t multiprocessors = 0; ///< SMs of the device, 0 = unknown
    bool isXla = false; ///< from an XLA profile (TPU, or JAX on GPUs)
    bool hasWallClock = false; ///< times are comparable with NVML counters and wall clocks of other hosts
    std::int64_t fileToAxisNs = 0; ///< offset that was added to the file's own times
    std::optional<std::int32_t> worldSize; ///< distributedInfo.world_size
    std::vector<TrackId> tracks; ///< GPU streams first, natural order
    std::vector<CounterSeries> counters;
    std::vector<CollectiveCall> collectives; ///< in time order per track
    std::vector<KernelDetail> kernelDetails;
    FlowColumns flows;
    std::vector<SyncDetail> syncs; ///< sorted by correlation
    std::vector<Step> steps; ///< sorted by number
    StepSource stepSource = StepSource::WholeTrace;
    std::uint64_t graphTraceSpans = 0; ///< nsys: CUDA graphs traced as one span, kernels inside unknown
    TimeRange range; ///< from the first start to the last end of its slices
    /// The CPU slice that launched a correlation id; a none-slice if the file does not contain it. O(log n).
    SliceRef launchOf(std::uint32_t correlation) const;
    /// The first GPU slice of a correlation id; a none-slice if the file does not contain it. O(log n).
    SliceRef gpuSliceOf(std::uint32_t correlation) const;
    std::vector<LaunchLink> launches; ///< sorted by correlation; scoped to this file
    std::vector<LaunchLink> gpuSlices; ///< GPU slices by correlation; like launches
    StringId backend; ///< of torch.distributed: "nccl", "gloo"; none if not stated in the file
    std::int32_t processGroups = 0; ///< number that the file lists for the rank, 0 = none
    std::int32_t recording = 0; ///< number of its recording, see recordings.h
    std::int32_t copyOfRank = -1; ///< rank with the same events, see rank_copies.h; -1 = none
    bool saysNoGpu = false; ///< the file's list of the host's devices is empty
    bool isLegacyProfile = false; ///< from a PyTorch without Kineto: events without categories
    /// Set: its slices are whole operations of a training job (a forward pass, a send), not kernels.
    std::optional<PipelineWorker> worker;
    /// The rank was set by the user or by the order of the files. Lists of ranks may use another numbering.
    bool isRankAssumed = false;
    JobEvidence apart = JobEvidence::None; ///< why it is not part of the first recording
    std::optional<TimelineSummary> summary; ///< in place of its events; nullopt: it has its events
};

} // namespace collscope
