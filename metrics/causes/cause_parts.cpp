// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/cause_parts.h"

#include "metrics/causes/arrivals.h"
#include "metrics/causes/cause_text.h"
#include "metrics/causes/idle_causes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>

namespace collscope {

namespace {

constexpr std::size_t mostSlices = 32;
constexpr std::size_t mostSentences = 3; ///< per cause
using NamedDifference = IntervalDifference::Named;

std::string times(double calls)
{
    const std::int64_t count = std::llround(calls);
    return count == 1 ? "once" : std::to_string(count) + " times";
}

/// "1 call", "1.4 calls": a call cut by the interval counts in part, or the product would be wrong.
std::string callsText(double calls)
{
    const double tenths = std::max(1.0, std::round(10 * calls));
    return numberText(tenths / 10) + (tenths == 10 ? " call" : " calls");
}

std::int64_t perCall(std::int64_t ns, double calls)
{
    return calls > 0 ? std::llround(static_cast<double>(ns) / calls) : 0;
}

bool hasMoreCalls(const NamedDifference& named)
{
    return std::abs(named.own.calls - named.otherCalls) >= 0.5;
}

/// Generates the parts of one comparison.
class PartWriter
{
public:
    PartWriter(Analysis& analysis, const CauseComparison& comparison, const IntervalDifference& difference)
        : m_analysis(analysis)
        , m_model(analysis.model())
        , m_comparison(comparison)
        , m_difference(difference)
    { }

    std::vector<CausePart> write()
    {
        addNamed(m_difference.computeNs, false);
        addNamed(m_difference.copyNs, true);
        addCommunication();
        addIdle();
        std::stable_sort(m_parts.begin(), m_parts.end(),
                         [](const CausePart& a, const CausePart& b) { return a.ns > b.ns; });
        return std::move(m_parts);
    }

private:
    void add(Cause cause, std::int64_t ns, std::vector<CauseClause> clauses)
    {
        if (ns <= 0)
            return;
        for (CausePart& part : m_parts) {
            if (part.cause != cause)
                continue;
            const bool isLarger = ns > part.ns;
            part.clauses.insert(isLarger ? part.clauses.begin() : part.clauses.end(),
                                std::make_move_iterator(clauses.begin()),
                                std::make_move_iterator(clauses.end()));
            part.ns += ns;
            return;
        }
        m_parts.push_back({cause, ns, std::move(clauses)});
    }

    CauseClause clause(std::string text, TimeRange own, std::int64_t ns, std::vector<SliceRef> slices) const
    {
        return {std::move(text), m_comparison.rank, std::move(slices),
                axisRange(m_analysis, *m_comparison.timeline, own), ns};
    }

    /// A sentence about the kernels or copies of one name, with their slices as evidence.
    CauseClause namedClause(const NamedDifference& named, std::string text, std::int64_t ns) const
    {
        std::vector<SliceRef> slices = longestNamed(m_model, *m_comparison.timeline, m_comparison.own.range,
                                                    named.own.name, mostSlices, onCpu());
        TimeRange range = m_comparison.own.range;
        if (!slices.empty())
            range = m_model.rangeOf(slices.front());
        for (const SliceRef slice : slices)
            range = range.united(m_model.rangeOf(slice));
        return clause(std::move(text), range, ns, std::move(slices));
    }

    std::string longerText(const NamedDifference& named) const
    {
        std::string instead = timeText(perCall(named.otherNs, named.otherCalls));
        if (!hasMoreCalls(named) && named.moreNs > 0) // the expected time for a grid of this size
            instead = timeText(perCall(named.own.ns - named.longerNs, named.own.calls))
                + " for the same number of blocks";
        else if (named.otherNs <= 0)
            instead = "none";
        else if (!hasMoreCalls(named) && callsText(named.own.calls) != callsText(named.otherCalls))
            instead = callsText(named.otherCalls) + " of " + instead;
        return quotedName(m_model.text(named.own.name)) + " took " + timeText(named.longerNs)
            + " longer than " + m_comparison.where + ": " + callsText(named.own.calls) + " of "
            + timeText(perCall(named.own.ns, named.own.calls)) + " instead of " + instead + ".";
    }

