// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Ranks whose kernels are slower than the same kernels of their peers.

#include "metrics/analysis/interval_profile.h"
#include "metrics/core/duration_text.h"
#include "metrics/findings/kernel_occurrences.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace collscope {

namespace {

/// Fewer ranks do not show which of them is slow.
constexpr std::size_t fewestComparedRanks = 3;
/// A kernel is slower than its peers by more than this share of their median, and more than their spread.
constexpr double slowerShare = 0.05;
constexpr double slowerSpreads = 6;
/// The runs of a kernel are compared in this many parts, in time order.
constexpr std::size_t mostComparedParts = 8;
/// Fewer runs do not show how the difference varies.
constexpr std::size_t fewestParts = 4;
/// The mean difference must exceed its standard error by this factor: where the amount of work varies, some
/// rank always has more of it.
constexpr double clearErrors = 3;
/// If slow kernels are a smaller share of the computing, they do not show that the GPU is slower.
constexpr double generalShare = 2.0 / 3;

/// How long a kernel takes on one rank.
struct MeanOnRank
{
    std::size_t calls = 0;
    double ns = 0;
};

/// Whether the ranks call the kernel about equally often: else they do different work.
bool isCalledAlike(const std::vector<MeanOnRank>& ranks)
{
    const auto [fewest, most] = std::minmax_element(
        ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.calls < b.calls; });
    return fewest->calls > 0 && 10 * (most->calls - fewest->calls) <= most->calls;
}

/// The mean above which a kernel is slow on a rank, in ns; nullopt if it is slow on none. It is not slow
/// either where too many ranks are above it: those do other work.
std::optional<double> usualLimit(const std::vector<MeanOnRank>& ranks, std::size_t allRanks)
{
    if (ranks.size() != allRanks || !isCalledAlike(ranks))
        return std::nullopt;
    std::vector<double> means;
    means.reserve(ranks.size());
    for (const MeanOnRank& rank : ranks)
        means.push_back(rank.ns);
    const double median = middleOf(means);
    for (double& mean : means)
        mean = std::abs(mean - median);
    const double limit = median + std::max(slowerShare * median, slowerSpreads * middleOf(means));
    const auto slow
        = std::count_if(ranks.begin(), ranks.end(), [&](const MeanOnRank& rank) { return rank.ns > limit; });
    const auto many = std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(ranks.size() / 4));
    return slow > 0 && slow <= many ? std::optional(limit) : std::nullopt;
}

/// Whether a rank takes longer than its peers throughout, and not only in the mean of runs that vary.
bool isSteadilySlower(const OnRank& own, const std::vector<OnRank>& ranks)
{
    std::size_t parts = mostComparedParts;
    for (const OnRank& rank : ranks)
        parts = std::min(parts, rank.all.size());
    if (parts < fewestParts)
        return true;
    const auto meanOf = [&](const OnRank& rank, std::size_t part) {
        return rank.meanNs(part * rank.all.size() / parts, (part + 1) * rank.all.size() / parts);
    };
    double sum = 0;
    double squares = 0;
    for (std::size_t part = 0; part < parts; ++part) {
        std::vector<double> means;
        for (const OnRank& rank : ranks)
            means.push_back(meanOf(rank, part));
        const double more = meanOf(own, part) - middleOf(std::move(means));
        sum += more;
        squares += more * more;
    }
    const auto count = static_cast<double>(parts);
    const double variance = std::max(0.0, squares - sum * sum / count) / (count - 1);
    return sum / count > clearErrors * std::sqrt(variance / count);
}

/// The median of all but one: of four ranks, the median of all is a mean of two, and one may be the rank
/// itself.
double middleOfOthers(std::vector<double> values, std::size_t own)
{
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(own));
    return middleOf(std::move(values));
}

