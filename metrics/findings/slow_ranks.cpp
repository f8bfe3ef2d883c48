// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Ranks whose kernels are slower than the same kernels of their peers.

#include "metrics/core/duration_text.h"
#include "metrics/core/interval_profile.h"
#include "metrics/findings/finding_groups.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

/// Fewer ranks do not show which of them is slow.
constexpr std::size_t fewestComparedRanks = 3;
/// A kernel is slower than its peers by more than this share of their median, and more than their spread.
constexpr double slowerShare = 0.05;
constexpr double slowerSpreads = 6;

/// Kernels of one name on one rank.
struct NameOnRank
{
    std::size_t rank = 0; ///< into Partition::ranks
    std::int64_t ns = 0;
    std::int64_t calls = 0;
    double mean() const { return static_cast<double>(ns) / static_cast<double>(calls); }
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
    means.reserve(ranks.size());
    for (const NameOnRank& rank : ranks)
        means.push_back(rank.mean());
    const double median = middleOf(means);
    for (double& mean : means)
        mean = std::abs(mean - median);
    const double limit = median + std::max(slowerShare * median, slowerSpreads * middleOf(means));
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

std::int64_t computeOf(const RankShare& rank)
{
    std::int64_t ns = 0;
    for (const StepShare& step : rank.steps)
        ns += step.parts.of(Part::Compute);
    return ns;
}

/// Whether a rank computes longer than the median by a share of the step that a finding could have. Spares
/// most runs the sums by name.
bool computesUnequally(const FindingInput& input)
{
    std::vector<double> compute;
    for (const RankShare& rank : input.partition.ranks)
        compute.push_back(static_cast<double>(computeOf(rank)));
    const double windowNs
        = static_cast<double>(input.partition.windowNs) / static_cast<double>(compute.size());
    const double most = *std::max_element(compute.begin(), compute.end());
    return most - middleOf(compute) > smallShare * windowNs;
}

} // namespace

std::vector<SlowRank> findSlowRanks(const FindingInput& input)
{
    std::vector<SlowRank> slow(input.partition.ranks.size());
    if (slow.size() < fewestComparedRanks || !computesUnequally(input))
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

namespace {

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

} // namespace

void addSlowRanks(const FindingInput& input, const std::vector<SlowRank>& slow)
{
    for (std::size_t i = 0; i < slow.size(); ++i) {
        const RankShare& rank = input.partition.ranks[i];
        const std::int64_t ns = std::min<std::int64_t>(std::llround(slow[i].ns), computeOf(rank));
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

} // namespace collscope
