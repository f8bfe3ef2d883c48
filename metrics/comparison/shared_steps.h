// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Selects the steps of two runs to compare: those that both have, rank by rank. A rank or a step that one run
// lacks would look like a difference between the others.

#include "metrics/comparison/compared_work.h"
#include "metrics/reports/step_parts.h"

namespace collscope {

/// Pairs steps by number if the runs share numbers, else by order. Both ascending.
std::vector<StepPair> pairedSteps(const std::vector<std::int64_t>& base,
                                  const std::vector<std::int64_t>& test);

std::int64_t sumOf(const StepPartTimes& parts);

/// Each entry of `base` and the entry of `test` at the same index are steps of one rank that are compared.
struct SharedSteps
{
    std::vector<RankStepParts> base, test;
    bool haveParts = true; ///< else one of the runs has no GPU work: only lengths are compared
    ComparedWork work; ///< if the steps are whole captures
};
/// Empty if they are not comparable, or have nothing in common.
SharedSteps sharedSteps(const RunSheets& base, const RunSheets& test);

/// A note on steps or ranks that only one run has and that are therefore not compared; nullopt if all are
/// compared. Times of whole files are not cut to the common steps: they would no longer match the values in
/// the runs' own reports.
std::optional<std::string> stepsNote(const RunSheets& base, const RunSheets& test);

} // namespace collscope
