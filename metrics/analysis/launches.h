// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The activity of the CPU when it launched a piece of GPU work: the operators and annotations around the
// launch, and the thread. The training phases and the work of FSDP follow from this.

#include "metrics/analysis/analysis.h"
#include "model/name_table.h"

namespace collscope {

/// Properties that an operator, annotation or thread implies for the work launched inside it, one bit each.
enum LaunchMark : unsigned
{
    LaunchBackward = 1, ///< autograd runs a backward function
    LaunchOptimizer = 2, ///< `Optimizer.step#...`
    LaunchRecompute = 4, ///< activation checkpointing repeats a forward pass
    LaunchFsdp = 8, ///< a hook or operator of FSDP
    LaunchFsdpReshard = 16,
    LaunchFsdpCopyIn = 32, ///< packs parameters or gradients for a collective
    LaunchFsdpCopyOut = 64, ///< unpacks them
    LaunchFsdpModule = 128, ///< around a module wrapped by FSDP: shows only that FSDP is used
    LaunchAllToAll = 256, ///< an all-to-all, which NCCL runs as a SendRecv kernel
    LaunchSendReceive = 512, ///< a send or receive between two ranks, also a SendRecv kernel
};
constexpr int launchMarkCount = 10;

/// The marks that a CPU slice of this name gives to the work launched in it; 0 for most names.
unsigned launchMarksOf(std::string_view name);

/// The CPU side of one timeline, for the launches of its GPU work.
class LaunchContext
{
public:
    /// One pass over the CPU slices; each name is examined once.
    LaunchContext(const TraceModel& model, const Timeline& timeline, const std::function<bool()>& cancelled);

    /// The CPU call that launched a GPU slice; a none-slice if the file does not contain it. Amortized O(1)
    /// if queried in launch order.
    SliceRef launchOf(TrackId track, std::size_t row) const;
    /// Marks of all slices that enclose a launch on its thread. O(log n).
    unsigned marksOf(SliceRef launch) const;

    /// All marks that occur.
    unsigned allMarks() const { return m_allMarks; }
    /// Times of the backward functions on the CPU, by start.
    const std::vector<TimeRange>& backward() const { return m_backward; }
    /// Whether a backward function starts in [beginNs, endNs).
    bool backwardStartsIn(std::int64_t beginNs, std::int64_t endNs) const;
    /// Times of the optimizer steps on the CPU, by start.
    const std::vector<TimeRange>& optimizer() const { return m_optimizer; }
    /// Sorted times at which the backward functions of forward operators start (fwdbwd arrows).
    const std::vector<std::int64_t>& backwardArrows() const { return m_backwardArrows; }

private:
    struct Marked
    {
        TimeRange range;
        unsigned marks;
    };
    /// The marks of a thread over time, as a step function.
    struct Thread
    {
        StringId pid, tid;
        bool named = false; ///< an autograd thread by its name
        bool runsSteps = false; ///< contains ProfilerStep or optimizer annotations: the main thread
        std::vector<Marked> marked;
        std::vector<TimeRange> outermost; ///< outermost slices of a thread that may be an autograd thread
        std::int64_t backwardNs = 0; ///< part of these in backward functions
        unsigned always = 0; ///< marks of all slices on this thread
        std::vector<std::int64_t> timeNs;
        std::vector<unsigned> marks; ///< valid from timeNs[i] on
    };
    std::size_t threadOf(const Track& track);
    void collect(const Track& track, Thread& thread, NameTable<std::uint16_t>& known);
    void finish(Thread& thread);
    void collectArrows();

    const TraceModel& m_model;
    const Timeline& m_timeline;
    std::vector<Thread> m_threads;
    std::vector<std::pair<TrackId, std::size_t>> m_threadOfTrack; ///< sorted by track
    std::vector<TimeRange> m_backward, m_optimizer;
    std::vector<std::int64_t> m_backwardArrows;
    unsigned m_allMarks = 0;
    mutable std::size_t m_lastLaunch = 0; ///< start of the next search
};

/// The context of a timeline, shared by all metrics of the analysis.
const LaunchContext& launchesOf(Analysis& analysis, const Timeline& timeline);

} // namespace collscope
