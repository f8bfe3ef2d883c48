// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/folded_clocks.h"

#include "metrics/matching/clock_fitting.h"
#include "metrics/summary/folded_collectives.h"
#include "model/containers/compact_column.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace collscope {

namespace {

/// Finds the two values around a percentile among any number of them, counting instead of keeping them.
class CountedPercentile
{
public:
    /// One pass over all values decides which 65,536 ranges of values the next one counts.
    bool isDone() const { return m_isDone; }
    void beginPass()
    {
        m_counts.assign(buckets, 0);
        m_all = m_below = m_inside = m_largest = 0;
        m_nextAbove = std::numeric_limits<std::uint64_t>::max();
    }
    void add(double distance)
    {
        const auto value = static_cast<std::uint64_t>(2 * distance); // distances are multiples of 0.5
        ++m_all;
        m_largest = std::max(m_largest, value);
        if (value < m_first) {
            ++m_below;
        } else if (const std::uint64_t bucket = (value - m_first) / m_width; bucket < buckets) {
            ++m_counts[bucket];
            ++m_inside;
        } else {
            m_nextAbove = std::min(m_nextAbove, value);
        }
    }
    void endPass(double p)
    {
        if (m_all == 0) {
            m_isDone = true;
            return;
        }
        const double at = p * static_cast<double>(m_all - 1);
        const auto place = static_cast<std::uint64_t>(at);
        if (place >= m_below + m_inside) {
            m_first += buckets * m_width;
            m_width = (m_largest - m_first) / buckets + 1;
            return;
        }
        std::uint64_t before = m_below;
        std::size_t bucket = 0;
        while (before + m_counts[bucket] <= place)
            before += m_counts[bucket++];
        if (m_width > 1) {
            m_first += bucket * m_width;
            m_width = (m_width - 1) / buckets + 1;
            return;
        }
        m_isDone = true;
        const double value = static_cast<double>(m_first + bucket) / 2;
        m_value = value;
        if (place + 1 == m_all)
            return;
        std::uint64_t next = m_first + bucket;
        if (before + m_counts[bucket] == place + 1)
            next = nextAfter(bucket);
        // As percentileOf().
        m_value = value + (static_cast<double>(next) / 2 - value) * (at - static_cast<double>(place));
    }
    double value() const { return m_value; }

private:
    static constexpr std::uint64_t buckets = 65'536;

    std::uint64_t nextAfter(std::size_t bucket) const
    {
        while (++bucket < buckets) {
            if (m_counts[bucket] > 0)
                return m_first + bucket;
        }
        return m_nextAbove;
    }

    bool m_isDone = false;
    double m_value = 0;
    std::uint64_t m_first = 0, m_width = 1; ///< of the buckets
    std::uint64_t m_all = 0, m_below = 0, m_inside = 0, m_largest = 0, m_nextAbove = 0;
    std::vector<std::uint64_t> m_counts;
};

/// The readings of one group.
class GroupReadings
{
public:
    GroupReadings(const SummarizedRun& run, const SummarizedRun::Group& group)
        : m_run(&run)
        , m_group(&group)
    { }

    /// Reads the group and keeps the ends that the fit uses.
    void collect()
    {
        std::vector<Place> places = findUsed();
        if (places.empty())
            return;
        std::sort(places.begin(), places.end()); // in time order on the lowest rank
        m_firstBeginNs = places.front().beginNs;
        m_collectives = places.size();
        const std::size_t every = fittedEvery(places.size());
        std::vector<std::pair<std::uint64_t, std::size_t>> fitted;
        for (std::size_t i = 0; i < places.size(); i += every)
            fitted.emplace_back(places[i].number, fitted.size());
        std::sort(fitted.begin(), fitted.end());
        m_isComplete = m_most == m_group->lanes.size();
        m_laneNs.resize(m_group->lanes.size(), unseen);
        m_rowOf.resize(fitted.size());
        m_afterNs.reserve(fitted.size() * m_most);
        auto next = fitted.begin();
        forEachUsed([&](std::uint64_t number, std::span<const JoinedCall> calls) {
            if (next == fitted.end() || next->first != number)
                return;
            m_rowOf[next->second] = m_baseNs.size();
            keep(calls);
            ++next;
        });
        if (next != fitted.end()) // they were there when the places were found
            m_needs = NeedsDetail::Damaged;
    }

