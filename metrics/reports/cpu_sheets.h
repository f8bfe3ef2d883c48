// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Report of a run without GPU work: its steps, by their markers, and its CPU operators.

#include "metrics/reports/step_parts.h"

namespace collscope {

/// Every rank and marked step of the analysis' window; without parts.
std::vector<RankStepParts> markedSteps(Analysis& analysis);
/// Step_Times: rank, step, step ms, window ("step").
Sheet stepTimesSheet(const std::vector<RankStepParts>& steps);

/// A CPU operator by its name.
struct OperatorRow
{
    std::string name;
    std::optional<double> calls, selfMs; ///< per step and rank; self: excluding nested operators
    double meanSelfUs = 0;
};
/// Per rank and marked step of the window, most time first. An operator belongs to the step in which it
/// starts. Empty if the run has no marked steps, or was reduced to files that lack inner operators. O(CPU
/// slices).
std::vector<OperatorRow> operatorRows(Analysis& analysis);
/// Operators: name, calls per step, self ms per step, mean self us.
Sheet operatorsSheet(const std::vector<OperatorRow>& operators);

} // namespace collscope
