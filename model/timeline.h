// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One rank's timeline from one source file. A rank that was traced by Kineto and by Nsight has two.

#include "model/collective.h"
#include "model/source_traits.h"
#include "model/track.h"

#include <optional>
#include <string_view>

namespace collscope {

/// By which kind of marker a timeline's steps were found. Metrics name it in their result.
enum class StepSource : std::uint8_t
{
    ProfilerStep,
    ExecuteContext,
    ServerStep, ///< "step[DECODE bs=32]"
    RunBatch,
    XlaStep,
    NvtxStep,
    OptimizerMarker,
    ArgsStep, ///< events say in their args which step they belong to
    WholeTrace
};
std::string_view stepSourceName(StepSource source);

struct Step
{
    std::int64_t number = 0; ///< as the trace names it
    StringId name;
    TimeRange range; ///< [start, end) of the marker on the CPU (or NVTX) side
};

/// The CPU call that launched the GPU work of a correlation id.
struct LaunchLink
{
    std::uint32_t correlation = 0;
    SliceRef slice;
};

/// What tells that timelines are not of one job, the surest first.
enum class JobEvidence : std::uint8_t
{
    None,
    WorldSize, ///< the files say different numbers of ranks
    Time, ///< further apart than clocks can be
    TooMany, ///< a rank beyond the number of ranks that the files say
    Members, ///< it calls a process group that its list of ranks says it is not in
    Calls, ///< one process group, and its ranks do not call the same collectives
    Ends, ///< calls of one number on a process group did not end together on any clocks
    HostClock, ///< nor on the one clock of their computer
    Kernels, ///< no kernels in common
};

struct Timeline
{
    std::int32_t rank = 0; ///< rank of the run; for nsys, file rank x devices + device
    SourceKind kind = SourceKind::Kineto;
    SourceId source;
    std::int64_t iteration = -1; ///< profiler iteration of its folder, -1 = none
    std::int32_t device = -1; ///< the GPU that most kernels ran on
    StringId deviceName; ///< "NVIDIA A100-SXM4-80GB"; none if unknown
    StringId host; ///< none if unknown
    std::int32_t multiprocessors = 0; ///< SMs of the device, 0 = unknown
    bool isXla = false; ///< of a device of an XLA profile (TPU, or JAX on GPUs)
    bool hasWallClock = false; ///< times are comparable with NVML counters and with other hosts' wall clocks
    std::int64_t fileToAxisNs = 0; ///< what was added to the file's own times
    std::optional<std::int32_t> worldSize; ///< distributedInfo.world_size
    std::vector<TrackId> tracks; ///< GPU streams first, natural order
    std::vector<CounterSeries> counters;
    std::vector<CollectiveCall> collectives; ///< in time order per track
    std::vector<KernelDetail> kernelDetails;
    FlowColumns flows;
    std::vector<Step> steps; ///< sorted by number
    StepSource stepSource = StepSource::WholeTrace;
    std::uint64_t graphTraceSpans = 0; ///< nsys: CUDA graphs traced as a whole, kernels inside unknown
    TimeRange range; ///< first start to last end of its slices
    /// The CPU slice that launched a correlation id; a none-slice if the file does not hold it. O(log n).
    SliceRef launchOf(std::uint32_t correlation) const;
    /// The first GPU slice of a correlation id; a none-slice if the file does not hold it. O(log n).
    SliceRef gpuSliceOf(std::uint32_t correlation) const;
    std::vector<LaunchLink> launches; ///< sorted by correlation; scoped to this file
    std::vector<LaunchLink> gpuSlices; ///< the same of the GPU's side
    StringId backend; ///< of torch.distributed: "nccl", "gloo"; none if the file does not say it
    std::int32_t processGroups = 0; ///< that the file lists for the rank, 0 = it lists none
    std::int32_t recording = 0; ///< which of the run's it is of, see recordings.h
    std::int32_t copyOfRank = -1; ///< rank whose events are the same ones, see rank_copies.h; -1 = none
    bool saysNoGpu = false; ///< the file lists the host's devices, and there are none
    bool isLegacyProfile = false; ///< of a PyTorch without Kineto: events without categories
    bool hasNoCopies = false; ///< the format of the file has no copies: that it holds none says nothing
    /// Its number is a person's choice or the order of the files: lists of ranks need not count like that.
    bool isRankAssumed = false;
    JobEvidence apart = JobEvidence::None; ///< why it is not of the first recording
};

} // namespace collscope