    std::string moreText(const NamedDifference& named) const
    {
        const std::string name = quotedName(m_model.text(named.own.name));
        const std::string more = timeText(named.moreNs) + " more";
        if (!hasMoreCalls(named))
            return name + " ran " + numberText(std::round(named.own.blocks)) + " blocks instead of "
                + numberText(std::round(named.otherBlocks)) + " " + m_comparison.where + ": " + more + ".";
        if (named.otherCalls < 0.5)
            return name + " ran " + times(named.own.calls) + ", but not " + m_comparison.where + ": " + more
                + ".";
        return name + " ran " + times(named.own.calls) + " instead of " + times(named.otherCalls) + " "
            + m_comparison.where + ": " + more + ".";
    }

    /// Sentences about the names that account for most of a part.
    template<typename Part, typename Text>
    std::vector<CauseClause> namedClauses(const std::vector<const NamedDifference*>& names, std::int64_t sum,
                                          const Part& part, const Text& text) const
    {
        std::vector<const NamedDifference*> sorted = names;
        std::stable_sort(
            sorted.begin(), sorted.end(),
            [&](const NamedDifference* a, const NamedDifference* b) { return part(*a) > part(*b); });
        std::vector<CauseClause> clauses;
        for (const NamedDifference* named : sorted) {
            const std::int64_t ns = part(*named);
            const bool isMentioned = ns > 0 && (clauses.empty() || isShare(ns, sum, mentionPercent));
            if (isMentioned && clauses.size() < mostSentences)
                clauses.push_back(namedClause(*named, text(*named), ns));
        }
        return clauses;
    }

    /// Adds computation or copies that took longer, split into slower and more work according to the names.
    void addNamed(std::int64_t differenceNs, bool copies)
    {
        if (differenceNs <= 0)
            return;
        std::vector<const NamedDifference*> names;
        std::vector<const NamedDifference*> fromHost;
        std::int64_t moreNs = 0;
        std::int64_t longerNs = 0;
        std::int64_t fromHostNs = 0;
        for (const NamedDifference& named : m_difference.names) {
            const KernelClass kind = named.own.kind;
            const bool isCopy = kind == KernelClass::Copy || kind == KernelClass::Memset;
            if (isCommunication(kind) || isCopy != copies)
                continue;
            if (named.own.fromHost) {
                fromHost.push_back(&named);
                fromHostNs += named.ns();
                continue;
            }
            names.push_back(&named);
            moreNs += named.moreNs;
            longerNs += named.longerNs;
        }
        const auto positive = [](std::int64_t ns) { return std::max<std::int64_t>(0, ns); };
        const auto sum = static_cast<double>(positive(moreNs) + positive(longerNs) + positive(fromHostNs));
        if (sum <= 0) {
            add(Cause::Inconclusive, differenceNs,
                {clause((onCpu() ? "Computation took " : "GPU work took ") + timeText(differenceNs)
                            + " longer than " + m_comparison.where + "; no "
                            + (onCpu() ? "operator" : "kernel")
                            + " in this interval explains the difference.",
                        m_comparison.own.range, differenceNs, {})});
            return;
        }
        const auto share = [&](std::int64_t ns) {
            return std::llround(static_cast<double>(differenceNs) * static_cast<double>(positive(ns)) / sum);
        };
        const auto longer = [](const NamedDifference& named) { return named.longerNs; };
        const auto more = [](const NamedDifference& named) { return named.moreNs; };
        const auto both = [](const NamedDifference& named) { return named.ns(); };
        add(Cause::SlowKernel, share(longerNs),
            namedClauses(names, longerNs, longer,
                         [this](const NamedDifference& named) { return longerText(named); }));
        add(Cause::MoreWork, share(moreNs),
            namedClauses(names, moreNs, more,
                         [this](const NamedDifference& named) { return moreText(named); }));
        add(Cause::LateInput, share(fromHostNs),
            namedClauses(fromHost, fromHostNs, both, [this](const NamedDifference& named) {
                return hasMoreCalls(named) ? moreText(named) : longerText(named);
            }));
    }

