// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Ranks that make the others wait, and why.

#include "metrics/analysis/interval_profile.h"
#include "metrics/causes/arrivals.h"
#include "metrics/core/duration_text.h"
#include "metrics/findings/late_reasons.h"
#include "metrics/findings/late_sums.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace collscope {

namespace {

/// The reasons of late ranks, each looked for once: that reads the slices of several ranks.
class LateReasons
{
public:
    LateReasons(const FindingInput& input, const std::vector<SlowRank>& slow,
                const std::map<std::int32_t, LateGroup>& late)
        : m_input(input)
        , m_slow(slow)
        , m_late(late)
    { }

    /// Looks for those of several ranks, on all cores.
    void find(const std::vector<std::int32_t>& ranks)
    {
        std::vector<WaysOfLateRanks::Late> fresh;
        for (const std::int32_t rank : ranks) {
            if (m_reasons.try_emplace(rank).second && m_input.partition.shareOf(rank))
                fresh.emplace_back(rank, &m_late.at(rank));
        }
        const WaysOfLateRanks ways(m_input, fresh);
        m_input.analysis.options().parallel.forEach(fresh.size(), [&](std::size_t i) {
            const auto& [rank, group] = fresh[i];
            m_reasons.at(rank) = reasonOf(m_input, m_slow, ways.of(fresh[i]), *group);
        });
    }
    const LateReason& of(std::int32_t rank)
    {
        find({rank});
        return m_reasons.at(rank);
    }

private:
    const FindingInput& m_input;
    const std::vector<SlowRank>& m_slow;
    const std::map<std::int32_t, LateGroup>& m_late;
    std::map<std::int32_t, LateReason> m_reasons;
};

/// Small costs are not explained, and neither is a rank that may have waited itself.
bool isExplained(const FindingInput& input, std::int32_t rank, const LateGroup& late)
{
    return rank != CallTiming::nobody && 2 * late.unclearNs <= late.finding.ns
        && static_cast<double>(late.finding.ns) >= smallShare * static_cast<double>(input.partition.windowNs);
}

/// ", because its GPU is idle longer: ...", where that explains a part of the waiting that matters.
void addReason(const FindingInput& input, LateReasons& reasons, std::int32_t rank, LateGroup& late)
{
    Finding& finding = late.finding;
    const LateReason& reason = reasons.of(rank);
    if (reason.share < leastExplained)
        return;
    finding.cause = reason.cause;
    const bool isPart = reason.share < mostlyExplained;
    finding.isPartOfCause = isPart || reason.isOneOfTwo;
    const RankShare* const own = input.partition.shareOf(rank);
    const std::int64_t steps = own ? std::max<std::int64_t>(std::ssize(own->steps), 1) : 1;
    finding.title += (isPart ? ", in part because " : ", because ") + reason.text;
    if (reason.moreNs > 0)
        finding.title += std::string(" (") + timeText(reason.moreNs / steps) + " more"
            + (input.findings.isMeanOfSteps() ? " per step" : "") + " before it arrives)";
}

void finishLate(const FindingInput& input, LateReasons& reasons, std::int32_t rank, LateGroup& late)
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
    constexpr std::int64_t percent = 100;
    if (2 * percent * late.passedOnNs >= finding.ns && late.passedOnNs > 0) // else 0 %
        finding.title
            += ", of which " + percentText(late.passedOnNs, finding.ns) + " through ranks that it holds up";
    finding.title += loneStepText(input.partition, late.nsByStep);
    if (2 * late.unclearNs > finding.ns) {
        finding.cause = "waited_itself";
        finding.title += "; it may have waited itself, for ranks that are not recorded or not known";
    } else if (isExplained(input, rank, late)) {
        addReason(input, reasons, rank, late);
    }
    finding.title += ".";
    static constexpr std::array<std::string_view, 3> ofCompute{"slow_kernels", "longer_kernels",
                                                               "more_compute"};
    if (std::find(ofCompute.begin(), ofCompute.end(), finding.cause) != ofCompute.end())
        addSlowGpu(
            input, rank, [&](std::int64_t step) { return late.nsByStep.contains(step); }, finding);
}