    const SummarizedRun::Group& group() const { return *m_group; }
    NeedsDetail needs() const { return m_needs; }
    std::size_t collectives() const { return m_collectives; }
    std::int64_t firstBeginNs() const { return m_firstBeginNs; }
    std::int64_t ofSeveral() const { return m_ofSeveral; }

    void forEachFitted(const ClockReadings::Take& take) const
    {
        std::vector<ClockReading> readings(m_most);
        for (const std::size_t row : m_rowOf) {
            for (std::size_t i = 0; i < m_most; ++i) {
                const std::size_t at = row * m_most + i;
                const std::size_t lane = m_isComplete ? i : m_lanes[at];
                const std::int64_t endNs = m_laneNs[lane] + m_baseNs[row] + m_afterNs[at];
                readings[i] = {m_group->lanes[lane].rank, {endNs, endNs}};
            }
            take(readings);
        }
    }
    void forEach(const ClockReadings::Take& take) const
    {
        std::vector<ClockReading> readings;
        forEachUsed([&](std::uint64_t, std::span<const JoinedCall> calls) {
            readings.clear();
            for (const JoinedCall& call : calls)
                readings.push_back({m_group->lanes[call.lane].rank, call.range});
            take(readings);
        });
    }

private:
    /// A collective: when it began on its lowest rank, and its place in the order of numbers.
    struct Place
    {
        std::int64_t beginNs = 0;
        std::uint64_t number = 0;
        std::size_t members = 0;
        friend bool operator<(const Place& a, const Place& b)
        {
            return std::tie(a.beginNs, a.number) < std::tie(b.beginNs, b.number);
        }
    };

    bool isUsable(std::span<const JoinedCall> calls) const
    {
        return calls.size() > 1 && endsTogether(m_run->model(), m_run->callOf(calls.front().kind));
    }

    /// Those with most members, so that all medians cover the same ranks.
    std::vector<Place> findUsed()
    {
        std::vector<Place> places;
        std::uint64_t number = 0;
        const auto restart = [&](MatchRule) {
            places.clear();
            number = 0;
            m_ofSeveral = 0;
        };
        const JoinRule found
            = joinGroup(*m_run, *m_group, restart, [&](std::span<const JoinedCall> calls, bool areAlike) {
                  m_ofSeveral += areAlike && calls.size() > 1 ? 1 : 0;
                  if (areAlike && isUsable(calls))
                      places.push_back({calls.front().range.beginNs, number, calls.size()});
                  ++number;
              });
        m_needs = found.needs;
        m_rule = found.rule;
        if (m_needs != NeedsDetail::Nothing)
            return {};
        for (const Place& place : places)
            m_most = std::max(m_most, place.members);
        std::erase_if(places, [&](const Place& place) { return place.members != m_most; });
        return places;
    }

    /// Keeps the ends of a collective in few bytes: members leave it together, each on a clock of its own.
    void keep(std::span<const JoinedCall> calls)
    {
        std::int64_t baseNs = std::numeric_limits<std::int64_t>::max();
        for (const JoinedCall& call : calls) {
            std::int64_t& laneNs = m_laneNs[call.lane];
            laneNs = laneNs == unseen ? call.range.endNs : laneNs;
            baseNs = std::min(baseNs, call.range.endNs - laneNs);
        }
        m_baseNs.push_back(baseNs);
        for (const JoinedCall& call : calls) {
            if (!m_isComplete)
                m_lanes.push_back(call.lane);
            m_afterNs.push_back(call.range.endNs - m_laneNs[call.lane] - baseNs);
        }
    }

