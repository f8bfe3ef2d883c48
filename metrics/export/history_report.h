// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a job did over its whole time as JSON, schema collscope.history/1.

#include "metrics/core/value.h"
#include "metrics/history/job_report.h"

namespace collscope {

Value historyValue(const JobHistory& history, const JobReport& report, const Diagnostics& problems);

} // namespace collscope
