// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Timelines and execution traces of the same ranks.

namespace collscope {

struct CollectiveCall;
struct TraceModel;

/// A kernel that says nothing of the sizes of its call.
bool lacksMetadata(const CollectiveCall& call);

/// Gives communication kernels that lack metadata what the execution trace of their rank says of the call:
/// collective, sizes, group. Calls are joined by id (rf_id = External id), or by order where there are as
/// many of the same kinds on both sides; what does not match stays as it is, with a notice. Needs sorted
/// timelines.
void joinExecutionTraces(TraceModel& model);

/// Of a run with execution traces: names the ranks that have only one of the two.
void notePartners(TraceModel& model);

} // namespace collscope
