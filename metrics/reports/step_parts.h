// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the time of a step is made of: parts that never overlap and leave nothing out, so that the parts of
// two runs account for all of the difference between their steps.

#include "metrics/analysis.h"
#include "metrics/reports/sheet.h"

namespace collscope {

/// At each moment the first of these that happens: computing hides communication, which hides copies.
enum class StepPart : std::uint8_t
{
    Gemm,
    Attention,
    Norm,
    Elementwise,
    Optimizer,
    OtherCompute,
    Moving, ///< exposed communication that moves data
    Waiting, ///< exposed communication that waits for the last rank
    Unsplit, ///< exposed communication of which waiting cannot be told: its partners are not known
    Copies, ///< exposed copies and memsets
    Idle
};
constexpr std::size_t stepPartCount = static_cast<std::size_t>(StepPart::Idle) + 1;
/// "GEMM", ..., "communication: moving", "communication: waiting", "communication: not split", "copies",
/// "idle": rows and columns.
std::string_view stepPartName(StepPart part);
std::optional<StepPart> stepPartOf(std::string_view name);
/// The part that a computing kernel of that class belongs to.
StepPart computePart(KernelClass kind);

using StepPartTimes = std::array<std::int64_t, stepPartCount>; ///< ns

/// One rank in one step.
struct RankStepParts
{
    std::int32_t rank = 0;
    std::int64_t step = 0; ///< number, as the trace names it
    TimeRange range; ///< of the timeline's own time; its length is the sum of the parts
    StepPartTimes parts{};
    bool isWholeTrace = false; ///< the file has no step markers
};
/// How a sheet says so, in its column "window".
constexpr std::string_view wholeTraceWindow = "whole trace";

/// Of every rank and step of the analysis' window. What is split into waiting and moving is what the timeline
/// hatches. A collective in which all wait for all waits until as long before its end as the shortest of its
/// members lasts: that needs no clocks. A batch of sends and receives that is matched waits until its last
/// rank begins, on the clocks of the analysis. Everything else is not split. O(n log n) of the GPU slices of
/// a step.
std::vector<RankStepParts> stepParts(Analysis& analysis);

/// Step_Parts: rank, step, step ms, a column in ms for each part, window ("step" or "whole trace").
Sheet stepPartsSheet(const std::vector<RankStepParts>& steps);

/// Kernels: class, name, calls per step, ms per step, mean us; per rank and step of the window, largest
/// first. A kernel is a call of the step that it starts in; its time is that in the window. "per capture"
/// where the run has no steps.
Sheet kernelsSheet(Analysis& analysis);

/// Collective_Kinds: kind, calls, steps; calls per rank that start in the window, and its steps. Of GPUs or
/// CPUs. A kind is a class of kernels, or the name of a collective of no class.
Sheet collectiveKindsSheet(Analysis& analysis);

} // namespace collscope
