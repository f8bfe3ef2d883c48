// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/explain.h"

#include "metrics/causes/arrivals.h"
#include "metrics/causes/cause_parts.h"
#include "metrics/causes/cause_text.h"
#include "metrics/causes/left_together.h"
#include "metrics/core/step_rows.h"
#include "metrics/matching/collective_times.h"
#include "metrics/matching/wait_rule.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace collscope {

namespace {

constexpr std::size_t mostPeers = 63; ///< enough for a representative median
constexpr std::size_t longestChain = 16;

/// Keeps evenly spaced peers if there are more than mostPeers.
void thinOut(std::vector<CallRef>& peers)
{
    if (peers.size() <= mostPeers)
        return;
    std::vector<CallRef> kept;
    for (std::size_t i = 0; i < mostPeers; ++i)
        kept.push_back(peers[i * peers.size() / mostPeers]);
    peers = std::move(kept);
}

/// Explains one collective after the other, going back in time.
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

    /// Ends a chain for which no cause was found.
    std::nullopt_t giveUp(std::string text, const LateArrival& late, std::vector<SliceRef> slices = {})
    {
        m_chain.verdict = CauseVerdict::Inconclusive;
        m_chain.cause = Cause::Inconclusive;
        say(std::move(text), m_run.ranks[late.last.rank].rank, {late.firstNs, late.lastNs}, late.lateNs,
            std::move(slices));
        return std::nullopt;
    }

    /// Adds a link. Returns the collective that explains it, if another one does.
    std::optional<std::uint32_t> explainOne(std::uint32_t instance)
    {
        LateArrival late = measureLate(m_analysis, instance);
        const CollectiveInstance& of = m_run.matching.instances[instance];
        const Call& call = m_run.callOf(late.last);
        if (m_chain.links.empty())
            m_chain.rank = m_run.ranks[late.last.rank].rank;
        if (of.memberCount < 2)
            return giveUp(collectiveText(m_analysis, instance)
                              + " was found on one rank only and cannot be compared.",
                          late, {call.slice});
        if (!late.tellsWaits)
            return giveUp(collectiveText(m_analysis, instance) + whyNoWaits(of), late, {call.slice});
        if (!of.isWhole)
            return giveUp(ofThosePresent(late), late, evidenceOf(late));
        if (late.skewNs() <= significantSkewNs(m_analysis) || late.peers.empty())
            return nobodyLate(late);
        if (isPointToPoint(m_analysis.model(), call))
            return pointToPoint(late);
        thinOut(late.peers);
        const Built built
            = build(late, findLeftTogether(m_analysis, late.last, late.peers, call.range.beginNs));
        const std::int64_t otherNs
            = std::min(built.comparison.own.lengthNs() - built.difference.lengthNs, stepLengthNs(call));
        if (100 * built.lateNs < otherNs)
            return nobodyLate(late, otherNs);
        const auto next = conclude(late, built);
        return late.isMostTogether && !next && m_chain.links.size() == 1 ? someEarly(late) : next;
    }

    std::string ofThosePresent(const LateArrival& late) const
    {
        return collectiveText(m_analysis, late.instance)
            + " lacks ranks of its group, one of which may have arrived last: their traces are not loaded or "
              "do not contain the call. Of the ranks present, rank "
            + std::to_string(m_run.ranks[late.last.rank].rank) + " arrived last, " + timeText(late.skewNs())
            + " after the first.";
    }

    static std::string whyNoWaits(const CollectiveInstance& instance)
    {
        return instance.confidence == MatchConfidence::OrderAlone
            ? " is matched by order alone, without confirmation: its waiting time cannot be attributed."
            : ": which ranks had to wait is unknown (root not identified, or unknown type of communication), "
              "so "
              "its waiting time cannot be attributed.";
    }

    /// If most ranks arrived together, jitter decides which one is last. Its chain is only of interest if it
    /// had waited for another rank.
    std::nullopt_t someEarly(const LateArrival& late)
    {
        m_chain = CauseChain();
        m_chain.verdict = CauseVerdict::NobodyLate;
        m_chain.cause = Cause::None;
        const std::size_t members = m_run.matching.instances[late.instance].memberCount;
        say("No rank was late at " + collectiveText(m_analysis, late.instance) + ": most of its "
                + std::to_string(members) + " ranks arrived together, and rank "
                + std::to_string(m_run.ranks[late.first.rank].rank) + " arrived " + timeText(late.skewNs())
                + " before the last of them.",
            -1, {late.firstNs, late.lastNs}, late.skewNs(), evidenceOf(late));
        return std::nullopt;
    }

