// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/folded_straggler.h"

#include "metrics/causes/arrival_sums.h"
#include "metrics/causes/ordered_collectives.h"
#include "metrics/summary/arrival_order.h"
#include "metrics/summary/folded_clocks.h"
#include "metrics/summary/folded_stages.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace collscope {

namespace {

using ShortestCalls = std::map<std::pair<KernelClass, std::uint64_t>, std::int64_t>;

std::pair<KernelClass, std::uint64_t> lengthKeyOf(const Call& kind)
{
    return {kind.kind, kind.bytes.value_or(0)};
}

/// A collective of a group, put on hand for the sums.
class SummarizedCollective : public ArrivingCollective
{
public:
    SummarizedCollective(const SummarizedRun& run, const OrderedGroup& group, const OrderOptions& options,
                         const ShortestCalls& shortest)
        : m_run(run)
        , m_group(*group.group)
        , m_windows(options.windows)
        , m_shortest(shortest)
        , m_onHand(run, *group.group, group.rule)
        , m_timer(m_onHand.timer(options.clocks, options.byDuration))
    { }

    /// `isStaged`: FoldedStages::mayExplainLast().
    void set(const OrderedCollective& collective, bool isStaged)
    {
        m_onHand.set(collective.calls, collective.confidence);
        m_role = collective.role;
        m_isStaged = isStaged;
        m_joined = collective.calls;
        m_calls.clear();
        for (const JoinedCall& call : collective.calls) {
            const std::uint32_t rank = m_group.lanes[call.lane].rank;
            m_calls.push_back(
                {rank, call.range, m_windows[rank].at(call.range.beginNs), m_run.callOf(call.kind).kind});
        }
    }
    CollectiveTimer& timer() { return m_timer; }

    const CollectiveInstance& instance() const override { return m_onHand.instance(); }
    std::span<const ArrivingCall> calls() const override { return m_calls; }
    std::int64_t exposedNs(std::size_t member, std::int64_t waitNs) override
    {
        const std::int64_t feltNs = m_joined[member].feltNs;
        return feltNs == CallColumns::alwaysFelt ? waitNs : std::min(waitNs, feltNs);
    }
    bool isHiddenAtEnd(std::size_t member) override { return m_joined[member].endsHidden; }
    std::int64_t usualNs() const override
    {
        return m_shortest.at(lengthKeyOf(m_run.callOf(m_joined.front().kind)));
    }
    bool isPointToPoint() const override
    {
        return collscope::isPointToPoint(m_run.model(), m_run.callOf(m_joined.front().kind))
            && m_role != TransferRole::Exchange;
    }
    bool mayExplainLast(const CollectiveTimes&) const override { return m_isStaged; }

private:
    const SummarizedRun& m_run;
    const SummarizedRun::Group& m_group;
    const std::vector<StepFinder>& m_windows;
    const ShortestCalls& m_shortest;
    CollectiveOnHand m_onHand;
    CollectiveTimer m_timer;
    TransferRole m_role = TransferRole::Other;
    bool m_isStaged = false;
    std::span<const JoinedCall> m_joined;
    std::vector<ArrivingCall> m_calls;
};

/// What a first reading of a group tells about the order of its collectives.
struct GroupScan
{
    std::int64_t firstNs = std::numeric_limits<std::int64_t>::max(); ///< arrivals in the window
    std::int64_t lastNs = std::numeric_limits<std::int64_t>::min();
    std::int64_t backNs = 0;
    bool lacks = false; ///< some collectives lack a rank
    std::int64_t handovers = 0; ///< in the window
    NeedsDetail failure = NeedsDetail::Nothing;
};

GroupScan scan(const SummarizedRun& run, const OrderedGroup& group, const OrderOptions& options)
{
    GroupScan found;
    NumberedReader reader(run, group, options);
    OrderedCollective collective;
    std::optional<std::int64_t> latestNs;
    while (reader.next(collective)) {
        if (latestNs)
            found.backNs = std::max(found.backNs, *latestNs - collective.arrivedNs);
        latestNs = std::max(latestNs.value_or(collective.arrivedNs), collective.arrivedNs);
        found.lacks |= isLacking(reader.onHand().instance());
        if (!collective.isInWindow)
            continue;
        found.firstNs = std::min(found.firstNs, collective.arrivedNs);
        found.lastNs = std::max(found.lastNs, collective.arrivedNs);
        found.handovers += collective.role == TransferRole::Handover ? 1 : 0;
    }
    found.failure = reader.failure();
    return found;
}

/// The collectives that are read: those of the window, and those of as long a time before it (see blame.md).
struct ReadTime
{
    std::int64_t beginNs = 0, lengthNs = 0;

