// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collectives of a group whose ranks recorded different calls, step by step: steps have the same numbers on
// all ranks, so that a call that one trace lacks makes only its own step uncertain.

#include "metrics/multirank/call_slots.h"

namespace collscope {

struct StepSlots
{
    Slots slots;
    std::vector<CallRef> ambiguous; ///< calls of steps in which they cannot be told apart
    /// Most calls of one step number that wait for everybody did not run at one time on the traces' own
    /// clocks. Steps are numbered otherwise, or clocks are apart, and nothing tells which: all calls are
    /// ambiguous.
    bool areApart = false;
};

/// The steps in which all ranks made the same calls, call by call; the calls of all others are ambiguous.
/// O(calls log steps).
StepSlots slotsOfEqualSteps(const std::vector<RankCalls>& ranks, const ProcessGroup& group);

/// The same, and in the other steps those calls of one name, type and size that every rank has as often as
/// the others, or not at all: then the k-th of them is the same one, if it can have been. O(calls log calls).
StepSlots slotsOfStepContent(const std::vector<RankCalls>& ranks, const ProcessGroup& group);

/// Whether most collectives that wait for everybody did not run at one time on the traces' own clocks: those
/// are apart by more than a call lasts, or these calls are not one collective. O(members).
bool areMostlyApart(const std::vector<RankCalls>& ranks, const Slots& slots);

/// Whether most collectives lie in steps of different numbers. O(members log steps).
bool areInOtherSteps(const std::vector<RankCalls>& ranks, const Slots& slots);

} // namespace collscope
