// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The stragglers of a model whose timelines are summaries.

#include "metrics/summary/folded_straggler.h"

namespace collscope {

/// Folds the collectives of Analysis::communicating(), once. Error: a rank has no summary of its calls, or as
/// foldStraggler(). The model must be summarized.
const Result<FoldedStraggler>& stragglerOfSummaries(Analysis& analysis);

} // namespace collscope
