// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Why a step took longer: late ranks, else activities that took longer on all ranks.

#include "metrics/causes/cause_parts.h"
#include "metrics/causes/cause_text.h"
#include "metrics/causes/explain.h"
#include "metrics/causes/step_arrivals.h"
#include "metrics/core/common_steps.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace collscope {

namespace {

constexpr std::size_t mostExplained = 3; ///< collectives
constexpr std::int64_t coveredPercent
    = 80; ///< share of the imposed waits after which no further collectives are explained
constexpr std::size_t mostComparedRanks = 8; ///< number of ranks whose steps are compared
constexpr std::size_t mostComparedSteps = 8; ///< number of steps that a step is compared with

class StepExplainer
{
public:
    StepExplainer(Analysis& analysis, const Selection& selection, std::int64_t number)
        : m_analysis(analysis)
        , m_run(analysis.run())
        , m_selection(selection)
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
        m_arrivals.emplace(m_analysis, m_steps, m_result.durationNs);
        std::int64_t lateSumNs = 0;
        for (const LateArrival& arrival : m_arrivals->late())
            lateSumNs += arrival.lateNs;
        const std::int64_t excessNs = m_result.durationNs - m_result.othersNs;
        const bool isLonger = m_result.others > 0 && excessNs > std::max(lateNs, m_result.othersNs / 100);
        explainLate(m_arrivals->late());
        const bool someoneWasLate = !m_result.chain.links.empty();
        if (!someoneWasLate)
            sayWhoWasEarly();
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
            : "the median of the other " + std::to_string(m_result.others) + " steps ("
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

    void explainLate(const std::vector<LateArrival>& late)
    {
        std::int64_t allNs = 0;
        std::int64_t coveredNs = 0;
        for (const LateArrival& arrival : late)
            allNs += arrival.imposedNs;
        std::size_t explained = 0, tried = 0; // explaining an early rank takes time as well
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

    /// Appends a chain, without repeating the sentences of an equal earlier one.
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
                += " The cause is the same: " + std::string(causeText(chain.cause, chain.onCpu)) + " on rank "
                + std::to_string(chain.rank) + ".";
        }
        all.clauses.insert(all.clauses.end(), std::make_move_iterator(chain.clauses.begin()),
                           std::make_move_iterator(chain.clauses.end()));
        if (!all.links.empty())
            return;
        all.links = std::move(chain.links);
        all.lateNs = chain.lateNs;
    }

    /// Determines the step's rank and cause: those responsible for most of the explained waits.
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
            const bool isIts = arrival.last.rank == last && arrival.isLastKnown;
            times += isIts ? 1 : 0;
            sumNs += isIts ? arrival.lateNs : 0;
        }
        if (times > 1)
            say("Rank " + std::to_string(rankOf(last)) + " arrived last, and late, in "
                    + std::to_string(times) + " of the " + countText(m_arrivals->collectives(), "collective")
                    + " of the step, by " + timeText(sumNs) + " in total.",
                rankOf(last), m_result.range, sumNs);
    }

    /// If no rank was late but ranks waited: reports the ranks that arrived before the others, which arrived
    /// together.
    void sayWhoWasEarly()
    {
        for (const EarlyWaits& rank : m_arrivals->early()) {
            say("Rank " + std::to_string(rank.rank) + " arrived early at "
                    + countText(rank.times, "collective") + ": it waited " + timeText(rank.ns) + " ("
                    + percentText(rank.ns, m_result.durationNs)
                    + " of the step) for the other ranks, which arrived later and together.",
                rank.rank, m_result.range, rank.ns);
            m_result.chain.clauses.back().slices = rank.slices;
            m_result.chain.early.push_back(rank.rank);
        }
    }

    std::string nobodyText() const { return m_arrivals->nobodyText(!m_result.chain.early.empty()); }

    void sayNothing(bool isLonger)
    {
        const bool isOpen = isLonger || m_arrivals->isDoubtful();
        m_result.chain.arrivalsUnknown = m_arrivals->isDoubtful();
        m_result.chain.verdict = isOpen ? CauseVerdict::Inconclusive : CauseVerdict::NobodyLate;
        m_result.chain.cause = isOpen ? Cause::Inconclusive : Cause::None;
        say(nobodyText() + ".", -1, m_result.range, 0);
    }

    /// Comparison of a step of one rank with its nearest other steps.
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
        nearest.resize(std::min(nearest.size(), mostComparedSteps));
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

    /// The result of decideCause() for the step of one rank.
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
        for (std::size_t i = 0; i < std::min(m_steps.size(), mostComparedRanks); ++i) {
            const RankStep& own = m_steps[i * m_steps.size() / std::min(m_steps.size(), mostComparedRanks)];
            if (!isChosen(rankOf(own.index)))
                continue;
            ++ranks;
            agreeing += own.index == m_slowest.index || compareOne(own).cause == found.cause ? 1u : 0u;
        }
        if (!someoneWasLate && m_arrivals->hasAny())
            say(nobodyText() + ". Compared with the other steps of rank " + std::to_string(found.rank) + ":",
                found.rank, m_result.range, found.lateNs);
        else if (someoneWasLate)
            say("Late arrivals explain only part of it. Compared with the other steps of rank "
                    + std::to_string(found.rank) + ":",
                found.rank, m_result.range, found.lateNs);
        all.clauses.insert(all.clauses.end(), std::make_move_iterator(found.clauses.begin()),
                           std::make_move_iterator(found.clauses.end()));
        const bool isKnown = found.cause != Cause::Inconclusive && found.cause != Cause::WaitedElsewhere
            && (ranks == 1 || 2 * agreeing > ranks);
        // A cause that only the slowest rank shows, without delaying others, is specific to that rank.
        const bool isOwn = !isKnown && found.cause != Cause::Inconclusive
            && found.cause != Cause::WaitedElsewhere && agreeing == 1;
        if (ranks > 1 && found.cause != Cause::Inconclusive)
            say("The same applies to " + std::to_string(agreeing) + " of " + std::to_string(ranks)
                    + " ranks compared.",
                -1, m_result.range, found.lateNs);
        if (someoneWasLate)
            return;
        all.verdict = isKnown ? CauseVerdict::AllRanks
            : isOwn           ? CauseVerdict::LateRank
                              : CauseVerdict::Inconclusive;
        all.cause = isKnown || isOwn ? found.cause : Cause::Inconclusive;
        all.alsoCause = isKnown || isOwn ? found.alsoCause : std::nullopt;
        all.rank = isOwn || ranks == 1 ? found.rank : -1;
        all.othersUnknown = m_arrivals->isDoubtful();
        all.lateNs = found.lateNs;
    }

    Analysis& m_analysis;
    const RunCollectives& m_run;
    const Selection& m_selection;
    StepExplanation m_result;
    /// The result of explainArrival() for one collective of the step.
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
    RankStep m_slowest; ///< among the chosen ranks
    std::optional<StepArrivals> m_arrivals; ///< set once the step is found
};

} // namespace

Result<StepExplanation> explainStep(Analysis& analysis, std::int64_t number)
{
    if (analysis.model().isReduced())
        return Error{Error::Kind::Incomplete, std::string(causesNeedOperators)};
    // The same ranks as in matchRun(); a chosen rank must be one of them.
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
