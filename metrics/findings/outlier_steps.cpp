// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Steps that compute longer than the others.

#include "metrics/analysis/interval_profile.h"
#include "metrics/findings/finding_groups.h"
#include "metrics/partition/step_facts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

/// Fewer steps do not show what is usual.
constexpr std::size_t fewestComparedSteps = 4;
/// A step is an outlier if it computes longer by more than this share of the median, and more than the
/// spread.
constexpr double outlierShare = 0.1;
constexpr double outlierSpreads = 6;

/// The usual compute time of a rank in a step, and the one above which a step is an outlier, in ns.
struct UsualCompute
{
    double median = 0;
    double limit = 0;
};

UsualCompute usualOf(const RankShare& rank)
{
    std::vector<double> compute;
    for (const StepShare& step : rank.steps)
        compute.push_back(static_cast<double>(step.parts.of(Part::Compute)));
    const double median = middleOf(compute);
    for (double& ns : compute)
        ns = std::abs(ns - median);
    return {median, median + std::max(outlierShare * median, outlierSpreads * middleOf(compute))};
}

} // namespace

void addOutlierSteps(const FindingInput& input, const std::vector<SlowRank>& slow)
{
    const TraceModel& model = input.analysis.model();
    Finding finding;
    std::map<std::int64_t, std::int64_t> nsByStep;
    for (std::size_t i = 0; i < input.partition.ranks.size(); ++i) {
        const RankShare& rank = input.partition.ranks[i];
        if (rank.steps.size() < fewestComparedSteps || slow[i].ns > 0)
            continue;
        const UsualCompute usual = usualOf(rank);
        const auto isLong = [&](const StepShare& step) {
            return static_cast<double>(step.parts.of(Part::Compute)) > usual.limit;
        };
        if (std::none_of(rank.steps.begin(), rank.steps.end(), isLong))
            continue;
        const std::vector<double> launched = launchedComputeOf(model, rank);
        const double leastLaunched = (1 + outlierShare / 2) * middleOf(launched);
        for (std::size_t number = 0; number < rank.steps.size(); ++number) {
            const StepShare& step = rank.steps[number];
            const std::int64_t ns = step.parts.of(Part::Compute);
            if (!isLong(step) || (!launched.empty() && launched[number] < leastLaunched))
                continue;
            std::int64_t excessNs = ns - std::llround(usual.median);
            if (!launched.empty())
                excessNs
                    = std::min<std::int64_t>(excessNs, std::llround(launched[number] - middleOf(launched)));
            finding.pay(rank.rank, excessNs);
            nsByStep[step.step.number] += excessNs;
            ++finding.count;
            const std::size_t timeline = model.indexOf(*rank.timelines[step.part]);
            finding.places.add({rank.rank, input.analysis.clocks().toAxis(timeline, step.step.range), {}});
        }
    }
    if (finding.ns == 0)
        return;
    finding.kind = FindingKind::OutlierSteps;
    finding.isEstimated = true;
    finding.ranks = finding.payers();
    const auto worst = std::max_element(nsByStep.begin(), nsByStep.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    const std::string step = std::to_string(worst->first);
    const std::string cost = costText(input.findings, finding) + payersText(input, finding);
    finding.title = nsByStep.size() == 1
        ? "Step " + step + " computes longer than the other steps of the same rank: " + cost + "."
        : std::to_string(nsByStep.size()) + " steps compute longer than the other steps of the same rank: "
            + cost + ", most of all step " + step + ".";
    input.findings.all.push_back(std::move(finding));
}

} // namespace collscope