    bool isBefore(const OrderedCollective& collective) const
    {
        const TimeRange any = collective.calls.front().range;
        return any.beginNs < beginNs && any.endNs >= beginNs - lengthNs && collective.arrivedNs < beginNs
            && collective.arrivedNs >= beginNs - lengthNs;
    }
};

/// Sums of one group, for the rows of the metric.
struct GroupSums
{
    GroupSkew skew;
    std::int64_t collectives = 0;
    ValuesByNumber<std::int64_t> behindNs; ///< by rank
    ValuesByNumber<std::int64_t> skewOfStep; ///< by number of the step
};

class StragglerFold
{
public:
    StragglerFold(const SummarizedRun& run, const MetricOptions& options, Selection selection,
                  const Mesh& mesh)
        : m_run(run)
        , m_options(options)
        , m_mesh(mesh)
        , m_hasNoSteps(hasNoSteps(selection))
    {
        measureWindow(selection);
        m_steps = windowsOf(std::move(selection));
        m_windows.reserve(m_steps.size());
        m_numbers.reserve(m_steps.size());
        for (const std::vector<Step>& steps : m_steps) {
            m_windows.emplace_back(steps);
            std::vector<std::int64_t>& numbers = m_numbers.emplace_back();
            numbers.reserve(steps.size());
            for (const Step& step : steps)
                numbers.push_back(step.number);
        }
    }

    Result<FoldedStraggler> run()
    {
        Result<ClockAlignment> clocks = foldClocks(m_run, m_options.parallel);
        if (!clocks)
            return clocks.error();
        m_result.clocks = std::move(*clocks);
        if (m_run.ranks().size() > 1)
            m_clocks = m_result.clocks.map(m_options.clocks);
        matchTransfers();
        prepare();
        if (const std::optional<Error> error = matchGroups())
            return *error;
        if (const std::optional<Error> error = readInOrder())
            return *error;
        m_result.skews = m_skews.figures();
        if (m_result.arrivals.counted == 0)
            return Error{Error::Kind::NotFound,
                         "The summaries show no collective of several ranks in the window with its waits."};
        addGroups();
        return std::move(m_result);
    }

private:
    void measureWindow(const Selection& selection)
    {
        const auto count = static_cast<std::int64_t>(selection.ranks.size());
        double sumNs = 0;
        for (const RankWindows& rank : selection.ranks) {
            m_result.arrivals.windowNs += rank.windowNs() / count;
            sumNs += static_cast<double>(rank.windowNs());
        }
        if (!m_hasNoSteps)
            m_result.windowNs = sumNs / static_cast<double>(count);
    }

    void prepare()
    {
        Arrivals& arrivals = m_result.arrivals;
        setLimits(m_result.clocks, m_options.clocks, arrivals);
        for (const RankCalls& rank : m_run.ranks()) {
            arrivals.ranks.emplace_back();
            arrivals.ranks.back().rank = rank.rank;
        }
    }

    void matchTransfers()
    {
        m_pairs.resize(m_run.groups().size());
        m_options.parallel.forEach(m_pairs.size(), [&](std::size_t g) {
            const SummarizedRun::Group& group = m_run.groups()[g];
            if (group.isOfPairs())
                m_pairs[g] = matchPairs(m_run, group, m_result.clocks, m_mesh);
        });
        for (const PairMatches& pairs : m_pairs)
            m_result.clocks.ofSeveralRanks += static_cast<std::int64_t>(pairs.matches());
    }

