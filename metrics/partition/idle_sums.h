// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The idle time of a rank in one window, added up by cause: from its gaps, or as a summary has it.

#include "metrics/partition/rank_sums.h"
#include "model/name_table.h"

namespace collscope {

/// Idle time of one cause in one window. Times in ns.
struct IdleSum
{
    IdleCause cause = IdleCause::Unexplained;
    std::int64_t ns = 0;
    std::int64_t gaps = 0;
    std::int64_t insideGraphNs = 0, queuedNs = 0, shownNs = 0; ///< see IdleSummary
    std::vector<std::pair<StringId, std::int64_t>> names; ///< the names that it is blamed on
    WorstPlaces places; ///< in the timeline's own time; of a summary only the longest
    TimeRange longest; ///< likewise
    const GpuGap* longestGap = nullptr; ///< nullptr: of a summary
    GapWords words; ///< of a summary: of the longest gap
};

/// Fewer equal calls are not worth a word.
constexpr std::int64_t fewestRepeats = 10;
/// What a sentence says of a gap of cpu_bound. O(CPU slices in the gap).
GapWords wordsOf(const TraceModel& model, const Timeline& timeline, const GpuGap& gap);

/// Adds up windows one by one, without an allocation per gap. The model must outlive it.
class IdleMeter
{
public:
    /// By cause; only causes with time. O(gaps in the window).
    std::vector<IdleSum> of(std::int32_t rank, const TimelineGaps& gaps, TimeRange window);
    /// Likewise, of a window of a partition. `sums`: of the rank.
    std::vector<IdleSum> of(const RankShare& rank, const StepShare& step, const RankSums& sums);

private:
    std::array<NameTable<std::int64_t>, idleCauseCount> m_nsByName; ///< zero between two windows
};

} // namespace collscope
