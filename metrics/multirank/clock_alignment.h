// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Clocks of several ranks on one axis. All ranks leave an all-reduce, all-gather, reduce-scatter or
// all-to-all at nearly the same moment, so the ends of these say how far the clocks are apart.

#include "metrics/multirank/call_matching.h"
#include "metrics/multirank/clock_map.h"
#include "model/collective_traits.h"

#include <algorithm>

namespace collscope {

/// A rank counts as late only if it came this much after the first one.
constexpr std::int64_t lateNs = 1000;
/// Clocks whose residual is above this are not asked who waited.
constexpr std::int64_t poorFitNs = 20'000;

struct ClockAlignment
{
    std::vector<ClockFit> fits; ///< one per timeline of the model
    std::int64_t collectives = 0; ///< whose ends were compared
    std::int64_t ofSeveralRanks = 0; ///< collectives, whether their ends tell clocks or not
    std::int64_t residualNs = 0; ///< p95 over all ends of the distance from the median end, aligned
    std::int64_t rawResidualNs = 0; ///< the same on the clocks as they are
    std::int64_t impossible = 0; ///< collectives that, aligned, a rank left before the last one came
    std::int32_t components = 0; ///< sets of timelines that no collective connects
    bool hasDrift = false;
    bool isNeeded = false; ///< the clocks are apart by more than the ends' own spread
    bool isTrusted = false; ///< false: no collectives, or ends that fit no clock
    bool isOfCpu
        = false; ///< of collectives that a CPU backend ran: their ends scatter as threads are scheduled

    /// The choice, Auto decided: true where aligned clocks are used.
    bool isUsed(ClockChoice choice) const
    {
        return isTrusted && (choice == ClockChoice::Aligned || (choice == ClockChoice::Auto && isNeeded));
    }
    ClockMap map(ClockChoice choice) const { return isUsed(choice) ? ClockMap(fits) : ClockMap(); }
    /// Differences between ranks up to this say nothing: twice the residual of the clocks in use; lateNs
    /// where that is less, or where nothing is known about the clocks.
    std::int64_t significantNs(ClockChoice choice) const
    {
        const bool isKnown = isUsed(choice) || (isTrusted && !isNeeded);
        return std::max(lateNs, isKnown ? 2 * residualOf(choice) : 0);
    }
    /// Of the clocks in use.
    std::int64_t residualOf(ClockChoice choice) const { return isUsed(choice) ? residualNs : rawResidualNs; }
    /// Where clocks fit this badly, durations tell better who waited: the last rank waits for nobody, so its
    /// call is the shortest. Never of raw clocks, which were asked for, nor on CPUs, where durations scatter
    /// as much as ends do.
    bool fitsPoorly(ClockChoice choice) const
    {
        return !isOfCpu && choice != ClockChoice::Raw && residualOf(choice) > poorFitNs;
    }
    /// Largest offset of any clock, in the middle of what was compared.
    std::int64_t largestAheadNs() const;
    /// One sentence for people: "Clocks aligned on 412 collectives, residual 3.1 us (p95)."
    std::string summary(ClockChoice choice) const;
};

/// And nearly at the same moment, so that their ends tell clocks: not an all-to-all whose ranks send
/// different amounts, nor a batch of sends and receives.
bool endsTogether(const TraceModel& model, const Call& call);

/// Which collectives say how far clocks are apart. Those by order alone never do.
enum class ClockEvidence : std::uint8_t
{
    All,
    Named ///< only those that the profiler's numbers name
};

/// O(calls). Ends of the matched collectives of each process group are compared, offsets (and, where the run
/// is long enough to show it, drifts) of all groups are settled by least squares over the graph of groups.
/// Medians throughout: a few late ends do not matter.
ClockAlignment alignClocks(
    const TraceModel& model, const std::vector<RankCalls>& ranks, const Matching& matching,
    ClockEvidence evidence = ClockEvidence::All,
    const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
