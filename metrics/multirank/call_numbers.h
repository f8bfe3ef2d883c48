// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collectives by the numbers that the profiler gives to calls (Comms Id and Seq).

#include "metrics/multirank/call_slots.h"

namespace collscope {

/// What the numbers of a group's calls say.
struct Numbers
{
    Slots slots; ///< none: not every call has a number
    MatchRule rule = MatchRule::GroupSequence;
    bool holdUp = false; ///< they contradict names, types and sizes in at most 5 % of the collectives
};

/// O(calls log calls).
Numbers matchByNumbers(const std::vector<RankCalls>& ranks, const ProcessGroup& group);

/// Whether all calls of a collective agree with its first one.
bool allAgree(const std::vector<RankCalls>& ranks, std::span<const CallRef> slot);

} // namespace collscope
