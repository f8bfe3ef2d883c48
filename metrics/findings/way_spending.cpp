// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/way_spending.h"

#include "metrics/idle/thread_reader.h"
#include "metrics/partition/part_sweep.h"

#include <algorithm>

namespace collscope {

namespace {

/// Reads what a rank does in ranges of time.
class SpendingReader
{
public:
    SpendingReader(const FindingInput& input, const RankShare& rank)
        : m_input(input)
        , m_rank(rank)
        , m_calls(callsOf(input.partition.calls, rank.timelines))
    { }

    Spending in(const Timeline& timeline, TimeRange range)
    {
        Spending spent{};
        const std::size_t part = m_rank.partOf(timeline);
        if (part == m_rank.timelines.size() || range.isEmpty())
            return spent;
        m_rank.gaps[part].forEachIn(
            range, [&](const GpuGap& gap, TimeRange inside) { addGap(timeline, gap, inside, spent); });
        auto sweep = m_sweeps.find(&timeline);
        if (sweep == m_sweeps.end())
            sweep = m_sweeps.try_emplace(&timeline, m_input.analysis.model(), timeline, m_calls, m_copies)
                        .first;
        const PartTimes parts = sweep->second.run(range, m_input.analysis.options().cancelled);
        spent[computeSpending] = parts.of(Part::Compute);
        spent[copySpending] = parts.of(Part::Copy);
        spent[communicationSpending] = parts.of(Part::Communication);
        return spent;
    }

private:
    /// A long gap is divided: one cause gets all of it in the findings about idle time, but ranks may differ
    /// in another one, which covers less of it.
    void addGap(const Timeline& timeline, const GpuGap& gap, TimeRange inside, Spending& spent)
    {
        constexpr std::int64_t shortestNs = 10 * longestLaunchOverheadNs; // looks at threads are slow
        // What the thread does while queued work does not start is not the reason.
        const bool isQueued = gap.cause == IdleCause::Unexplained || gap.cause == IdleCause::WaitsOnStream;
        if (!gap.thread || isQueued || gap.cause == IdleCause::NotRecorded
            || inside.lengthNs() < shortestNs) {
            spent[static_cast<std::size_t>(gap.cause)] += inside.lengthNs();
            return;
        }
        const ThreadLook look = m_readers.try_emplace(&timeline, m_input.analysis.model(), timeline)
                                    .first->second.look(gap.thread, inside);
        std::int64_t restNs = inside.lengthNs();
        for (std::size_t cause = 0; cause < namedCauseCount; ++cause) {
            spent[cause] += look.causeNs[cause];
            restNs -= look.causeNs[cause];
        }
        const std::int64_t waitedNs = std::clamp<std::int64_t>(look.waitedNs, 0, restNs);
        restNs -= waitedNs;
        const std::int64_t workedNs
            = std::clamp<std::int64_t>(look.recordedNs - look.namedNs - waitedNs, 0, restNs);
        restNs -= workedNs;
        spent[static_cast<std::size_t>(IdleCause::Waits)] += waitedNs;
        spent[static_cast<std::size_t>(IdleCause::CpuBound)] += workedNs;
        spent[static_cast<std::size_t>(IdleCause::Outside)] += restNs; // no event shows what it was
    }

