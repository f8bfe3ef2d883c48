// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Why a step took longer: who was late in it, else what took longer on all ranks.

#include "metrics/multirank/cause_parts.h"
#include "metrics/multirank/cause_text.h"
#include "metrics/multirank/common_steps.h"
#include "metrics/multirank/explained_step.h"
#include "metrics/multirank/handed_work.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace collscope {

namespace {

constexpr std::size_t mostExplained = 3; ///< collectives
constexpr std::int64_t coveredPercent = 80; ///< of the imposed waits, then no more are explained
constexpr std::size_t mostRanks = 8; ///< whose steps are compared
constexpr std::size_t mostSteps = 8; ///< that a step is compared with

class StepExplainer
{
public:
    StepExplainer(Analysis& analysis, const Selection& selection, std::int64_t number)
        : m_analysis(analysis)
        , m_run(analysis.run())
        , m_selection(selection)
        , m_stages(analysis.model(), m_run.ranks, m_run.matching)
    {
        m_result.step = number;
        m_result.chain.onCpu = selection.isOfCpu;
        m_result.clocks = m_run.clocks.summary(analysis.options().clocks);
    }

    Result<StepExplanation> explain()
    {
        if (const std::optional<Error> error = findStep())
            return *error;
        describe();
        std::vector<LateArrival> late = lateArrivals();
        std::int64_t lateSumNs = 0;
        for (const LateArrival& arrival : late)
            lateSumNs += arrival.lateNs;
        const std::int64_t excessNs = m_result.durationNs - m_result.othersNs;
        const bool isLonger = m_result.others > 0 && excessNs > std::max(lateNs, m_result.othersNs / 100);
        explainLate(late);
        const bool someoneWasLate = !m_result.chain.links.empty();
        if (isLonger && (!someoneWasLate || !isShare(lateSumNs, excessNs, enoughPercent)))
            compareSteps(someoneWasLate);
        else if (!someoneWasLate)
            sayNothing(isLonger);
        return std::move(m_result);
    }

private:
    void say(std::string text, std::int32_t rank, TimeRange axis, std::int64_t ns)
    {
        m_result.chain.clauses.push_back({std::move(text), rank, {}, axis, ns});
    }
    std::int32_t rankOf(std::uint32_t index) const { return m_run.ranks[index].rank; }
    bool isChosen(std::int32_t rank) const
    {
        return !m_analysis.options().rank || *m_analysis.options().rank == rank;
    }

    std::optional<Error> findStep()
    {
        auto found = findExplainedStep(m_selection, m_result.step, m_analysis.options().rank);
        if (!found)
            return found.error();
        m_steps = std::move(found->ranks);
        m_slowest = found->slowest;
        m_result.others = found->others;
        m_result.othersNs = found->othersNs;
        m_result.durationNs = m_slowest.step->range.lengthNs();
        m_result.range = axisRange(m_analysis, *m_slowest.timeline, m_slowest.step->range);
        return std::nullopt;
    }

    void describe()
    {
        std::string text
            = "Step " + std::to_string(m_result.step) + " lasted " + timeText(m_result.durationNs);
        const std::int32_t rank = rankOf(m_slowest.index);
        if (m_steps.size() > 1 && !m_analysis.options().rank)
            text += " on its slowest rank (" + std::to_string(rank) + ")";
        const std::int64_t excessNs = m_result.durationNs - m_result.othersNs;
        const std::string others = m_result.others == 1
            ? "the other step (" + timeText(m_result.othersNs) + ")."
            : "the median of the " + std::to_string(m_result.others) + " others ("
                + timeText(m_result.othersNs) + ").";
        if (m_result.others == 0)
            text += "; the trace has no other step to compare it with.";
        else if (!isShare(std::abs(excessNs), m_result.othersNs, 1))
            text += ", about as long as " + others;
        else
            text += ", " + timeText(std::abs(excessNs)) + " ("
                + percentText(std::abs(excessNs), m_result.othersNs) + ") "
                + (excessNs >= 0 ? "longer" : "shorter") + " than " + others;
        say(std::move(text), rank, m_result.range, m_result.durationNs);
    }

