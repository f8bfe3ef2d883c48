// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a task of a distributed run keeps of a trace: all that a metric reads, so that the merge computes it
// from the same events as one process that loads everything.

#include "model/fragment.h"

namespace collscope {

/// Leaves out, of what CPU threads did,
/// - operators inside of another operator, and Python functions that are not outermost,
/// - marks without a duration, and arrows but for the ends of those to backward functions (the correlation
///   ids of launches stay).
/// It keeps whatever says more than how long the CPU was busy: annotations, calls of the CUDA runtime,
/// collectives, steps, what LaunchContext looks for, and what launched a collective that says nothing itself.
/// Launch links are those of before: pack the fragment, whose unpacking makes them anew.
void keepWhatMetricsRead(TraceFragment& fragment);

} // namespace collscope
