// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Compute time that a rank or a step needs beyond the others, and why a rank is late.

#include "metrics/core/duration_text.h"
#include "metrics/core/interval_profile.h"
#include "metrics/findings/finding_groups.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

/// Fewer ranks do not show which of them is slow.
constexpr std::size_t fewestRanks = 3;
/// A kernel is slower than its peers by more than this share of their median, and more than their spread.
constexpr double slowerShare = 0.05;
constexpr double spreads = 6;

/// Kernels of one name on one rank.
struct NameOnRank
{
    std::size_t rank = 0; ///< into Partition::ranks
    std::int64_t ns = 0;
    std::int64_t calls = 0;
    double mean() const { return static_cast<double>(ns) / static_cast<double>(calls); }
};

/// Excess of the kernels of one rank.
struct SlowRank
{
    double ns = 0;
    std::int64_t calls = 0;
    StringId worst; ///< the name with the largest excess
    double worstNs = 0;
    double worstFactor = 1; ///< its duration relative to that of the peers
};

/// Whether the ranks call the kernel about equally often: else they do different work.
bool isCalledAlike(const std::vector<NameOnRank>& ranks)
{
    const auto [fewest, most] = std::minmax_element(
        ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.calls < b.calls; });
    return fewest->calls > 0 && 10 * (most->calls - fewest->calls) <= most->calls;
}

/// Adds the excess of the ranks on which the kernel is slow. If these are many, the ranks do different work.
void compareName(StringId name, const std::vector<NameOnRank>& ranks, std::vector<SlowRank>& slow)
{
    if (ranks.size() != slow.size() || !isCalledAlike(ranks))
        return;
    std::vector<double> means;
    for (const NameOnRank& rank : ranks)
        means.push_back(rank.mean());
    const double median = middleOf(means);
    for (double& mean : means)
        mean = std::abs(mean - median);
    const double limit = median + std::max(slowerShare * median, spreads * middleOf(means));
    const auto isSlow = [&](const NameOnRank& rank) { return rank.mean() > limit; };
    const auto many = std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(ranks.size() / 4));
    if (std::count_if(ranks.begin(), ranks.end(), isSlow) > many)
        return;
    for (const NameOnRank& rank : ranks) {
        if (!isSlow(rank))
            continue;
        SlowRank& sum = slow[rank.rank];
        const double ns = (rank.mean() - median) * static_cast<double>(rank.calls);
        sum.ns += ns;
        sum.calls += rank.calls;
        if (ns > sum.worstNs) {
            sum.worstNs = ns;
            sum.worst = name;
            sum.worstFactor = rank.mean() / median;
        }
    }
}

std::vector<SlowRank> findSlowRanks(const FindingInput& input)
{
    std::vector<SlowRank> slow(input.partition.ranks.size());
    if (slow.size() < fewestRanks)
        return slow;
    std::map<std::uint32_t, std::vector<NameOnRank>> byName;
    const std::vector<RankKernels>& kernels = input.analysis.kernels();
    for (std::size_t rank = 0; rank < kernels.size() && rank < slow.size(); ++rank) {
        for (const NameBreakdown& name : kernels[rank].names) {
            if (isCompute(name.kernelClass) && name.calls > 0)
                byName[name.name.value].push_back({rank, name.ns, name.calls});
        }
    }
    for (const auto& [name, ranks] : byName)
        compareName(StringId{name}, ranks, slow);
    return slow;
}

void addPlaces(const FindingInput& input, const RankShare& rank, StringId name, Finding& finding)
{
    const TraceModel& model = input.analysis.model();
    for (const StepShare& step : rank.steps) {
        const Timeline& timeline = *rank.timelines[step.part];
        for (const SliceRef slice : longestNamed(model, timeline, step.step.range, name, WorstPlaces::most))
            finding.places.add({rank.rank,
                                input.analysis.clocks().toAxis(model.indexOf(timeline), model.rangeOf(slice)),
                                slice});
    }
}

void addSlowRanks(const FindingInput& input, const std::vector<SlowRank>& slow)
{
    for (std::size_t i = 0; i < slow.size(); ++i) {
        const RankShare& rank = input.partition.ranks[i];
        std::int64_t computeNs = 0;
        for (const StepShare& step : rank.steps)
            computeNs += step.parts.of(Part::Compute);
        const std::int64_t ns = std::min(std::llround(slow[i].ns), static_cast<long long>(computeNs));
        if (ns == 0)
            continue;
        Finding finding;
        finding.kind = FindingKind::SlowKernelsOnRank;
        finding.isEstimated = true;
        finding.pay(rank.rank, ns);
        finding.ranks = {rank.rank};
        finding.count = slow[i].calls;
        finding.name = input.analysis.model().text(slow[i].worst);
        finding.cause = "slow_kernels";
        addPlaces(input, rank, slow[i].worst, finding);
        const auto percent = std::llround(100 * (slow[i].worstFactor - 1));
        finding.title = "Kernels on rank " + std::to_string(rank.rank)
            + " are slower than on its peers: " + costText(input.findings, finding) + ", "
            + quotedName(finding.name) + " by " + std::to_string(percent) + " %.";
        input.findings.all.push_back(std::move(finding));
    }
}

