// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/core/metric.h"

namespace collscope {

/// The first and last steps count, too, which `--steps inner` leaves out.
inline MetricOptions allSteps()
{
    MetricOptions options;
    options.steps.mode = StepChoice::Mode::All;
    return options;
}

} // namespace collscope