    /// Finds the rule of each group, and the calls that are shared.
    std::optional<Error> matchGroups()
    {
        FoldOptions options;
        options.clocks = m_clocks;
        options.byDuration = m_result.arrivals.isByDuration;
        options.windows = std::move(m_steps); // the last use of their times
        options.parallel = m_options.parallel;
        FoldedRun folded = foldCollectives(m_run, options);
        SharedCalls& shared = m_result.arrivals.shared;
        shared = folded.sharedWithoutGroup;
        std::size_t collectives = 0;
        for (std::size_t g = 0; g < folded.groups.size(); ++g) {
            const SummarizedRun::Group& group = m_run.groups()[g];
            const FoldedGroup& own = folded.groups[g];
            const bool isByOrder = group.isOfPairs() || group.hasUnknownMembers;
            const NeedsDetail needs = isByOrder ? m_pairs[g].needs : own.needs;
            if (needs != NeedsDetail::Nothing)
                return refused(group, needs);
            collectives += static_cast<std::size_t>(own.matches.ofSeveral);
            shared.all += own.matches.shared.all;
            shared.unmatched += own.matches.shared.unmatched;
            shared.othersNotLoaded += own.matches.shared.othersNotLoaded;
            m_result.differing += own.matches.differing;
            m_result.missing += own.matches.missingInWindow;
            m_groups.push_back(
                {&group, isByOrder ? MatchRule::GroupOrder : own.rule, 0, isByOrder ? &m_pairs[g] : nullptr});
        }
        m_skews.reserve(collectives);
        if (m_hasNoSteps) // the whole trace is not a step
            folded.steps.assign(folded.steps.size(), {});
        m_result.steps = std::move(folded.steps);
        return std::nullopt;
    }

    static Error refused(const SummarizedRun::Group& group, NeedsDetail needs)
    {
        return cannotTell("Who caused waits", group, needs);
    }

    std::optional<Error> readInOrder()
    {
        OrderOptions options{m_clocks, m_result.arrivals.isByDuration, m_windows};
        const FoldedStages stages(m_run, m_groups, m_pairs, options, m_options.parallel);
        std::vector<GroupScan> scans(m_groups.size());
        m_options.parallel.forEach(m_groups.size(),
                                   [&](std::size_t g) { scans[g] = scan(m_run, m_groups[g], options); });
        std::int64_t firstNs = std::numeric_limits<std::int64_t>::max();
        std::int64_t lastNs = std::numeric_limits<std::int64_t>::min();
        bool lacks = false;
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            if (scans[g].failure != NeedsDetail::Nothing)
                return refused(*m_groups[g].group, scans[g].failure);
            m_groups[g].backNs = scans[g].backNs;
            firstNs = std::min(firstNs, scans[g].firstNs);
            lastNs = std::max(lastNs, scans[g].lastNs);
            lacks |= scans[g].lacks;
            m_result.arrivals.pointToPoint += scans[g].handovers;
        }
        m_sums.resize(m_groups.size());
        if (firstNs > lastNs)
            return std::nullopt;
        const ReadTime time{firstNs, lastNs - firstNs};
        const ShortestCalls shortest = lacks ? shortestCalls(options, time) : ShortestCalls();
        options.skipsHandovers = true; // they are counted
        std::deque<SummarizedCollective> onHand; // they do not move
        for (const OrderedGroup& group : m_groups)
            onHand.emplace_back(m_run, group, options, shortest);
        ArrivalSums sums(m_run.ranks().size());
        Arrivals notCounted = m_result.arrivals;
        ArrivalOrder(m_run, m_groups, options)
            .forEach([&](std::size_t g, const OrderedCollective& collective) {
                const bool isBefore = !collective.isInWindow && time.isBefore(collective);
                if (!collective.isInWindow && !isBefore)
                    return;
                onHand[g].set(collective, stages.mayExplainLast(g, collective.number));
                const auto arrival
                    = sums.read(onHand[g], onHand[g].timer(), isBefore ? notCounted : m_result.arrivals);
                if (arrival && !isBefore)
                    addCounted(*arrival, onHand[g], m_sums[g]);
            });
        return std::nullopt;
    }

    /// The shortest call of each type and size in the time that is read.
    ShortestCalls shortestCalls(const OrderOptions& options, const ReadTime& time) const
    {
        std::vector<ShortestCalls> ofGroups(m_groups.size());
        m_options.parallel.forEach(m_groups.size(), [&](std::size_t g) {
            NumberedReader reader(m_run, m_groups[g], options);
            OrderedCollective collective;
            while (reader.next(collective)) {
                if (!collective.isInWindow && !time.isBefore(collective))
                    continue;
                for (const JoinedCall& call : collective.calls)
                    shorten(ofGroups[g], lengthKeyOf(m_run.callOf(call.kind)), call.range.lengthNs());
            }
        });
        ShortestCalls all;
        for (const ShortestCalls& group : ofGroups) {
            for (const auto& [key, ns] : group)
                shorten(all, key, ns);
        }
        return all;
    }
    static void shorten(ShortestCalls& shortest, const ShortestCalls::key_type& key, std::int64_t ns)
    {
        const auto [known, isNew] = shortest.try_emplace(key, ns);
        known->second = std::min(known->second, ns);
    }