    void addCommunication()
    {
        const std::int64_t all = m_difference.communicationNs;
        if (all <= 0)
            return;
        const std::int64_t waited
            = std::clamp<std::int64_t>(m_comparison.waits.totalNs - m_comparison.otherWaitsNs, 0, all);
        const std::int64_t unknown = std::clamp<std::int64_t>(
            m_comparison.waits.unmatchedNs - m_comparison.otherUnmatchedNs, 0, all - waited);
        if (const OneWait* const worst = worstWait(m_comparison.waits))
            add(Cause::WaitedElsewhere, waited, {waitClause(*worst)});
        if (unknown > 0)
            add(Cause::Inconclusive, unknown,
                {clause("Communication took " + timeText(unknown) + " longer than " + m_comparison.where
                            + " in calls with missing or uncertain partners or an unknown root, where "
                              "waiting and transfer cannot be separated.",
                        m_comparison.own.range, unknown, {})});
        std::vector<const NamedDifference*> names;
        for (const NamedDifference& named : m_difference.names) {
            if (isCommunication(named.own.kind))
                names.push_back(&named);
        }
        add(Cause::SlowTransfer, all - waited - unknown,
            namedClauses(
                names, all - waited - unknown, [](const NamedDifference& named) { return named.ns(); },
                [this](const NamedDifference& named) {
                    return "Communication took longer without any waiting: "
                        + (hasMoreCalls(named) ? moreText(named)
                                               : quotedName(m_model.text(named.own.name)) + " took "
                                   + timeText(named.ns()) + " longer than " + m_comparison.where + ".");
                }));
    }

    CauseClause waitClause(const OneWait& worst) const
    {
        std::int64_t calls = 0;
        std::int64_t ns = 0;
        std::vector<SliceRef> slices{worst.slice};
        for (const OneWait& wait : m_comparison.waits.each) {
            if (wait.rank != worst.rank || wait.moreNs <= 0)
                continue;
            ++calls;
            ns += wait.ns;
            if (!(wait.slice == worst.slice) && slices.size() < mostSlices)
                slices.push_back(wait.slice);
        }
        const std::string where = collectiveText(m_analysis, worst.instance);
        const std::string together
            = "within the clock uncertainty (" + timeText(arrivalErrorNs(m_analysis)) + ")";
        const std::string rank = std::to_string(worst.rank);
        if (isShare(worst.ns, ns, enoughPercent))
            return clause("It waited " + timeText(worst.ns) + " in " + where
                              + (worst.rank >= 0
                                     ? " until the last rank (" + rank + ") arrived."
                                     : " until the last ranks arrived, several of them " + together + "."),
                          worst.range, worst.ns, {worst.slice});
        return clause(
            "It waited " + timeText(ns) + " for "
                + (worst.rank >= 0 ? "rank " + rank : "the last ranks, several of them " + together + ",")
                + " in " + countText(calls, "collective") + ", longest (" + timeText(worst.ns) + ") in "
                + where + ".",
            worst.range, ns, std::move(slices));
    }

    /// The part of a gap after the start of the last step, if it contains all of the excess: a pause between
    /// steps that all ranks have would hide the activity of one rank after it.
    IntervalProfile::Gap partOfStep(const IntervalDifference::Gap& gap) const
    {
        IntervalProfile::Gap part = gap.own;
        for (const Step& step : m_comparison.timeline->steps) {
            const std::int64_t begin = step.range.beginNs;
            if (begin > part.range.beginNs && part.range.endNs - begin >= gap.ns())
                part.range.beginNs = begin;
        }
        return part;
    }

