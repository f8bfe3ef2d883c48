// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the steps (iterations, passes) of a timeline by the markers its framework leaves.

#include "model/trace_model.h"

namespace collscope {

/// Fills steps and stepSource of each timeline from the first kind of marker that is there; else one step =
/// the whole trace. Devices of an XLA profile share the markers of their host. Called once, while the model
/// is built.
void findSteps(TraceModel& model);

/// Servers launch a pass and go on: its mark can end long before its work on the GPU does, or even begins.
/// Lets each pass last until the work is done that was launched in it, or until the next pass begins.
/// `passes` are in time order; where launches are unknown they stay as marked.
void lastUntilGpuWorkIsDone(const TraceModel& model, const Timeline& timeline, std::vector<Step>& passes);

/// Whether a slice of this name may mark a step.
bool namesStep(std::string_view name);

} // namespace collscope
