// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Ranks whose kernels are slower than the same kernels of their peers.

#include "metrics/core/duration_text.h"
#include "metrics/core/interval_profile.h"
#include "metrics/findings/finding_groups.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <map>
#include <optional>

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

/// The median of the ranks' means, and the mean above which a kernel is slow; nullopt if it is slow on no
/// rank. It is not slow either where too many ranks are above it: those do other work.
struct UsualDuration
{
    double median = 0;
    double limit = 0;
    bool isSlow(const NameOnRank& rank) const { return rank.mean() > limit; }
};

std::optional<UsualDuration> usualDuration(const std::vector<NameOnRank>& ranks, std::size_t allRanks)
{
    if (ranks.size() != allRanks || !isCalledAlike(ranks))
        return std::nullopt;
    std::vector<double> means;
    means.reserve(ranks.size());
    for (const NameOnRank& rank : ranks)
        means.push_back(rank.mean());
    const double median = middleOf(means);
    for (double& mean : means)
        mean = std::abs(mean - median);
    const UsualDuration usual{median,
                              median + std::max(slowerShare * median, slowerSpreads * middleOf(means))};
    const auto slow = std::count_if(ranks.begin(), ranks.end(),
                                    [&](const NameOnRank& rank) { return usual.isSlow(rank); });
    const auto many = std::max<std::ptrdiff_t>(1, static_cast<std::ptrdiff_t>(ranks.size() / 4));
    return slow > 0 && slow <= many ? std::optional(usual) : std::nullopt;
}

/// Kernels that should take equally long: a larger grid is more work.
struct NameAndGrid
{
    std::uint32_t name = 0;
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    friend auto operator<=>(const NameAndGrid&, const NameAndGrid&) = default;
};

/// Adds the excess of the ranks on which a kernel is slow.
void compareAlike(const NameAndGrid& kernel, const std::vector<NameOnRank>& ranks,
                  std::vector<SlowRank>& slow)
{
    const std::optional<UsualDuration> usual = usualDuration(ranks, slow.size());
    for (const NameOnRank& rank : ranks) {
        if (!usual || !usual->isSlow(rank))
            continue;
        SlowRank& sum = slow[rank.rank];
        const double ns = (rank.mean() - usual->median) * static_cast<double>(rank.calls);
        sum.ns += ns;
        sum.calls += rank.calls;
        if (ns > sum.worstNs) {
            sum.worstNs = ns;
            sum.worst = StringId{kernel.name};
            sum.worstFactor = rank.mean() / usual->median;
        }
    }
}

using KernelsByGrid = std::map<NameAndGrid, std::vector<NameOnRank>>;

/// Adds the kernels of some names in the windows of one rank. O(slices).
void addByGrid(const FindingInput& input, std::size_t rank, const std::vector<std::uint32_t>& names,
               KernelsByGrid& byGrid)
{
    const TraceModel& model = input.analysis.model();
    const RankShare& share = input.partition.ranks[rank];
    std::map<NameAndGrid, NameOnRank> own;
    for (const StepShare& step : share.steps) {
        for (const TrackId id : share.timelines[step.part]->tracks) {
            const Track& track = model.track(id);
            if (track.kind != TrackKind::GpuStream)
                continue;
            forEachOverlapping(track.slices, step.step.range, [&](std::size_t row) {
                const std::uint32_t name = track.slices.name[row].value;
                if (!std::binary_search(names.begin(), names.end(), name))
                    return;
                NameAndGrid kernel{.name = name};
                if (const KernelDetail* const detail
                    = model.detailOf({id, static_cast<std::uint32_t>(row)})) {
                    std::copy_n(detail->grid, kernel.grid.size(), kernel.grid.begin());
                    std::copy_n(detail->block, kernel.block.size(), kernel.block.begin());
                }
                NameOnRank& sum = own[kernel];
                sum.ns += track.slices.range(row).intersected(step.step.range).lengthNs();
                ++sum.calls;
            });
        }
    }
    for (auto& [kernel, sum] : own) {
        sum.rank = rank;
        byGrid[kernel].push_back(sum);
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
    // Few names differ at all; only these are read again with their grids.
    std::vector<std::uint32_t> names;
    for (const auto& [name, ranks] : byName) {
        if (usualDuration(ranks, slow.size()))
            names.push_back(name);
    }
    KernelsByGrid byGrid;
    for (std::size_t rank = 0; rank < slow.size() && !names.empty(); ++rank)
        addByGrid(input, rank, names, byGrid);
    for (const auto& [kernel, ranks] : byGrid)
        compareAlike(kernel, ranks, slow);
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
