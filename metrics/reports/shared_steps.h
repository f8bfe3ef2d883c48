// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which steps of two runs are compared: those that both have, rank by rank. A rank or a step that one run
// lacks would look like a difference between the others.

#include "metrics/reports/compared_work.h"
#include "metrics/reports/comparison.h"
#include "metrics/reports/step_parts.h"

namespace collscope {

/// A step of the baseline and the one of the test that it is compared with; a number, as the traces name it.
struct StepPair
{
    std::optional<std::int64_t> base, test; ///< at least one of the two
    friend bool operator==(const StepPair&, const StepPair&) = default;
};
/// Steps of one number where the runs share numbers, else in order. Both ascending.
std::vector<StepPair> pairedSteps(const std::vector<std::int64_t>& base,
                                  const std::vector<std::int64_t>& test);

std::int64_t sumOf(const StepPartTimes& parts);
/// The steps that a Step_Parts sheet was made from; empty if it is none. Of a Step_Times sheet the steps have
/// a range and no parts.
std::vector<RankStepParts> stepPartsOf(const Sheet& sheet);
/// Of the run's own Step_Parts, or, where it has no GPU work, Step_Times.
std::vector<RankStepParts> stepsOf(const RunSheets& run);
/// False where the steps of the run are known by their markers only, because it has no GPU work.
bool hasStepParts(const RunSheets& run);
/// True if any of them is the whole capture of a rank without step markers.
bool hasWholeTraces(const std::vector<RankStepParts>& steps);

/// Each entry of `base` and the one of `test` at its place are one rank's steps that are compared.
struct SharedSteps
{
    std::vector<RankStepParts> base, test;
    bool haveParts = true; ///< else one of the runs has no GPU work: only lengths are compared
    ComparedWork work; ///< where the steps are whole captures
};
/// False where one run has step markers and the other has none: a step is no whole trace.
bool areComparable(const RunSheets& base, const RunSheets& test);
/// Empty if they are not comparable, or have nothing in common.
SharedSteps sharedSteps(const RunSheets& base, const RunSheets& test);

/// What a reader of a comparison has to know: steps or ranks that only one run has, and so are not compared;
/// nullopt if all are. Times of whole files stay what they are: cutting them to common steps would make them
/// other figures than those in the runs' own reports.
std::optional<std::string> stepsNote(const RunSheets& base, const RunSheets& test);

} // namespace collscope
