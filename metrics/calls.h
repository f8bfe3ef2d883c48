// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Communication kernels as calls: how large, in which group, for which kind of parallelism.
// Which calls of several ranks are one collective: call_matching.h.

#include "metrics/multirank/rank_windows.h"
#include "model/collective_traits.h"

#include <map>

namespace collscope {

/// What a process group is for.
enum class ParallelismKind : std::uint8_t
{
    TensorParallel,
    DataParallel,
    PipelineParallel,
    ContextParallel,
    ExpertParallel,
    Global, ///< the whole world: loss, gradient norm
    Unknown
};
constexpr int parallelismKindCount = static_cast<int>(ParallelismKind::Unknown) + 1;
/// "tp", "dp", "pp", "cp", "ep", "global", "unknown": the words of the JSON.
std::string_view parallelismKindName(ParallelismKind parallelismKind);

/// How a purpose was found; the first that applies.
enum class ParallelismRule : std::uint8_t
{
    GroupDescription,
    Mesh,
    Annotation,
    SingleDimension,
    CollectiveType,
    None
};

/// One communication kernel of one rank, or the copies that make one collective.
struct Call
{
    SliceRef slice; ///< the first copy, where there are several
    TimeRange range; ///< whole, on the axis
    KernelClass kind = KernelClass::OtherCommunication;
    const CollectiveCall* meta = nullptr; ///< what the profiler says; nullptr = nothing
    std::optional<std::uint64_t> bytes; ///< message size S
    std::int32_t groupSize = 0; ///< n of the process group; 0 = unknown
    ParallelismKind parallelismKind = ParallelismKind::Unknown;
    ParallelismRule rule = ParallelismRule::None;
    std::int32_t step = -1; ///< index into the window's steps of its timeline, by start; -1 = outside
    const Timeline* timeline = nullptr;

    bool inWindow() const { return step >= 0; }
    std::int64_t durationNs() const { return range.lengthNs(); }
};
/// Whether the timeline itself says nothing of this call.
inline bool isFromExecutionTrace(const Call& call)
{
    return call.meta && call.meta->fromExecutionTrace;
}
/// The sentence that says so of some calls.
std::string borrowedText(std::int64_t borrowed, std::int64_t calls);

/// Bytes that one rank puts on the wire: S x factor.
std::optional<double> wireBytes(const Call& call);

/// All calls of one rank, in time order over the whole file; those outside the window too, because matching
/// counts from the beginning of the file.
struct RankCalls
{
    std::int32_t rank = 0;
    std::vector<Call> calls;
    double stepCount = 0; ///< steps of the window
    std::int64_t windowNs = 0;
};

/// Degrees of parallelism as far as the card, the TOML or the trace say; for tagging groups by their ranks.
struct Mesh
{
    std::int64_t tp = 1, cp = 1, dpShard = 1, dpReplicate = 1, pp = 1, ep = 1;
    bool isKnown = false;
    std::string source = {}; ///< file that gives them
    std::int64_t worldSize() const { return tp * cp * dpShard * dpReplicate * pp; }
};

std::vector<RankCalls> listCalls(const TraceModel& model, const Selection& selection, const Mesh& mesh,
                                 const MetricOptions& options);

/// Name and ranks of a call's process group: "dp0 [0, 2]"; empty where the trace names none.
std::string groupText(const TraceModel& model, const Call& call);

/// A send or receive, or a batch of them (one kernel, named "coalesced"): between the two ranks of a pair,
/// though the process group may be larger; a receiver waits for its sender, which is a pipeline's bubble and
/// no straggler. Without a name a SendRecv kernel may be an all-to-all, in which everybody waits for
/// everybody.
bool isPointToPoint(const TraceModel& model, const Call& call);

/// As the profiler calls it ("_allgather_base"), else its class ("AllGather").
std::string_view callName(const TraceModel& model, const Call& call);
/// The step of the window that a call starts in; nullptr where it is outside, or the selection has none.
const Step* stepOf(const Selection& selection, const Call& call);

/// Why calls have no message size: "the trace gives no message sizes ...", or an element type is unknown.
std::string whyUnsized(const TraceModel& model, const std::vector<RankCalls>& ranks,
                       std::optional<KernelClass> kind = std::nullopt);

/// The ranks of a group as the profiler lists them ("[0, 2]"); empty if not given or abbreviated.
std::vector<std::int32_t> parseRankList(std::string_view text);

} // namespace collscope
