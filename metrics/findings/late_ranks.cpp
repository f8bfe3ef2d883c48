// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Ranks that make the others wait, and why.

#include "metrics/causes/arrivals.h"
#include "metrics/core/duration_text.h"
#include "metrics/core/interval_profile.h"
#include "metrics/findings/finding_groups.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// What a rank spends its time on, in ns per step: causes of idle time, then compute and copies.
using Spending = std::array<double, idleCauseCount + 2>;
constexpr std::size_t computeSpending = idleCauseCount;
constexpr std::size_t copySpending = idleCauseCount + 1;

Spending spendingOf(const RankShare& rank)
{
    Spending sum{};
    for (const StepShare& step : rank.steps) {
        for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
            sum[cause] += static_cast<double>(step.idle[cause]);
        sum[computeSpending] += static_cast<double>(step.parts.of(Part::Compute));
        sum[copySpending] += static_cast<double>(step.parts.of(Part::Copy));
    }
    for (double& ns : sum)
        ns /= static_cast<double>(std::max<std::size_t>(rank.steps.size(), 1));
    return sum;
}

/// One rank's spending minus the median of others.
Spending excessOver(const Spending& own, const std::vector<Spending>& others)
{
    Spending excess{};
    for (std::size_t i = 0; i < own.size(); ++i) {
        std::vector<double> theirs;
        theirs.reserve(others.size());
        for (const Spending& other : others)
            theirs.push_back(other[i]);
        excess[i] = own[i] - middleOf(theirs);
    }
    return excess;
}

struct Reason
{
    std::string cause; ///< empty: unknown
    std::string text;
    double ns = 0; ///< more per step than the ranks that wait
};

/// What the late rank spends most time on beyond the ranks that wait for it.
Reason lateReasonOf(const FindingInput& input, const std::vector<SlowRank>& slow, std::int32_t late,
                    const std::vector<std::int32_t>& waiting)
{
    const std::vector<RankShare>& ranks = input.partition.ranks;
    std::vector<Spending> others;
    const RankShare* own = nullptr;
    for (const RankShare& rank : ranks) {
        if (rank.rank == late)
            own = &rank;
        else if (std::binary_search(waiting.begin(), waiting.end(), rank.rank))
            others.push_back(spendingOf(rank));
    }
    if (!own || others.empty())
        return {};
    const Spending excess = excessOver(spendingOf(*own), others);
    const auto most
        = static_cast<std::size_t>(std::max_element(excess.begin(), excess.end()) - excess.begin());
    if (excess[most] < 1)
        return {};
    if (most < idleCauseCount) {
        const auto cause = static_cast<IdleCause>(most);
        return {std::string(idleCauseName(cause)),
                "its GPU is idle longer: " + std::string(idleCauseText(cause)), excess[most]};
    }
    if (most == copySpending)
        return {"copies", "it copies longer", excess[most]};
    const SlowRank& kernels = slow[static_cast<std::size_t>(own - ranks.data())];
    if (2 * kernels.ns > excess[most] * static_cast<double>(own->steps.size()))
        return {"slow_kernels",
                "its kernels are slower, mostly " + quotedName(input.analysis.model().text(kernels.worst)),
                excess[most]};
    return {"more_compute", "it computes longer", excess[most]};
}

