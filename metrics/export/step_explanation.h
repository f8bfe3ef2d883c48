// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The explanation of a step as text and as JSON (--explain-step).

#include "metrics/causes/cause_chain.h"
#include "metrics/causes/explain.h"

namespace collscope {

/// The verdict, numbered sentences, one per line, then the clocks on which they are based.
std::string explanationText(const StepExplanation& explanation);
/// Times in microseconds on the axis; slices by name, as many as a clause shows.
Value explanationValue(const TraceModel& model, const StepExplanation& explanation);

} // namespace collscope
