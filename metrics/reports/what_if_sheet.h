// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What would help a run, as a table.

#include "metrics/core/sheet.h"
#include "metrics/whatif/what_if_answer.h"

namespace collscope {

/// A row per scenario: those that would help, what helps after the best one, and the limits.
Sheet whatIfSheet(const TraceModel& model, const WhatIfAnswer& answer);

} // namespace collscope