/// What a rank spends its time on, per step, in doubles: causes of idle time, then compute and copies.
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

/// Says what the late rank spends more time on than the ranks that wait for it.
void explainLate(const FindingInput& input, const std::vector<SlowRank>& slow, Finding& late)
{
    const std::vector<RankShare>& ranks = input.partition.ranks;
    const auto own = std::find_if(ranks.begin(), ranks.end(),
                                  [&](const RankShare& rank) { return rank.rank == late.ranks.front(); });
    std::vector<Spending> others;
    for (const RankShare& rank : ranks) {
        const bool waits = std::any_of(late.nsByRank.begin(), late.nsByRank.end(),
                                       [&](const auto& paid) { return paid.first == rank.rank; });
        if (waits && rank.rank != late.ranks.front())
            others.push_back(spendingOf(rank));
    }
    if (own == ranks.end() || others.empty()) {
        late.title += ".";
        return;
    }
    const Spending mine = spendingOf(*own);
    std::size_t most = 0;
    Spending excess{};
    for (std::size_t i = 0; i < mine.size(); ++i) {
        std::vector<double> theirs;
        for (const Spending& other : others)
            theirs.push_back(other[i]);
        excess[i] = mine[i] - middleOf(theirs);
        most = excess[i] > excess[most] ? i : most;
    }
    if (excess[most] < 1) {
        late.title += ".";
        return;
    }
    const SlowRank& kernels = slow[static_cast<std::size_t>(own - ranks.begin())];
    const bool isSlow
        = most == computeSpending && 2 * kernels.ns > excess[most] * static_cast<double>(own->steps.size());
    late.cause = most < idleCauseCount ? idleCauseName(static_cast<IdleCause>(most))
        : most == copySpending         ? "copies"
        : isSlow                       ? "slow_kernels"
                                       : "more_compute";
    const std::string why = most < idleCauseCount
        ? "its GPU is idle longer: " + std::string(idleCauseText(static_cast<IdleCause>(most)))
        : most == copySpending ? "it copies longer"
        : isSlow ? "its kernels are slower, mostly " + quotedName(input.analysis.model().text(kernels.worst))
                 : "it computes longer";
    late.title += ", because " + why + " (" + timeText(std::llround(excess[most])) + " more"
        + (input.findings.hasSteps ? " per step" : "") + " than the ranks that wait).";
}

/// Compute time of steps that is far above the median of the rank, where no slow kernel explains it.
void addOutliers(const FindingInput& input, const std::vector<SlowRank>& slow)
{
    constexpr std::size_t fewestSteps = 4;
    constexpr double outlierShare = 0.1;
    Finding finding;
    std::map<std::int64_t, std::int64_t> nsByStep;
    for (std::size_t i = 0; i < input.partition.ranks.size(); ++i) {
        const RankShare& rank = input.partition.ranks[i];
        if (rank.steps.size() < fewestSteps || slow[i].ns > 0)
            continue;
        std::vector<double> compute;
        for (const StepShare& step : rank.steps)
            compute.push_back(static_cast<double>(step.parts.of(Part::Compute)));
        const double median = middleOf(compute);
        std::vector<double> distances;
        for (const double ns : compute)
            distances.push_back(std::abs(ns - median));
        const double limit = median + std::max(outlierShare * median, spreads * middleOf(distances));
        for (const StepShare& step : rank.steps) {
            const std::int64_t ns = step.parts.of(Part::Compute);
            if (static_cast<double>(ns) <= limit)
                continue;
            const std::int64_t excessNs = ns - std::llround(median);
            finding.pay(rank.rank, excessNs);
            nsByStep[step.step.number] += excessNs;
            ++finding.count;
            const TraceModel& model = input.analysis.model();
            const Timeline& timeline = *rank.timelines[step.part];
            finding.places.add(
                {rank.rank, input.analysis.clocks().toAxis(model.indexOf(timeline), step.step.range), {}});
        }
    }
    if (finding.ns == 0)
        return;
    finding.kind = FindingKind::OutlierSteps;
    finding.isEstimated = true;
    for (const auto& [rank, ns] : finding.nsByRank)
        finding.ranks.push_back(rank);
    const auto worst = std::max_element(nsByStep.begin(), nsByStep.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    finding.title = "A few steps compute longer than the others: " + costText(input.findings, finding)
        + payersText(input, finding) + ", most of all step " + std::to_string(worst->first) + ".";
    input.findings.all.push_back(std::move(finding));
}

} // namespace

void addExcess(const FindingInput& input)
{
    const std::vector<SlowRank> slow = findSlowRanks(input);
    for (Finding& finding : input.findings.all) {
        if (finding.kind == FindingKind::LateRank && !finding.ranks.empty() && finding.title.back() != '.')
            explainLate(input, slow, finding);
    }
    addSlowRanks(input, slow);
    addOutliers(input, slow);
}

} // namespace collscope