    /// Duration of the step in which the call starts: a pause before the step must not make the lateness seem
    /// smaller.
    static std::int64_t stepLengthNs(const Call& call)
    {
        const Step* const step = stepAround(*call.timeline, call.range.beginNs);
        return step ? step->range.lengthNs() : std::numeric_limits<std::int64_t>::max();
    }

    std::nullopt_t nobodyLate(const LateArrival& late, std::int64_t otherNs = 0)
    {
        if (!m_chain.links.empty()) { // the previous link remains valid
            say("Rank " + std::to_string(m_run.ranks[late.last.rank].rank) + ", which arrived last at "
                    + collectiveText(m_analysis, late.instance)
                    + ", was itself hardly late: " + timeText(late.skewNs()) + " after the first"
                    + (otherNs > 0 ? ", less than 1 % of the preceding " + timeText(otherNs) + "." : "."),
                m_run.ranks[late.last.rank].rank, {late.firstNs, late.lastNs}, late.skewNs(),
                evidenceOf(late));
            return std::nullopt;
        }
        m_chain.verdict = CauseVerdict::NobodyLate;
        m_chain.cause = Cause::None;
        m_chain.rank = -1;
        const std::string rank = std::to_string(m_run.ranks[late.last.rank].rank);
        const std::string last = "No rank was late at " + collectiveText(m_analysis, late.instance)
            + ": rank " + rank + " arrived last, " + timeText(late.skewNs()) + " after the first";
        say(otherNs > 0 ? last + ", less than 1 % of the preceding " + timeText(otherNs) + "."
                        : last + ", which is not significant (threshold "
                    + timeText(significantSkewNs(m_analysis)) + ").",
            -1, {late.firstNs, late.lastNs}, late.skewNs(), evidenceOf(late));
        return std::nullopt;
    }

    /// Stages of a pipeline do different work: the late rank is known, but a comparison cannot explain the
    /// lateness.
    std::nullopt_t pointToPoint(const LateArrival& late)
    {
        const std::string rank = std::to_string(m_run.ranks[late.last.rank].rank);
        m_chain.rank = m_run.ranks[late.last.rank].rank;
        m_chain.links.push_back({late.instance, m_chain.rank, late.lateNs, Cause::WaitedElsewhere});
        m_chain.cause = Cause::Inconclusive;
        m_chain.verdict = CauseVerdict::Inconclusive;
        say("Rank " + rank + " arrived " + timeText(late.skewNs()) + " after its partner at "
                + collectiveText(m_analysis, late.instance)
                + ". The two sides of a send do different work, so they are not compared.",
            m_chain.rank, {late.firstNs, late.lastNs}, late.skewNs(), evidenceOf(late));
        return std::nullopt;
    }

    std::vector<SliceRef> evidenceOf(const LateArrival& late) const
    {
        return {m_run.callOf(late.last).slice, m_run.callOf(late.first).slice};
    }

    /// The interval from the end of the collective finished together (or the start of the step) to a call, in
    /// the timeline's own time.
    TimeRange intervalOf(CallRef call, std::optional<CallRef> before) const
    {
        const Call& arrival = m_run.callOf(call);
        const std::int64_t beginNs = before ? m_run.callOf(*before).range.endNs : stepBeginNs(arrival);
        return {beginNs, arrival.range.beginNs};
    }

    /// Profiles an interval up to `lastingNs` after its start. If computation overlaps the collective, a peer
    /// continues computing while it waits: work up to the arrival of the late rank must not count as extra
    /// work of the late rank.
    void profile(CallRef ref, std::optional<CallRef> before, std::int64_t lastingNs, IntervalProfile& profile,
                 Waits& waits)
    {
        const Call& call = m_run.callOf(ref);
        const TimeRange range = intervalOf(ref, before);
        profile = profileInterval(m_analysis.model(), *call.timeline, range, call.slice,
                                  range.beginNs + lastingNs);
        waits = waitsIn(m_analysis, ref.rank, *call.timeline, profile, call.slice);
    }

    /// Comparison of the late rank with its peers over an interval.
    struct Built
    {
        LeftTogether since;
        CauseComparison comparison;
        IntervalDifference difference;
        std::int64_t lateNs = 0; ///< relative to the median of these peers
    };

