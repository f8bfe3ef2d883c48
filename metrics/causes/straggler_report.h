// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Data of the Stragglers tab: the arrivals that the metric `straggler` counts (metrics/causes/arrivals.h),
// and the collectives in which each rank made the others wait longest.

#include "metrics/causes/arrivals.h"

namespace collscope {

/// One collective in which a rank arrived last.
struct WorstCollective
{
    SliceRef slice; ///< the last rank's kernel
    std::string name; ///< "_allgather_base", else "AllGather"
    std::string group;
    std::optional<std::int64_t> step; ///< number
    TimeRange range; ///< first start to last start, on the axis: the wait
    std::int64_t imposedNs = 0; ///< sum of the waits of all ranks
    KernelClass kind = KernelClass::OtherCommunication;
};

struct StragglerReport
{
    struct Rank
    {
        RankWait wait;
        std::vector<WorstCollective> worst; ///< at most `worstKept`, largest imposed wait first
    };
    struct Group
    {
        std::string name; ///< empty if the trace names none
        std::int64_t skewNs = 0; ///< sum over its collectives
        std::int64_t longestNs = 0;
        std::int64_t collectives = 0;
    };
    static constexpr std::size_t worstKept = 20;

    std::string reason; ///< why the report is empty; empty if it is not
    std::string window; ///< "inner steps", ...
    std::string verdictText;
    StragglerVerdict verdict = StragglerVerdict::Nobody;
    std::optional<std::int32_t> straggler; ///< the rank that caused most waiting
    std::string clocks; ///< ClockAlignment::summary
    std::vector<std::string> warnings; ///< same warnings as those of the metric
    std::vector<Rank> ranks;
    std::vector<Group> groups; ///< largest sum first
    std::int64_t collectives = 0;
    bool knowsCollectives = true; ///< false: sums only, so that Rank::worst is empty
};

using StragglerReportPtr = std::shared_ptr<const StragglerReport>;

/// Fills in all but the window and the worst collectives. `collectivesOfGroup`: as Arrivals::groups.
void tellArrivals(Analysis& analysis, const Arrivals& arrivals, const ClockAlignment& clocks,
                  const std::vector<std::int64_t>& collectivesOfGroup, StragglerReport& report);

/// Computes the report. With the analysis of the metric it gives the same numbers.
StragglerReport reportStragglers(Analysis& analysis);

} // namespace collscope
