// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What costs time in a run, ranked: groups of the partition, each with its cost, its worst places and one
// sentence. See README.md.

#include "metrics/partition/partition.h"
#include "model/result.h"

#include <memory>
#include <string>

namespace collscope {

/// What a finding is about. The first ones are not about time.
enum class FindingKind : std::uint8_t
{
    RanksMissing,
    SeveralRuns,
    UnrecognisedCommunication,
    ClocksApart,
    NoSteps,
    ProfilerOverhead,
    HardwareTrouble, ///< throttled GPUs, XID errors, links that repeat, as other programs recorded
    NetworkTrouble, ///< transports and channels that NCCL chose
    JobSlowed, ///< since when the whole job is slower, and where
    Straggler, ///< of summaries: who makes the others wait, without what nothing hides of these waits
    LateRank, ///< owns the waiting that a rank imposes
    SlowKernelsOnRank, ///< owns the excess of its kernels over those of its peers
    UnbalancedWork, ///< owns the waiting of ranks that take turns in being late, because they compute
                    ///< unequally
    UnbalancedExperts, ///< likewise, for the ranks of expert parallelism
    ExposedCommunication,
    SlowCollectives, ///< owns the exposed time of collectives far below the bandwidth of their size
    GpuIdle,
    LaunchBound,
    ExposedCopies,
    PipelineBubble, ///< owns the waiting in sends and receives, and at collectives between stages
    OutlierSteps, ///< owns the compute time of a few steps beyond that of the others
    Allocator,
    Recompiles
};
/// "late_rank", "gpu_idle", ...: the ids of the JSON.
std::string_view findingId(FindingKind kind);
/// Whether it has a cost. The others come first.
constexpr bool isAboutTime(FindingKind kind)
{
    return kind > FindingKind::Straggler;
}
/// The kind of the finding that owns idle time of a cause.
FindingKind kindOfIdle(IdleCause cause);

struct Finding
{
    FindingKind kind = FindingKind::GpuIdle;
    std::string title; ///< one sentence
    std::string group; ///< process group; empty: none
    std::string name; ///< kernel, operator or collective; empty: none
    std::string cause; ///< word for the cause; empty: none
    bool isPartOfCause = false; ///< `cause` explains less than half of the time, or it is one of two
    std::vector<std::int32_t> ranks; ///< ascending
    std::vector<std::pair<std::int32_t, std::int64_t>> nsByRank; ///< ranks that pay, ascending
    std::int64_t ns = 0; ///< owned in the partition, over all ranks and steps
    std::int64_t costNs = 0; ///< per step, over all ranks
    std::int64_t costOnRanksNs = 0; ///< per step, over the ranks that pay
    std::int64_t count = 0; ///< gaps, calls, copies or kernels
    WorstPlaces places; ///< on the axis of Analysis::clocks()
    bool isEstimated = false; ///< it compares with other ranks or calls
    std::optional<IdleCause> idleCause; ///< of idle time
    bool isInsideGraph = false; ///< most of this idle time is between two kernels of one launch

    /// Adds time that a rank pays; fast where ranks come in ascending order.
    void pay(std::int32_t rank, std::int64_t paidNs);
    /// Adds the time and places of another finding, not its words.
    void join(const Finding& other);
    /// The ranks that pay, in the order of nsByRank.
    std::vector<std::int32_t> payers() const;
};
/// What to do about it; for idle time: about its cause.
std::string_view adviceFor(const Finding& finding);

/// One rank over all its windows.
struct RankParts
{
    std::int32_t rank = 0;
    PartTimes parts; ///< sums over its windows
};

/// One rank in one window.
struct StepParts
{
    std::int32_t rank = 0;
    std::int64_t number = 0; ///< of the step
    TimeRange range; ///< on the axis of Analysis::clocks()
    PartTimes parts;
};

struct Findings : CountedTime, SplitCalls
{
    std::vector<Finding> all; ///< those that are not about time, then by cost
    PartTimes parts; ///< per step
    std::vector<RankParts> ranks; ///< ascending
    std::vector<StepParts> steps; ///< of all ranks: by rank, then by time
    std::int64_t stepNs = 0;
    double coverage
        = 1; ///< of the time from the begin of the first step to the end of the last one, by steps
    bool joinsGpus = false; ///< several GPUs of a rank are measured as one
    std::string clocks; ///< ClockAlignment::summary; empty for one rank, and if they are not known
    std::vector<std::string> warnings;
    std::vector<FindingKind> notLookedFor; ///< needs events that the run does not contain
    /// Why no communication is not a measured 0; empty if it is, or if there is some.
    std::string communicationUnknown;

    /// Whether times are means of several steps. Not before `ranks` is complete.
    bool isMeanOfSteps() const { return isPerStep && cells > static_cast<std::int64_t>(ranks.size()); }
    /// False if the waiting part is not known: see SplitCalls.
    bool areWaitsKnown() const { return tellWaits(parts.of(Part::Waiting)); }
    /// Why a part has no number, as a sentence; empty if it has one.
    std::string whyUnknown(Part part) const;
    /// The finding with the largest cost; nullptr if none costs time.
    const Finding* worst() const;
    /// Whether a finding has more than matteringShare.
    bool hasLargeCost() const;
    /// The sentence of the largest cost; "This run computes 94 % of the time." if no cost is large.
    std::string headline() const;
};

/// A finding with a smaller share of the step is only mentioned.
constexpr double smallShare = 0.01;
/// If the steps cover less of the time, that is said: the rest is not counted.
constexpr double completeCoverage = 0.9;
/// Without a finding of a larger share, nothing is worth changing.
constexpr double matteringShare = 0.03;
/// Share of the step; 0 for findings that are not about time.
double shareOf(const Findings& findings, const Finding& finding);

/// The findings of Analysis::selection(), or the reason why there are none. O(slices).
Result<Findings> findCosts(Analysis& analysis);

/// The findings of a run, or the reason why there are none.
using FindingsPtr = std::shared_ptr<const Result<Findings>>;

} // namespace collscope
