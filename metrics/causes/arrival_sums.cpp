// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/arrival_sums.h"

#include "metrics/causes/ordered_collectives.h"

#include <algorithm>
#include <utility>

namespace collscope {

std::optional<Arrival> ArrivalSums::read(ArrivingCollective& collective, CollectiveTimer& timer,
                                         Arrivals& counted)
{
    m_arrivals = &counted;
    m_collective = &collective;
    m_timer = &timer;
    m_calls = collective.calls();
    const CollectiveInstance& instance = collective.instance();
    if (isLacking(instance))
        addLacking();
    if (instance.memberCount < 2)
        return std::nullopt;
    if (collective.isPointToPoint()) {
        ++counted.pointToPoint;
    } else if (instance.confidence == MatchConfidence::OrderAlone) {
        ++counted.byOrderAlone;
    } else if (instance.absent > 0) {
        ++counted.lacking;
    } else if (const CollectiveTimes times = timer.of(instance); !times.tellsWaits) {
        ++counted.withoutRoot;
    } else {
        counted.incomplete += instance.isWhole ? 0 : 1;
        return add(times);
    }
    return std::nullopt;
}

/// Adds a collective of which a member's call is missing: what each call is longer than usual may be
/// a wait for that rank.
void ArrivalSums::addLacking()
{
    followSteps();
    const std::int64_t usualNs = m_collective->usualNs();
    std::vector<std::int64_t> waits;
    waits.reserve(m_calls.size());
    for (const ArrivingCall& call : m_calls)
        waits.push_back(std::max<std::int64_t>(call.range.lengthNs() - usualNs, 0));
    remember(waits, {});
}

/// `times`: what the timer has just measured.
Arrival ArrivalSums::add(const CollectiveTimes& times)
{
    followSteps();
    Arrival arrival;
    arrival.times = times;
    arrival.origin = m_calls[arrival.times.awaited].rank;
    for (std::size_t i = 0; i < m_calls.size(); ++i) {
        const ArrivingCall& call = m_calls[i];
        RankWait& wait = m_arrivals->ranks[call.rank];
        wait.ownNs += m_timer->waits()[i];
        if (arrival.times.tellsTransfer && (synchronises(call.kind) || m_timer->waits()[i] > 0))
            wait.ownByDurationNs += call.range.lengthNs() - arrival.times.transferNs;
        ++wait.calls;
    }
    const KernelClass kind = m_calls.front().kind;
    checkOrder(kind, arrival.times);
    const std::int64_t significantNs
        = synchronises(kind) ? m_arrivals->significantNs : m_arrivals->significantByClocksNs;
    arrival.isSignificant = arrival.times.heldNs > significantNs;
    arrival.isLastKnown = arrival.times.leadNs >= orderNs(kind);
    std::size_t origin = nobody;
    arrival.isStaged = m_collective->mayExplainLast(arrival.times);
    if (arrival.isStaged)
        ++m_arrivals->staged;
    else if (arrival.isSignificant)
        origin = blame(arrival, kind);
    else if (arrival.times.heldNs > lateNs)
        ++m_arrivals->notSignificant;
    const bool isMeeting = synchronises(kind) && !m_collective->isHiddenAtEnd(arrival.times.awaited)
        && !m_collective->isHiddenAtEnd(arrival.times.longest);
    remember(m_timer->waits(), {synchronises(kind), isMeeting, origin});
    ++m_arrivals->counted;
    return arrival;
}

/// Tells the history where a member's step differs from that of its last call.
void ArrivalSums::followSteps()
{
    for (const ArrivingCall& call : m_calls) {
        if (std::exchange(m_lastStep[call.rank], call.step) != call.step)
            m_history.beginStep(call.rank);
    }
}

void ArrivalSums::remember(const std::vector<std::int64_t>& waits, WaitHistory::Collective collective)
{
    std::vector<WaitHistory::Member> remembered;
    remembered.reserve(m_calls.size());
    for (std::size_t i = 0; i < m_calls.size(); ++i) {
        const std::int64_t exposedNs
            = waits[i] > m_arrivals->significantNs ? m_collective->exposedNs(i, waits[i]) : waits[i];
        remembered.push_back({m_calls[i].rank, m_calls[i].range, waits[i], exposedNs});
    }
    m_history.add(remembered, collective);
}

/// What makes a member late in the collective read last, compared with another member of it.
WaitHistory::Since ArrivalSums::sinceMeeting(std::size_t member, std::size_t other) const
{
    const auto placeOf = [&](std::size_t of) {
        return WaitHistory::Place{m_calls[of].rank, m_calls[of].range.beginNs};
    };
    return m_history.sinceMeeting(placeOf(member), placeOf(other), m_arrivals->significantNs);
}

/// Median wait of all members except the awaited one (the lower median).
std::int64_t ArrivalSums::medianWait(const Arrival& arrival) const
{
    std::vector<std::int64_t> waits;
    for (std::size_t i = 0; i < m_timer->waits().size(); ++i) {
        if (i != arrival.times.awaited)
            waits.push_back(m_timer->waits()[i]);
    }
    const auto middle = waits.begin() + static_cast<std::ptrdiff_t>((waits.size() - 1) / 2);
    std::nth_element(waits.begin(), middle, waits.end());
    return *middle;
}

void ArrivalSums::checkOrder(KernelClass kind, const CollectiveTimes& times)
{
    if (!synchronises(kind) || times.contradictionNs() <= m_arrivals->significantNs)
        return;
    ++m_arrivals->outOfOrder;
    m_arrivals->clockErrorNs = std::max(m_arrivals->clockErrorNs, times.contradictionNs());
}

/// The wait of a rank in the collective read last; 0 if the rank is not a member. A rank that waits for
/// others there does not delay them.
std::int64_t ArrivalSums::waitOf(std::size_t rank) const
{
    for (std::size_t i = 0; i < m_calls.size(); ++i) {
        if (m_calls[i].rank == rank)
            return m_timer->waits()[i];
    }
    return 0;
}

/// Whether a rank was late only because it had waited for `origin`.
bool ArrivalSums::isHeldUpBy(std::size_t origin, std::size_t member, std::int64_t behindNs,
                             std::size_t first) const
{
    if (m_calls[member].rank == origin)
        return true;
    const WaitHistory::Since since = sinceMeeting(member, first);
    return since.origin == origin && 2 * since.ns >= behindNs && behindNs > 0;
}

/// By how much the waits of the others would be shorter without the rank that this lateness originates
/// from: the time up to the next rank that was late for another reason.
std::int64_t ArrivalSums::soleWaitNs(const Arrival& arrival, KernelClass kind) const
{
    const std::vector<TimeRange>& times = m_timer->members();
    const std::size_t first = arrival.times.longest;
    std::int64_t leadNs = arrival.times.heldNs;
    for (std::size_t i = 0; i < m_calls.size() && synchronises(kind); ++i) {
        const std::int64_t behindNs = m_timer->lateness()[i];
        if (i != arrival.times.awaited && !isHeldUpBy(arrival.origin, i, behindNs, first))
            leadNs = std::min(leadNs, arrival.times.arrivals.endNs - times[i].beginNs);
    }
    std::int64_t sum = 0;
    for (const std::int64_t waitNs : m_timer->waits())
        sum += std::min(waitNs, leadNs);
    return sum;
}

std::int64_t ArrivalSums::orderNs(KernelClass kind) const
{
    return synchronises(kind) || !m_arrivals->isByDuration ? m_arrivals->orderNs
                                                           : m_arrivals->significantByClocksNs;
}

/// The rank that this rank's lateness originates from. A wait that the first arriver did not have
/// explains why this rank is behind it.
std::size_t ArrivalSums::originOf(std::size_t member, const Arrival& arrival) const
{
    const std::size_t first = arrival.times.longest;
    const WaitHistory::Since since = sinceMeeting(member, first);
    const bool isPassedOn
        = 2 * since.ns >= arrival.times.heldNs && waitOf(since.origin) <= m_arrivals->significantNs;
    return isPassedOn ? since.origin : m_calls[member].rank;
}

/// The origins of the lateness of all ranks that arrived last within the clock uncertainty.
std::set<std::size_t> ArrivalSums::originsOf(const Arrival& arrival, KernelClass kind) const
{
    const std::vector<std::int64_t>& lateness = m_timer->lateness();
    std::set<std::size_t> origins{originOf(arrival.times.awaited, arrival)};
    for (std::size_t i = 0; i < m_calls.size(); ++i) {
        if (lateness[i] > 0 && lateness[arrival.times.awaited] - lateness[i] < orderNs(kind))
            origins.insert(originOf(i, arrival));
    }
    return origins;
}

/// Records a lateness that no single rank caused.
void ArrivalSums::noteUnknown(const Arrival& arrival, const std::set<std::size_t>& origins)
{
    m_arrivals->causeUnknownNs += medianWait(arrival);
    m_arrivals->causeUnknownWaitNs += arrival.times.waitNs;
    for (const std::size_t origin : origins) {
        if (origin != nobody && !arrival.times.isMostTogether)
            m_arrivals->ranks[origin].possiblyCausedNs += arrival.times.waitNs;
    }
}

void ArrivalSums::noteEarly(const Arrival& arrival)
{
    for (std::size_t i = 0; arrival.times.isMostTogether && i < m_calls.size(); ++i) {
        if (10 * m_timer->waits()[i] <= arrival.times.heldNs)
            continue;
        m_arrivals->ranks[m_calls[i].rank].earlyNs += m_timer->waits()[i];
        ++m_arrivals->ranks[m_calls[i].rank].timesEarly;
    }
}

void ArrivalSums::noteLast(const Arrival& arrival, std::size_t last)
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
std::size_t ArrivalSums::blame(Arrival& arrival, KernelClass kind)
{
    const std::size_t last = m_calls[arrival.times.awaited].rank;
    const std::set<std::size_t> origins = originsOf(arrival, kind);
    const std::size_t origin = origins.size() == 1 ? *origins.begin() : nobody;
    noteEarly(arrival);
    noteLast(arrival, last);
    if (origin == nobody) {
        arrival.mayPassOn = origins.contains(nobody);
        noteUnknown(arrival, origins);
    } else {
        arrival.origin = origin;
        arrival.isOriginKnown = true;
        m_arrivals->ranks[origin].soleNs += soleWaitNs(arrival, kind);
        m_arrivals->ranks[origin].causedNs += arrival.times.waitNs - waitOf(origin);
        m_arrivals->ranks[origin].delayNs += medianWait(arrival);
    }
    return origin;
}

} // namespace collscope
