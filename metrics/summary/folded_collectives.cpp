// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/folded_collectives.h"

#include "metrics/core/step_rows.h"

#include <algorithm>

namespace collscope {

namespace {

/// The windows of the ranks; without any, all of a file counts, and nothing is in a step.
class FoldWindows
{
public:
    explicit FoldWindows(const std::vector<std::vector<Step>>& windows)
        : m_steps(windows)
    {
        for (const std::vector<Step>& steps : windows)
            m_finders.emplace_back(steps);
    }
    bool contains(std::uint32_t rank, const JoinedCall& call) const
    {
        return m_finders.empty() || m_finders[rank].at(call.range.beginNs) >= 0;
    }
    std::optional<std::int64_t> stepOf(std::uint32_t rank, const JoinedCall& call) const
    {
        if (m_finders.empty())
            return std::nullopt;
        const std::int32_t index = m_finders[rank].at(call.range.beginNs);
        return index < 0 ? std::nullopt
                         : std::optional(m_steps[rank][static_cast<std::size_t>(index)].number);
    }

private:
    const std::vector<std::vector<Step>>& m_steps;
    std::vector<StepFinder> m_finders;
};

/// Folds one group.
class GroupFold
{
public:
    GroupFold(const SummarizedRun& run, const SummarizedRun::Group& group, const FoldOptions& options,
              const FoldWindows& windows)
        : m_run(run)
        , m_group(group)
        , m_options(options)
        , m_windows(windows)
    { }

    void fold()
    {
        if (m_group.hasUnknownMembers)
            return foldAlone();
        const JoinRule found = joinGroup(
            m_run, m_group, [this](MatchRule rule) { restart(rule); },
            [this](std::span<const JoinedCall> calls, bool areAlike) { add(calls, areAlike); });
        if (found.needs != NeedsDetail::Nothing)
            restart(found.rule);
        m_result.needs = found.needs;
        m_result.rule = found.rule;
        m_result.matches.calls = m_group.calls;
        m_timer.reset();
        m_clockTimer.reset();
        m_onHand.reset();
    }

    const FoldedGroup& result() const { return m_result; }
    /// Adds what belongs to ranks and steps.
    void addTo(FoldedRun& run) const
    {
        for (std::size_t lane = 0; lane < m_ranks.size(); ++lane)
            run.ranks[m_group.lanes[lane].rank] += m_ranks[lane];
        for (std::size_t lane = 0; lane < m_steps.size(); ++lane)
            run.steps[m_group.lanes[lane].rank].add(m_steps[lane]);
    }

private:
    void restart(MatchRule rule)
    {
        m_result = {};
        m_steps.assign(m_group.lanes.size(), {});
        m_ranks.assign(m_group.lanes.size(), {});
        m_onHand.emplace(m_run, m_group, rule);
        m_timer.emplace(m_onHand->timer(m_options.clocks, m_options.byDuration));
        m_clockTimer.emplace(m_onHand->timer(m_options.clocks, false));
    }

    std::uint32_t rankOf(const JoinedCall& call) const { return m_group.lanes[call.lane].rank; }
    bool isInWindow(const JoinedCall& call) const { return m_windows.contains(rankOf(call), call); }

    /// The calls of a group whose members are unknown: each of them alone. Sends and receives are not shared.
    void foldAlone()
    {
        m_result.rule = MatchRule::GroupOrder;
        m_result.matches.calls = m_group.calls;
        m_result.matches.unmatched[UnmatchedReason::PartnersUnknown] = m_group.calls;
    }

    void leaveOut(const JoinedCall& call, UnmatchedReason reason)
    {
        FoldedMatches& matches = m_result.matches;
        ++matches.unmatched[reason];
        if (!isInWindow(call))
            return;
        if (reason == UnmatchedReason::OthersNotLoaded) {
            ++matches.shared.othersNotLoaded;
            --matches.shared.all;
        } else {
            ++matches.shared.unmatched;
        }
    }

