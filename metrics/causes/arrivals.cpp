// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/arrivals.h"

#include "metrics/causes/handed_work.h"
#include "metrics/causes/hidden_waits.h"
#include "metrics/causes/ordered_collectives.h"
#include "metrics/causes/wait_history.h"
#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace collscope {

namespace {

/// Processes the collectives one after the other and sums up the waits that follow from their arrivals.
class ArrivalSums
{
public:
    /// `timer`: whose times are added.
    ArrivalSums(Analysis& analysis, Arrivals& arrivals, const CollectiveTimer& timer,
                const HandedWork& stages)
        : m_analysis(analysis)
        , m_arrivals(&arrivals)
        , m_timer(timer)
        , m_stages(stages)
        , m_hidden(analysis.model())
        , m_history(arrivals.ranks.size())
        , m_lastStep(arrivals.ranks.size(), -1)
    { }

    /// Where the next collectives are counted.
    void countInto(Arrivals& arrivals) { m_arrivals = &arrivals; }

    /// Adds a collective of which a member's call is missing: what each call is longer than `usualNs` may be
    /// a wait for that rank.
    void addLacking(const CollectiveInstance& instance, std::int64_t usualNs)
    {
        const auto members = m_analysis.matching().membersOf(instance);
        followSteps(members);
        std::vector<std::int64_t> waits;
        waits.reserve(members.size());
        for (const CallRef member : members)
            waits.push_back(std::max<std::int64_t>(m_analysis.callOf(member).durationNs() - usualNs, 0));
        remember(members, waits, {});
    }

    /// `times`: what the timer has just measured.
    void add(const CollectiveInstance& instance, const CollectiveTimes& times)
    {
        const auto members = m_analysis.matching().membersOf(instance);
        followSteps(members);
        Arrival arrival;
        arrival.instance = &instance;
        arrival.times = times;
        arrival.origin = members[arrival.times.awaited].rank;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Call& call = m_analysis.callOf(members[i]);
            RankWait& wait = m_arrivals->ranks[members[i].rank];
            wait.ownNs += m_timer.waits()[i];
            if (arrival.times.tellsTransfer && (synchronises(call.kind) || m_timer.waits()[i] > 0))
                wait.ownByDurationNs += call.durationNs() - arrival.times.transferNs;
            ++wait.calls;
        }
        const KernelClass kind = m_analysis.callOf(members.front()).kind;
        checkOrder(kind, arrival.times);
        const std::int64_t significantNs
            = synchronises(kind) ? m_arrivals->significantNs : m_arrivals->significantByClocksNs;
        arrival.isSignificant = arrival.times.heldNs > significantNs;
        arrival.isLastKnown = arrival.times.leadNs >= orderNs(kind);
        std::size_t origin = nobody;
        arrival.isStaged = m_stages.mayExplainLast(instance, m_timer, arrival.times);
        if (arrival.isStaged)
            ++m_arrivals->staged;
        else if (arrival.isSignificant)
            origin = blame(arrival, members, kind);
        else if (arrival.times.heldNs > lateNs)
            ++m_arrivals->notSignificant;
        const bool isMeeting = synchronises(kind)
            && !m_hidden.isHiddenAtEnd(m_analysis.callOf(members[arrival.times.awaited]))
            && !m_hidden.isHiddenAtEnd(m_analysis.callOf(members[arrival.times.longest]));
        remember(members, m_timer.waits(), {synchronises(kind), isMeeting, origin});
        m_arrivals->matched.push_back(arrival);
    }

private:
    static constexpr std::size_t nobody = WaitHistory::nobody;

    /// Tells the history where a member's step differs from that of its last call.
    void followSteps(std::span<const CallRef> members)
    {
        for (const CallRef member : members) {
            const std::int32_t step = m_analysis.callOf(member).step;
            if (std::exchange(m_lastStep[member.rank], step) != step)
                m_history.beginStep(member.rank);
        }
    }

    void remember(std::span<const CallRef> members, const std::vector<std::int64_t>& waits,
                  WaitHistory::Collective collective)
    {
        std::vector<WaitHistory::Member> remembered;
        remembered.reserve(members.size());
        for (std::size_t i = 0; i < members.size(); ++i) {
            const Call& call = m_analysis.callOf(members[i]);
            const std::int64_t exposedNs
                = waits[i] > m_arrivals->significantNs ? m_hidden.exposedNs(call, waits[i]) : waits[i];
            remembered.push_back({members[i].rank, call.range, waits[i], exposedNs});
        }
        m_history.add(remembered, collective);
    }

    /// What makes a member late in the collective read last, compared with another member of it.
    WaitHistory::Since sinceMeeting(CallRef member, CallRef other) const
    {
        const auto placeOf = [&](CallRef of) {
            return WaitHistory::Place{of.rank, m_analysis.callOf(of).range.beginNs};
        };
        return m_history.sinceMeeting(placeOf(member), placeOf(other), m_arrivals->significantNs);
    }

