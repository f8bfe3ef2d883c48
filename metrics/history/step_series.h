// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The step times of a job, from the lines of its logs.

#include "model/witnesses/job_history.h"

#include <optional>
#include <vector>

namespace collscope {

/// Steps that were logged, but are not in the series.
struct OtherSteps
{
    std::int64_t first = 0, last = 0;
    std::size_t lines = 0;
    double medianNs = 0;
    bool isEarlier = false; ///< of an earlier attempt; else of a log that contradicts the series
};

/// One value per logged step, by step. A later attempt replaces the earlier one from its first step on. Where
/// several logs of the same time agree, it is the median of them; of logs that do not, the longest counts.
struct StepSeries
{
    std::vector<std::int64_t> steps; ///< ascending
    std::vector<double> ns; ///< time of a step: where the log states a mean since the last line, this mean
    std::vector<std::int64_t> clockNs; ///< when the line was written, as the log says; 0: not stated
    LogDialect dialect = LogDialect::Megatron;
    bool isDerived = false; ///< from the times of the lines, since they do not state the time of a step
    bool clockIsUtc = false; ///< the logs state their time zone
    bool isJoined = false; ///< from times in whole seconds: lines are joined, see leastBarNs
    std::int64_t interval = 1; ///< steps from one line to the next: typical
    std::int64_t leastInterval = 1, mostInterval = 1;
    std::size_t logs = 0; ///< files that state them
    std::size_t restarts = 0; ///< how often the logs go back to an earlier step
    std::vector<OtherSteps> others; ///< earlier attempts, and logs that contradict these
    std::size_t unusedLines = 0; ///< of other programs, which could not be told to be the same job
    LogDialect unusedDialect = LogDialect::Megatron; ///< of one of them

    std::size_t size() const { return steps.size(); }
};

StepSeries stepSeries(const JobHistory& history);

/// Whether most lines state when they were written.
bool statesClocks(const StepSeries& series);

/// What to add to the times of the log to get UTC. Logs mostly write local time without saying so.
struct LogClock
{
    std::int64_t offsetNs = 0;
    bool isGuessed = false; ///< the time zone at which the log begins and ends with the communicators
};
/// nullopt: the log has no times, or no time zone makes them agree with these, in UTC.
std::optional<LogClock> logClock(const StepSeries& series, std::int64_t firstNs, std::int64_t lastNs);

} // namespace collscope
