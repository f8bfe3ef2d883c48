// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The training logs of a run as one series of steps.

#include "model/trace_model.h"

#include <map>

namespace collscope {

/// One line per step: several processes may log the same step, and a restart logs it again.
struct LoggedRun
{
    std::map<std::int64_t, LoggedStep> steps;
    std::size_t lines = 0;
    std::size_t repeated = 0; ///< lines of a step already logged by the same process; the last one counts
    std::size_t withoutLoss = 0; ///< lines of pipeline stages that do not have the loss
    std::size_t disagreeing = 0; ///< lines of other processes or files with a different loss
};
/// Merges all logs of the run; without logs the result has no steps. O(lines x log steps).
LoggedRun loggedRun(const TraceModel& model);

} // namespace collscope