    /// Adds the gaps that the others do not have, by the activity of the CPU.
    void addIdle()
    {
        const std::int64_t idle = m_difference.idleNs;
        if (idle <= 0)
            return;
        CpuWitness witness(m_model, *m_comparison.timeline);
        std::array<std::int64_t, causeCount> sums{};
        std::array<std::vector<CauseClause>, causeCount> clauses;
        std::array<std::int64_t, causeCount> counts{};
        std::int64_t all = 0;
        for (const IntervalDifference::Gap& gap : m_difference.gaps) {
            const IdleReason reason = witness.reasonOf(partOfStep(gap));
            const auto i = static_cast<std::size_t>(reason.cause);
            sums[i] += gap.ns();
            ++counts[i];
            all += gap.ns();
            const bool isMentioned = clauses[i].empty() || isShare(gap.ns(), idle, mentionPercent);
            if (isMentioned && clauses[i].size() < 2 * mostSentences)
                addGapClauses(gap, reason, clauses[i]);
        }
        if (all == 0) {
            add(Cause::Inconclusive, idle,
                {clause(idleText() + timeText(idle) + " more than " + m_comparison.where
                            + ", in many short gaps.",
                        m_comparison.own.range, idle, {})});
            return;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const double share = static_cast<double>(sums[i]) / static_cast<double>(all);
            const std::int64_t ns = std::llround(static_cast<double>(idle) * share);
            if (!clauses[i].empty() && !isShare(clauses[i].front().ns, ns, enoughPercent))
                clauses[i].insert(clauses[i].begin(), sumClause(static_cast<Cause>(i), counts[i], ns));
            add(static_cast<Cause>(i), ns, std::move(clauses[i]));
        }
    }

    CauseClause sumClause(Cause cause, std::int64_t gaps, std::int64_t ns) const
    {
        const std::string why = cause == Cause::Inconclusive ? "the trace does not show the reason"
                                                             : std::string(causeText(cause, onCpu()));
        return clause(idleText() + timeText(ns) + " more than " + m_comparison.where + " in "
                          + countText(gaps, "gap") + " (" + why + "). The longest gaps are listed next.",
                      m_comparison.own.range, ns, {});
    }

    void addGapClauses(const IntervalDifference::Gap& gap, const IdleReason& reason,
                       std::vector<CauseClause>& clauses) const
    {
        const TimeRange range = gap.own.range;
        const std::string next
            = gap.own.next ? quotedName(m_model.nameOf(gap.own.next)) : "the end of the interval";
        const std::string longer
            = gap.otherNs > 0 ? ", " + timeText(gap.ns()) + " longer than " + m_comparison.where : "";
        std::vector<SliceRef> after;
        if (gap.own.next)
            after.push_back(gap.own.next);
        clauses.push_back(clause(idleText() + timeText(range.lengthNs()) + " before " + next + longer + ".",
                                 range, gap.ns(), std::move(after)));
        std::vector<SliceRef> slices;
        for (const SliceRef slice : {reason.inside, reason.around, reason.launch}) {
            if (slice && std::find(slices.begin(), slices.end(), slice) == slices.end())
                slices.push_back(slice);
        }
        clauses.push_back(
            clause(cpuText(range, reason), reason.window, reason.window.lengthNs(), std::move(slices)));
    }

    bool onCpu() const { return m_comparison.own.onCpu; }
    std::string idleText() const { return onCpu() ? "It ran no operator for " : "Its GPU was idle for "; }

    std::string cpuText(TimeRange gap, const IdleReason& reason) const
    {
        if (reason.kind == IdleReason::Kind::NoCpuEvents)
            return "The CPU activity during that time is unknown: the trace contains no CPU events.";
        if (reason.kind == IdleReason::Kind::Queued)
            return reason.launch
                ? "The CPU had already launched it; the trace does not show what it was waiting for."
                : "The trace does not show which CPU call launched it.";
        const std::string thread = "CPU thread " + quotedName(m_model.text(reason.thread));
        std::string text = reason.launch ? "It was launched " + timeText(reason.window.endNs - gap.beginNs)
                + " after the GPU ran out of work: "
                                         : "During that time ";
        if (reason.inside == reason.launch && reason.launch)
            return "The launch call itself (" + quotedName(m_model.nameOf(reason.launch)) + ") took "
                + timeText(reason.insideNs) + " of that time.";
        if (!reason.inside)
            return text
                + (reason.coveredNs > 0 ? (reason.launch ? "during that time " : "") + thread + " spent "
                           + timeText(reason.coveredNs) + " in short calls; the rest is not recorded."
                                        : thread + " was not in any recorded call.");
        text += thread + " was in " + quotedName(m_model.nameOf(reason.inside)) + " for "
            + timeText(reason.insideNs);
        if (reason.around)
            text += ", inside " + quotedName(m_model.nameOf(reason.around));
        return text + ".";
    }

