// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The speed of collectives: algorithm and bus bandwidth of matched calls (nccl-tests, doc/PERFORMANCE.md),
// the link bandwidth for comparison, and Hockney's model of the calls.

#include "metrics/analysis/analysis.h"

#include <unordered_map>

namespace collscope {

/// One matched collective with known message size and group size in which no rank can leave before its data
/// arrived (not hasRoot()).
struct Transfer
{
    const CollectiveInstance* instance = nullptr;
    const ProcessGroup* group = nullptr;
    const Call* call = nullptr; ///< call of its lowest rank; supplies size, type and group
    std::int64_t ns = 0; ///< shortest duration over the ranks present: the last rank to arrive does not wait
    double busFactor = 1;

    /// Decimal GB/s: S / t.
    double algorithmBandwidth() const { return gigabytesPerSecond(*call->bytes, ns); }
    /// Decimal GB/s: S / t x f.
    double busBandwidth() const
    {
        return static_cast<double>(*call->bytes) * busFactor / static_cast<double>(ns);
    }
    bool includesWait() const { return !instance->isWhole; }
};

/// The transfers of one type in the window, and the reasons why other calls of that type are excluded.
struct Transfers
{
    std::vector<Transfer> all; ///< in time order
    std::int64_t calls = 0; ///< calls of the type that start in the window, over all ranks
    std::int64_t unsizedCalls = 0; ///< of these, calls without a message size
    std::int64_t unsized = 0; ///< excluded instances: without a message size,
    std::int64_t withoutGroup = 0; ///< without a group size,
    std::int64_t alone = 0; ///< in a group of one rank,
    std::int64_t empty = 0; ///< with no bytes or no duration,
    std::int64_t rooted = 0; ///< with a root: none of their kernels lasts as long as the transfer
    std::int64_t waiting = 0; ///< transfers in `all` that lack ranks of their group: may include waiting time
};
/// Computed once for all types. O(calls of the run).
const Transfers& transfersOf(Analysis& analysis, KernelClass kind);

/// Why calls with a root have no bandwidth; a sentence without its subject: "have a root, ...".
inline constexpr std::string_view rootedText
    = "have a root (broadcast, reduce, gather, scatter). Their bandwidth cannot be determined: a sender may "
      "leave before the other ranks arrive, and a late rank finds its data ready, so no kernel lasts as long "
      "as the transfer.";

/// Why transfers are missing, as a sentence that the user can act on. Precondition: transfers.all is empty.
std::string whyNone(Analysis& analysis, KernelClass kind, const Transfers& transfers);

/// The location of the ranks of a call: links inside a node differ from links between nodes.
enum class NodeSpan : std::uint8_t
{
    OneNode,
    SeveralNodes,
    Unknown
};
class NodeMap
{
public:
    /// Hosts as named in the traces; without host names, `count_per_node` of the card.
    explicit NodeMap(Analysis& analysis);
    NodeSpan spanOf(const Call& call) const;
    /// Decimal GB/s that one rank can send over a link of this kind; empty source = unknown.
    struct Peak
    {
        double gigabytesPerSecond = 0;
        std::string source;
        explicit operator bool() const { return !source.empty(); }
    };
    const Peak& peakOf(NodeSpan span) const { return m_peaks[static_cast<std::size_t>(span)]; }
    const std::string& rule() const { return m_rule; } ///< how nodes were distinguished, in words

private:
    NodeSpan spanOfRanks(const std::vector<std::int32_t>& ranks) const;
    NodeSpan spanOfUnlisted(std::int32_t groupSize) const;

    const TraceModel& m_model;
    std::map<std::int32_t, StringId> m_hosts;
    std::optional<std::int64_t> m_ranksPerNode, m_worldSize;
    bool m_worldOnOneHost = false;
    Peak m_peaks[3];
    std::string m_rule;
    mutable std::unordered_map<std::uint32_t, std::optional<NodeSpan>> m_spanOfList; ///< evaluated once each
};

/// Hockney's model of the AllReduce calls in the window: t / (2 (n - 1)) = alpha + beta x S / n.
struct HockneyFit
{
    double alphaSeconds = 0;
    double betaSecondsPerByte = 0;
    double rSquared = 0; ///< 1 = the points lie on the line
    std::int64_t points = 0, sizes = 0; ///< sizes = number of different S / n
    bool exists() const { return points >= 5 && sizes >= 2; }
};
HockneyFit fitHockney(const std::vector<Transfer>& allReduces);

} // namespace collscope
