// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/cause_chain.h"

#include "metrics/cause_parts.h"
#include "metrics/cause_text.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace collscope {

namespace {

constexpr std::size_t mostPeers = 63; ///< the median of so many says what thousands would
constexpr std::size_t longestChain = 16;
constexpr std::size_t farthestBack = 4096; ///< calls looked at for the last collective left together

std::size_t timelineIndex(Analysis& analysis, const Timeline& timeline)
{
    return static_cast<std::size_t>(&timeline - analysis.model().timelines.data());
}

/// When and for whom each collective waited, looked at once each.
struct LastArrivals
{
    std::unordered_map<std::uint32_t, std::pair<std::int64_t, std::uint32_t>> byInstance;
};

/// Arrival of the last rank on the axis, and which (index into Analysis::run().ranks).
std::pair<std::int64_t, std::uint32_t> lastArrival(Analysis& analysis, std::uint32_t instance)
{
    auto& known = analysis.table<LastArrivals>([] { return LastArrivals(); }).byInstance;
    if (const auto found = known.find(instance); found != known.end())
        return found->second;
    const RunCollectives& run = analysis.run();
    std::pair<std::int64_t, std::uint32_t> last(std::numeric_limits<std::int64_t>::min(), 0);
    for (const CallRef member : run.matching.membersOf(run.matching.instances[instance])) {
        const std::int64_t beginNs = analysis.onAxis(run.callOf(member)).beginNs;
        if (beginNs > last.first)
            last = {beginNs, member.rank};
    }
    known.emplace(instance, last);
    return last;
}

/// Evenly spaced ones of too many.
void thinOut(std::vector<CallRef>& peers)
{
    if (peers.size() <= mostPeers)
        return;
    std::vector<CallRef> kept;
    for (std::size_t i = 0; i < mostPeers; ++i)
        kept.push_back(peers[i * peers.size() / mostPeers]);
    peers = std::move(kept);
}

/// The last collective that a rank left together with (at least half of) its peers before a call, and those
/// peers.
struct LeftTogether
{
    std::optional<std::uint32_t> instance;
    std::vector<CallRef> peers; ///< their calls of the collective that is explained
    std::vector<CallRef> before; ///< their calls, and last the late rank's, of the one they left
};

class SyncFinder
{
public:
    SyncFinder(Analysis& analysis, CallRef late, const std::vector<CallRef>& peers)
        : m_run(analysis.run())
        , m_model(analysis.model())
        , m_late(late)
        , m_peers(peers)
    { }

    LeftTogether find() const
    {
        const std::vector<Call>& calls = m_run.ranks[m_late.rank].calls;
        const Call& arrival = m_run.callOf(m_late);
        LeftTogether best;
        const std::size_t first = m_late.call > farthestBack ? m_late.call - farthestBack : 0;
        for (std::size_t i = m_late.call; i-- > first && 2 * best.peers.size() < m_peers.size();) {
            const Call& call = calls[i];
            if (call.timeline != arrival.timeline)
                break;
            if (call.range.endNs > arrival.range.beginNs || !waitsForAll(call.kind)
                || isPointToPoint(m_model, call))
                continue;
            const auto instance = m_run.instanceOf(call.slice);
            if (!instance)
                continue;
            LeftTogether found = peersIn(*instance);
            if (found.peers.size() <= best.peers.size())
                continue;
            found.before.push_back({m_late.rank, static_cast<std::uint32_t>(i)});
            best = std::move(found);
        }
        return best;
    }

private:
    /// Members and peers both come by rank.
    LeftTogether peersIn(std::uint32_t instance) const
    {
        LeftTogether found;
        found.instance = instance;
        auto peer = m_peers.begin();
        for (const CallRef member : m_run.matching.membersOf(m_run.matching.instances[instance])) {
            while (peer != m_peers.end() && peer->rank < member.rank)
                ++peer;
            if (peer == m_peers.end())
                break;
            const Call& before = m_run.callOf(member);
            const Call& arrival = m_run.callOf(*peer);
            if (peer->rank != member.rank || before.timeline != arrival.timeline
                || before.range.endNs > arrival.range.beginNs)
                continue;
            found.peers.push_back(*peer);
            found.before.push_back(member);
        }
        return found;
    }

