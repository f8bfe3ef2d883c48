// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What costs time in a run as text and as JSON, schema collscope.findings/1.

#include "metrics/findings/finding.h"

namespace collscope {

/// Step time and parts, then a line per finding with its advice. `most`: number of findings with a cost.
std::string findingsText(const Findings& findings, std::size_t most);
/// Those of `shown` that are too small for a line each: "Less than 1 % each: late_rank (3), gpu_idle
/// (saves)."; empty if there are none.
std::string smallFindingsText(const Findings& findings, const std::vector<const Finding*>& shown);
/// What is said about calls that may contain unknown waits; empty if there are none.
std::string unsplitText(const Findings& findings);
/// The text for --goto. A slice is located on the clock of its rank, a time range on the axis.
std::string locationOf(const TraceModel& model, const FindingPlace& place);
/// Times in whole ns; places on the axis, from the first event of the run.
Value findingsValue(const TraceModel& model, const Findings& findings, std::size_t most);

} // namespace collscope