    Analysis& m_analysis;
    const TraceModel& m_model;
    const CauseComparison& m_comparison;
    const IntervalDifference& m_difference;
    std::vector<CausePart> m_parts;
};

std::string signedTime(std::int64_t ns)
{
    return (ns < 0 ? "" : "+") + timeText(ns);
}

} // namespace

TimeRange axisRange(Analysis& analysis, const Timeline& timeline, TimeRange own)
{
    const auto index = analysis.model().indexOf(timeline);
    return analysis.clocks().toAxis(index, own);
}

void compareWaits(CauseComparison& comparison, const std::vector<Waits>& others)
{
    std::vector<double> waited, unmatched;
    std::unordered_map<std::uint64_t, std::vector<double>> byPlace;
    for (const OneWait& wait : comparison.waits.each)
        byPlace.try_emplace(wait.place, others.size(), 0.0);
    for (std::size_t o = 0; o < others.size(); ++o) {
        waited.push_back(static_cast<double>(others[o].totalNs));
        unmatched.push_back(static_cast<double>(others[o].unmatchedNs));
        for (const OneWait& wait : others[o].each) {
            if (const auto found = byPlace.find(wait.place); found != byPlace.end())
                found->second[o] = static_cast<double>(wait.ns);
        }
    }
    comparison.otherWaitsNs = std::llround(middleOf(std::move(waited)));
    comparison.otherUnmatchedNs = std::llround(middleOf(std::move(unmatched)));
    for (OneWait& wait : comparison.waits.each)
        wait.moreNs = wait.ns - std::llround(middleOf(byPlace[wait.place]));
}

const OneWait* worstWait(const Waits& waits)
{
    std::map<std::int32_t, std::int64_t> byRank;
    for (const OneWait& wait : waits.each)
        byRank[wait.rank] += wait.moreNs;
    const auto most = std::max_element(byRank.begin(), byRank.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    const OneWait* worst = nullptr;
    for (const OneWait& wait : waits.each) {
        if (wait.rank == most->first && wait.moreNs > (worst ? worst->moreNs : 0))
            worst = &wait;
    }
    return worst;
}

std::vector<CausePart> findParts(Analysis& analysis, const CauseComparison& comparison,
                                 const IntervalDifference& difference)
{
    return PartWriter(analysis, comparison, difference).write();
}

void decideCause(Analysis& analysis, const CauseComparison& comparison, const IntervalDifference& difference,
                 std::int64_t toExplainNs, CauseChain& chain)
{
    chain.onCpu = comparison.own.onCpu;
    const std::vector<CausePart> parts = findParts(analysis, comparison, difference);
    std::vector<const CausePart*> known;
    for (const CausePart& part : parts) {
        if (part.cause != Cause::Inconclusive)
            known.push_back(&part);
    }
    chain.cause = Cause::Inconclusive;
    chain.alsoCause.reset();
    if (!known.empty() && isShare(known[0]->ns, toExplainNs, enoughPercent)) {
        chain.cause = known[0]->cause;
    } else if (known.size() > 1 && isShare(known[1]->ns, toExplainNs, mentionPercent)
               && isShare(known[0]->ns + known[1]->ns, toExplainNs, enoughPercent)) {
        chain.cause = known[0]->cause;
        chain.alsoCause = known[1]->cause;
    }
    for (const CausePart& part : parts) {
        if (isShare(part.ns, toExplainNs, mentionPercent))
            chain.clauses.insert(chain.clauses.end(), part.clauses.begin(), part.clauses.end());
    }
    if (chain.cause != Cause::Inconclusive)
        return;
    CauseClause numbers;
    numbers.text = "No cause, nor two together, explain 60 % of the " + timeText(toExplainNs)
        + ". Compared with " + comparison.othersText + ": computing " + signedTime(difference.computeNs)
        + ", communication " + signedTime(difference.communicationNs) + ", copies "
        + signedTime(difference.copyNs) + ", idle " + signedTime(difference.idleNs) + ".";
    numbers.rank = comparison.rank;
    numbers.range = axisRange(analysis, *comparison.timeline, comparison.own.range);
    numbers.ns = toExplainNs;
    chain.clauses.push_back(std::move(numbers));
}

} // namespace collscope
