// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether two runs do the same work in a step. A step of half the batch is shorter, and no better.

#include "metrics/reports/sheet.h"
#include "metrics/workload.h"

#include <optional>
#include <string>

namespace collscope {

struct RunSheets;

/// What the card or the configuration of a run says it computes in a step; empty where they do not say.
struct DescribedWork
{
    std::string model;
    std::optional<std::int64_t> batch; ///< samples of all data-parallel ranks and accumulation steps
    std::optional<std::int64_t> seqLen; ///< tokens of a sample
    bool doesAllTokens = true; ///< in a step, as training does; a pass of a server does some of them
};
/// Leaves out what was assumed.
DescribedWork describedWork(const Workload& workload);

/// Described_Work: a row with what is said; empty where nothing is.
Sheet describedSheet(const DescribedWork& work);
/// What the sheet Described_Work of a report says; nothing where older tools wrote the report.
DescribedWork describedIn(const Workbook& report);

/// "batch 8 -> 4, sequence length 512 -> 1024": what the descriptions of both runs contradict each other in;
/// empty where they do not.
std::string describedDifference(const DescribedWork& base, const DescribedWork& test);

/// "a call of allreduce sends 1e+06 -> 2e+06 elements", mean over the calls of a kind; empty where all kinds
/// that both runs have are alike, or the traces do not say it.
std::string messageDifference(const RunSheets& base, const RunSheets& test);
/// "AllReduce is called 2 -> 0 times in a step, AllGather 0 -> 2 times": kinds of collectives that only one
/// of the runs has, and, where both have steps, those with other counts. Empty where there are none, and
/// where a sheet Collective_Kinds is missing, as other tools and older versions write none.
std::string collectiveDifference(const RunSheets& base, const RunSheets& test);

/// How the work of a step of the test compares with that of the baseline.
struct ComparedStepWork
{
    enum class Verdict : std::uint8_t
    {
        Described, ///< both descriptions say the same batch
        Counted, ///< kernels, collectives and messages are alike; nothing says that the batch is
        Unknown, ///< they, or the names of models, differ in a way that the batch does not explain
        Unequal ///< the descriptions say another batch or sequence length
    };
    Verdict verdict = Verdict::Counted;
    bool isVouchedFor = false; ///< both descriptions say the same batch
    /// What differs, as the end of a sentence; empty where nothing does.
    std::string difference;
    /// Tokens (or samples) of a step, test / baseline, where both descriptions say them and they differ.
    std::optional<double> ratio;
    const char* unit = "sample"; ///< of the ratio

    /// A shorter step is a better one.
    bool isJudged() const { return verdict == Verdict::Described || verdict == Verdict::Counted; }
};

/// Precondition: both runs have steps. O(kernel names + rows of the collective sheets).
ComparedStepWork comparedStepWork(const RunSheets& base, const RunSheets& test);
/// What a reader has to know of it, a sentence; empty where the steps are the same as far as all sources say.
std::string comparedStepWorkNote(const ComparedStepWork& work);
/// "The test has 0.5 times the tokens in a step: a token takes 2.0 % longer."; empty without a ratio.
/// Mean steps in ms.
std::string perTokenSentence(const ComparedStepWork& work, double baseMs, double testMs);

} // namespace collscope