    /// Median wait of all members except the awaited one (the lower median).
    std::int64_t medianWait(const Arrival& arrival) const
    {
        std::vector<std::int64_t> waits;
        for (std::size_t i = 0; i < m_timer.waits().size(); ++i) {
            if (i != arrival.times.awaited)
                waits.push_back(m_timer.waits()[i]);
        }
        const auto middle = waits.begin() + static_cast<std::ptrdiff_t>((waits.size() - 1) / 2);
        std::nth_element(waits.begin(), middle, waits.end());
        return *middle;
    }

    void checkOrder(KernelClass kind, const CollectiveTimes& times)
    {
        if (!synchronises(kind) || times.contradictionNs() <= m_arrivals->significantNs)
            return;
        ++m_arrivals->outOfOrder;
        m_arrivals->clockErrorNs = std::max(m_arrivals->clockErrorNs, times.contradictionNs());
    }

    /// The wait of a rank in the collective read last; 0 if the rank is not a member. A rank that waits for
    /// others there does not delay them.
    std::int64_t waitOf(std::size_t rank, std::span<const CallRef> members) const
    {
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (members[i].rank == rank)
                return m_timer.waits()[i];
        }
        return 0;
    }

    /// Whether a rank was late only because it had waited for `origin`.
    bool isHeldUpBy(std::size_t origin, CallRef member, std::int64_t lateNs, CallRef first) const
    {
        if (member.rank == origin)
            return true;
        const WaitHistory::Since since = sinceMeeting(member, first);
        return since.origin == origin && 2 * since.ns >= lateNs && lateNs > 0;
    }

    /// By how much the waits of the others would be shorter without the rank that this lateness originates
    /// from: the time up to the next rank that was late for another reason.
    std::int64_t soleWaitNs(const Arrival& arrival, std::span<const CallRef> members, KernelClass kind) const
    {
        const std::vector<TimeRange>& times = m_timer.members();
        const CallRef first = members[arrival.times.longest];
        std::int64_t leadNs = arrival.times.heldNs;
        for (std::size_t i = 0; i < members.size() && synchronises(kind); ++i) {
            const std::int64_t lateNs = m_timer.lateness()[i];
            if (i != arrival.times.awaited && !isHeldUpBy(arrival.origin, members[i], lateNs, first))
                leadNs = std::min(leadNs, arrival.times.arrivals.endNs - times[i].beginNs);
        }
        std::int64_t sum = 0;
        for (const std::int64_t waitNs : m_timer.waits())
            sum += std::min(waitNs, leadNs);
        return sum;
    }

    std::int64_t orderNs(KernelClass kind) const
    {
        return synchronises(kind) || !m_arrivals->isByDuration ? m_arrivals->orderNs
                                                               : m_arrivals->significantByClocksNs;
    }

    /// The rank that this rank's lateness originates from. A wait that the first arriver did not have
    /// explains why this rank is behind it.
    std::size_t originOf(CallRef member, const Arrival& arrival, std::span<const CallRef> members) const
    {
        const CallRef first = members[arrival.times.longest];
        const WaitHistory::Since since = sinceMeeting(member, first);
        const bool isPassedOn = 2 * since.ns >= arrival.times.heldNs
            && waitOf(since.origin, members) <= m_arrivals->significantNs;
        return isPassedOn ? since.origin : member.rank;
    }

    /// The origins of the lateness of all ranks that arrived last within the clock uncertainty.
    std::set<std::size_t> originsOf(const Arrival& arrival, std::span<const CallRef> members,
                                    KernelClass kind) const
    {
        const std::vector<std::int64_t>& lateness = m_timer.lateness();
        std::set<std::size_t> origins{originOf(members[arrival.times.awaited], arrival, members)};
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (lateness[i] > 0 && lateness[arrival.times.awaited] - lateness[i] < orderNs(kind))
                origins.insert(originOf(members[i], arrival, members));
        }
        return origins;
    }

    /// Records a lateness that no single rank caused.
    void noteUnknown(const Arrival& arrival, const std::set<std::size_t>& origins)
    {
        m_arrivals->causeUnknownNs += medianWait(arrival);
        m_arrivals->causeUnknownWaitNs += arrival.times.waitNs;
        for (const std::size_t origin : origins) {
            if (origin != nobody && !arrival.times.isMostTogether)
                m_arrivals->ranks[origin].possiblyCausedNs += arrival.times.waitNs;
        }
    }

    void noteEarly(const Arrival& arrival, std::span<const CallRef> members)
    {
        for (std::size_t i = 0; arrival.times.isMostTogether && i < members.size(); ++i) {
            if (10 * m_timer.waits()[i] <= arrival.times.heldNs)
                continue;
            m_arrivals->ranks[members[i].rank].earlyNs += m_timer.waits()[i];
            ++m_arrivals->ranks[members[i].rank].timesEarly;
        }
    }

    void noteLast(const Arrival& arrival, std::size_t last)
    {
        if (arrival.isLastKnown) {
            m_arrivals->ranks[last].imposedNs += arrival.times.waitNs;
            ++m_arrivals->ranks[last].timesLast;
        } else {
            ++m_arrivals->lastUnknown;
            m_arrivals->lastUnknownNs += arrival.times.waitNs;
        }
    }

    /// Returns the rank that the lateness originates from.
    std::size_t blame(Arrival& arrival, std::span<const CallRef> members, KernelClass kind)
    {
        const std::size_t last = members[arrival.times.awaited].rank;
        const std::set<std::size_t> origins = originsOf(arrival, members, kind);
        const std::size_t origin = origins.size() == 1 ? *origins.begin() : nobody;
        noteEarly(arrival, members);
        noteLast(arrival, last);
        if (origin == nobody) {
            arrival.mayPassOn = origins.contains(nobody);
            noteUnknown(arrival, origins);
        } else {
            arrival.origin = origin;
            arrival.isOriginKnown = true;
            m_arrivals->ranks[origin].soleNs += soleWaitNs(arrival, members, kind);
            m_arrivals->ranks[origin].causedNs += arrival.times.waitNs - waitOf(origin, members);
            m_arrivals->ranks[origin].delayNs += medianWait(arrival);
        }
        return origin;
    }

    Analysis& m_analysis;
    Arrivals* m_arrivals;
    const CollectiveTimer& m_timer;
    const HandedWork& m_stages;
    HiddenWaits m_hidden;
    WaitHistory m_history;
    std::vector<std::int32_t> m_lastStep; ///< by rank
};

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
    const auto judged = static_cast<std::int64_t>(matched.size());
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
    const ClockChoice choice = analysis.options().clocks;
    const ClockAlignment& clocks = analysis.run().clocks;
    const bool isKnown = clocks.isTrusted && (clocks.isUsed(choice) || !clocks.isNeeded);
    if (!isKnown || clocks.fitsPoorly(choice))
        return lateNs; // the minimum skew that counts
    return std::max<std::int64_t>(2 * clocks.residualOf(choice), 1);
}

