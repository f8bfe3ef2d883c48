// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The training logs of a run as one series of steps.

#include "model/trace_model.h"

#include <map>

namespace collscope {

/// One line per step: several processes may log the same step, a restart logs it again.
struct LoggedRun
{
    std::map<std::int64_t, LoggedStep> steps;
    std::size_t lines = 0;
    std::size_t repeated
        = 0; ///< lines of a step that the same process had logged before: the last one counts
    std::size_t withoutLoss = 0; ///< lines of pipeline stages without the loss
    std::size_t disagreeing = 0; ///< lines of other processes or files whose loss is another
};
/// Of all logs of the run; without steps where there is none. O(lines x log steps).
LoggedRun loggedRun(const TraceModel& model);

} // namespace collscope