    void add(std::span<const JoinedCall> calls, bool areAlike)
    {
        FoldedMatches& matches = m_result.matches;
        const bool isOfOneRank = areAlike && calls.size() == 1 && m_group.group.size == 1;
        for (const JoinedCall& call : calls)
            matches.shared.all += !isOfOneRank && isInWindow(call) ? 1 : 0;
        if (!areAlike) {
            ++matches.differing;
            for (const JoinedCall& call : calls)
                leaveOut(call, UnmatchedReason::Differs);
            return;
        }
        if (calls.size() == 1 && m_group.group.size != 1)
            leaveOut(calls.front(),
                     m_group.lanes.size() > 1 || m_group.group.expected > 1
                         ? UnmatchedReason::NoSuchCall
                         : UnmatchedReason::OthersNotLoaded);
        m_onHand->set(calls);
        const CollectiveInstance& instance = m_onHand->instance();
        // The window has the collectives that began in it by the clocks, whatever tells the waits.
        const bool counts = isInWindow(calls[m_clockTimer->withoutWaits(instance).first]);
        matches.missingInWindow += counts && instance.gap == Gap::NoCall ? 1 : 0;
        if (calls.size() < 2)
            return;
        ++matches.ofSeveral;
        matches.matchedCalls += static_cast<std::int64_t>(calls.size());
        matches.lacking += instance.absent > 0 ? 1 : 0;
        if (counts)
            addWaits(calls);
    }

    void addWaits(std::span<const JoinedCall> calls)
    {
        const CollectiveInstance& instance = m_onHand->instance();
        FoldedWaits& waits = m_result.waits;
        if (instance.absent > 0) {
            ++waits.lacking;
            return;
        }
        const CollectiveTimes times = m_timer->of(instance);
        if (!times.tellsWaits) {
            ++waits.withoutRoot;
            return;
        }
        ++waits.collectives;
        waits.incomplete += instance.isWhole ? 0 : 1;
        waits.skewNs += times.heldNs;
        waits.longestNs = std::max(waits.longestNs, times.heldNs);
        waits.waitNs += times.waitNs;
        waits.arrivalsNs += times.skewNs();
        addLast(calls, times);
        const JoinedCall& first = calls[times.first];
        const std::optional<std::int64_t> step = m_windows.stepOf(rankOf(first), first);
        for (std::size_t i = 0; i < calls.size(); ++i)
            addMember(calls[i], i, times, step);
    }

    void addLast(std::span<const JoinedCall> calls, const CollectiveTimes& times)
    {
        const KernelClass kind = m_run.callOf(calls.front().kind).kind;
        const bool endsTogether = synchronises(kind);
        const std::int64_t significantNs
            = endsTogether ? m_options.significantNs : m_options.significantByClocksNs;
        const std::int64_t orderNs
            = endsTogether || !m_options.byDuration ? m_options.orderNs : m_options.significantByClocksNs;
        if (times.heldNs <= significantNs)
            return;
        m_result.waits.significantNs += times.heldNs;
        if (times.leadNs < orderNs)
            return;
        FoldedRank& last = m_ranks[calls[times.awaited].lane];
        ++last.timesLast;
        last.imposedNs += times.waitNs;
    }

    void addMember(const JoinedCall& call, std::size_t i, const CollectiveTimes& times,
                   std::optional<std::int64_t> step)
    {
        const std::int64_t waitNs = m_timer->waits()[i];
        const std::int64_t latenessNs = m_timer->lateness()[i];
        FoldedRank& rank = m_ranks[call.lane];
        ++rank.calls;
        rank.ownNs += waitNs;
        rank.latenessNs += latenessNs;
        if (times.tellsTransfer && (synchronises(m_run.callOf(call.kind).kind) || waitNs > 0))
            rank.ownByDurationNs += call.range.lengthNs() - times.transferNs;
        if (!step)
            return;
        FoldedCell& cell = m_steps[call.lane].at(*step);
        cell.latenessNs += latenessNs;
        cell.waitNs += waitNs;
        ++cell.calls;
    }

