// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether runs have steps, or are captures without step markers.

#include "metrics/reports/run_values.h"

namespace collscope {

/// True if any of them is the whole capture of a rank without step markers.
bool hasWholeTraces(const std::vector<RankStepParts>& steps);
/// False if its kernels are counted per capture: the run has no steps.
bool countsPerStep(const RunSheets& run);
/// Why one of the runs has no steps to compare, as a sentence; nullopt if both have some.
std::optional<std::string> whyNoSteps(const RunSheets& base, const RunSheets& test);
/// False if only one run has step markers: a step is not a whole trace.
bool areComparable(const RunSheets& base, const RunSheets& test);

} // namespace collscope
