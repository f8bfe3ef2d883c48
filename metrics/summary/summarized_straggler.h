// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The stragglers of a model whose timelines are summaries.

#include "metrics/summary/folded_straggler.h"

#include <memory>
#include <mutex>

namespace collscope {

/// Folds the collectives of Analysis::communicating(), once. Error: a rank has no summary of its calls, or as
/// foldStraggler(). The model must be summarized.
const Result<FoldedStraggler>& stragglerOfSummaries(Analysis& analysis);

/// One fold for several analyses, also in different threads: the first one that asks folds, and the others
/// wait for it.
class SharedStraggler
{
public:
    /// `parallel`: the threads of the fold, whoever asks.
    explicit SharedStraggler(Parallel parallel)
        : m_parallel(std::move(parallel))
    { }

    /// From now on, stragglerOfSummaries() of the analysis is the fold of this, which must outlive it. All
    /// analyses must be of one model with the same options. One of a chosen rank keeps its own fold.
    void lendTo(Analysis& analysis);

private:
    friend const Result<FoldedStraggler>& stragglerOfSummaries(Analysis& analysis);
    using FoldPtr = std::shared_ptr<const Result<FoldedStraggler>>;
    FoldPtr of(Analysis& analysis);

    Parallel m_parallel;
    std::once_flag m_once;
    FoldPtr m_fold;
};
using SharedStragglerPtr = std::shared_ptr<SharedStraggler>;

} // namespace collscope
