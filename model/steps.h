// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the steps (iterations, passes) of a timeline by the markers its framework leaves (metrics.md 1.3
// "Steps").

#include "model/trace_model.h"

namespace collscope {

/// Fills timeline.steps and stepSource from the first kind of marker that is there; else one step = the whole
/// trace. `timeline` must belong to `model`. Called once, while the model is built.
void findSteps(const TraceModel& model, Timeline& timeline);

} // namespace collscope
