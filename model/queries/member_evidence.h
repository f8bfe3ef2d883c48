// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether ranks are members of the process groups that they call.

#include "model/trace_model.h"

namespace collscope {

/// Assigns a number to each of these timelines (indices into the model's timelines). Timelines with different
/// numbers cannot belong to one job. If some of the timelines that call a group are in its list of ranks, the
/// others belong to a different part. If more timelines call a group than it has members, and the list does
/// not show which of them are members, each timeline is a separate part. Abbreviated lists are not evidence,
/// nor are lists that contain none of the calling ranks: they may use another numbering. Ranks with assumed
/// numbers (Timeline::isRankAssumed) are only counted. If more than 16 numbers were needed, all are 0.
/// `calls`: of all timelines. O(groups).
std::vector<std::int32_t> partsByMembers(const TraceModel& model, const std::vector<JobCalls>& calls,
                                         const std::vector<std::size_t>& timelines);

} // namespace collscope
