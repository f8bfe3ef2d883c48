// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/arrival_order.h"

#include "metrics/causes/ordered_collectives.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace collscope {

std::unique_ptr<CallJoin> OrderedGroup::join(const SummarizedRun& run) const
{
    if (pairs)
        return std::make_unique<PairJoin>(run, *group, *pairs);
    return std::make_unique<GroupJoin>(run, *group, laneOrderOf(rule));
}

NumberedReader::NumberedReader(const SummarizedRun& run, const OrderedGroup& group,
                               const OrderOptions& options)
    : m_group(*group.group)
    , m_options(options)
    , m_join(group.join(run))
    , m_onHand(run, *group.group, group.rule)
    , m_timer(m_onHand.timer(options.clocks, options.byDuration))
    , m_clockTimer(m_onHand.timer(options.clocks, false))
{ }

bool NumberedReader::next(OrderedCollective& collective)
{
    while (m_join->next()) {
        const std::uint64_t number = m_number++;
        const TransferRole role = m_join->role();
        if (!m_join->areAlike() || (m_options.skipsHandovers && role == TransferRole::Handover))
            continue;
        const std::span<const JoinedCall> calls = m_join->calls();
        m_onHand.set(calls, m_join->confidence());
        const CollectiveInstance& instance = m_onHand.instance();
        if (instance.memberCount < 2 && !isLacking(instance))
            continue;
        const JoinedCall& first = calls[m_clockTimer.withoutWaits(instance).first];
        collective.arrivedNs = m_timer.withoutWaits(instance).arrivals.endNs;
        collective.beginNs = calls.front().range.beginNs;
        collective.number = number;
        collective.isInWindow
            = m_options.windows[m_group.lanes[first.lane].rank].at(first.range.beginNs) >= 0;
        collective.confidence = m_join->confidence();
        collective.role = role;
        collective.calls.assign(calls.begin(), calls.end());
        return true;
    }
    return false;
}

ArrivalOrder::ArrivalOrder(const SummarizedRun& run, const std::vector<OrderedGroup>& groups,
                           const OrderOptions& options)
{
    for (const OrderedGroup& group : groups) {
        Lane& lane = m_lanes.emplace_back();
        lane.reader = std::make_unique<NumberedReader>(run, group, options);
        lane.latestNs = std::numeric_limits<std::int64_t>::min();
        lane.backNs = group.backNs;
    }
}

bool ArrivalOrder::isAfter(const OrderedCollective& a, const OrderedCollective& b)
{
    return std::tie(a.arrivedNs, a.beginNs, a.number) > std::tie(b.arrivedNs, b.beginNs, b.number);
}

/// Reads on until what is on top is the next one for certain; false at the end of the group.
bool ArrivalOrder::fill(Lane& lane) const
{
    while (!lane.isAtEnd
           && (lane.waiting.empty() || lane.waiting.front().arrivedNs >= lane.latestNs - lane.backNs)) {
        OrderedCollective next;
        if (!lane.reader->next(next)) {
            lane.isAtEnd = true;
            break;
        }
        lane.latestNs = std::max(lane.latestNs, next.arrivedNs);
        lane.waiting.push_back(std::move(next));
        std::push_heap(lane.waiting.begin(), lane.waiting.end(), isAfter);
    }
    return !lane.waiting.empty();
}

void ArrivalOrder::forEach(const std::function<void(std::size_t, const OrderedCollective&)>& f)
{
    // Of equal arrivals, the order is that of all collectives of a loaded run: by begin, then by group.
    const auto isLater = [this](std::size_t a, std::size_t b) {
        const OrderedCollective& x = m_lanes[a].waiting.front();
        const OrderedCollective& y = m_lanes[b].waiting.front();
        return std::tie(x.arrivedNs, x.beginNs, a) > std::tie(y.arrivedNs, y.beginNs, b);
    };
    std::vector<std::size_t> heap;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        if (fill(m_lanes[i]))
            heap.push_back(i);
    }
    std::make_heap(heap.begin(), heap.end(), isLater);
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), isLater);
        Lane& lane = m_lanes[heap.back()];
        f(heap.back(), lane.waiting.front());
        std::pop_heap(lane.waiting.begin(), lane.waiting.end(), isAfter);
        lane.waiting.pop_back();
        if (fill(lane))
            std::push_heap(heap.begin(), heap.end(), isLater);
        else
            heap.pop_back();
    }
}

} // namespace collscope