    const SummarizedRun& m_run;
    const SummarizedRun::Group& m_group;
    const FoldOptions& m_options;
    const FoldWindows& m_windows;
    std::optional<CollectiveOnHand> m_onHand;
    std::optional<CollectiveTimer> m_timer, m_clockTimer;
    FoldedGroup m_result;
    std::vector<FoldedRank> m_ranks; ///< by lane
    std::vector<FoldedSteps> m_steps; ///< by lane
};

/// Counts the calls of a rank that state no group, while others do.
void foldUngrouped(const SummarizedRun& run, SummarizedRun::Group::Lane lane, const FoldWindows& windows,
                   FoldedRun& folded)
{
    folded.withoutGroup += static_cast<std::int64_t>(run.ownGroup(lane).calls);
    for (std::size_t chunk = 0; chunk < run.ownGroup(lane).chunks; ++chunk) {
        Result<ChunkReader> calls = run.chunksOf(lane.rank).read(lane.own, chunk);
        while (calls && !calls->isAtEnd()) {
            SummarizedCall own;
            if (!calls->next(own)) {
                calls = damagedCalls();
                break;
            }
            JoinedCall call;
            call.kind = run.kindOf(lane.rank, own.what);
            call.range.beginNs = own.beginNs + run.shiftNs(lane.rank);
            if (isPointToPoint(run.model(), run.callOf(call.kind)) || !windows.contains(lane.rank, call))
                continue;
            ++folded.sharedWithoutGroup.all;
            ++folded.sharedWithoutGroup.unmatched;
        }
        if (!calls) {
            folded.areCollectivesComplete = false;
            return;
        }
    }
}

} // namespace

Result<Selection> selectWindows(const SummarizedRun& run, const MetricOptions& options)
{
    Selection chosen = withCalls(run.model(), selectRanks(run.model(), options, ClockMap()));
    if (chosen.failure)
        return Error{Error::Kind::Unsupported, chosen.failure->reason};
    if (chosen.ranks.size() != run.ranks().size())
        return Error{Error::Kind::Unsupported,
                     "Some ranks have none of the steps of the window, and without them the calls would have "
                     "to be matched anew."};
    return chosen;
}

std::vector<std::vector<Step>> windowsOf(Selection selection)
{
    std::vector<std::vector<Step>> windows;
    windows.reserve(selection.ranks.size());
    for (RankWindows& rank : selection.ranks)
        windows.push_back(std::move(rank.parts.front().steps));
    return windows;
}

FoldedRank& FoldedRank::operator+=(const FoldedRank& other)
{
    calls += other.calls;
    ownNs += other.ownNs;
    ownByDurationNs += other.ownByDurationNs;
    latenessNs += other.latenessNs;
    timesLast += other.timesLast;
    imposedNs += other.imposedNs;
    return *this;
}

void FoldedSteps::add(const FoldedSteps& other)
{
    for (const auto& [step, cell] : other.cells()) {
        FoldedCell& sum = at(step);
        sum.latenessNs += cell.latenessNs;
        sum.waitNs += cell.waitNs;
        sum.calls += cell.calls;
    }
}

FoldedRun foldCollectives(const SummarizedRun& run, const FoldOptions& options)
{
    FoldedRun folded;
    folded.groups.resize(run.groups().size());
    folded.ranks.resize(run.ranks().size());
    folded.steps.resize(run.ranks().size());
    const FoldWindows windows(options.windows);
    for (std::size_t rank = 0; rank < options.windows.size(); ++rank)
        folded.steps[rank].reserve(options.windows[rank].size());
    for (const auto& [rank, own] : run.grouped().ungrouped)
        foldUngrouped(run, {rank, own}, windows, folded);
    constexpr std::size_t batch = 64; // groups whose sums are in memory at once
    for (std::size_t begin = 0; begin < run.groups().size(); begin += batch) {
        std::vector<GroupFold> folds;
        folds.reserve(batch);
        for (std::size_t g = begin; g < std::min(begin + batch, run.groups().size()); ++g)
            folds.emplace_back(run, run.groups()[g], options, windows);
        options.parallel.forEach(folds.size(), [&](std::size_t i) { folds[i].fold(); });
        for (std::size_t i = 0; i < folds.size(); ++i) {
            folded.groups[begin + i] = folds[i].result();
            folds[i].addTo(folded);
        }
    }
    for (const FoldedGroup& group : folded.groups)
        folded.areCollectivesComplete
            &= group.needs == NeedsDetail::Nothing || group.needs == NeedsDetail::PointToPoint;
    return folded;
}

} // namespace collscope
