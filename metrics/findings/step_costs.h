// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What costs time in a step, for the answer to "Why slow?" where no rank was late.

#include "metrics/causes/cause_answer.h"

namespace collscope {

/// Like explainStep(), with what the hardware record shows of that time (hardware_clauses.h); if no rank is
/// blamed, with a sentence for each of the findings that cost most in the step.
Result<StepExplanation> explainStepAndCosts(Analysis& analysis, std::int64_t number);
/// Likewise for answerWhy(); about a collective without findings.
CauseAnswer answerWhyAndCosts(Analysis& analysis, const CauseQuestion& question);

} // namespace collscope
