// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Report of a run without GPU work: its steps, by their markers, and its CPU operators.

#include "metrics/analysis.h"
#include "metrics/reports/sheet.h"

namespace collscope {

/// Step_Times: rank, step, step ms, window ("step"); for every rank and marked step of the analysis' window.
Sheet stepTimesSheet(Analysis& analysis);

/// Operators: name, calls per step, self ms per step, mean self us; per rank and marked step of the window,
/// most time first. Self: excluding nested operators. An operator belongs to the step in which it starts.
/// Empty if the run has no marked steps, or was reduced to files that lack inner operators. O(CPU slices).
Sheet operatorsSheet(Analysis& analysis);

} // namespace collscope
