// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/arrivals.h"

#include "metrics/causes/arrival_sums.h"
#include "metrics/causes/handed_work.h"
#include "metrics/causes/hidden_waits.h"
#include "metrics/causes/ordered_collectives.h"
#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace collscope {

namespace {

std::vector<GroupSkew> skewByGroup(const Matching& matching, const std::vector<Arrival>& matched)
{
    std::map<std::string, GroupSkew> byName;
    for (std::size_t i = 0; i < matched.size(); ++i) {
        GroupSkew& group = byName[matching.groupOf(*matched[i].instance).text];
        group.skewNs += matched[i].times.heldNs;
        group.longestNs = std::max(group.longestNs, matched[i].times.heldNs);
        group.significantNs += matched[i].isSignificant ? matched[i].times.heldNs : 0;
        group.arrivals.push_back(i);
    }
    std::vector<GroupSkew> groups;
    for (auto& [name, group] : byName) {
        group.group = name;
        groups.push_back(std::move(group));
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const GroupSkew& a, const GroupSkew& b) { return a.skewNs > b.skewNs; });
    return groups;
}

} // namespace

const RankWait* Arrivals::straggler() const
{
    const RankWait* most = nullptr;
    for (const RankWait& rank : ranks) {
        if (rank.causedNs > (most ? most->causedNs : 0))
            most = &rank;
    }
    return most;
}

std::string Arrivals::doubt() const
{
    const std::int64_t judged = counted;
    if (lacksMatches(shared))
        return lackingMatchesText(shared);
    if (2 * staged >= judged && staged > 0)
        return "in " + std::to_string(staged) + " of " + countText(judged, "collective")
            + " ranks pass work to each other by sends and receives, and that order can determine which rank "
              "arrives last";
    const std::int64_t hidden = incomplete + shared.othersNotLoaded;
    if (hidden > 0 && 2 * hidden >= judged + shared.othersNotLoaded)
        return "in " + std::to_string(hidden) + " of "
            + countText(judged + shared.othersNotLoaded, "collective")
            + " the traces of some ranks are not loaded or not in this window, and one of these ranks may "
              "have arrived last";
    return {};
}

bool lacksMatches(const SharedCalls& shared)
{
    return 10 * shared.unmatched > shared.all;
}

std::string lackingMatchesText(const SharedCalls& shared)
{
    return std::to_string(shared.unmatched) + " of " + countText(shared.all, "call")
        + " expected on several ranks could not be matched";
}

std::int64_t arrivalErrorNs(Analysis& analysis)
{
    return arrivalErrorNs(analysis.run().clocks, analysis.options().clocks);
}

std::int64_t arrivalErrorNs(const ClockAlignment& clocks, ClockChoice choice)
{
    const bool isKnown = clocks.isTrusted && (clocks.isUsed(choice) || !clocks.isNeeded);
    if (!isKnown || clocks.fitsPoorly(choice))
        return lateNs; // the minimum skew that counts
    return std::max<std::int64_t>(2 * clocks.residualOf(choice), 1);
}

void setLimits(const ClockAlignment& clocks, ClockChoice choice, Arrivals& arrivals)
{
    arrivals.isByDuration = clocks.fitsPoorly(choice);
    arrivals.significantNs = arrivals.isByDuration ? lateNs : clocks.significantNs(choice);
    arrivals.significantByClocksNs = arrivals.isByDuration
        ? std::max(arrivals.significantNs, 2 * clocks.residualOf(choice))
        : arrivals.significantNs;
    arrivals.orderNs = arrivalErrorNs(clocks, choice);
}

namespace {

/// A collective of the model.
class ModelCollective : public ArrivingCollective
{
public:
    ModelCollective(Analysis& analysis, const OrderedCollectives& ordered, const CollectiveTimer& timer)
        : m_analysis(analysis)
        , m_timer(timer)
        , m_stages(analysis.calls(), analysis.matching())
        , m_lacking(analysis, ordered)
        , m_hidden(analysis.model())
    { }

    void set(const CollectiveInstance& instance)
    {
        m_instance = &instance;
        m_calls.clear();
        for (const CallRef member : members()) {
            const Call& call = m_analysis.callOf(member);
            m_calls.push_back({member.rank, call.range, call.step, call.kind});
        }
    }
    const CollectiveInstance& instance() const override { return *m_instance; }
    std::span<const ArrivingCall> calls() const override { return m_calls; }
    std::int64_t exposedNs(std::size_t member, std::int64_t waitNs) override
    {
        return m_hidden.exposedNs(m_analysis.callOf(members()[member]), waitNs);
    }
    bool isHiddenAtEnd(std::size_t member) override
    {
        return m_hidden.isHiddenAtEnd(m_analysis.callOf(members()[member]));
    }
    std::int64_t usualNs() const override { return m_lacking.usualNs(*m_instance); }
    bool isPointToPoint() const override
    {
        return collscope::isPointToPoint(m_analysis.model(), m_analysis.callOf(members().front()))
            && !m_stages.isExchange(*m_instance);
    }
    bool mayExplainLast(const CollectiveTimes& times) const override
    {
        return m_stages.mayExplainLast(*m_instance, m_timer, times);
    }

private:
    std::span<const CallRef> members() const { return m_analysis.matching().membersOf(*m_instance); }

    Analysis& m_analysis;
    const CollectiveTimer& m_timer;
    HandedWork m_stages;
    LackingCalls m_lacking;
    HiddenWaits m_hidden;
    const CollectiveInstance* m_instance = nullptr;
    std::vector<ArrivingCall> m_calls;
};

Arrivals measured(Analysis& analysis)
{
    Arrivals arrivals;
    for (const RankCalls& rank : analysis.calls()) {
        arrivals.ranks.emplace_back();
        arrivals.ranks.back().rank = rank.rank;
    }
    const ClockChoice choice = analysis.options().clocks;
    const ClockAlignment& clocks = analysis.run().clocks;
    setLimits(clocks, choice, arrivals);
    arrivals.shared = countShared(analysis.model(), analysis.calls(), analysis.matching());
    const std::vector<RankWindows>& windows = analysis.communicating().ranks;
    for (const RankWindows& rank : windows)
        arrivals.windowNs += rank.windowNs() / static_cast<std::int64_t>(windows.size());
    const OrderedCollectives ordered = inAxisOrder(analysis, arrivals.isByDuration);
    CollectiveTimer timer = analysis.timer(arrivals.isByDuration);
    ModelCollective collective(analysis, ordered, timer);
    ArrivalSums sums(arrivals.ranks.size());
    const auto read = [&](const CollectiveInstance& instance, Arrivals& counted) {
        collective.set(instance);
        if (std::optional<Arrival> arrival = sums.read(collective, timer, counted)) {
            arrival->instance = &instance;
            counted.matched.push_back(*arrival);
        }
    };
    Arrivals notCounted = arrivals;
    for (const CollectiveInstance* instance : ordered.before)
        read(*instance, notCounted);
    for (const CollectiveInstance* instance : ordered.inWindow)
        read(*instance, arrivals);
    arrivals.groups = skewByGroup(analysis.matching(), arrivals.matched);
    return arrivals;
}

} // namespace

const Arrivals& measureArrivals(Analysis& analysis)
{
    return analysis.table<Arrivals>([&] { return measured(analysis); });
}

} // namespace collscope
