// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/summary/summarized_straggler.h"

#include <memory>
#include <mutex>
#include <utility>

namespace collscope {

/// One fold of stragglers for several analyses, also in different threads: the first one that asks folds, and
/// the others wait for it.
class SharedStraggler
{
public:
    /// `parallel`: the threads of the fold, whoever asks.
    explicit SharedStraggler(Parallel parallel)
        : m_parallel(std::move(parallel))
    { }

    /// From now on, stragglerOfSummaries() of the analysis is the fold of this, which must outlive it. All
    /// analyses must be of one model with the same options. One of a chosen rank keeps its own fold.
    void lendTo(Analysis& analysis)
    {
        lendStraggler(analysis, [this](Analysis& first) {
            std::call_once(m_once, [&] { m_fold = foldSummaries(first, m_parallel); });
            return m_fold;
        });
    }

private:
    Parallel m_parallel;
    std::once_flag m_once;
    StragglerFoldPtr m_fold;
};
using SharedStragglerPtr = std::shared_ptr<SharedStraggler>;

} // namespace collscope
