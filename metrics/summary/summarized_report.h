// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The report of stragglers of a model whose timelines are summaries.

#include "metrics/causes/straggler_report.h"

namespace collscope {

/// As reportStragglers(), but without the worst collectives of each rank. The model must be summarized.
StragglerReport reportOfSummaries(Analysis& analysis);

} // namespace collscope
