// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One file that was given to two ranks, for example by a copy under another name.

#include "model/trace_model.h"

namespace collscope {

/// Sets Timeline::copyOfRank where all slices of a timeline are those of a timeline of a smaller rank: the
/// same threads and streams, start times, durations and names, and the same process groups. That both files
/// say another rank does not matter: whoever copies a file may change that too. Not of fewer than 16 slices.
/// Two GPUs never agree in that to the nanosecond. O(timelines), and O(slices) for those that are alike at
/// first sight.
void findRankCopies(TraceModel& model);

} // namespace collscope
