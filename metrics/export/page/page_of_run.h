// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run as one HTML file to send: it needs neither this program nor a network.

#include "metrics/analysis/analysis.h"
#include "metrics/definitions/metric_catalog.h"
#include "metrics/export/page/page_frame.h"
#include "metrics/hang/hang_verdict.h"
#include "model/result.h"

namespace collscope {

/// The page of the run of an analysis. `model`: that of the analysis. A run whose timelines cannot be divided
/// into parts has the reason in that place; if it has a verdict on a hang, that comes first. Bounded in size:
/// what has too many rows is folded, or cut with a word. Error Cancelled if the analysis was cancelled.
/// O(slices), and a replay.
Result<std::string> runPage(Analysis& analysis, const TraceModelPtr& model,
                            const std::vector<MetricRequest>& metrics, const HangOptions& hang,
                            const PageOrigin& origin);

} // namespace collscope