void finishLate(const FindingInput& input, const std::vector<SlowRank>& slow, std::int32_t rank,
                LateGroup& late)
{
    Finding& finding = late.finding;
    finding.kind = FindingKind::LateRank;
    const std::string cost = costText(input.findings, finding);
    if (rank == CallTiming::nobody) {
        finding.title
            = "Ranks wait " + cost + " for others that arrive together, so that the last one is not known.";
        return;
    }
    finding.ranks = {rank};
    finding.title = "The others wait for rank " + std::to_string(rank) + ", which arrives last"
        + (late.isWhole ? ": " : " of the loaded ranks: ") + cost;
    if (late.passedOnNs > 0)
        finding.title
            += ", of which " + percentText(late.passedOnNs, finding.ns) + " through ranks that it holds up";
    Reason reason = lateReasonOf(input, slow, rank, finding.payers());
    const auto cells = static_cast<double>(finding.nsByRank.size())
        * static_cast<double>(input.findings.cells) / static_cast<double>(input.partition.ranks.size());
    // A small difference is not the reason, and one below half of the waiting is not all of it.
    constexpr double leastExplained = 0.1;
    constexpr double mostlyExplained = 0.5;
    const double explained = reason.ns * cells / static_cast<double>(finding.ns);
    if (explained < leastExplained)
        reason = {};
    finding.cause = reason.cause;
    finding.isPartOfCause = !reason.cause.empty() && explained < mostlyExplained;
    if (!reason.cause.empty())
        finding.title += (finding.isPartOfCause ? ", in part because " : ", because ") + reason.text + " ("
            + timeText(std::llround(reason.ns)) + " more" + (input.findings.isPerStep ? " per step" : "")
            + " than the ranks that wait)";
    finding.title += ".";
}

/// Sum over steps and ranks of the compute time by which a rank is below the longest one of the step.
std::int64_t computeSpreadNs(const Partition& partition)
{
    std::map<std::int64_t, std::vector<std::int64_t>> byStep;
    for (const RankShare& rank : partition.ranks) {
        for (const StepShare& step : rank.steps)
            byStep[step.step.number].push_back(step.parts.of(Part::Compute));
    }
    std::int64_t sumNs = 0;
    for (const auto& [number, compute] : byStep) {
        const std::int64_t longestNs = *std::max_element(compute.begin(), compute.end());
        for (const std::int64_t ns : compute)
            sumNs += longestNs - ns;
    }
    return sumNs;
}

/// Whether several ranks take turns in being late, and unequal compute times explain it. Ranks that are late
/// because they waited for one rank in another group do not take turns: the stragglers say so.
bool takesTurns(const FindingInput& input, const std::map<std::int32_t, LateGroup>& late)
{
    if (measureArrivals(input.analysis).verdict() == StragglerVerdict::OneRank)
        return false;
    constexpr std::size_t fewestRanks = 3;
    std::int64_t allNs = 0;
    std::int64_t mostNs = 0;
    for (const auto& [rank, group] : late) {
        allNs += group.finding.ns;
        mostNs = std::max(mostNs, group.finding.ns);
    }
    const bool matters
        = static_cast<double>(allNs) > matteringShare * static_cast<double>(input.partition.windowNs);
    return late.size() >= fewestRanks && matters && 2 * mostNs <= allNs
        && 2 * computeSpreadNs(input.partition) >= allNs;
}

/// All late ranks as one finding.
Finding unitedOf(const FindingInput& input, const std::map<std::int32_t, LateGroup>& late, FindingKind kind)
{
    Finding all;
    all.kind = kind;
    for (const auto& [rank, group] : late) {
        all.join(group.finding);
        if (rank != CallTiming::nobody)
            all.ranks.push_back(rank);
    }
    all.cause = "more_compute";
    all.title = (kind == FindingKind::UnbalancedExperts ? "Experts" : "Ranks")
        + std::string(" have unequally much to compute and take turns in being late: the others wait ")
        + costText(input.findings, all) + ".";
    return all;
}

} // namespace

void addLateRanks(const FindingInput& input, const std::vector<SlowRank>& slow, LateGroups& late)
{
    std::vector<Finding>& all = input.findings.all;
    if (takesTurns(input, late.experts)) {
        all.push_back(unitedOf(input, late.experts, FindingKind::UnbalancedExperts));
    } else {
        for (const auto& [rank, group] : late.experts) {
            LateGroup& same = late.others[rank];
            same.finding.join(group.finding);
            same.isWhole &= group.isWhole;
            same.passedOnNs += group.passedOnNs;
        }
    }
    if (takesTurns(input, late.others)) {
        all.push_back(unitedOf(input, late.others, FindingKind::UnbalancedWork));
        return;
    }
    for (auto& [rank, group] : late.others) {
        finishLate(input, slow, rank, group);
        all.push_back(std::move(group.finding));
    }
}

} // namespace collscope
