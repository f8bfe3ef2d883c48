// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The explanation of a step as text and as JSON (--explain-step).

#include "metrics/multirank/cause_chain.h"

namespace collscope {

/// The verdict, numbered sentences, one a line, then the clocks that they rest on.
std::string explanationText(const StepExplanation& explanation);
/// Times in microseconds of the axis; slices by name, as many as a clause shows.
Value explanationValue(const TraceModel& model, const StepExplanation& explanation);

} // namespace collscope