    Built build(const LateArrival& late, LeftTogether since)
    {
        Built built;
        CauseComparison& comparison = built.comparison;
        if (!since.instance)
            since.peers = late.peers;
        const auto beforeOf
            = [&](std::size_t i) { return since.instance ? std::optional(since.before[i]) : std::nullopt; };
        comparison.rank = m_run.ranks[late.last.rank].rank;
        comparison.timeline = m_run.callOf(late.last).timeline;
        comparison.othersText = since.peers.size() > 1
            ? "its peers"
            : "rank " + std::to_string(m_run.ranks[since.peers.front().rank].rank);
        comparison.where = "on " + comparison.othersText;
        profile(late.last, beforeOf(since.peers.size()), 0, comparison.own, comparison.waits);
        std::vector<Waits> waits(since.peers.size());
        std::vector<double> behind;
        for (std::size_t i = 0; i < since.peers.size(); ++i) {
            profile(since.peers[i], beforeOf(i), comparison.own.lengthNs(), comparison.others.emplace_back(),
                    waits[i]);
            behind.push_back(
                static_cast<double>(late.lastNs - m_analysis.onAxis(m_run.callOf(since.peers[i])).beginNs));
        }
        compareWaits(comparison, waits);
        built.lateNs = std::llround(middleOf(behind));
        built.difference = compareIntervals(comparison.own, comparison.others);
        built.since = std::move(since);
        return built;
    }

    std::string beginText(const Built& built) const
    {
        return built.since.instance
            ? "it finished " + collectiveText(m_analysis, *built.since.instance) + " together with "
                + built.comparison.othersText
            : "the " + std::string(built.comparison.timeline->steps.empty() ? "trace" : "step") + " started";
    }

    void sayInterval(const std::string& before, const Built& built)
    {
        const std::int64_t ownNs = built.comparison.own.lengthNs();
        const std::int64_t otherNs = ownNs - built.difference.lengthNs;
        const std::size_t peers = built.since.peers.size();
        std::vector<SliceRef> left;
        if (built.since.instance)
            left.push_back(m_run.callOf(built.since.before.back()).slice);
        const std::string others = peers > 1
            ? "its peers took " + timeText(otherNs) + " (median of " + std::to_string(peers) + ")"
            : built.comparison.othersText + " took " + timeText(otherNs);
        say(before + "After " + beginText(built) + ", it took " + timeText(ownNs) + " to arrive; " + others
                + ".",
            built.comparison.rank,
            axisRange(m_analysis, *built.comparison.timeline, built.comparison.own.range),
            built.difference.lengthNs, std::move(left));
    }

    std::optional<std::uint32_t> conclude(const LateArrival& late, const Built& built)
    {
        const std::int32_t rank = built.comparison.rank;
        m_chain.rank = rank;
        m_chain.links.push_back({late.instance, rank, built.lateNs, Cause::Inconclusive});
        say("Rank " + std::to_string(rank) + " arrived " + timeText(built.lateNs) + " late at "
                + collectiveText(m_analysis, late.instance)
                + (late.peers.size() > 1
                       ? "; the other ranks waited " + timeText(late.imposedNs) + " in total."
                       : "."),
            rank, {late.firstNs, late.lastNs}, built.lateNs, evidenceOf(late));
        const std::size_t facts = m_chain.clauses.size();
        sayInterval("", built);
        // Durations need no clocks: if they do not show the lateness, it is older, or due to the clocks.
        if (!isShare(built.difference.lengthNs, built.lateNs, enoughPercent))
            return giveUp(
                built.since.instance
                    ? "This does not explain the lateness: it finished that collective later, or the ranks' "
                      "clocks differ. "
                        + m_run.clocks.summary(m_analysis.options().clocks)
                    : "Rank " + std::to_string(rank) + " was already late when " + beginText(built)
                        + "; no earlier collective that it finished together with the others was found.",
                late);
        decideCause(m_analysis, built.comparison, built.difference, built.lateNs, m_chain);
        const OneWait* worst = worstWait(built.comparison.waits);
        const bool isBehind = claimsMoreWork() || didLittle(built);
        const std::optional<Built> further = isBehind ? sinceFurther(late, built) : std::nullopt;
        if (further) {
            CauseChain again;
            decideCause(m_analysis, further->comparison, further->difference, built.lateNs, again);
            const bool saysMore = claimsMoreWork() || again.cause != Cause::Inconclusive;
            if (again.cause != Cause::MoreWork && saysMore) {
                m_chain.clauses.resize(facts);
                sayInterval(
                    "It was already behind before the last collective that these ranks finished together. ",
                    *further);
                m_chain.clauses.insert(m_chain.clauses.end(), again.clauses.begin(), again.clauses.end());
                m_chain.cause = again.cause;
                m_chain.alsoCause = again.alsoCause;
                worst = worstWait(further->comparison.waits);
            }
        }
        m_chain.links.back().cause = m_chain.cause;
        m_chain.verdict
            = m_chain.cause == Cause::Inconclusive ? CauseVerdict::Inconclusive : CauseVerdict::LateRank;
        if (m_chain.cause == Cause::WaitedElsewhere && worst)
            return worst->instance;
        sayAlsoLate(late);
        return std::nullopt;
    }

