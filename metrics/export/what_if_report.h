// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What would help a run, as text and as JSON, schema collscope.what-if/1.

#include "metrics/whatif/what_if_answer.h"

namespace collscope {

/// How the replay fits, then a line per scenario, and what was left out.
/// What the durations of an answered scenario come from: "segments", "peers", "bound", "factor".
std::string_view basisName(const ScenarioAnswer& answer);
std::string whatIfText(const TraceModel& model, const WhatIfAnswer& answer);
/// How much longer the steps of timelines of operations take than they would, as lines.
std::string slowdownText(const Slowdown& slowdown);
/// Times in whole ns per step; places from the first event of the run, on the clock of their file.
Value whatIfValue(const TraceModel& model, const WhatIfAnswer& answer);

} // namespace collscope
