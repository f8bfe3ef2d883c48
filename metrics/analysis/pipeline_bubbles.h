// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long each pipeline stage is busy and how long it waits for its neighbours; shared by the metric and the
// pipeline view. Point-to-point kernels count as waiting, because they spin until the other rank is ready.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// Bubble of one rank in one step or several, in ns.
struct Bubble
{
    std::int64_t windowNs = 0;
    std::int64_t warmUpNs = 0; ///< before the first compute kernel of a step
    std::int64_t interiorNs = 0;
    std::int64_t coolDownNs = 0; ///< after the last compute kernel outside the optimizer
    std::int64_t waitingNs = 0; ///< the part in which a point-to-point kernel spins
    std::int64_t computeNs = 0; ///< time with compute kernels, with or without other work

    std::int64_t ns() const { return warmUpNs + interiorNs + coolDownNs; }
    std::int64_t busyNs() const { return windowNs - ns(); }
    /// Share of the window; nullopt if the window is empty.
    std::optional<double> share() const
    {
        return ratio(static_cast<double>(ns()), static_cast<double>(windowNs));
    }
    Bubble& operator+=(const Bubble& more)
    {
        windowNs += more.windowNs;
        warmUpNs += more.warmUpNs;
        interiorNs += more.interiorNs;
        coolDownNs += more.coolDownNs;
        waitingNs += more.waitingNs;
        computeNs += more.computeNs;
        return *this;
    }
};

/// One rank in one step.
struct StepBubble
{
    const Timeline* timeline = nullptr;
    std::int64_t number = 0; ///< number of the step, as named in the trace
    TimeRange range; ///< in the timeline's own time
    bool counts = true; ///< included in the sums
    Bubble bubble;
};

struct RankBubble
{
    std::int32_t rank = 0;
    std::vector<StepBubble> steps;
    Bubble total;
};

/// Point-to-point kernels of the run, by track: those that pass activations to a neighbour.
struct PointToPoint
{
    std::vector<std::vector<bool>> isOne; ///< by track and row; empty for tracks without any
    std::int64_t inWindow = 0;
    std::int64_t untold = 0; ///< of these, kernels recognised by their kernel name alone
    std::int64_t leftOut = 0; ///< Send/Recv kernels of unknown purpose outside a known pipeline
    bool pipelineGroup = false; ///< whether a process group is described as pp

    bool holds(TrackId track, std::size_t row) const
    {
        return !isOne[track.value].empty() && isOne[track.value][row];
    }
};

/// The bubbles of the window, or the result to return instead.
struct BubbleTable
{
    std::optional<MetricResult> failure;
    std::vector<RankBubble> ranks; ///< in the order of the selection
    PointToPoint p2p;
    Bubble all;
};
using BubbleTablePtr = std::shared_ptr<const BubbleTable>;

/// The table for the analysis' window, computed once.
const BubbleTable& bubblesOf(Analysis& analysis);

/// Measures every step of every rank, for views; the sums cover the steps that metrics count (the inner
/// ones). Uses the options profileMode, hardware, collectives and cancelled. O(slices). The model must
/// outlive the result.
BubbleTablePtr measureAllSteps(const TraceModel& model, const MetricOptions& options);

} // namespace collscope
