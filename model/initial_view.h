// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What a run shows first.

#include "model/trace_model.h"

#include <functional>

namespace collscope {

/// The last full step over all ranks, else the GPU activity, else everything; with a margin. `onAxis` leads
/// from a timeline's own time (index into TraceModel::timelines) to the axis that the answer is on.
TimeRange initialView(const TraceModel& model,
                      const std::function<TimeRange(std::size_t timeline, TimeRange)>& onAxis);

} // namespace collscope
