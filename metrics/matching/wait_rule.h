// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which ranks of a collective can wait for which.

#include "metrics/calls/calls.h"
#include "model/kernels/collective_traits.h"

namespace collscope {

/// Uses the profiler's name, else the kernel. A kernel of sends and receives without a name may be an
/// all-to-all.
WaitRule waitRuleOf(const TraceModel& model, const Call& call);

/// Whether one rank sends to the others or collects from them (broadcast, reduce, gather, scatter). A sender
/// fills buffers and ends, and a late receiver finds them full: no kernel lasts as long as the transfer, and
/// durations do not show waits.
constexpr bool hasRoot(WaitRule rule)
{
    return rule == WaitRule::AllForRoot || rule == WaitRule::RootForAll;
}
inline bool hasRoot(const TraceModel& model, const Call& call)
{
    return hasRoot(waitRuleOf(model, call));
}

/// The root of a rooted collective in the profiler's numbering (within the group or within the job); nullopt
/// if the trace does not state it.
inline std::optional<std::int64_t> rootOf(const Call& call)
{
    return call.meta ? call.meta->sourceRank : std::nullopt;
}

/// Whether the kernels of the call end at the same moment on all ranks, so that ends can confirm a match: if
/// endsTogether(), and for kernels of sends and receives, which end when their data has been transferred.
bool confirmsByEnd(const TraceModel& model, const Call& call);

} // namespace collscope
