// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the steps (iterations, passes) of a timeline by the markers of its framework.

#include "model/trace_model.h"

namespace collscope {

/// Sets steps and stepSource of each timeline from the first kind of marker that is present; else the
/// complete trace is one step. Devices of an XLA profile share the markers of their host. Called once, while
/// the model is built.
void findSteps(TraceModel& model);

/// Servers launch a pass and continue, so its marker can end long before its GPU work ends, or even starts.
/// Extends each pass until the work launched in it is done, or until the next pass starts. `passes` are in
/// time order. Passes whose launches are unknown stay as marked.
void lastUntilGpuWorkIsDone(const TraceModel& model, const Timeline& timeline, std::vector<Step>& passes);

/// Whether a slice of this name may mark a step.
bool namesStep(std::string_view name);

} // namespace collscope