    /// The collectives whose first rank came to them in the step; with a chosen rank those of that rank.
    std::vector<std::uint32_t> instances() const
    {
        std::vector<std::uint32_t> found;
        for (const RankStep& own : m_steps) {
            if (!isChosen(rankOf(own.index)))
                continue;
            const std::vector<Call>& calls = m_run.ranks[own.index].calls;
            auto at = std::partition_point(calls.begin(), calls.end(), [&](const Call& call) {
                return call.timeline < own.timeline
                    || (call.timeline == own.timeline && call.range.beginNs < own.step->range.beginNs);
            });
            for (; at != calls.end() && at->timeline == own.timeline
                 && at->range.beginNs < own.step->range.endNs;
                 ++at) {
                if (const auto instance = m_run.instanceOf(at->slice))
                    found.push_back(*instance);
            }
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    /// A call that was found on one rank only may still be of several.
    bool isOfSeveral(const Instance& of, const Call& call) const
    {
        const std::int32_t size = call.groupSize > 0 ? call.groupSize : m_run.matching.groupOf(of).size;
        return size > 0 ? size > 1 : m_analysis.model().worldSize != 1;
    }

    bool isInStep(CallRef ref) const
    {
        if (m_analysis.options().rank)
            return true;
        const auto own
            = std::lower_bound(m_steps.begin(), m_steps.end(), ref.rank,
                               [](const RankStep& step, std::uint32_t rank) { return step.index < rank; });
        const Call& call = m_run.callOf(ref);
        return own != m_steps.end() && own->index == ref.rank && own->timeline == call.timeline
            && own->step->range.contains(call.range.beginNs);
    }

    /// Late arrivals that matter to the step, the one with the largest imposed wait first: some rank came
    /// late by 1 % of the step at once; or little by little, and clearly more than any other rank.
    std::vector<LateArrival> lateArrivals()
    {
        struct Sum
        {
            std::int64_t ns = 0, longestNs = 0, times = 0;
        };
        std::vector<LateArrival> late;
        std::map<std::uint32_t, Sum> byRank;
        for (const std::uint32_t instance : instances()) {
            const Instance& of = m_run.matching.instances[instance];
            const Call& call = m_run.callOf(m_run.matching.membersOf(of).front());
            if (isPointToPoint(m_analysis.model(), call)) {
                ++m_pointToPoint;
                continue;
            }
            if (of.memberCount < 2) {
                m_untold += isOfSeveral(of, call) ? 1 : 0;
                continue;
            }
            LateArrival arrival = measureLate(m_analysis, instance);
            if (!isInStep(arrival.first))
                continue;
            if (m_stages.handWorkOn(m_run.matching.membersOf(of))) {
                ++m_staged;
                continue;
            }
            if (!arrival.tellsWaits || !of.isWhole) {
                ++m_untold;
                continue;
            }
            ++m_collectives;
            if (arrival.skewNs() <= significantSkewNs(m_analysis))
                continue;
            Sum& sum = byRank[arrival.last.rank];
            sum.ns += arrival.lateNs;
            sum.longestNs = std::max(sum.longestNs, arrival.lateNs);
            ++sum.times;
            arrival.peers.clear();
            late.push_back(std::move(arrival));
        }
        const auto matters = [&](const LateArrival& arrival) {
            const Sum& own = byRank[arrival.last.rank];
            if (isShare(own.longestNs, m_result.durationNs, 1))
                return true;
            return isShare(own.ns, m_result.durationNs, 1)
                && std::none_of(byRank.begin(), byRank.end(), [&](const auto& other) {
                       return other.first != arrival.last.rank && 2 * other.second.ns > own.ns;
                   });
        };
        std::erase_if(late, [&](const LateArrival& arrival) { return !matters(arrival); });
        std::stable_sort(late.begin(), late.end(), [](const LateArrival& a, const LateArrival& b) {
            return a.imposedNs > b.imposedNs;
        });
        return late;
    }

    void explainLate(const std::vector<LateArrival>& late)
    {
        std::int64_t allNs = 0;
        std::int64_t coveredNs = 0;
        for (const LateArrival& arrival : late)
            allNs += arrival.imposedNs;
        std::size_t explained = 0, tried = 0; // somebody who only came early takes time, too
        std::set<std::uint32_t> seen;
        for (const LateArrival& arrival : late) {
            if (explained == mostExplained || tried++ == 4 * mostExplained || m_analysis.options().cancelled()
                || (explained > 0 && isShare(coveredNs, allNs, coveredPercent)))
                break;
            coveredNs += arrival.imposedNs;
            if (seen.contains(arrival.instance))
                continue;
            CauseChain chain = explainArrival(m_analysis, arrival.instance);
            for (const CauseLink& link : chain.links)
                seen.insert(link.instance);
            if (chain.links.empty())
                continue;
            ++explained;
            append(std::move(chain), arrival.imposedNs);
        }
        if (explained > 0)
            settle();
        if (explained > 0 && late.size() > 1)
            sayHowOften(late);
    }

    /// Sentences that were told before are not told again.
    void append(CauseChain chain, std::int64_t imposedNs)
    {
        CauseChain& all = m_result.chain;
        const bool isSame = chain.verdict == CauseVerdict::LateRank
            && std::any_of(m_explained.begin(), m_explained.end(), [&](const Explained& other) {
                                return other.rank == chain.rank && other.cause == chain.cause
                                    && other.verdict == chain.verdict;
                            });
        m_explained.push_back(
            {chain.rank, chain.cause, chain.alsoCause, chain.verdict, chain.alsoLate, imposedNs});
        if (isSame) {
            chain.clauses.resize(1);
            chain.clauses.front().text
                += " The reason is the same: " + std::string(causeText(chain.cause, chain.onCpu))
                + " on rank " + std::to_string(chain.rank) + ".";
        }
        all.clauses.insert(all.clauses.end(), std::make_move_iterator(chain.clauses.begin()),
                           std::make_move_iterator(chain.clauses.end()));
        if (!all.links.empty())
            return;
        all.links = std::move(chain.links);
        all.lateNs = chain.lateNs;
    }

    /// The step's rank and cause: those behind most of the waits that were explained.
    void settle()
    {
        std::map<std::int32_t, std::int64_t> byRank;
        std::int64_t allNs = 0;
        for (const Explained& one : m_explained) {
            byRank[one.rank] += one.imposedNs;
            allNs += one.imposedNs;
        }
        const auto most = std::max_element(byRank.begin(), byRank.end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        CauseChain& all = m_result.chain;
        all.rank = isShare(most->second, allNs, enoughPercent) ? most->first : -1;
        if (const auto worst = std::find_if(m_explained.begin(), m_explained.end(),
                                            [&](const Explained& one) { return one.rank == all.rank; });
            worst != m_explained.end())
            all.alsoLate = worst->alsoLate;
        std::map<Cause, std::int64_t> byCause;
        std::int64_t knownNs = 0;
        for (const Explained& one : m_explained) {
            if (one.rank != all.rank || one.verdict != CauseVerdict::LateRank)
                continue;
            byCause[one.cause] += one.imposedNs;
            knownNs += one.imposedNs;
        }
        if (!isShare(knownNs, allNs, enoughPercent))
            return;
        std::vector<std::pair<Cause, std::int64_t>> causes(byCause.begin(), byCause.end());
        std::stable_sort(causes.begin(), causes.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        all.verdict = CauseVerdict::LateRank;
        all.cause = causes.front().first;
        if (causes.size() > 1)
            all.alsoCause = causes[1].first;
        else if (m_explained.front().cause == all.cause)
            all.alsoCause = m_explained.front().alsoCause;
    }

    void sayHowOften(const std::vector<LateArrival>& late)
    {
        const std::uint32_t last = late.front().last.rank;
        std::int64_t times = 0;
        std::int64_t sumNs = 0;
        for (const LateArrival& arrival : late) {
            times += arrival.last.rank == last ? 1 : 0;
            sumNs += arrival.last.rank == last ? arrival.lateNs : 0;
        }
        if (times > 1)
            say("Rank " + std::to_string(rankOf(last)) + " came last, and late, in " + std::to_string(times)
                    + " of the " + countText(m_collectives, "collective") + " of the step, by "
                    + timeText(sumNs) + " in all.",
                rankOf(last), m_result.range, sumNs);
    }

    /// Whether the collectives of which nobody knows who was late are so many that it cannot be said.
    bool isDoubtful() const
    {
        const std::int64_t open = m_untold + m_staged + (m_pointToPoint > 0 ? 1 : 0);
        return open > 0 && open >= m_collectives;
    }

    /// Who was late to its collectives, where nobody is known to have been; without a full stop.
    std::string nobodyText() const
    {
        std::vector<std::string> parts;
        if (m_collectives > 0)
            parts.push_back("Nobody came late to any of its " + countText(m_collectives, "collective")
                            + " by 1 % of the step or more");
        if (m_untold > 0)
            parts.push_back(
                "who was late to " + countText(m_untold, "collective")
                + " cannot be told: calls of some of their ranks are missing or could not be matched, "
                  "nothing but their order matches them, or the trace does not name their root");
        if (m_staged > 0)
            parts.push_back("at " + countText(m_staged, "collective")
                            + " of ranks that hand work to each other, that order can decide who comes last");
        if (parts.empty() && m_pointToPoint > 0)
            parts.emplace_back("Only sends and receives began in it, which have no common begin");
        if (parts.empty())
            return "No collective of several ranks began in it, so nobody can have been late";
        std::string text;
        for (const std::string& part : parts)
            text.append(text.empty() ? "" : "; ").append(part);
        text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
        return text;
    }

    void sayNothing(bool isLonger)
    {
        const bool isOpen = isLonger || isDoubtful();
        m_result.chain.verdict = isOpen ? CauseVerdict::Inconclusive : CauseVerdict::NobodyLate;
        m_result.chain.cause = isOpen ? Cause::Inconclusive : Cause::None;
        say(nobodyText() + ".", -1, m_result.range, 0);
    }

    /// The step of one rank against those next to it.
    CauseComparison comparisonOf(const RankStep& own)
    {
        CauseComparison comparison;
        comparison.rank = rankOf(own.index);
        comparison.timeline = own.timeline;
        comparison.othersText = "the other steps";
        comparison.where = "in the other steps";
        std::vector<const Step*> nearest;
        for (const Step& step : own.timeline->steps) {
            if (&step != own.step && !step.range.isEmpty())
                nearest.push_back(&step);
        }
        std::stable_sort(nearest.begin(), nearest.end(), [&](const Step* a, const Step* b) {
            return std::abs(a->number - own.step->number) < std::abs(b->number - own.step->number);
        });
        nearest.resize(std::min(nearest.size(), mostSteps));
        const auto profile = [&](const Step& step) {
            return profileInterval(m_analysis.model(), *own.timeline, step.range, SliceRef());
        };
        const auto waits = [&](const IntervalProfile& interval) {
            return waitsIn(m_analysis, own.index, *own.timeline, interval, SliceRef());
        };
        comparison.own = profile(*own.step);
        comparison.waits = waits(comparison.own);
        std::vector<Waits> others;
        for (const Step* const step : nearest) {
            comparison.others.push_back(profile(*step));
            others.push_back(waits(comparison.others.back()));
        }
        compareWaits(comparison, others);
        return comparison;
    }

    /// What decideCause() finds for the step of one rank.
    CauseChain compareOne(const RankStep& own)
    {
        CauseChain chain;
        chain.rank = rankOf(own.index);
        const CauseComparison comparison = comparisonOf(own);
        if (comparison.others.empty())
            return chain;
        const IntervalDifference difference = compareIntervals(comparison.own, comparison.others);
        chain.lateNs = difference.lengthNs;
        if (difference.lengthNs > 0)
            decideCause(m_analysis, comparison, difference, difference.lengthNs, chain);
        return chain;
    }

    void compareSteps(bool someoneWasLate)
    {
        CauseChain& all = m_result.chain;
        CauseChain found = compareOne(m_slowest);
        std::size_t ranks = 0;
        std::size_t agreeing = 0;
        for (std::size_t i = 0; i < std::min(m_steps.size(), mostRanks); ++i) {
            const RankStep& own = m_steps[i * m_steps.size() / std::min(m_steps.size(), mostRanks)];
            if (!isChosen(rankOf(own.index)))
                continue;
            ++ranks;
            agreeing += own.index == m_slowest.index || compareOne(own).cause == found.cause ? 1u : 0u;
        }
        if (!someoneWasLate && m_collectives + m_untold + m_staged > 0)
            say(nobodyText() + ". Compared with the other steps of rank " + std::to_string(found.rank) + ":",
                found.rank, m_result.range, found.lateNs);
        else if (someoneWasLate)
            say("Late arrivals are not all of it; compared with the other steps of rank "
                    + std::to_string(found.rank) + ":",
                found.rank, m_result.range, found.lateNs);
        all.clauses.insert(all.clauses.end(), std::make_move_iterator(found.clauses.begin()),
                           std::make_move_iterator(found.clauses.end()));
        const bool isKnown = found.cause != Cause::Inconclusive && found.cause != Cause::WaitedElsewhere
            && (ranks == 1 || 2 * agreeing > ranks);
        // What only the slowest rank shows, after its last collective, is its own.
        const bool isOwn = !isKnown && found.cause != Cause::Inconclusive
            && found.cause != Cause::WaitedElsewhere && agreeing == 1;
        if (ranks > 1 && found.cause != Cause::Inconclusive)
            say("That is so on " + std::to_string(agreeing) + " of " + std::to_string(ranks)
                    + " ranks that were compared.",
                -1, m_result.range, found.lateNs);
        if (someoneWasLate)
            return;
        all.verdict = isKnown ? CauseVerdict::AllRanks
            : isOwn           ? CauseVerdict::LateRank
                              : CauseVerdict::Inconclusive;
        all.cause = isKnown || isOwn ? found.cause : Cause::Inconclusive;
        all.alsoCause = isKnown || isOwn ? found.alsoCause : std::nullopt;
        all.rank = isOwn || ranks == 1 ? found.rank : -1;
        all.othersUnknown = isDoubtful();
        all.lateNs = found.lateNs;
    }

    Analysis& m_analysis;
    const RunCollectives& m_run;
    const Selection& m_selection;
    HandedWork m_stages;
    StepExplanation m_result;
    /// What explainArrival() found for one collective of the step.
    struct Explained
    {
        std::int32_t rank = -1;
        Cause cause = Cause::Inconclusive;
        std::optional<Cause> alsoCause;
        CauseVerdict verdict = CauseVerdict::Inconclusive;
        std::vector<std::int32_t> alsoLate;
        std::int64_t imposedNs = 0;
    };
    std::vector<Explained> m_explained;
    std::vector<RankStep> m_steps; ///< by rank
    RankStep m_slowest; ///< of the chosen ranks
    std::int64_t m_collectives = 0; ///< of several ranks in the step, where it is known who was late
    std::int64_t m_untold = 0; ///< those where it is not
    std::int64_t m_staged = 0; ///< those that join stages of a pipeline
    std::int64_t m_pointToPoint = 0;
};

} // namespace

Result<StepExplanation> explainStep(Analysis& analysis, std::int64_t number)
{
    if (analysis.model().isReduced())
        return Error{Error::Kind::Incomplete, std::string(causesNeedOperators)};
    // The ranks as matchRun() lists them; a chosen rank only has to be among them.
    MetricOptions whole;
    whole.profileMode = analysis.options().profileMode;
    Selection selection = selectWholeFiles(analysis.model(), whole);
    if (!analysis.options().rank) {
        if (const Selection job = keepOneJob(analysis.model(), selection); job.failure)
            return Error{Error::Kind::NotFound, job.failure->reason};
    }
    selection = withCalls(analysis.model(), std::move(selection));
    if (!selection.failure && analysis.options().rank) {
        whole.rank = analysis.options().rank;
        selection.failure = withCalls(analysis.model(), selectWholeFiles(analysis.model(), whole)).failure;
    }
    if (selection.failure)
        return Error{Error::Kind::NotFound, selection.failure->reason};
    if (analysis.run().ranks.size() != selection.ranks.size())
        return Error{Error::Kind::Cancelled, "Cancelled."};
    return StepExplainer(analysis, selection, number).explain();
}

} // namespace collscope
