// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a finding rests on: entries of dumps, and two call stacks beside each other.

#include "metrics/hang/reported_finding.h"

namespace collscope {

/// The accused ranks, a rank that waits and, where that is the evidence, one that has finished: at most
/// eight.
void addWitnesses(const HangJob& job, const WaitGraph& graph, const HangFinding& finding,
                  ReportedFinding& reported);

/// The stack of an accused rank (py-spy's if there is one, else that of its call, else that of its last call)
/// and that of a rank that waits or differs.
void addStacks(const HangJob& job, const WaitGraph& graph, const HangFinding& finding,
               ReportedFinding& reported);

} // namespace collscope
