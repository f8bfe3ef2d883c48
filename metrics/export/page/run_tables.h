// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tables of a run on a page: collectives, kernels, what would help, metrics.

#include "metrics/analysis/analysis.h"
#include "metrics/export/page/html_writer.h"
#include "metrics/export/written_report.h"

namespace collscope {

/// Collectives of several ranks by kind; or the calls of each rank, where the files contain no partners.
void writeCollectives(HtmlWriter& html, Analysis& analysis);
void writeKernels(HtmlWriter& html, Analysis& analysis);
/// What a replay says would make the steps shorter, or why it does not say. `said`: a reason that the page
/// gives elsewhere; nothing if it is this one.
void writeWhatIf(HtmlWriter& html, Analysis& analysis, const std::string& said);
/// The few metrics above all others, as tiles.
void writeTiles(HtmlWriter& html, const std::vector<NamedResult>& results);
/// All metrics with a number, those with another result, then those with none, by reason.
void writeMetrics(HtmlWriter& html, const std::vector<NamedResult>& results);

} // namespace collscope
