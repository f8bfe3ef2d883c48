// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Joins timelines and execution traces of the same ranks.

namespace collscope {

struct CollectiveCall;
struct TraceModel;

/// Whether this is a kernel without the sizes of its call.
bool lacksMetadata(const CollectiveCall& call);

/// Gives communication kernels that lack metadata the collective, sizes and group that the execution trace of
/// their rank records for the call. Calls are joined by id (rf_id = External id), or by order if both sides
/// have the same number of calls of the same kinds. Kernels without a match stay as they are, with a notice.
/// Needs sorted timelines.
void joinExecutionTraces(TraceModel& model);

/// For a run with execution traces: reports the ranks that have only a timeline or only an execution trace.
void notePartners(TraceModel& model);

} // namespace collscope