    void addCounted(const Arrival& arrival, SummarizedCollective& collective, GroupSums& sums)
    {
        const std::int64_t heldNs = arrival.times.heldNs;
        m_skews.add(heldNs);
        sums.skew.skewNs += heldNs;
        sums.skew.longestNs = std::max(sums.skew.longestNs, heldNs);
        sums.skew.significantNs += arrival.isSignificant ? heldNs : 0;
        ++sums.collectives;
        const std::span<const ArrivingCall> calls = collective.calls();
        for (std::size_t i = 0; i < calls.size(); ++i)
            sums.behindNs.at(static_cast<std::int64_t>(calls[i].rank)) += collective.timer().lateness()[i];
        const ArrivingCall& first = calls[arrival.times.first];
        if (first.step >= 0)
            sums.skewOfStep.at(m_numbers[first.rank][static_cast<std::size_t>(first.step)]) += heldNs;
    }

    /// Groups of one name are one group in the metric, as in its table.
    void addGroups()
    {
        std::map<std::string, GroupSums> byName;
        for (std::size_t g = 0; g < m_groups.size(); ++g) {
            const GroupSums& own = m_sums[g];
            if (own.collectives == 0)
                continue;
            GroupSums& sums = byName[m_groups[g].group->group.text];
            sums.skew.skewNs += own.skew.skewNs;
            sums.skew.longestNs = std::max(sums.skew.longestNs, own.skew.longestNs);
            sums.skew.significantNs += own.skew.significantNs;
            sums.collectives += own.collectives;
            for (const auto& [rank, ns] : own.behindNs.all())
                sums.behindNs.at(rank) += ns;
            for (const auto& [step, ns] : own.skewOfStep.all())
                sums.skewOfStep.at(step) += ns;
        }
        std::vector<GroupSums> groups;
        for (auto& [name, sums] : byName) {
            sums.skew.group = name;
            groups.push_back(std::move(sums));
        }
        std::stable_sort(groups.begin(), groups.end(), [](const GroupSums& a, const GroupSums& b) {
            return a.skew.skewNs > b.skew.skewNs;
        });
        for (const auto& [rank, ns] : groups.front().behindNs.all())
            m_result.slowest.behindNs[m_run.ranks()[static_cast<std::size_t>(rank)].rank] = ns;
        for (const auto& [step, ns] : groups.front().skewOfStep.all())
            m_result.slowest.skewOfStep[step] = ns;
        for (GroupSums& sums : groups) {
            m_result.arrivals.groups.push_back(std::move(sums.skew));
            m_result.collectivesOfGroup.push_back(sums.collectives);
        }
    }

    const SummarizedRun& m_run;
    const MetricOptions& m_options;
    const Mesh& m_mesh;
    const bool m_hasNoSteps; ///< the window is the whole trace
    std::vector<std::vector<Step>> m_steps; ///< of the window, by rank; until groups are matched
    std::vector<std::vector<std::int64_t>> m_numbers; ///< of these steps
    std::vector<StepFinder> m_windows;
    ClockMap m_clocks;
    std::vector<PairMatches> m_pairs; ///< by group
    std::vector<OrderedGroup> m_groups;
    std::vector<GroupSums> m_sums; ///< by group
    DurationSample m_skews; ///< of the counted collectives
    FoldedStraggler m_result;
};

} // namespace

Result<FoldedStraggler> foldStraggler(const SummarizedRun& run, const MetricOptions& options,
                                      const Mesh& mesh)
{
    if (run.ranks().size() < 2)
        return Error{Error::Kind::Unsupported, "This compares ranks, but there is only one."};
    Result<Selection> selection = selectWindows(run, options);
    if (!selection)
        return selection.error();
    return StragglerFold(run, options, std::move(*selection), mesh).run();
}

} // namespace collscope
