// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A report about a job in sentences and lines.

#include "metrics/history/job_report.h"

namespace collscope {

/// "Step times rose by 12 % at step 41200 (3.41 s to 3.82 s) ...".
std::string changeText(const JobHistory& history, const JobReport& report, const JobChange& change);
/// What is neither a change nor coverage: gradual changes, periods, restarts.
std::vector<std::string> jobNotes(const JobHistory& history, const JobReport& report);
std::string jobVerdict(const JobHistory& history, const JobReport& report);
/// The longest steps that are as fast as before a change of the step times.
double fastAgainNs(const JobChange& change);
/// The change that took the step times back to what they were before this one; nullptr: none did.
const JobChange* recoveryOf(const JobReport& report, const JobChange& change);
/// " They were back at 1 s at step 200."; empty: they were not.
std::string recoveryText(const JobReport& report, const JobChange& change);
/// The whole report as text; lines end with \n.
std::string jobText(const JobHistory& history, const JobReport& report);
/// "8 KiB", "256 MiB", "12345 B".
std::string sizeText(std::uint64_t bytes);

} // namespace collscope
