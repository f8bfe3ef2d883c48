// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The initial view of a run.

#include "model/trace_model.h"

#include <functional>

namespace collscope {

/// The last complete step over all ranks, else the GPU activity, else everything, with a margin. `onAxis`
/// converts the own time of a timeline (index into TraceModel::timelines) to the axis of the result.
TimeRange initialView(const TraceModel& model,
                      const std::function<TimeRange(std::size_t timeline, TimeRange)>& onAxis);

} // namespace collscope
