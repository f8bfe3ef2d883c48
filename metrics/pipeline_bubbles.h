// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long each pipeline stage is busy and how long it waits for its neighbours: what the metric and the
// pipeline view share. Point-to-point kernels count as waiting, because they spin until the other rank is
// ready.

#include "metrics/analysis.h"

namespace collscope {

/// Bubble of one rank in one step or several, ns.
struct Bubble
{
    std::int64_t windowNs = 0;
    std::int64_t warmUpNs = 0; ///< before the first compute kernel of a step
    std::int64_t interiorNs = 0;
    std::int64_t coolDownNs = 0; ///< after the last compute kernel that is not the optimizer's
    std::int64_t waitingNs = 0; ///< the part in which a point-to-point kernel spins
    std::int64_t computeNs = 0; ///< busy with compute kernels, whatever runs beside them

    std::int64_t ns() const { return warmUpNs + interiorNs + coolDownNs; }
    std::int64_t busyNs() const { return windowNs - ns(); }
    /// Of the window; nullopt if that is empty.
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
    std::int64_t number = 0; ///< of the step, as the trace names it
    TimeRange range; ///< in the timeline's own time
    bool counts = true; ///< towards the sums
    Bubble bubble;
};

struct RankBubble
{
    std::int32_t rank = 0;
    std::vector<StepBubble> steps;
    Bubble total;
};

/// Point-to-point kernels of the run, by track: those that hand activations to a neighbour.
struct PointToPoint
{
    std::vector<std::vector<bool>> isOne; ///< by track and row; empty for tracks without
    std::int64_t inWindow = 0;
    std::int64_t untold = 0; ///< of these, known by their kernel name alone
    std::int64_t leftOut
        = 0; ///< Send/Recv kernels of which nothing tells what they are, in no known pipeline
    bool pipelineGroup = false; ///< some process group is described as pp

    bool holds(TrackId track, std::size_t row) const
    {
        return !isOne[track.value].empty() && isOne[track.value][row];
    }
};

/// The bubbles of the window, or the result to give instead.
struct BubbleTable
{
    std::optional<MetricResult> failure;
    std::vector<RankBubble> ranks; ///< as in the selection
    PointToPoint p2p;
    Bubble all;
};
using BubbleTablePtr = std::shared_ptr<const BubbleTable>;

/// Of the analysis' window, worked out once.
const BubbleTable& bubblesOf(Analysis& analysis);

/// Every step of every rank, for views; the sums are over the steps that metrics count (the inner ones). Of
/// the options profileMode, knowledge, collectives and cancelled count. O(slices). The model must outlive the
/// result.
BubbleTablePtr measureAllSteps(const TraceModel& model, const MetricOptions& options);

} // namespace collscope
