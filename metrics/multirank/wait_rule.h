// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who can wait for whom in a collective.

#include "metrics/calls.h"
#include "model/collective_traits.h"

namespace collscope {

/// By the name that the profiler gives, else by the kernel. A kernel of sends and receives without a name may
/// be an all-to-all.
WaitRule waitRuleOf(const TraceModel& model, const Call& call);

/// Whether one rank sends to the others or collects from them (broadcast, reduce, gather, scatter). Whoever
/// sends fills buffers and leaves, whoever comes late finds them full: no kernel of it lasts as long as the
/// transfer, and none tells by its length who waited.
bool hasRoot(const TraceModel& model, const Call& call);

/// The root of a rooted collective as the profiler numbers it, in the group or in the whole job; nullopt
/// where the trace does not say it.
inline std::optional<std::int64_t> rootOf(const Call& call)
{
    return call.meta ? call.meta->sourceRank : std::nullopt;
}

/// Whether the ends of its kernels lie at one moment on all ranks, so that they can confirm a match: what
/// endsTogether says, and kernels of sends and receives, which finish when their data has moved.
bool confirmsByEnd(const TraceModel& model, const Call& call);

} // namespace collscope
