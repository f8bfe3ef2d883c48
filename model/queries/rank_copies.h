// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds a file that was given to two ranks, for example by copying it under another name.

#include "model/trace_model.h"

namespace collscope {

/// Sets Timeline::copyOfRank if all slices of a timeline equal those of a timeline with a smaller rank: the
/// same threads and streams, start times, durations and names, and the same process groups. Different rank
/// numbers in the two files do not matter, because they may have been changed in the copy. Timelines with
/// fewer than 16 slices are ignored. Two GPUs never agree in all of this to the nanosecond. O(timelines), and
/// O(slices) for timelines that look alike.
void findRankCopies(TraceModel& model);

} // namespace collscope
