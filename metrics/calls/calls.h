// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Communication kernels as calls: their size, their group, and the kind of parallelism they serve. Matching
// the calls of several ranks to one collective: call_matching.h.

#include "metrics/calls/communication_call.h"
#include "metrics/core/rank_windows.h"

#include <limits>
#include <map>
#include <span>

namespace collscope {

/// Whether the call's metadata comes from an execution trace and not from the timeline.
inline bool isFromExecutionTrace(const Call& call)
{
    return call.meta && call.meta->fromExecutionTrace;
}
/// A sentence that states the number of calls with metadata from an execution trace.
std::string borrowedText(std::int64_t borrowed, std::int64_t calls);

/// Bytes that one rank sends over the wire: S x factor.
std::optional<double> wireBytes(const Call& call);

/// All calls of one rank, in time order over the whole file, including those outside the window, because
/// matching counts from the beginning of the file.
struct RankCalls
{
    std::int32_t rank = 0;
    std::vector<Call> calls;
    double stepCount = 0; ///< steps of the window
    std::int64_t windowNs = 0;
    std::size_t windowBegin = 0; ///< index of the first call in the window
    std::size_t windowEnd = std::numeric_limits<std::size_t>::max(); ///< behind the last one; may be larger

    /// Finds windowBegin and windowEnd. O(calls).
    void findWindow();
    /// From the first call in the window to the last. Between them may be others. In a window that is short,
    /// these are few of many.
    std::span<const Call> aroundWindow() const;
};

/// The calls of a rank, of a list in the order of ranks; nullptr if it does not have the rank.
const RankCalls* callsOf(const std::vector<RankCalls>& ranks, std::int32_t rank);

std::vector<RankCalls> listCalls(const TraceModel& model, const Selection& selection, const Mesh& mesh,
                                 const MetricOptions& options);

/// Name and ranks of a call's process group: "dp0 [0, 2]"; empty if the trace names no group.
std::string groupText(const TraceModel& model, const Call& call);

/// Whether a call is a send or receive, or a batch of them (one kernel, named "coalesced"). It involves only
/// the two ranks of a pair, although the process group may be larger. A receiver waits for its sender, which
/// is a pipeline bubble and not a straggler. Without a name a SendRecv kernel may be an all-to-all, in which
/// every rank waits for every other.
bool isPointToPoint(const TraceModel& model, const Call& call);

/// The profiler's name for a call ("_allgather_base"), else its class ("AllGather").
std::string_view callName(const TraceModel& model, const Call& call);
/// The step in which a call of the rank starts; nullptr if it starts outside of them, or if there are none.
const Step* stepOf(const RankWindows& rank, const Call& call);

/// Why calls have no message size: "the trace contains no message sizes ...", or an unknown element type.
std::string whyUnsized(const TraceModel& model, const std::vector<RankCalls>& ranks,
                       std::optional<KernelClass> kind = std::nullopt);

/// The ranks of a group as listed by the profiler ("[0, 2]"); empty if not given or abbreviated.
std::vector<std::int32_t> parseRankList(std::string_view text);

} // namespace collscope
