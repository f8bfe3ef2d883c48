// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The step times of a job, from the lines of its logs.

#include "model/witnesses/job_history.h"

#include <optional>
#include <vector>

namespace collscope {

/// One value per logged step, by step. A step that was repeated after a restart has the time of its last
/// attempt; where several logs state it, the median of them.
struct StepSeries
{
    std::vector<std::int64_t> steps; ///< ascending
    std::vector<double> ns; ///< time of a step: where the log states a mean since the last line, this mean
    std::vector<std::int64_t> clockNs; ///< when the line was written, as the log says; 0: not stated
    LogDialect dialect = LogDialect::Megatron;
    bool isDerived = false; ///< from the times of the lines, since they do not state the time of a step
    bool clockIsUtc = false; ///< the logs state their time zone
    std::int64_t interval = 1; ///< steps from one line to the next: typical
    std::size_t logs = 0; ///< files that state them
    std::size_t restarts = 0; ///< how often a log goes back to an earlier step

    std::size_t size() const { return steps.size(); }
};

StepSeries stepSeries(const JobHistory& history);

/// What to add to the times of the log to get UTC. Logs mostly write local time without saying so.
struct LogClock
{
    std::int64_t offsetNs = 0;
    bool isGuessed = false; ///< the time zone at which the log begins and ends with the communicators
};
/// nullopt: the log has no times, or no time zone makes them agree with these, in UTC.
std::optional<LogClock> logClock(const StepSeries& series, std::int64_t firstNs, std::int64_t lastNs);

} // namespace collscope
