// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Clocks of several ranks on one axis. All ranks end an all-reduce, all-gather, reduce-scatter or all-to-all
// at nearly the same moment, so these ends show the offsets between the clocks.
// See clock-alignment.md.

#include "metrics/core/clock_map.h"
#include "metrics/matching/matching.h"
#include "model/kernels/collective_traits.h"

#include <algorithm>

namespace collscope {

/// Minimum time after the first rank for a rank to count as late.
constexpr std::int64_t lateNs = 1000;
/// Clocks with a larger residual are not used to determine waits.
constexpr std::int64_t poorFitNs = 20'000;

struct ClockAlignment
{
    std::vector<ClockFit> fits; ///< one per timeline of the model
    std::int64_t collectives = 0; ///< number of collectives whose ends were compared
    std::int64_t ofSeveralRanks = 0; ///< number of collectives of several ranks, usable for clocks or not
    std::int64_t residualNs = 0; ///< p95 over all ends of the distance from the median end, aligned
    std::int64_t rawResidualNs = 0; ///< like residualNs, on the clocks as recorded
    std::int64_t impossible
        = 0; ///< collectives that, after alignment, a rank ended before the last one arrived
    std::int32_t components = 0; ///< sets of timelines without a common collective
    bool hasDrift = false;
    bool isNeeded = false; ///< the clocks differ by more than the ends' own spread
    bool isTrusted = false; ///< false: no collectives, or ends that do not fit any offsets
    bool isOfCpu = false; ///< collectives of a CPU backend: their ends scatter with thread scheduling

    /// Whether aligned clocks are used with this choice.
    bool isUsed(ClockChoice choice) const
    {
        return isTrusted && (choice == ClockChoice::Aligned || (choice == ClockChoice::Auto && isNeeded));
    }
    ClockMap map(ClockChoice choice) const { return isUsed(choice) ? ClockMap(fits) : ClockMap(); }
    /// Differences between ranks up to this are not significant: twice the residual of the clocks in use, at
    /// least lateNs; lateNs if the clocks are unknown.
    std::int64_t significantNs(ClockChoice choice) const
    {
        const bool isKnown = isUsed(choice) || (isTrusted && !isNeeded);
        return std::max(lateNs, isKnown ? 2 * residualOf(choice) : 0);
    }
    /// Residual of the clocks in use.
    std::int64_t residualOf(ClockChoice choice) const { return isUsed(choice) ? residualNs : rawResidualNs; }
    /// Whether the clocks fit so poorly that durations show waits better: the last rank does not wait, so its
    /// call is the shortest. Never for raw clocks, which the user selected, nor on CPUs, where durations
    /// scatter as much as ends.
    bool fitsPoorly(ClockChoice choice) const
    {
        return !isOfCpu && choice != ClockChoice::Raw && residualOf(choice) > poorFitNs;
    }
    /// Largest offset of any clock, at the middle of the compared time.
    std::int64_t largestAheadNs() const;
    /// One sentence: "Clocks aligned on 412 collectives, residual 3.1 us (p95)."
    std::string summary(ClockChoice choice) const;
};

/// Whether all ranks end the call at nearly the same moment, so that its ends show the clocks: not an
/// all-to-all whose ranks send different amounts, nor a batch of sends and receives.
bool endsTogether(const TraceModel& model, const Call& call);

/// Collectives used to measure clock offsets. Collectives matched by order alone are never used.
enum class ClockEvidence : std::uint8_t
{
    All,
    Named ///< only collectives identified by the profiler's numbers
};

/// Measures the clocks. Compares the ends of the matched collectives of each process group and combines the
/// offsets (and drifts, if there are enough collectives and they explain the ends clearly better) of all
/// groups by least squares over the graph of groups. Uses medians throughout, so a few late ends do not
/// matter. O(calls).
ClockAlignment alignClocks(
    const TraceModel& model, const std::vector<RankCalls>& ranks, const Matching& matching,
    ClockEvidence evidence = ClockEvidence::All,
    const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