/// How much of the waiting is for the rank that most of a group waits for: where this is most of all, the
/// same ranks are late throughout, each in its own group.
std::int64_t forOneOfEachGroupNs(const FindingInput& input, const std::map<std::int32_t, LateGroup>& late)
{
    const ExposedCalls& calls = input.partition.calls;
    std::map<std::uint32_t, std::map<std::int32_t, std::int64_t>> byGroup;
    for (const auto& [rank, group] : late) {
        for (const std::size_t index : group.directWaits) {
            const CollectiveInstance& instance
                = input.analysis.run().matching.instances[calls.times[index].instance];
            byGroup[instance.group][rank] += calls.shares[index].waiting.ns;
        }
    }
    std::int64_t sumNs = 0;
    for (const auto& [group, byRank] : byGroup) {
        std::int64_t mostNs = 0;
        for (const auto& [rank, ns] : byRank)
            mostNs = std::max(mostNs, ns);
        sumNs += mostNs;
    }
    return sumNs;
}

/// More compute must explain this share of the waiting.
constexpr double turnsShare = 2.0 / 3;

/// Whether more compute explains most of the waiting for the ranks that most of it is for: what they
/// spend more time on from one collective to the next.
bool isForCompute(const std::map<std::int32_t, LateGroup>& late, LateReasons& reasons)
{
    std::vector<std::pair<std::int64_t, std::int32_t>> ranks;
    ranks.reserve(late.size());
    for (const auto& [rank, group] : late)
        ranks.emplace_back(group.finding.ns, rank);
    std::sort(ranks.rbegin(), ranks.rend());
    constexpr std::size_t most = 8; // each reads the slices of several ranks
    ranks.resize(std::min(ranks.size(), most));
    std::vector<std::int32_t> known;
    for (const auto& [ns, rank] : ranks) {
        if (rank != CallTiming::nobody)
            known.push_back(rank);
    }
    reasons.find(known);
    double allNs = 0;
    double explainedNs = 0;
    for (const auto& [ns, rank] : ranks) {
        allNs += static_cast<double>(ns);
        if (rank != CallTiming::nobody)
            explainedNs += static_cast<double>(ns) * reasons.of(rank).computeShare;
    }
    return explainedNs >= turnsShare * allNs;
}

/// Whether several ranks take turns in being late, and unequal compute times explain it. Ranks that are late
/// because they waited for one rank in another group do not take turns: the stragglers say so.
bool takesTurns(const FindingInput& input, const std::map<std::int32_t, LateGroup>& late,
                LateReasons& reasons)
{
    if (measureArrivals(input.analysis).verdict() == StragglerVerdict::OneRank)
        return false;
    constexpr std::size_t fewestRanks = 3;
    std::int64_t allNs = 0;
    for (const auto& [rank, group] : late)
        allNs += group.finding.ns;
    const bool matters
        = static_cast<double>(allNs) > matteringShare * static_cast<double>(input.partition.windowNs);
    return late.size() >= fewestRanks && matters && 2 * forOneOfEachGroupNs(input, late) <= allNs
        && isForCompute(late, reasons);
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
        + std::string(" compute unequally long and take turns in being late: the others wait ")
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
    unclearNs += other.unclearNs;
    passedOnNs += other.passedOnNs;
}

void addLateRanks(const FindingInput& input, const std::vector<SlowRank>& slow, LateGroups& late)
{
    std::vector<Finding>& all = input.findings.all;
    LateReasons ofExperts(input, slow, late.experts);
    if (takesTurns(input, late.experts, ofExperts)) {
        all.push_back(unitedOf(input, late.experts, FindingKind::UnbalancedExperts));
    } else {
        for (const auto& [rank, group] : late.experts)
            late.others[rank].join(group);
    }
    LateReasons reasons(input, slow, late.others); // the groups have those of the experts now
    if (takesTurns(input, late.others, reasons)) {
        all.push_back(unitedOf(input, late.others, FindingKind::UnbalancedWork));
        return;
    }
    std::vector<std::int32_t> explained;
    for (const auto& [rank, group] : late.others) {
        if (isExplained(input, rank, group))
            explained.push_back(rank);
    }
    reasons.find(explained);
    for (auto& [rank, group] : late.others) {
        finishLate(input, reasons, rank, group);
        all.push_back(std::move(group.finding));
    }
}

} // namespace collscope