    const RunCollectives& m_run;
    const TraceModel& m_model;
    const CallRef m_late;
    const std::vector<CallRef>& m_peers;
};

/// Where an interval begins that no earlier collective begins: with the call's step, else with the file.
std::int64_t beginWithout(const Call& call)
{
    std::int64_t beginNs = call.timeline->range.beginNs;
    for (const Step& step : call.timeline->steps) {
        if (step.range.contains(call.range.beginNs))
            beginNs = std::max(beginNs, step.range.beginNs);
    }
    return std::min(beginNs, call.range.beginNs);
}

/// Explains one collective after the other, each earlier than the one before.
class Explainer
{
public:
    explicit Explainer(Analysis& analysis)
        : m_analysis(analysis)
        , m_run(analysis.run())
    { }

    CauseChain explain(std::uint32_t instance)
    {
        std::optional<std::uint32_t> next = instance;
        while (next && m_chain.links.size() < longestChain && m_seen.insert(*next).second)
            next = explainOne(*next);
        if (!m_chain.links.empty())
            m_chain.lateNs = m_chain.links.front().lateNs;
        return std::move(m_chain);
    }

private:
    void say(std::string text, std::int32_t rank, TimeRange axis, std::int64_t ns,
             std::vector<SliceRef> slices)
    {
        m_chain.clauses.push_back({std::move(text), rank, std::move(slices), axis, ns});
    }

    /// The end of a chain that no cause was found for.
    std::nullopt_t giveUp(std::string text, const LateArrival& late, std::vector<SliceRef> slices = {})
    {
        m_chain.verdict = CauseVerdict::Inconclusive;
        m_chain.cause = Cause::Inconclusive;
        say(std::move(text), m_run.ranks[late.last.rank].rank, {late.firstNs, late.lastNs}, late.lateNs,
            std::move(slices));
        return std::nullopt;
    }

    /// Adds a link; answers the collective that explains it, if another does.
    std::optional<std::uint32_t> explainOne(std::uint32_t instance)
    {
        LateArrival late = measureLate(m_analysis, instance);
        const Instance& of = m_run.matching.instances[instance];
        const Call& call = m_run.callOf(late.last);
        m_chain.rank = m_run.ranks[late.last.rank].rank;
        if (of.memberCount < 2)
            return giveUp(collectiveText(m_analysis, instance)
                              + " was found on one rank only: nobody to compare it with.",
                          late, {call.slice});
        if (late.skewNs() <= significantSkewNs(m_analysis) || late.peers.empty())
            return nobodyLate(late);
        if (isPointToPoint(m_analysis.model(), call))
            return pointToPoint(late);
        thinOut(late.peers);
        LeftTogether since = SyncFinder(m_analysis, late.last, late.peers).find();
        if (!since.instance)
            since.peers = late.peers;
        return compare(late, since);
    }

    std::nullopt_t nobodyLate(const LateArrival& late, std::int64_t otherNs = 0)
    {
        if (!m_chain.links.empty())
            return std::nullopt; // waited for somebody who was hardly late: the link before stands
        m_chain.verdict = CauseVerdict::NobodyLate;
        m_chain.cause = Cause::None;
        m_chain.rank = -1;
        const std::string rank = std::to_string(m_run.ranks[late.last.rank].rank);
        const std::string last = "Nobody was late at " + collectiveText(m_analysis, late.instance) + ": rank "
            + rank + " came last, " + timeText(late.skewNs()) + " after the first";
        say(otherNs > 0 ? last + ", less than 1 % of the " + timeText(otherNs) + " before it."
                        : last + ", which is no more than the clocks can tell ("
                    + timeText(significantSkewNs(m_analysis)) + ").",
            -1, {late.firstNs, late.lastNs}, late.skewNs(), evidenceOf(late));
        return std::nullopt;
    }

    /// Stages of a pipeline do different work: who sends late is known, why is not to be had by comparing.
    std::nullopt_t pointToPoint(const LateArrival& late)
    {
        const std::string rank = std::to_string(m_run.ranks[late.last.rank].rank);
        m_chain.links.push_back({late.instance, m_chain.rank, late.lateNs, Cause::WaitedElsewhere});
        m_chain.verdict = CauseVerdict::Inconclusive;
        m_chain.cause = m_chain.links.size() > 1 ? Cause::WaitedElsewhere : Cause::Inconclusive;
        m_chain.verdict = m_chain.links.size() > 1 ? CauseVerdict::LateRank : CauseVerdict::Inconclusive;
        say("Rank " + rank + " came to " + collectiveText(m_analysis, late.instance) + " "
                + timeText(late.skewNs())
                + " after its partner. The two ends of a send do different work, so they are not compared.",
            m_chain.rank, {late.firstNs, late.lastNs}, late.skewNs(), evidenceOf(late));
        return std::nullopt;
    }

