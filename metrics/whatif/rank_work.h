// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the GPU and the threads of one rank did, as far as a replay depends on it: the work on each stream,
// the calls that launched it, and the calls in which a thread waits.

#include "metrics/matching/run_collectives.h"

namespace collscope {

/// Times are in ns on the common axis: a clock that runs fast makes all that a rank does longer.
constexpr std::uint32_t noIndex = std::numeric_limits<std::uint32_t>::max();

struct GpuActivity
{
    SliceRef slice;
    TimeRange range;
    std::uint32_t stream = 0; ///< index into RankWork::streams
    std::uint32_t launch = noIndex; ///< index into RankWork::launches; noIndex: the file contains none
    std::uint32_t collective = noIndex; ///< index into Matching::instances, with several members
    KernelClass kind = KernelClass::None;

    bool communicates() const { return isCommunication(kind); }
};

struct GpuStream
{
    std::int32_t device = -1;
    std::int32_t number = -1;
    std::uint32_t first = 0; ///< into RankWork::activities
    std::uint32_t count = 0;
    bool communicates = false; ///< as most of its kernels do
};

struct LaunchCall
{
    SliceRef slice;
    TimeRange range;
    bool ofGraph = false; ///< launches a CUDA graph
};

/// What a call of the CUDA or HIP runtime has to do with the order of work.
enum class CallEffect : std::uint8_t
{
    None,
    WaitsForDevice, ///< until all its streams are done
    WaitsForWork, ///< until a stream or an event is done
    MakesStreamWait,
    MayWait, ///< copies, allocates or frees
    Polls ///< asks whether something is done, and returns at once
};
/// By the names of the CUDA Runtime, CUDA Driver and HIP Runtime APIs.
CallEffect callEffectOf(std::string_view name);

/// A moment of a thread that something else depends on, or that depends on something else.
struct CpuPoint
{
    enum class Kind : std::uint8_t
    {
        Returns, ///< from a call that waited
        EndsLoading,
        Pauses, ///< the thread has nothing to do; another one may go on
        Resumes, ///< after another one
        LaunchEnds, ///< a long call that launched work at its end
        Mark, ///< a step begins or ends
        BeginsLoading,
        StreamWait,
        Waits, ///< begin of a call that waits
        Launch
    };
    std::int64_t ns = 0;
    Kind kind = Kind::Launch;
    /// Launch, LaunchEnds: into RankWork::launches. Waits, Returns: into RankWork::waits. Mark: 2 x step
    /// where it begins, and one more where it ends. StreamWait: the correlation of the call. Resumes: thread
    /// that it waited for.
    std::uint32_t index = 0;
};

struct WaitingCall
{
    SliceRef slice;
    TimeRange range;
    CallEffect effect = CallEffect::None;
    std::uint32_t launch = noIndex; ///< that it is itself, if it is one
};

struct CpuThread
{
    std::vector<CpuPoint> points; ///< in time order
    std::vector<TimeRange> busy; ///< union of its operators and calls
    std::size_t calls = 0; ///< operators and launches
};

struct RankWork
{
    const Timeline* timeline = nullptr;
    const ClockMap* clocks = nullptr;
    std::size_t timelineIndex = 0;
    std::vector<GpuStream> streams;
    std::vector<GpuActivity> activities; ///< by stream, then start
    std::vector<LaunchCall> launches; ///< by begin
    std::vector<WaitingCall> waits;
    std::vector<CpuThread> threads;
    std::vector<std::uint32_t> inLaunchOrder; ///< activities with a launch, by its begin, then by their start
    std::vector<std::uint32_t> byEnd; ///< activities by end
    std::vector<Step> steps; ///< those that are replayed

    /// From the timeline's clock to the axis, and back.
    TimeRange onAxis(TimeRange range) const { return clocks->toAxis(timelineIndex, range); }
    TimeRange fromAxis(TimeRange range) const { return clocks->fromAxis(timelineIndex, range); }
    std::int64_t launchNs(const GpuActivity& activity) const
    {
        return launches[activity.launch].range.beginNs;
    }
    /// The last activity that was launched on a stream before a moment; noIndex if there is none. O(log n).
    std::uint32_t lastOn(const GpuStream& stream, std::int64_t ns) const;
    /// What the profiler says that the call of a correlation waits for; nullptr if nothing.
    const SyncDetail* syncOf(std::uint32_t correlation) const;
    /// The activity that such a call waits for: the last one on the stream before the event was recorded.
    /// noIndex if that is not stated.
    std::uint32_t awaitedBy(const TraceModel& model, const SyncDetail& sync, std::int64_t callNs) const;
};

/// O(n log n) of the timeline's slices. Model, run and clocks must outlive the result. `steps`: on the
/// timeline's clock.
RankWork readRankWork(const TraceModel& model, const RunCollectives& run, const ClockMap& clocks,
                      const Timeline& timeline, std::vector<Step> steps,
                      const std::function<bool()>& cancelled);

} // namespace collscope
