// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The answer above whatever shows stragglers.

#include "metrics/causes/straggler_report.h"

namespace collscope {

class AnswerPage;

/// Shows who made the others wait, in how many collectives that was measured and on which clocks, and the
/// warnings of the metric. The report must not be empty (StragglerReport::reason).
void showVerdict(const StragglerReport& report, AnswerPage& page);

} // namespace collscope
