// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the sheets of the collective report are made from: the calls of all ranks and the collectives they
// are part of, each with a name of its own.

#include "metrics/analysis.h"
#include "metrics/reports/sheet.h"
#include "metrics/transfers.h"

namespace collscope {

constexpr double bytesPerMebibyte = 1024.0 * 1024.0;

/// One collective of at least two ranks.
struct ListedCollective
{
    std::uint32_t instance = 0; ///< into Matching::instances
    CollectiveTimes times; ///< on the axis of Analysis::clocks()
    const Call* call = nullptr; ///< of its lowest rank; stands for name, type, size and group
    bool isUneven = false; ///< an all-to-all whose ranks send different amounts
    bool waitsForAll = false; ///< all-reduce, reduce-scatter, all-gather, all-to-all of equal parts
    std::vector<std::int64_t> waits; ///< of each member, where `waitsForAll` and CollectiveTimes::tellsWaits
};

/// The whole run, whatever window was chosen.
class CollectiveListing
{
public:
    /// O(calls of the run). The analysis must outlive it.
    explicit CollectiveListing(Analysis& analysis);

    const TraceModel& model() const { return m_analysis.model(); }
    const RunCollectives& run() const { return m_run; }
    const NodeMap& nodes() const { return m_nodes; }
    const std::vector<ListedCollective>& collectives() const { return m_collectives; }
    std::span<const CallRef> membersOf(const ListedCollective& collective) const
    {
        return m_run.matching.membersOf(m_run.matching.instances[collective.instance]);
    }
    TimeRange onAxis(const Call& call) const { return m_analysis.onAxis(call); }

    /// "dp0_12": process group and place among its collectives, the same on every rank; the group with its
    /// ranks where its name stands for several groups.
    std::string idOf(std::uint32_t instance) const;
    /// Place among the collectives of its group.
    std::int64_t ordinalOf(std::uint32_t instance) const { return m_ordinals[instance]; }
    /// The collective that a call is part of, alone or with others; nullopt if it is left out.
    std::optional<std::uint32_t> instanceOf(CallRef call) const;

    /// What the profiler says of a call; all of it unknown if it says nothing.
    static const CollectiveCall& metaOf(const Call& call);
    /// Begin in us, as the file has it.
    static double ownStartUs(const Call& call);
    std::string_view nameOf(const Call& call) const { return callName(model(), call); }
    /// Texts of the profiler's arguments; empty where it says nothing.
    std::string_view groupName(const Call& call) const;
    std::string_view groupRanks(const Call& call) const;
    std::string_view groupDescription(const Call& call) const;
    std::string_view elementType(const Call& call) const;
    std::string_view inSplit(const Call& call) const;
    std::string_view outSplit(const Call& call) const;
    /// MiB of so many elements of the call's type; null where either is unknown.
    Value mebibytes(const Call& call, const std::optional<std::int64_t>& elements) const;
    /// The message size S of the bus-bandwidth convention, in MiB; null where it is unknown.
    Value fullMebibytes(const Call& call) const;
    /// Number of the stream; null where it is unknown.
    Value streamOf(const Call& call) const;
    /// "intra_node", "inter_node"; null where it is unknown.
    Value nodeSpan(const Call& call) const;
    /// Host, or number of the node, of a rank; null where it is unknown.
    Value nodeOf(std::int32_t rank) const;

private:
    std::string_view textOf(const Call& call, StringId CollectiveCall::*member) const;

    Analysis& m_analysis;
    const RunCollectives& m_run;
    NodeMap m_nodes;
    std::vector<ListedCollective> m_collectives; ///< by begin
    std::vector<std::string> m_prefixes; ///< by group
    std::vector<std::int64_t> m_ordinals; ///< by instance
    std::vector<std::vector<std::uint32_t>> m_instances; ///< by rank index and call; noInstance = none
};

} // namespace collscope
