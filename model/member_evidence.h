// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether ranks are members of the process groups that they call.

#include "model/trace_model.h"

namespace collscope {

/// Of each of these timelines (indices into the model's) a number; those with different numbers cannot be of
/// one job. Where some of the timelines that call a group are in its list of ranks, those that are not in it
/// are of another part. Where more call it than it has members, and the list does not tell which of them are
/// its own, each is alone. Nothing is said by abbreviated lists, nor by lists that name none of the ranks
/// that call: they may count in another way. Ranks whose numbers are assumed (Timeline::isRankAssumed) are
/// only counted. If more than 16 numbers were needed, all are 0. O(calls).
std::vector<std::int32_t> partsByMembers(const TraceModel& model, const std::vector<std::size_t>& timelines);

} // namespace collscope
