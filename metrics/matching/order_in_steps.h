// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Matches a group whose ranks recorded different calls, step by step: steps have the same numbers on all
// ranks, so a call missing from one trace makes only its own step uncertain.

#include "metrics/matching/call_slots.h"

namespace collscope {

struct StepSlots
{
    Slots slots;
    std::vector<CallRef> ambiguous; ///< calls in steps without a unique match
    /// Most calls in steps with the same number did not run at the same time on the traces' own clocks,
    /// although they wait for all ranks. Either steps are numbered differently or clocks differ, so all calls
    /// are ambiguous.
    bool areApart = false;
};

/// Matches the steps in which all ranks with calls made the same calls, call by call; calls of other steps
/// are ambiguous. O(calls log steps).
StepSlots slotsOfEqualSteps(const std::vector<RankCalls>& ranks, const ProcessGroup& group);

/// Like slotsOfEqualSteps(), and also matches in the other steps the calls of one name, type and size that
/// occur equally often on all ranks that have them, k-th with k-th. All calls are ambiguous if the result is
/// areMostlyApart(). O(calls log calls).
StepSlots slotsOfStepContent(const std::vector<RankCalls>& ranks, const ProcessGroup& group);

/// Whether most collectives in which all ranks wait for all did not run at the same time on the traces' own
/// clocks: the clocks differ by more than the duration of a call, or the calls are not one collective.
/// O(members).
bool areMostlyApart(const std::vector<RankCalls>& ranks, const Slots& slots);

/// Whether most collectives have members in steps of different numbers. O(members log steps).
bool areInOtherSteps(const std::vector<RankCalls>& ranks, const Slots& slots);

} // namespace collscope
