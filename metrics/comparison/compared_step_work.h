// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether two runs do the same work per step. A step with half the batch is shorter, but not better.

#include "metrics/reports/run_values.h"

namespace collscope {

/// "batch 8 -> 4, sequence length 512 -> 1024": contradictions between the descriptions of both runs; empty
/// if there are none.
std::string describedDifference(const DescribedWork& base, const DescribedWork& test);

/// "a call of allreduce sends 1e+06 -> 2e+06 elements", mean over the calls of a kind; empty if all kinds
/// that both runs have are alike, or the traces do not contain this information.
std::string messageDifference(const RunSheets& base, const RunSheets& test);
/// "AllReduce is called 2 -> 0 times, AllGather 0 -> 2 times per step": kinds of collectives that only one of
/// the runs has, and, if both have steps, kinds with different counts. Empty if there are none, and if no run
/// knows its kinds: reports of other tools and older versions do not have them.
std::string collectiveDifference(const RunSheets& base, const RunSheets& test);

/// How the work of a step of the test compares with that of the baseline.
struct ComparedStepWork
{
    enum class Verdict : std::uint8_t
    {
        Described, ///< both descriptions state the same batch
        Counted, ///< kernels, collectives and messages are alike; the batch is not recorded
        Unknown, ///< they, or the names of models, differ in a way that the batch does not explain
        Unequal ///< the descriptions state a different batch or sequence length
    };
    Verdict verdict = Verdict::Counted;
    bool isVouchedFor = false; ///< both descriptions state the same batch
    /// The differences, as the end of a sentence; empty without differences.
    std::string difference;
    /// Tokens (or samples) per step, test / baseline, if both descriptions state them and they differ.
    std::optional<double> ratio;
    const char* unit = "sample"; ///< unit of the ratio

    /// Whether a shorter step is a better step.
    bool isJudged() const { return verdict == Verdict::Described || verdict == Verdict::Counted; }
};

/// Precondition: both runs have steps. O(kernel names + rows of the collective sheets).
ComparedStepWork comparedStepWork(const RunSheets& base, const RunSheets& test);
/// A sentence for the reader; empty if the steps are the same according to all sources.
std::string comparedStepWorkNote(const ComparedStepWork& work);
/// "The test has 0.5 times the tokens per step: a token takes 2.0 % longer."; empty without a ratio. Mean
/// steps in ms.
std::string perTokenSentence(const ComparedStepWork& work, double baseMs, double testMs);

} // namespace collscope
