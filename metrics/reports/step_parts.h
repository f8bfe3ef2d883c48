// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Divides the time of a step into parts that never overlap and leave nothing out, so that the parts of two
// runs account for the entire difference between their steps.
// See step-partition.md.

#include "metrics/analysis/analysis.h"
#include "metrics/core/sheet_columns.h"

#include <map>

namespace collscope {

/// At each moment the first active part in this order counts: compute overlaps communication, which overlaps
/// copies.
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
    Unsplit, ///< exposed communication whose waiting time is unknown because its partners are unknown
    Copies, ///< exposed copies and memsets
    Idle
};
constexpr std::size_t stepPartCount = static_cast<std::size_t>(StepPart::Idle) + 1;
/// "GEMM", ..., "communication: moving", "communication: waiting", "communication: not split", "copies",
/// "idle": rows and columns.
std::string_view stepPartName(StepPart part);
/// The part that a compute kernel of that class belongs to.
StepPart computePart(KernelClass kind);

using StepPartTimes = std::array<std::int64_t, stepPartCount>; ///< ns

/// Longer steps, over all ranks together (31 years), are damage: sums of their times could overflow.
inline constexpr double mostStepsMs = 1e12;

/// One rank in one step.
struct RankStepParts
{
    std::int32_t rank = 0;
    std::int64_t step = 0; ///< number, as in the trace
    TimeRange range; ///< in the timeline's own time; its length is the sum of the parts
    StepPartTimes parts{};
    bool isWholeTrace = false; ///< the file has no step markers
};
/// Value of the column "window" of such a step in a sheet.
constexpr std::string_view wholeTraceWindow = "whole trace";

/// Parts of every rank and step of the analysis' window. Communication is split into waiting and moving as in
/// the hatching of the timeline. In a collective in which all ranks wait for all, a kernel waits until the
/// duration of the shortest member before its end: that does not depend on clocks. A matched batch of sends
/// and receives without a type waits until its last rank starts, on the clocks of the analysis. All other
/// communication is not split. O(n log n) of the GPU slices of a step.
std::vector<RankStepParts> stepParts(Analysis& analysis);

/// Step_Parts: rank, step, step ms, a column in ms for each part, window ("step" or "whole trace").
Sheet stepPartsSheet(const std::vector<RankStepParts>& steps);

/// A kernel by its name.
struct KernelRow
{
    std::string kernelClass, name;
    double calls = 0, ms = 0; ///< per step, or per capture
    double meanUs = 0;
};
/// Per rank and step of the window, largest first. A kernel counts as a call of the step in which it starts;
/// its time is the part inside the window. Per capture if the run has no steps.
std::vector<KernelRow> kernelRows(Analysis& analysis);
/// Kernels: class, name, calls per step, ms per step, mean us, or these per capture.
Sheet kernelsSheet(const std::vector<KernelRow>& kernels, bool isOfCaptures);

/// Calls of one kind of collective, per rank.
struct KindCalls
{
    double calls = 0, steps = 0;
    double perStep() const { return steps > 0 ? calls / steps : calls; }
};
using CollectiveKinds = std::map<std::string, KindCalls>;
/// Calls per rank that start in the window, and the steps of the window. For GPUs or CPUs. A kind is a class
/// of kernels, or the name of a collective without a class.
CollectiveKinds collectiveKinds(Analysis& analysis);
/// Collective_Kinds: kind, calls, steps.
Sheet collectiveKindsSheet(const CollectiveKinds& kinds);

} // namespace collscope
