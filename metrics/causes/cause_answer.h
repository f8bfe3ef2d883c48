// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A question to the cause chain, with everything needed to show its answer.

#include "metrics/causes/cause_chain.h"
#include "metrics/causes/explain.h"
#include "model/result.h"

namespace collscope {

/// Why a step took this long, or why the last rank arrived late at a collective.
struct CauseQuestion
{
    std::optional<std::int64_t> step; ///< its number
    std::optional<std::uint32_t> instance; ///< into Analysis::run().matching.instances; used without a step
    ClockChoice clocks = ClockChoice::Auto;

    bool isEmpty() const { return !step && !instance; }
    friend bool operator==(const CauseQuestion&, const CauseQuestion&) = default;
};

struct CauseAnswer
{
    CauseQuestion question;
    std::string subject; ///< "Step 12", "AllReduce #221 of dp0 [0, 2]"
    Status status = {}; ///< or why the chain is missing
    std::string verdict; ///< one sentence
    std::string clocks; ///< ClockAlignment::summary
    CauseChain chain;
};
using CauseAnswerPtr = std::shared_ptr<const CauseAnswer>;

/// Precondition: the question is not empty. Cost: that of explainStep() or explainArrival().
CauseAnswer answerWhy(Analysis& analysis, const CauseQuestion& question);

} // namespace collscope
