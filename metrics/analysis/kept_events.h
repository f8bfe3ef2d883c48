// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The part of a trace that a task of a distributed run keeps: everything that a metric reads, so that the
// merge computes it from the same events as a single process that loads all files.
// See reduce-and-merge.md.

#include "model/building/fragment.h"

namespace collscope {

/// Removes from all tracks the marks without a duration, and from the CPU threads
/// - operators, overhead and unclassified slices inside another one, Python functions that are not outermost,
///   and External ids that nothing reads,
/// - arrows except for the ends of those to backward functions (the correlation
///   ids of launches stay).
/// Keeps everything that shows more than how long the CPU was busy: annotations, calls of the CUDA runtime,
/// collectives, steps, the names that LaunchContext uses, and the launches of collectives without metadata.
/// Launch links become stale: pack the fragment; unpacking recreates them.
void keepWhatMetricsRead(TraceFragment& fragment);

} // namespace collscope
