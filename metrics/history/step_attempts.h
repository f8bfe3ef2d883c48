// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The steps of one writer of a log, attempt by attempt: a job that was restarted logs some steps again.

#include "model/witnesses/job_history.h"

#include <map>
#include <vector>

namespace collscope {

/// A step as a log states it.
struct StatedStep
{
    double ns = 0;
    std::int64_t clockNs = 0; ///< 0: not stated
};
using StatedSteps = std::map<std::int64_t, StatedStep>;

/// Progress bars state whole seconds: lines are joined until so much time passed, so that rounding is less
/// than the least change that counts.
constexpr std::int64_t leastBarNs = 60'000'000'000;

/// `lines`: of one writer in one log, in the order of the file. `isDerived`: the time of a step is that from
/// one line to the next. A new attempt begins where the steps go back, the time of the lines does not, and at
/// least two lines continue from there. Other lines that go back were written out of order.
std::vector<StatedSteps> stepAttempts(const std::vector<const LoggedTime*>& lines, bool isDerived);

/// When a line was written, or the time since the training began.
std::optional<std::int64_t> lineClockOf(const LoggedTime& line);

} // namespace collscope
