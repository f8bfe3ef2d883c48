// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// By how much a late rank exceeds the ranks that wait for it, in everything that it may spend time on.

#include "metrics/findings/cpu_comparison.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace collscope {

/// A smaller share of the waits is not worth a reason, and one below half of them is not all of it.
constexpr double leastExplained = 0.1;
constexpr double mostlyExplained = 0.5;

/// Adds up by how much a late rank exceeds the others.
class LateSums
{
public:
    /// The ways must outlive this.
    LateSums(const FindingInput& input, const ComparedWays& ways, const LateGroup& group);

    void addAll();
    /// Leaves compute and copies out where they only run beside what makes the rank late: where it has no
    /// more of them to do, or where it arrives as soon as its call is launched.
    void dropWorkBeside();
    /// Unites the idle time for the CPU: what all CPUs do alike is seen only on the rank whose GPU waits for
    /// it. What the late rank's CPU does more than the others is why its GPU is idle.
    void uniteIdleTime();
    /// These causes, the largest first: most of the idle time together. Empty: the trace does not show them,
    /// or uniteIdleTime() does not apply.
    const std::vector<IdleCause>& causesOnCpu() const { return m_causesOnCpu; }
    /// What the CPU does more before late launches, if most of the waits are for calls that start as soon as
    /// they are launched, and one cause explains most of them. Not the wait for what the GPU computes.
    std::optional<IdleCause> causeOfLaunches() const { return m_causeOfLaunches; }
    double shareOfLaunches() const
    {
        return static_cast<double>(m_promptWaitsNs) / static_cast<double>(m_waitedNs);
    }
    /// By how much the events that count last longer on the late rank, in the steps in which others wait.
    std::int64_t moreOfEventsNs(const RankBetweenCalls::CountsRow& counts) const;

    struct Reason
    {
        std::size_t spending = 0; ///< index into Spending
        double share = 0; ///< of the waits, 0 to 1, that it explains
        bool lasts = false; ///< the rank spends more on it over a step and over all steps, not only by turns
    };
    /// The reason that explains most of the waits; one that lasts, if that is worth a reason.
    Reason reason() const;
    /// The share of the waits that more compute explains, even by turns.
    double computeShare() const { return std::max(m_lasting[computeSpending], m_byTurns[computeSpending]); }
    /// The excess of a reason in the steps in which others wait, in ns. A stall that makes a rank late in
    /// several groups of a step is one stall.
    std::int64_t moreNs(std::size_t reason) const
    {
        return std::accumulate(m_more.begin(), m_more.end(), std::int64_t{0},
                               [&](std::int64_t sum, const auto& step) { return sum + step.second[reason]; });
    }
    /// How much of that is left over all steps, 0 to 1: little where the rank spends less in others.
    double shareInAllSteps(std::size_t reason) const
    {
        const std::int64_t lateNs = m_inLateStepsNs[reason];
        const auto allNs = static_cast<double>(m_inAllStepsNs[reason]);
        return lateNs > 0 ? std::clamp(allNs / static_cast<double>(lateNs), 0.0, 1.0) : 0;
    }

private:
    using Shares = std::array<double, std::tuple_size_v<Spending>>; ///< of the waits
    /// The waits for the late rank in one group and one step.
    struct LateStep
    {
        std::int64_t lastNs = 0; ///< its last arrival that others waited for, in the timeline's own time
        std::int64_t waitedNs = 0; ///< exposed, over all ranks
        std::set<std::int32_t> waiting; ///< ranks
        Spending laterNs{}; ///< more than usual of the late rank, on the ways on which it becomes later
        Spending moreNs{}; ///< more than usual, less what is below it, on all ways
    };
    using Key = std::pair<std::uint32_t, std::int64_t>; ///< group, number of the step

    void findSteps(const LateGroup& group);
    void addWay(std::uint32_t instance, LateStep* step, bool isWaitedFor);
    bool addPart(Spending moreNs, bool isInStep, LateStep* step, bool isWaitedFor);
    void addStep(std::int64_t number, const LateStep& step);
    void explain(const Spending& moreNs, const LateStep& step, Shares& explained) const;
    bool lastLongerByTurns(std::size_t work, const RankBetweenCalls::CountsRow& counts) const;
    void judgeLaunches(std::vector<CpuComparison::Delay> prompt);
    CpuComparison::Compared compareIdleTime();
    static std::vector<IdleCause> causesOf(const CpuComparison::Compared& all);
    void uniteInto(std::size_t cause);

    const FindingInput& m_input;
    const RunCollectives& m_run;
    const RankBetweenCalls& m_late;
    ComparedWays m_compared;
    CpuComparison m_cpus;
    std::map<Key, LateStep> m_steps;
    struct Ways
    {
        std::uint32_t instance = 0; ///< that they lead to
        Way own;
        std::vector<std::pair<const WaySpending*, Way>> others;
        bool isInStep = false; ///< which part of them
        bool isReason = false; ///< the rank becomes later there
        std::int64_t cpuIdleNs = 0; ///< more than usual, idle for the CPU
    };
    std::vector<Ways> m_ways; ///< of the steps in which others wait
    std::int64_t m_waitedNs = 0;
    std::int64_t m_promptWaitsNs = 0; ///< for calls that start as soon as they are launched
    std::optional<IdleCause> m_causeOfLaunches;
    Spending m_inLateStepsNs{}; ///< of all groups
    Spending m_inAllStepsNs{}; ///< of all groups
    std::map<std::int64_t, Spending> m_more; ///< by step; of several groups the largest
    Shares m_lasting{}; ///< explained by what the rank spends more time on in a whole step
    Shares m_byTurns{}; ///< where it becomes later, even if it makes up for that elsewhere
    std::vector<IdleCause> m_causesOnCpu;
};

} // namespace collscope
