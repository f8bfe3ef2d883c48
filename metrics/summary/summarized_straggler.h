// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The stragglers of a model whose timelines are summaries.

#include "metrics/summary/folded_straggler.h"

#include <functional>
#include <memory>

namespace collscope {

using StragglerFoldPtr = std::shared_ptr<const Result<FoldedStraggler>>;
/// Folds the collectives of Analysis::communicating(). Error: a rank has no summary of its calls, or as
/// foldStraggler(). The model must be summarized.
StragglerFoldPtr foldSummaries(Analysis& analysis, const Parallel& parallel);
/// The fold of an analysis, made once: by foldSummaries(), if nobody lends one.
const Result<FoldedStraggler>& stragglerOfSummaries(Analysis& analysis);
/// From now on, stragglerOfSummaries() asks `lender` for the fold, which must be of the same model and
/// options (app/jobs/shared_straggler.h). An analysis of a chosen rank keeps its own.
void lendStraggler(Analysis& analysis, std::function<StragglerFoldPtr(Analysis& analysis)> lender);

} // namespace collscope
