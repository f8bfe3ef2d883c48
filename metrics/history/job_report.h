// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a job did over its whole time: when it became slower or faster, and where.

#include "metrics/history/culprits.h"
#include "metrics/history/step_series.h"
#include "model/diagnostics.h"

#include <optional>
#include <string>
#include <vector>

namespace collscope {

/// A change of the step times.
struct StepChange
{
    std::int64_t step = 0; ///< the first step of the new level
    std::int64_t earliest = 0, latest = 0; ///< it lies between these steps
    double beforeNs = 0, afterNs = 0; ///< medians
    double probability = 1;
    std::size_t index = 0; ///< into StepSeries
};

/// One change of the job: of the step times, of communicators, or of both at the same time.
struct JobChange
{
    std::optional<StepChange> steps;
    std::vector<CommunicationChange> communication;
    /// When, in UTC: between these; 0: not stated.
    std::int64_t earliestNs = 0, latestNs = 0;
    bool isSlower = true;
    Culprit culprit;
    std::string text; ///< a sentence: what changed, when and by how much
};

struct JobReport
{
    StepSeries series;
    SeriesShape shape; ///< of the step times
    double medianNs = 0; ///< of the step times
    std::optional<LogClock> logClock; ///< between the log and the communicators
    CommunicationHistory communication;
    std::vector<JobChange> changes; ///< in the order of time, as far as it is known
    std::vector<std::string> notes; ///< gradual changes, periods, restarts
    std::vector<std::string> coverage; ///< what was recorded, and what the files cannot tell
    /// Neither the steps nor a communicator has enough values to show a change.
    bool isTooLittle = false;
    std::string verdict; ///< one sentence
};

JobReport jobReport(const JobHistory& history);

} // namespace collscope
