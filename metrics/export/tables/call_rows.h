// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The communication calls of a run and their collectives, one after the other, for tables.

#include "metrics/export/tables/export_table.h"
#include "metrics/partition/exposed_calls.h"

namespace collscope {

/// Measures collectives as metrics do: where the clocks fit poorly, waits follow from durations.
class TableTimer
{
public:
    explicit TableTimer(TableSource& source);

    void measure(const CollectiveInstance& instance);
    const CollectiveTimes& times() const { return m_times; }
    const CollectiveTimes& waits() const { return m_waits; }
    /// Of a member, of the collective measured last; nullopt: cannot be told.
    std::optional<std::int64_t> waitOf(std::size_t member) const;
    std::optional<std::int64_t> latenessOf(std::size_t member) const;

private:
    CollectiveTimer m_timer;
    std::optional<CollectiveTimer> m_byDuration;
    CollectiveTimes m_times, m_waits;
};

/// One collective of at least two ranks. Times on the axis.
struct CollectiveTableRow
{
    const TraceModel& model;
    const RunCollectives& run;
    std::uint32_t number = 0; ///< into Matching::instances
    std::int64_t ordinal = 0; ///< among the collectives of its group
    const CollectiveTimes& times;
    const CollectiveTimes& waits; ///< the same, but by durations where the clocks fit poorly
    std::optional<std::uint64_t> bytes; ///< the largest if the ranks differ
    std::optional<std::size_t> step; ///< into StepWindows::all()
    const StepWindow* window = nullptr; ///< nullptr: outside of all steps

    const CollectiveInstance& instance() const { return run.matching.instances[number]; }
    const ProcessGroup& group() const { return run.matching.groups[instance().group]; }
    const Call& call(std::uint32_t member) const
    {
        return run.callOf(run.matching.membersOf(instance())[member]);
    }
    std::int32_t rankOf(std::uint32_t member) const
    {
        return run.ranks[run.matching.membersOf(instance())[member].rank].rank;
    }
};

/// One call of one rank. Times on the axis.
struct MemberTableRow
{
    const TraceModel& model;
    std::int64_t number = 0;
    const Call& call;
    std::int32_t rank = 0;
    TimeRange range;
    std::optional<std::uint32_t> collective; ///< nullopt: it has no partner
    std::optional<std::uint32_t> group;
    std::optional<std::int64_t> waitNs, latenessNs; ///< nullopt: cannot be told
    std::optional<UnmatchedReason> unmatched;
    std::optional<std::size_t> step;
    const StepWindow* window = nullptr;
    const CallShare* share = nullptr; ///< nullptr: it overlaps no step
};

// What they lack, as in ExportTable::write.
std::string forEachCollectiveRow(TableSource& source, const TakeTyped<CollectiveTableRow>& take);
std::string forEachMemberRow(TableSource& source, const TakeTyped<MemberTableRow>& take);

} // namespace collscope
