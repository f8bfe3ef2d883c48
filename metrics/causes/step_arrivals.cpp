// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/step_arrivals.h"

#include "metrics/causes/arrivals.h"
#include "model/text/capitalised.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostNamedSlices = 32; ///< per sentence

/// The calls of one rank that start in its step.
std::span<const Call> callsOf(const RunCollectives& run, const RankStep& own)
{
    const std::vector<Call>& calls = run.ranks[own.index].calls;
    const auto from = [&](std::int64_t ns) {
        return std::partition_point(calls.begin(), calls.end(), [&](const Call& call) {
            return call.timeline < own.timeline || (call.timeline == own.timeline && call.range.beginNs < ns);
        });
    };
    return {from(own.step->range.beginNs), from(own.step->range.endNs)};
}

} // namespace

StepArrivals::StepArrivals(Analysis& analysis, const std::vector<RankStep>& ranks, std::int64_t durationNs)
    : m_analysis(analysis)
    , m_run(analysis.run())
    , m_steps(ranks)
    , m_durationNs(durationNs)
    , m_stages(m_run.ranks, m_run.matching)
{
    for (const std::uint32_t instance : instances())
        measure(instance);
    countUnmatched();
    keepWhatMatters();
}

std::vector<std::uint32_t> StepArrivals::instances()
{
    const auto& chosen = m_analysis.options().rank;
    std::vector<std::uint32_t> found;
    for (const RankStep& own : m_steps) {
        if (chosen && *chosen != m_run.ranks[own.index].rank)
            continue;
        for (const Call& call : callsOf(m_run, own)) {
            m_shared.all += isPointToPoint(m_analysis.model(), call) ? 0 : 1;
            if (const auto instance = m_run.instanceOf(call.slice))
                found.push_back(*instance);
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

/// Counts calls without a partner that are expected on another loaded rank.
void StepArrivals::countUnmatched()
{
    for (const Unmatched& unmatched : m_run.matching.unmatched) {
        const Call& call = m_run.callOf(unmatched.call);
        const auto& chosen = m_analysis.options().rank;
        if (isPointToPoint(m_analysis.model(), call) || !isInStep(unmatched.call)
            || (chosen && *chosen != m_run.ranks[unmatched.call.rank].rank))
            continue;
        const bool isOfOthers = unmatched.reason == UnmatchedReason::OthersNotLoaded
            || unmatched.reason == UnmatchedReason::PartnersUnknown;
        m_shared.all -= isOfOthers ? 1 : 0;
        m_shared.unmatched += isOfOthers ? 0 : 1;
    }
}

/// Whether a call found on only one rank may belong to several ranks.
bool StepArrivals::isOfSeveral(const CollectiveInstance& of, const Call& call) const
{
    const std::int32_t size = call.groupSize > 0 ? call.groupSize : m_run.matching.groupOf(of).size;
    return size > 0 ? size > 1 : m_analysis.model().worldSize != 1;
}

bool StepArrivals::isInStep(CallRef ref) const
{
    const auto own
        = std::lower_bound(m_steps.begin(), m_steps.end(), ref.rank,
                           [](const RankStep& step, std::uint32_t rank) { return step.index < rank; });
    const Call& call = m_run.callOf(ref);
    return own != m_steps.end() && own->index == ref.rank && own->timeline == call.timeline
        && own->step->range.contains(call.range.beginNs);
}

void StepArrivals::measure(std::uint32_t instance)
{
    const CollectiveInstance& of = m_run.matching.instances[instance];
    const Call& call = m_run.callOf(m_run.matching.membersOf(of).front());
    if (isPointToPoint(m_analysis.model(), call)) {
        ++m_pointToPoint;
        return;
    }
    if (of.memberCount < 2) {
        m_untold += isOfSeveral(of, call) ? 1 : 0;
        return;
    }
    LateArrival arrival = measureLate(m_analysis, instance);
    if (!m_analysis.options().rank && !isInStep(arrival.first))
        return;
    CollectiveTimer timer = timerOf(m_analysis);
    const CollectiveTimes times = timer.of(of);
    if (m_stages.mayExplainLast(of, timer, times)) {
        ++m_staged;
        return;
    }
    if (!arrival.tellsWaits || !of.isWhole) {
        ++m_untold;
        return;
    }
    ++m_collectives;
    if (arrival.skewNs() > significantSkewNs(m_analysis))
        m_late.push_back(std::move(arrival));
}

void StepArrivals::keepWhatMatters()
{
    struct Sum
    {
        std::int64_t ns = 0, longestNs = 0;
    };
    std::map<std::uint32_t, Sum> byRank;
    for (const LateArrival& arrival : m_late) {
        Sum& sum = byRank[arrival.last.rank];
        sum.ns += arrival.lateNs;
        sum.longestNs = std::max(sum.longestNs, arrival.lateNs);
    }
    const auto matters = [&](const LateArrival& arrival) {
        const Sum& own = byRank[arrival.last.rank];
        if (isShare(own.longestNs, m_durationNs, 1))
            return true;
        return isShare(own.ns, m_durationNs, 1)
            && std::none_of(byRank.begin(), byRank.end(), [&](const auto& other) {
                   return other.first != arrival.last.rank && 2 * other.second.ns > own.ns;
               });
    };
    std::erase_if(m_late, [&](const LateArrival& arrival) { return !matters(arrival); });
    std::stable_sort(m_late.begin(), m_late.end(),
                     [](const LateArrival& a, const LateArrival& b) { return a.imposedNs > b.imposedNs; });
}

std::vector<EarlyWaits> StepArrivals::early() const
{
    std::map<std::uint32_t, EarlyWaits> byRank;
    CollectiveTimer timer = timerOf(m_analysis);
    for (const LateArrival& arrival : m_late) {
        if (!arrival.isMostTogether)
            continue;
        const CollectiveInstance& of = m_run.matching.instances[arrival.instance];
        const auto members = m_run.matching.membersOf(of);
        const CollectiveTimes times = timer.of(of);
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (10 * timer.waits()[i] <= times.heldNs)
                continue;
            EarlyWaits& own = byRank[members[i].rank];
            own.rank = m_run.ranks[members[i].rank].rank;
            own.ns += timer.waits()[i];
            ++own.times;
            if (own.slices.size() < mostNamedSlices)
                own.slices.push_back(m_run.callOf(members[i]).slice);
        }
    }
    std::vector<EarlyWaits> found;
    for (auto& [rank, own] : byRank) {
        if (isShare(own.ns, m_durationNs, 1))
            found.push_back(std::move(own));
    }
    if (2 * found.size() >= m_steps.size())
        return {};
    std::stable_sort(found.begin(), found.end(),
                     [](const EarlyWaits& a, const EarlyWaits& b) { return a.ns > b.ns; });
    constexpr std::size_t most = 3;
    found.resize(std::min(found.size(), most));
    return found;
}

bool StepArrivals::isDoubtful() const
{
    const std::int64_t open = m_untold + m_staged + (m_pointToPoint > 0 ? 1 : 0);
    return (open > 0 && open >= m_collectives) || lacksMatches(m_shared);
}

std::string StepArrivals::nobodyText(bool saidWhoWasEarly) const
{
    std::vector<std::string> parts;
    if (m_collectives > 0)
        parts.push_back((saidWhoWasEarly ? "Apart from that, no" : "No")
                        + std::string(" rank was late by 1 % of the step or more in ")
                        + countText(m_collectives, "collective") + " with known arrivals");
    if (m_untold > 0)
        parts.push_back(
            "for " + countText(m_untold, "collective")
            + " the late rank cannot be determined: calls of some ranks are missing or could not be matched, "
              "the match rests on order alone, or it is unknown which ranks had to wait");
    if (lacksMatches(m_shared))
        parts.push_back(lackingMatchesText(m_shared));
    if (m_staged > 0)
        parts.push_back(
            "in " + countText(m_staged, "collective")
            + " ranks pass work to each other, and that order can determine which rank arrives last");
    if (parts.empty() && m_pointToPoint > 0)
        parts.emplace_back("Only sends and receives started in it, which have no common start");
    if (parts.empty())
        return "No collective of several ranks started in it, so no rank can have been late";
    std::string text;
    for (const std::string& part : parts)
        text.append(text.empty() ? "" : "; ").append(part);
    return capitalised(text);
}

} // namespace collscope
