// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Steps where nobody marked them: the sequence of kernels of a training loop repeats from its first kernel
// on.

#include "model/trace_model.h"

#include <span>

namespace collscope {

/// A kernel of the stream that computes most.
struct SequenceKernel
{
    std::uint32_t name = 0;
    bool isOptimizer = false; ///< launched inside an Optimizer.step annotation; without any, by its name
    std::int64_t ns = 0;
};

/// Communication on another stream.
struct SideCall
{
    std::uint32_t name = 0;
    std::size_t before = 0; ///< the first kernel of the sequence that starts later
};

/// The kernels of a timeline's stream that computes most, in time order.
struct StreamSequence
{
    std::vector<SequenceKernel> kernels;
    std::vector<SliceRef> slices; ///< of the kernels
    std::vector<SideCall> sideCalls;
    std::int64_t endNs = 0; ///< of the timeline's last GPU event
    bool isOptimizerAnnotated = false; ///< the kernels of the optimizer are known from annotations, not names
};
/// Empty if there are more than four million.
StreamSequence busiestSequence(const TraceModel& model, const Timeline& timeline);

/// Where the repetitions of a sequence begin; empty if it does not repeat, or if that is doubtful. The
/// sequence must consist of at least four whole repetitions, from its first kernel to its last: a part before
/// or after them shows that something inside a step repeats, such as the layers of a model. At least 90 % of
/// the time of the kernels must repeat in the same order. Whether a repetition is a step is shown by the
/// optimizer, which runs in each step and in no smaller part of one. Unless annotations tell which kernels
/// are its own, each kind of communication must occur in each step, and no kernel in some of them only: it
/// may be what ends a step of several micro-batches. Without an optimizer, a step also contains a loop (its
/// layers) and something else. O(kernels) for sequences that repeat.
std::vector<std::size_t> findRepetitions(const StreamSequence& stream);

/// Sets the steps of all timelines with GPU work (StepSource::Detected), if no timeline has steps, if
/// PyTorch's profiler recorded them, and if all of these show the same number of repetitions at about the
/// same time. A step lasts from the begin of its first kernel to that of the next step, the last one until
/// the GPU's last kernel ends.
void detectSteps(TraceModel& model);

} // namespace collscope