    std::vector<SliceRef> evidenceOf(const LateArrival& late) const
    {
        return {m_run.callOf(late.last).slice, m_run.callOf(late.first).slice};
    }

    /// From the collective left together (or the step's begin) to a call, in the timeline's own time.
    TimeRange intervalOf(CallRef call, std::optional<CallRef> before) const
    {
        const Call& arrival = m_run.callOf(call);
        const std::int64_t beginNs = before ? m_run.callOf(*before).range.endNs : beginWithout(arrival);
        return {beginNs, arrival.range.beginNs};
    }

    void profile(CallRef ref, std::optional<CallRef> before, IntervalProfile& profile, Waits& waits)
    {
        const Call& call = m_run.callOf(ref);
        profile = profileInterval(m_analysis.model(), *call.timeline, intervalOf(ref, before), call.slice);
        waits = waitsIn(m_analysis, ref.rank, *call.timeline, profile, call.slice);
    }

    std::optional<std::uint32_t> compare(const LateArrival& late, const LeftTogether& since)
    {
        const auto beforeOf
            = [&](std::size_t i) { return since.instance ? std::optional(since.before[i]) : std::nullopt; };
        CauseComparison comparison;
        comparison.rank = m_chain.rank;
        comparison.timeline = m_run.callOf(late.last).timeline;
        comparison.othersText = since.peers.size() > 1
            ? "its peers"
            : "rank " + std::to_string(m_run.ranks[since.peers.front().rank].rank);
        comparison.where = "on " + comparison.othersText;
        profile(late.last, beforeOf(since.peers.size()), comparison.own, comparison.waits);
        std::vector<Waits> waits(since.peers.size());
        std::vector<double> behind;
        for (std::size_t i = 0; i < since.peers.size(); ++i) {
            profile(since.peers[i], beforeOf(i), comparison.others.emplace_back(), waits[i]);
            behind.push_back(
                static_cast<double>(late.lastNs - m_analysis.onAxis(m_run.callOf(since.peers[i])).beginNs));
        }
        compareWaits(comparison, waits);
        const std::int64_t lateNs = std::llround(middleOf(behind));
        const IntervalDifference difference = compareIntervals(comparison.own, comparison.others);
        const std::int64_t otherNs = comparison.own.lengthNs() - difference.lengthNs;
        if (100 * lateNs < otherNs)
            return nobodyLate(late, otherNs);
        return conclude(late, since, comparison, difference, lateNs);
    }

    std::optional<std::uint32_t> conclude(const LateArrival& late, const LeftTogether& since,
                                          const CauseComparison& comparison,
                                          const IntervalDifference& difference, std::int64_t lateNs)
    {
        const std::string rank = "Rank " + std::to_string(comparison.rank);
        m_chain.links.push_back({late.instance, comparison.rank, lateNs, Cause::Inconclusive});
        say(rank + " arrived " + timeText(lateNs) + " late at " + collectiveText(m_analysis, late.instance)
                + (late.imposedNs > lateNs ? "; the others waited " + timeText(late.imposedNs) + " in all."
                                           : "."),
            comparison.rank, {late.firstNs, late.lastNs}, lateNs, evidenceOf(late));
        const std::int64_t ownNs = comparison.own.lengthNs();
        const std::int64_t otherNs = ownNs - difference.lengthNs;
        std::vector<SliceRef> left;
        if (since.instance)
            left.push_back(m_run.callOf(since.before.back()).slice);
        const std::string from = since.instance
            ? "Since they left " + collectiveText(m_analysis, *since.instance) + " together"
            : "Since the " + std::string(comparison.timeline->steps.empty() ? "file" : "step") + " began";
        const std::string others = since.peers.size() > 1
            ? "its peers " + timeText(otherNs) + " (median of " + std::to_string(since.peers.size()) + ")"
            : comparison.othersText + " " + timeText(otherNs);
        say(from + " it took " + timeText(ownNs) + " until then, " + others + ".", comparison.rank,
            axisRange(m_analysis, *comparison.timeline, comparison.own.range), difference.lengthNs, left);
        // Durations need no clocks: if they do not show the lateness, it lies before, or in the clocks.
        if (!isShare(difference.lengthNs, lateNs, enoughPercent))
            return giveUp(
                since.instance
                    ? "That does not make it late: it left that collective later, or the ranks' clocks are "
                      "apart. "
                        + m_run.clocks.summary(m_analysis.options().clocks)
                    : rank + " was late already when the "
                        + (comparison.timeline->steps.empty() ? "file" : "step")
                        + " began; the trace shows no collective before that it left together with the "
                          "others.",
                late);
        decideCause(m_analysis, comparison, difference, lateNs, m_chain);
        m_chain.links.back().cause = m_chain.cause;
        m_chain.verdict
            = m_chain.cause == Cause::Inconclusive ? CauseVerdict::Inconclusive : CauseVerdict::LateRank;
        if (m_chain.cause != Cause::WaitedElsewhere)
            return std::nullopt;
        const OneWait* const worst = worstWait(comparison.waits);
        return worst ? std::optional(worst->instance) : std::nullopt;
    }

