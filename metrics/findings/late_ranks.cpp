// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Ranks that make the others wait, and why.

#include "metrics/causes/arrivals.h"
#include "metrics/core/duration_text.h"
#include "metrics/core/interval_profile.h"
#include "metrics/findings/late_reasons.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

/// ", because its GPU is idle longer: ...", where that explains a part of the waiting that matters.
void addReason(const FindingInput& input, const std::vector<SlowRank>& slow, std::int32_t rank,
               LateGroup& late)
{
    Finding& finding = late.finding;
    // Small costs are not explained: each explanation reads the slices of several ranks again.
    if (static_cast<double>(finding.ns) < smallShare * static_cast<double>(input.partition.windowNs))
        return;
    const LateReason reason = reasonOf(input, slow, rank, late);
    // A small difference is not the reason, and one below half of the waiting is not all of it.
    constexpr double leastExplained = 0.1;
    constexpr double mostlyExplained = 0.5;
    if (reason.share < leastExplained)
        return;
    finding.cause = reason.cause;
    finding.isPartOfCause = reason.share < mostlyExplained;
    const RankShare* const own = input.partition.shareOf(rank);
    const std::int64_t steps = own ? std::max<std::int64_t>(std::ssize(own->steps), 1) : 1;
    finding.title += (finding.isPartOfCause ? ", in part because " : ", because ") + reason.text + " ("
        + timeText(reason.moreNs / steps) + " more" + (input.findings.isMeanOfSteps() ? " per step" : "")
        + " than the ranks that wait)";
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
    // Where a wait was passed on, another rank arrives last: that place would not show this one.
    if (!late.directPlaces.all().empty())
        finding.places = late.directPlaces;
    finding.title = "The others wait for rank " + std::to_string(rank) + ", which arrives last"
        + (late.isWhole ? ": " : " of those recorded: ") + cost;
    if (late.passedOnNs > 0)
        finding.title
            += ", of which " + percentText(late.passedOnNs, finding.ns) + " through ranks that it holds up";
    finding.title += loneStepText(input.partition, late.nsByStep);
    addReason(input, slow, rank, late);
    finding.title += ".";
}

/// The waiting that is explained by late ranks that computed longer in the same step than the median rank:
/// each nanosecond makes each other rank wait for one at most.
std::int64_t explainedByComputeNs(const Partition& partition, const std::map<std::int32_t, LateGroup>& late)
{
    std::map<std::int64_t, std::vector<double>> byStep;
    for (const RankShare& rank : partition.ranks) {
        for (const StepShare& step : rank.steps)
            byStep[step.step.number].push_back(static_cast<double>(step.parts.of(Part::Compute)));
    }
    std::map<std::int64_t, std::int64_t> usual; // by step
    for (auto& [number, compute] : byStep)
        usual[number] = std::llround(middleOf(compute));
    std::int64_t explainedNs = 0;
    for (const auto& [rank, group] : late) {
        const RankShare* const share = partition.shareOf(rank);
        for (std::size_t i = 0; share && i < share->steps.size(); ++i) {
            const StepShare& step = share->steps[i];
            const auto waited = group.nsByStep.find(step.step.number);
            const std::int64_t moreNs = step.parts.of(Part::Compute) - usual[step.step.number];
            const auto others = std::ssize(byStep[step.step.number]) - 1;
            if (waited != group.nsByStep.end() && moreNs > 0)
                explainedNs += std::min(waited->second, moreNs * others);
        }
    }
    return explainedNs;
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
        && 2 * explainedByComputeNs(input.partition, late) >= allNs;
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

void LateGroup::join(const LateGroup& other)
{
    finding.join(other.finding);
    isWhole &= other.isWhole;
    directPlaces.join(other.directPlaces);
    directWaits.insert(directWaits.end(), other.directWaits.begin(), other.directWaits.end());
    for (const auto& [step, ns] : other.nsByStep)
        nsByStep[step] += ns;
    passedOnNs += other.passedOnNs;
}

void addLateRanks(const FindingInput& input, const std::vector<SlowRank>& slow, LateGroups& late)
{
    std::vector<Finding>& all = input.findings.all;
    if (takesTurns(input, late.experts)) {
        all.push_back(unitedOf(input, late.experts, FindingKind::UnbalancedExperts));
    } else {
        for (const auto& [rank, group] : late.experts)
            late.others[rank].join(group);
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