    void sayAlsoLate(const LateArrival& late)
    {
        m_chain.alsoLate = late.alsoLate;
        if (late.alsoLate.empty())
            return;
        say("If rank " + std::to_string(m_chain.rank)
                + " alone had been on time, no other rank would have waited more than "
                + timeText(late.leadNs) + " less: " + alsoLateText(late.alsoLate) + " also arrived late.",
            -1, {late.firstNs, late.lastNs}, late.lateNs, {});
    }

    /// Whether the peers arrived so soon that they hardly computed in the interval: the rank then did work
    /// that it had not done before, which does not explain the lateness.
    static bool didLittle(const Built& built)
    {
        const std::int64_t ownNs = built.comparison.own.lengthNs();
        return 4 * (ownNs - built.difference.lengthNs) < ownNs && 2 * built.difference.computeNs > ownNs;
    }

    bool claimsMoreWork() const
    {
        return m_chain.cause == Cause::MoreWork || m_chain.alsoCause == Cause::MoreWork;
    }

    /// Repeats the comparison from an earlier moment. A collective that overlaps with computation does not
    /// stop a rank that is behind: the rank does the remaining work afterwards, which looks like more work.
    /// The comparison therefore starts at the last collective finished together before the step, else at the
    /// start of the step. nullopt if that is not earlier.
    std::optional<Built> sinceFurther(const LateArrival& late, const Built& built)
    {
        if (!built.since.instance)
            return std::nullopt;
        const std::int64_t beginNs = stepBeginNs(m_run.callOf(late.last));
        if (built.comparison.own.range.beginNs <= beginNs)
            return std::nullopt;
        return build(late, findLeftTogether(m_analysis, late.last, late.peers, beginNs));
    }

    Analysis& m_analysis;
    const RunCollectives& m_run;
    CauseChain m_chain;
    std::set<std::uint32_t> m_seen;
};

} // namespace

std::int64_t significantSkewNs(Analysis& analysis)
{
    return isByDuration(analysis) ? lateNs : analysis.run().clocks.significantNs(analysis.options().clocks);
}

LateArrival measureLate(Analysis& analysis, std::uint32_t instance)
{
    const RunCollectives& run = analysis.run();
    const auto members = run.matching.membersOf(run.matching.instances[instance]);
    LateArrival late;
    late.instance = instance;
    CollectiveTimer timer = timerOf(analysis);
    const CollectiveTimes times = timer.of(run.matching.instances[instance]);
    late.tellsWaits = times.tellsWaits;
    late.isLastKnown = times.leadNs >= arrivalErrorNs(analysis);
    late.isMostTogether = times.isMostTogether;
    late.lastNs = timer.members()[times.awaited].beginNs;
    late.firstNs = late.lastNs - times.heldNs;
    late.first = members[times.longest];
    late.last = members[times.awaited];
    late.imposedNs = times.waitNs;
    std::vector<double> behind;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::int64_t behindNs = timer.waits()[i];
        if (2 * behindNs < late.skewNs() || i == times.awaited)
            continue;
        late.peers.push_back(members[i]);
        behind.push_back(static_cast<double>(behindNs));
    }
    late.lateNs = std::llround(middleOf(std::move(behind)));
    late.leadNs = late.lateNs;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (i != times.awaited && timer.lateness()[i] > 0
            && 2 * (late.lastNs - timer.members()[i].beginNs) < late.lateNs) {
            late.alsoLate.push_back(run.ranks[members[i].rank].rank);
            late.leadNs = std::min(late.leadNs, late.lastNs - timer.members()[i].beginNs);
        }
    }
    return late;
}

CauseChain explainArrival(Analysis& analysis, std::uint32_t instance)
{
    return Explainer(analysis).explain(instance);
}

} // namespace collscope