    Analysis& m_analysis;
    const RunCollectives& m_run;
    CauseChain m_chain;
    std::set<std::uint32_t> m_seen;
};

} // namespace

std::int64_t significantSkewNs(Analysis& analysis)
{
    return std::max(lateNs, analysis.run().clocks.significantNs(analysis.options().clocks));
}

LateArrival measureLate(Analysis& analysis, std::uint32_t instance)
{
    const RunCollectives& run = analysis.run();
    const auto members = run.matching.membersOf(run.matching.instances[instance]);
    LateArrival late;
    late.instance = instance;
    std::vector<std::int64_t> begins;
    for (const CallRef member : members) {
        const std::int64_t beginNs = analysis.onAxis(run.callOf(member)).beginNs;
        if (begins.empty() || beginNs < late.firstNs) {
            late.firstNs = beginNs;
            late.first = member;
        }
        if (begins.empty() || beginNs > late.lastNs) {
            late.lastNs = beginNs;
            late.last = member;
        }
        begins.push_back(beginNs);
    }
    std::vector<double> behind;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::int64_t behindNs = late.lastNs - begins[i];
        late.imposedNs += behindNs;
        if (2 * behindNs < late.skewNs() || members[i] == late.last)
            continue;
        late.peers.push_back(members[i]);
        behind.push_back(static_cast<double>(behindNs));
    }
    late.lateNs = std::llround(middleOf(std::move(behind)));
    return late;
}

Waits waitsIn(Analysis& analysis, std::uint32_t rank, const Timeline& timeline,
              const IntervalProfile& profile, SliceRef ending)
{
    const RunCollectives& run = analysis.run();
    const TraceModel& model = analysis.model();
    const std::vector<Call>& calls = run.ranks[rank].calls;
    const std::size_t index = timelineIndex(analysis, timeline);
    const std::int32_t ownStream = ending ? model.track(ending.track).stream : -1;
    // By timeline, then by begin. What began before the interval may reach into it.
    auto at = std::partition_point(calls.begin(), calls.end(), [&](const Call& call) {
        return call.timeline < &timeline
            || (call.timeline == &timeline && call.range.beginNs < profile.range.beginNs);
    });
    for (int back = 0; back < 64 && at != calls.begin() && std::prev(at)->timeline == &timeline; ++back)
        --at;
    Waits waits;
    std::unordered_map<std::uint32_t, std::uint32_t> ordinals;
    for (; at != calls.end() && at->timeline == &timeline && at->range.beginNs < profile.range.endNs; ++at) {
        TimeRange range = at->range.intersected(profile.range);
        if (range.isEmpty())
            continue;
        const std::uint32_t name = model.track(at->slice.track).slices.name[at->slice.row].value;
        const std::uint64_t place = std::uint64_t{name} << 32 | ordinals[name]++;
        const bool isOwn = ending && model.track(at->slice.track).stream == ownStream;
        const auto exposed = [&](TimeRange part) {
            return isOwn ? part.lengthNs() : part.lengthNs() - profile.covering.clipped(part).lengthNs();
        };
        const auto instance = run.instanceOf(at->slice);
        if (!instance || run.matching.instances[*instance].memberCount < 2) {
            waits.unmatchedNs += exposed(range);
            continue;
        }
        const auto [lastNs, lastRank] = lastArrival(analysis, *instance);
        range.endNs = std::min(range.endNs, analysis.clocks().fromAxis(index, lastNs));
        if (lastRank == rank || range.isEmpty())
            continue;
        const std::int64_t ns = exposed(range);
        waits.totalNs += ns;
        if (ns > 0)
            waits.each.push_back({*instance, at->slice, range, ns, run.ranks[lastRank].rank, place, ns});
    }
    return waits;
}

CauseChain explainArrival(Analysis& analysis, std::uint32_t instance)
{
    return Explainer(analysis).explain(instance);
}

} // namespace collscope
