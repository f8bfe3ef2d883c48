// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collectives by the numbers that the profiler assigns to calls (Comms Id and Seq).

#include "metrics/matching/call_slots.h"

namespace collscope {

/// Collectives of a group according to the numbers of its calls.
struct Numbers
{
    Slots slots; ///< empty: some calls have no number
    MatchRule rule = MatchRule::GroupSequence;
    bool holdUp = false; ///< the numbers contradict names, types and sizes in at most 5 % of the collectives
};

/// O(calls log calls).
Numbers matchByNumbers(const std::vector<RankCalls>& ranks, const ProcessGroup& group);

/// Whether all calls of a collective agree with its first call.
bool allAgree(const std::vector<RankCalls>& ranks, std::span<const CallRef> slot);

} // namespace collscope
