// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Source data of the sheets of the collective report: the calls of all ranks and their collectives, each with
// a unique name.

#include "metrics/analysis/analysis.h"
#include "metrics/analysis/transfers.h"
#include "metrics/core/sheet.h"

namespace collscope {

constexpr double bytesPerMebibyte = 1024.0 * 1024.0;

/// One collective of at least two ranks.
struct ListedCollective
{
    std::uint32_t instance = 0; ///< index into Matching::instances
    CollectiveTimes times; ///< on the axis of Analysis::clocks()
    const Call* call = nullptr; ///< call of its lowest rank; provides name, type, size and group
    bool isUneven = false; ///< an all-to-all whose ranks send different amounts
    bool waitsForAll = false; ///< all-reduce, reduce-scatter, all-gather, all-to-all of equal parts
    std::vector<std::int64_t>
        waits; ///< wait of each member, if `waitsForAll` and CollectiveTimes::tellsWaits
};

/// Covers the whole run, regardless of the selected window.
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

    /// "dp0_12": process group and position among its collectives, the same on every rank; includes the ranks
    /// of the group if several groups have its name.
    std::string idOf(std::uint32_t instance) const;
    /// Position among the collectives of its group.
    std::int64_t ordinalOf(std::uint32_t instance) const { return m_ordinals[instance]; }
    /// The collective of a call, with or without other ranks; nullopt if it is excluded.
    std::optional<std::uint32_t> instanceOf(CallRef call) const;

    /// The profiler's metadata of a call; all values unknown if it recorded none.
    static const CollectiveCall& metaOf(const Call& call);
    /// Start in us, as in the file.
    static double ownStartUs(const Call& call);
    std::string_view nameOf(const Call& call) const { return callName(model(), call); }
    /// Texts of the profiler's arguments; empty if not recorded.
    std::string_view groupName(const Call& call) const;
    std::string_view groupRanks(const Call& call) const;
    std::string_view groupDescription(const Call& call) const;
    std::string_view elementType(const Call& call) const;
    std::string_view inSplit(const Call& call) const;
    std::string_view outSplit(const Call& call) const;
    /// Size of that number of elements of the call's type in MiB; null if either is unknown.
    Value mebibytes(const Call& call, const std::optional<std::int64_t>& elements) const;
    /// The message size S of the bus-bandwidth convention, in MiB; null if unknown.
    Value fullMebibytes(const Call& call) const;
    /// Number of the stream; null if unknown.
    Value streamOf(const Call& call) const;
    /// "intra_node", "inter_node"; null if unknown.
    Value nodeSpan(const Call& call) const;
    /// Host name, or node number, of a rank; null if unknown.
    Value nodeOf(std::int32_t rank) const;

private:
    std::string_view textOf(const Call& call, StringId CollectiveCall::*member) const;

    Analysis& m_analysis;
    const RunCollectives& m_run;
    NodeMap m_nodes;
    std::vector<ListedCollective> m_collectives; ///< by start
    std::vector<std::string> m_prefixes; ///< by group
    std::vector<std::int64_t> m_ordinals; ///< by instance
    std::vector<std::vector<std::uint32_t>> m_instances; ///< by rank index and call; noInstance = none
};

} // namespace collscope
