// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the files of a job contain, and what they cannot tell.

#include "metrics/history/job_report.h"

namespace collscope {

std::vector<std::string> jobCoverage(const JobHistory& history, const JobReport& report);

} // namespace collscope