/// Adds the excess of the ranks on which a kernel is slow.
void compareAlike(const FindingInput& input, StringId name, const std::vector<OnRank>& ranks,
                  std::vector<SlowRank>& slow)
{
    std::vector<MeanOnRank> means;
    for (const OnRank& rank : ranks)
        means.push_back({rank.all.size(), rank.meanNs()});
    const std::optional<double> limit = usualLimit(means, slow.size());
    std::vector<double> meansNs;
    for (const MeanOnRank& mean : means)
        meansNs.push_back(mean.ns);
    for (std::size_t i = 0; limit && i < ranks.size(); ++i) {
        if (means[i].ns <= *limit || !isSteadilySlower(ranks[i], ranks))
            continue;
        const double othersNs = middleOfOthers(meansNs, i);
        SlowRank& sum = slow[ranks[i].rank];
        const double ns = savedNs(input, ranks[i], othersNs / means[i].ns);
        sum.ns += ns;
        sum.calls += std::ssize(ranks[i].all);
        sum.kernelNs += means[i].ns * static_cast<double>(means[i].calls);
        if (ns > sum.worstNs) {
            sum.worstNs = ns;
            sum.worst = name;
            sum.worstFactor = means[i].ns / othersNs;
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

/// Whether a rank computes longer than half of the ranks by a share of the step that a finding could have.
/// Spares most runs the sums by name.
bool computesUnequally(const FindingInput& input, std::vector<double> compute)
{
    const double windowNs
        = static_cast<double>(input.partition.windowNs) / static_cast<double>(compute.size());
    std::sort(compute.begin(), compute.end());
    return compute.back() - compute[(compute.size() - 1) / 2] > smallShare * windowNs;
}

/// The names of kernels that are slow on a rank, sorted. Few names differ at all.
std::vector<std::uint32_t> slowNames(const FindingInput& input)
{
    std::map<std::uint32_t, std::vector<MeanOnRank>> byName;
    for (const RankKernels& rank : input.analysis.kernels()) {
        for (const NameBreakdown& name : rank.names) {
            if (isCompute(name.kernelClass) && name.calls > 0)
                byName[name.name.value].push_back(
                    {static_cast<std::size_t>(name.calls),
                     static_cast<double>(name.ns) / static_cast<double>(name.calls)});
        }
    }
    std::vector<std::uint32_t> names;
    for (const auto& [name, ranks] : byName) {
        if (usualLimit(ranks, input.partition.ranks.size()))
            names.push_back(name);
    }
    return names;
}

/// By rank of the partition.
std::vector<double> computeOfRanks(const FindingInput& input)
{
    std::vector<double> compute;
    for (const RankShare& rank : input.partition.ranks)
        compute.push_back(static_cast<double>(computeOf(rank)));
    return compute;
}

/// The kernels of which each run has to be compared; empty in most runs.
std::vector<std::uint32_t> comparedNames(const FindingInput& input, const std::vector<double>& compute)
{
    if (compute.size() < fewestComparedRanks || !computesUnequally(input, compute))
        return {};
    return slowNames(input);
}

} // namespace

bool mayHaveSlowRanks(const FindingInput& input)
{
    return !comparedNames(input, computeOfRanks(input)).empty();
}

std::vector<SlowRank> findSlowRanks(const FindingInput& input)
{
    std::vector<SlowRank> slow(input.partition.ranks.size());
    const std::vector<double> compute = computeOfRanks(input);
    if (const std::vector<std::uint32_t> names = comparedNames(input, compute); !names.empty()) {
        for (const auto& [kernel, ranks] : occurrencesOf(input, names))
            compareAlike(input, StringId{kernel.name}, ranks, slow);
    }
    for (std::size_t rank = 0; rank < slow.size(); ++rank) {
        if (slow[rank].ns <= 0)
            continue;
        // What the rank makes up for elsewhere costs nothing.
        slow[rank].ns = std::clamp(compute[rank] - middleOfOthers(compute, rank), 0.0, slow[rank].ns);
        slow[rank].isGeneral = slow[rank].kernelNs >= generalShare * compute[rank];
    }
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
        finding.cause = slow[i].isGeneral ? "slow_kernels" : "longer_kernels";
        addPlaces(input, rank, slow[i].worst, finding);
        const auto percent = std::llround(100 * (slow[i].worstFactor - 1));
        finding.title = std::string(slow[i].isGeneral ? "Kernels" : "Some kernels") + " on rank "
            + std::to_string(rank.rank) + " take longer than on its peers: "
            + costText(input.findings, finding) + payersText(input, finding) + ", " + quotedName(finding.name)
            + " by " + std::to_string(percent) + " %.";
        addSlowGpu(
            input, rank.rank, [](std::int64_t) { return true; }, finding);
        input.findings.all.push_back(std::move(finding));
    }
}

} // namespace collscope