    template<typename F>
    void forEachUsed(F&& f) const
    {
        GroupJoin join(*m_run, *m_group, laneOrderOf(m_rule));
        for (std::uint64_t number = 0; join.next(); ++number) {
            if (join.calls().size() == m_most && isUsable(join.calls()) && join.areAlike())
                f(number, join.calls());
        }
    }

    const SummarizedRun* m_run;
    const SummarizedRun::Group* m_group;
    NeedsDetail m_needs = NeedsDetail::Nothing;
    MatchRule m_rule = MatchRule::GroupSequence;
    std::size_t m_most = 0; ///< members of a collective
    std::size_t m_collectives = 0;
    std::int64_t m_ofSeveral = 0;
    std::int64_t m_firstBeginNs = 0;
    bool m_isComplete = false; ///< all ranks are members of each
    // The ends of the fitted ones, in the order of numbers, as the sum of three:
    static constexpr std::int64_t unseen = std::numeric_limits<std::int64_t>::min();
    std::vector<std::int64_t> m_laneNs; ///< by lane, its first end
    std::vector<std::int64_t> m_baseNs; ///< by collective
    MostlySmallColumn<std::int64_t> m_afterNs; ///< by collective and member, m_most each
    std::vector<std::uint32_t> m_lanes; ///< of these members, unless m_isComplete
    std::vector<std::size_t> m_rowOf; ///< the collectives in time order
};

class SummarizedReadings : public ClockReadings
{
public:
    explicit SummarizedReadings(std::vector<GroupReadings> groups)
        : m_groups(std::move(groups))
    {
        for (const GroupReadings& group : m_groups)
            m_collectives += group.collectives();
    }
    std::size_t groups() const override { return m_groups.size(); }
    std::size_t collectives() const override { return m_collectives; }
    void forEachFitted(std::size_t group, const Take& take) const override
    {
        m_groups[group].forEachFitted(take);
    }
    void forEach(const Take& take) const override
    {
        for (const GroupReadings& group : m_groups)
            group.forEach(take);
    }
    std::int64_t percentile95(const ForEachDistance& forEachDistance) const override
    {
        CountedPercentile percentile;
        while (!percentile.isDone()) {
            percentile.beginPass();
            forEachDistance([&](double distance) { percentile.add(distance); });
            percentile.endPass(0.95);
        }
        return std::llround(percentile.value());
    }

private:
    std::vector<GroupReadings> m_groups;
    std::size_t m_collectives = 0;
};

} // namespace

Result<ClockAlignment> foldClocks(const SummarizedRun& run, const Parallel& parallel)
{
    std::vector<GroupReadings> groups;
    for (const SummarizedRun::Group& group : run.groups()) {
        if (group.lanes.size() < 2 || group.hasUnknownMembers || group.needs == NeedsDetail::PointToPoint)
            continue;
        groups.emplace_back(run, group);
    }
    parallel.forEach(groups.size(), [&](std::size_t i) { groups[i].collect(); });
    std::int64_t ofSeveral = 0;
    for (const GroupReadings& group : groups) {
        if (group.needs() != NeedsDetail::Nothing)
            return cannotTell("The clocks", group.group(), group.needs());
        ofSeveral += group.ofSeveral();
    }
    std::erase_if(groups, [](const GroupReadings& group) { return group.collectives() == 0; });
    // In the order of their first collectives, which decides about the last bits of sums.
    std::stable_sort(groups.begin(), groups.end(), [](const GroupReadings& a, const GroupReadings& b) {
        return a.firstBeginNs() < b.firstBeginNs();
    });
    std::vector<TimeRange> ranges;
    for (const Timeline& timeline : run.model().timelines)
        ranges.push_back(timeline.range);
    ClockAlignment clocks = fitClocks(SummarizedReadings(std::move(groups)), ranges);
    clocks.ofSeveralRanks = ofSeveral;
    return clocks;
}

} // namespace collscope