    const FindingInput& m_input;
    const RankShare& m_rank;
    ExposedCalls m_calls; ///< of this rank; the shares are not used
    std::vector<CopyShare> m_copies; ///< not used
    std::map<const Timeline*, PartSweep> m_sweeps;
    std::map<const Timeline*, ThreadReader> m_readers;
};

/// The ranks that waited for a late one longest: the median of a few tells what is usual.
std::vector<std::int32_t> longestWaiting(const LateGroup& group)
{
    constexpr std::size_t few = 4;
    std::vector<std::pair<std::int32_t, std::int64_t>> payers = group.finding.nsByRank;
    std::stable_sort(payers.begin(), payers.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    payers.resize(std::min(payers.size(), few));
    std::vector<std::int32_t> ranks;
    for (const auto& [rank, ns] : payers)
        ranks.push_back(rank);
    return ranks;
}

/// The groups in whose collectives others wait for a late rank.
std::set<std::uint32_t> groupsOf(const FindingInput& input, const LateGroup& group)
{
    std::set<std::uint32_t> groups;
    for (const std::size_t wait : group.directWaits)
        groups.insert(
            input.analysis.run().matching.instances[input.partition.calls.times[wait].instance].group);
    return groups;
}

} // namespace

WaySpending::WaySpending(const FindingInput& input, const RankShare& rank,
                         const std::set<std::uint32_t>& groups)
    : m_rank(input, rank)
{
    SpendingReader reader(input, rank);
    const std::vector<CollectiveInstance>& instances = input.analysis.run().matching.instances;
    m_ends.reserve(2 * m_rank.matched().size());
    for (const RankBetweenCalls::Matched& own : m_rank.matched()) {
        const bool isWanted
            = groups.contains(instances[own.instance].group) && !input.analysis.options().cancelled();
        const std::optional<Way> way = isWanted ? m_rank.before(own.instance) : std::nullopt;
        for (const bool isInStep : {false, true}) {
            if (way)
                add(reader.in(*way->timeline, way->part(isInStep)));
            m_ends.push_back(static_cast<std::uint32_t>(m_ns.size()));
        }
    }
}

void WaySpending::add(const Spending& spent)
{
    for (std::size_t i = 0; i < spent.size(); ++i) {
        if (spent[i] == 0)
            continue;
        m_ns.push_back(spent[i]);
        m_spendings.push_back(static_cast<std::uint8_t>(i));
    }
}

Spending WaySpending::in(std::uint32_t instance, bool isInStep) const
{
    Spending spent{};
    const RankBetweenCalls::Matched* const own = m_rank.find(instance);
    if (!own)
        return spent;
    const std::size_t part = 2 * static_cast<std::size_t>(own - m_rank.matched().data()) + (isInStep ? 1 : 0);
    for (std::size_t i = part > 0 ? m_ends[part - 1] : 0; i < m_ends[part]; ++i)
        spent[m_spendings[i]] = m_ns[i];
    return spent;
}

WaysOfLateRanks::WaysOfLateRanks(const FindingInput& input, std::span<const Late> late)
{
    std::map<std::int32_t, std::set<std::uint32_t>> groups; // that are compared, of each rank
    for (const auto& [rank, group] : late) {
        std::vector<std::int32_t> ranks = longestWaiting(*group);
        ranks.push_back(rank);
        const std::set<std::uint32_t> own = groupsOf(input, *group);
        for (const std::int32_t compared : ranks)
            groups[compared].insert(own.begin(), own.end());
    }
    struct Place
    {
        const RankShare* share = nullptr;
        const std::set<std::uint32_t>* groups = nullptr;
        std::unique_ptr<const WaySpending>* ways = nullptr;
    };
    std::vector<Place> places;
    for (const auto& [rank, ofRank] : groups) {
        if (const RankShare* const share = input.partition.shareOf(rank))
            places.push_back({share, &ofRank, &m_ranks[rank]});
    }
    input.analysis.options().parallel.forEach(places.size(), [&](std::size_t i) {
        *places[i].ways = std::make_unique<const WaySpending>(input, *places[i].share, *places[i].groups);
    });
}

ComparedWays WaysOfLateRanks::of(const Late& late) const
{
    const auto find = [&](std::int32_t rank) {
        const auto known = m_ranks.find(rank);
        return known != m_ranks.end() ? known->second.get() : nullptr;
    };
    ComparedWays ways{find(late.first), {}};
    for (const std::int32_t rank : longestWaiting(*late.second)) {
        if (const WaySpending* const other = find(rank))
            ways.others.push_back(other);
    }
    return ways;
}

} // namespace collscope
