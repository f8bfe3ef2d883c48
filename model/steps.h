// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the steps (iterations, passes) of a timeline by the markers its framework leaves (metrics.md 1.3
// "Steps").

#include "model/trace_model.h"

namespace collscope {

/// Fills steps and stepSource of each timeline from the first kind of marker that is there; else one step =
/// the whole trace. Devices of an XLA profile share the markers of their host. Called once, while the model
/// is built.
void findSteps(TraceModel& model);

/// Whether a slice of this name may mark a step.
bool namesStep(std::string_view name);

} // namespace collscope
