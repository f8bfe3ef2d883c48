// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Data of each collective of several ranks: last rank, lead, duration and bandwidth of the transfer. Numbers
// only; texts are looked up when they are shown.

#include "metrics/matching/collective_times.h"
#include "metrics/matching/run_collectives.h"

#include <array>

namespace collscope {

/// One collective of at least two present ranks. Times in ns, on the axis of CollectiveRows::clocks.
struct CollectiveRow
{
    CollectiveTimes times;
    double spreadNs = 0; ///< standard deviation of the starts
    std::optional<std::uint64_t> bytes; ///< message size S; the largest if the ranks differ
    std::optional<std::int64_t> step; ///< number of the step in which the first arriver started it
    std::uint32_t instance = 0; ///< into Matching::instances
    std::int32_t groupSize = 0; ///< n of the process group; 0 = unknown
    std::int32_t expected = 0; ///< ranks expected to take part, loaded or not; 0 = unknown
    KernelClass kind = KernelClass::OtherCommunication;
    bool isPointToPoint = false; ///< a receiver waits for its sender: a pipeline bubble, not lateness
    bool isLate = false; ///< the skew exceeds the clock uncertainty and lateNs
};

/// Selects process groups: one, all of a parallelism kind, or all.
struct GroupFilter
{
    std::optional<std::uint32_t> group; ///< into Matching::groups
    std::optional<ParallelismKind> parallelismKind;

    bool includes(const Matching& matching, std::uint32_t index) const
    {
        return (!group || *group == index)
            && (!parallelismKind || *parallelismKind == matching.groups[index].parallelismKind);
    }
    friend bool operator==(const GroupFilter&, const GroupFilter&) = default;
};

/// One rank's call in a collective, in ns on the axis.
struct MemberArrival
{
    std::int32_t rank = 0;
    SliceRef slice;
    TimeRange range;
    std::int64_t latenessNs = 0; ///< after the first arriver
    std::int64_t waitNs = 0; ///< for another rank, at most as long as its kernel; 0 if unknown
};

/// A call that is not part of a collective of several ranks.
struct UnmatchedRow
{
    std::int32_t rank = 0;
    const Call* call = nullptr;
    UnmatchedReason reason = UnmatchedReason::NoGroup;
    TimeRange range; ///< on the axis
};

struct CollectiveRows
{
    TraceModelPtr model;
    RunCollectivesPtr run;
    ClockChoice choice = ClockChoice::Auto;
    ClockMap clocks;
    std::vector<CollectiveRow> rows; ///< by start
    std::array<std::int64_t, matchRuleCount> callsByRule{}; ///< calls matched by each rule

    const CollectiveInstance& instanceOf(const CollectiveRow& row) const
    {
        return run->matching.instances[row.instance];
    }
    const ProcessGroup& groupOf(const CollectiveRow& row) const
    {
        return run->matching.groups[instanceOf(row).group];
    }
    std::span<const CallRef> callsOf(const CollectiveRow& row) const
    {
        return run->matching.membersOf(instanceOf(row));
    }
    const Call& memberOf(const CollectiveRow& row, std::uint32_t member) const
    {
        return run->callOf(callsOf(row)[member]);
    }
    std::int32_t firstRank(const CollectiveRow& row) const;
    std::int32_t lastRank(const CollectiveRow& row) const;
    /// The kernel of the last arriver.
    SliceRef lastSlice(const CollectiveRow& row) const { return memberOf(row, row.times.last).slice; }
    /// The profiler's name ("_allgather_base"), else the class ("AllGather").
    std::string_view nameOf(const Call& call) const { return callName(*model, call); }
    std::string_view nameOf(const CollectiveRow& row) const { return nameOf(memberOf(row, 0)); }
    std::string_view elementTypeOf(const CollectiveRow& row) const;
    /// nullopt if waiting time cannot be attributed.
    std::optional<double> meanWaitNs(const CollectiveRow& row) const;
    /// S / transfer time, and this value x busFactor, in decimal GB/s; nullopt if size (group size) is
    /// unknown, or no kernel lasts as long as the transfer (CollectiveTimes::tellsTransfer).
    std::optional<double> algorithmBandwidth(const CollectiveRow& row) const;
    std::optional<double> busBandwidth(const CollectiveRow& row) const;
    /// The row of any instance, in `rows` or not. For single instances: O(members + timelines and their
    /// steps).
    CollectiveRow describe(std::uint32_t instance) const;
    /// The call of each rank, computed on demand. O(members).
    std::vector<MemberArrival> arrivalsOf(const CollectiveRow& row) const;
    /// Index of the row of an instance; nullopt if it has only one member.
    std::optional<std::uint32_t> rowOf(std::uint32_t instance) const;
    /// A call of Matching::unmatched.
    UnmatchedRow unmatched(std::size_t index) const;

    std::vector<std::uint32_t> rowOfInstance; ///< noRow if it has only one member
    static constexpr std::uint32_t noRow = 0xffffffffu;
};
using CollectiveRowsPtr = std::shared_ptr<const CollectiveRows>;

/// A table without rows, for CollectiveRows::describe() of single collectives.
CollectiveRows withoutRows(TraceModelPtr model, RunCollectivesPtr run, ClockChoice choice);
/// One pass over all calls: O(calls + rows log rows). nullptr if cancelled.
CollectiveRowsPtr listCollectives(
    TraceModelPtr model, RunCollectivesPtr run, ClockChoice choice,
    const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
