// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The section of a page about late ranks: the picture of a run, and what it does not show.

#include "metrics/analysis/analysis.h"
#include "metrics/export/page/html_writer.h"

namespace collscope {

/// Nothing for a run without communication, and if the analysis was cancelled. `model`: that of the analysis.
/// O(calls).
void writeLateness(HtmlWriter& html, Analysis& analysis, const TraceModelPtr& model);
/// That a section is about the whole files, and which of the user's choices therefore do not count in it.
std::string wholeFilesText(const MetricOptions& options);

} // namespace collscope