namespace {

/// Adds a collective where its arrivals show who waited, and counts why if they do not.
class CollectiveReader
{
public:
    CollectiveReader(Analysis& analysis, Arrivals& arrivals, const OrderedCollectives& ordered)
        : m_analysis(analysis)
        , m_stages(analysis.calls(), analysis.matching())
        , m_timer(analysis.timer(arrivals.isByDuration))
        , m_lacking(analysis, ordered)
        , m_sums(analysis, arrivals, m_timer, m_stages)
    { }

    void read(const CollectiveInstance& instance, Arrivals& counted)
    {
        m_sums.countInto(counted);
        if (LackingCalls::isLacking(instance))
            m_sums.addLacking(instance, m_lacking.usualNs(instance));
        if (instance.memberCount < 2)
            return;
        const Call& call = m_analysis.callOf(m_analysis.matching().membersOf(instance).front());
        if (isPointToPoint(m_analysis.model(), call) && !m_stages.isExchange(instance)) {
            ++counted.pointToPoint;
        } else if (instance.confidence == MatchConfidence::OrderAlone) {
            ++counted.byOrderAlone;
        } else if (instance.absent > 0) {
            ++counted.lacking;
        } else if (const CollectiveTimes times = m_timer.of(instance); !times.tellsWaits) {
            ++counted.withoutRoot;
        } else {
            counted.incomplete += instance.isWhole ? 0 : 1;
            m_sums.add(instance, times);
        }
    }

private:
    Analysis& m_analysis;
    HandedWork m_stages;
    CollectiveTimer m_timer;
    LackingCalls m_lacking;
    ArrivalSums m_sums;
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
    arrivals.isByDuration = clocks.fitsPoorly(choice);
    arrivals.significantNs = arrivals.isByDuration ? lateNs : clocks.significantNs(choice);
    arrivals.significantByClocksNs = arrivals.isByDuration
        ? std::max(arrivals.significantNs, 2 * clocks.residualOf(choice))
        : arrivals.significantNs;
    arrivals.orderNs = arrivalErrorNs(analysis);
    arrivals.shared = countShared(analysis.model(), analysis.calls(), analysis.matching());
    const std::vector<RankWindows>& windows = analysis.communicating().ranks;
    for (const RankWindows& rank : windows)
        arrivals.windowNs += rank.windowNs() / static_cast<std::int64_t>(windows.size());
    const OrderedCollectives ordered = inAxisOrder(analysis, arrivals.isByDuration);
    CollectiveReader reader(analysis, arrivals, ordered);
    Arrivals notCounted = arrivals;
    for (const CollectiveInstance* instance : ordered.before)
        reader.read(*instance, notCounted);
    for (const CollectiveInstance* instance : ordered.inWindow)
        reader.read(*instance, arrivals);
    arrivals.groups = skewByGroup(analysis.matching(), arrivals.matched);
    return arrivals;
}

} // namespace

const Arrivals& measureArrivals(Analysis& analysis)
{
    return analysis.table<Arrivals>([&] { return measured(analysis); });
}

} // namespace collscope
