// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/late_reasons.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/interval_profile.h"
#include "metrics/findings/late_launches.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

namespace collscope {

namespace {

/// The waits for a late rank in one group and one step.
struct LateStep
{
    std::int64_t lastNs = 0; ///< its last arrival that others waited for, in the timeline's own time
    std::int64_t waitedNs = 0; ///< exposed, over all ranks
    std::set<std::int32_t> waiting; ///< ranks
    Spending laterNs{}; ///< more than usual of the late rank, on the ways on which it becomes later
    Spending moreNs{}; ///< more than usual, less what is below it, on all ways
};

/// The median of each entry.
Spending medianOf(const std::vector<Spending>& all)
{
    Spending middle{};
    for (std::size_t i = 0; i < middle.size(); ++i) {
        std::vector<double> values;
        values.reserve(all.size());
        for (const Spending& one : all)
            values.push_back(static_cast<double>(one[i]));
        middle[i] = std::llround(middleOf(std::move(values)));
    }
    return middle;
}

/// Adds up by how much a late rank exceeds the others.
class ReasonSums
{
public:
    ReasonSums(const FindingInput& input, const RankShare& late, const LateGroup& group);

    void addAll();
    /// Leaves compute and copies out where they only run beside what makes the rank late: where it has no
    /// more of them to do, or where it arrives as soon as its call is launched.
    void dropWorkBeside();
    /// What the CPU did before late launches, if most of the waits are for these.
    std::optional<IdleCause> causeOfLaunches() const
    {
        return 2 * m_launches.waitedNs() > m_waitedNs ? m_launches.cause() : std::nullopt;
    }
    double shareOfLaunches() const
    {
        return static_cast<double>(m_launches.waitedNs()) / static_cast<double>(m_waitedNs);
    }
    /// By how much the events that count last longer on the late rank, in the steps in which others wait.
    std::int64_t moreOfEventsNs(const RankBetweenCalls::CountsRow& counts) const;

    /// The shares of the waits that excesses explain.
    struct Explained
    {
        std::array<double, std::tuple_size_v<Spending>> shares{};

        std::size_t largest() const
        {
            return static_cast<std::size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
        }
    };
    /// By what the late rank spends more time on in a whole step.
    const Explained& lasting() const { return m_lasting; }
    /// By what it spends more time on where it becomes later, even if it makes up for that elsewhere.
    const Explained& byTurns() const { return m_byTurns; }
    /// The excess of a reason in the steps in which others wait, in ns. A stall that makes a rank late in
    /// several groups of a step is one stall.
    std::int64_t moreNs(std::size_t reason) const
    {
        return std::accumulate(m_more.begin(), m_more.end(), std::int64_t{0},
                               [&](std::int64_t sum, const auto& step) { return sum + step.second[reason]; });
    }
    /// How much of that is left over all steps, 0 to 1: little where the rank spends less in others.
    double shareInAllSteps(std::size_t reason) const
    {
        const std::int64_t lateNs = m_inLateStepsNs[reason];
        const auto allNs = static_cast<double>(m_inAllStepsNs[reason]);
        return lateNs > 0 ? std::clamp(allNs / static_cast<double>(lateNs), 0.0, 1.0) : 0;
    }

private:
    using Key = std::pair<std::uint32_t, std::int64_t>; ///< group, number of the step

    void findSteps(const LateGroup& group);
    void addWay(std::uint32_t instance, LateStep* step, bool isWaitedFor);
    bool addPart(Spending moreNs, bool isInStep, LateStep* step, bool isWaitedFor);
    void addStep(std::int64_t number, const LateStep& step);
    void explain(const Spending& moreNs, const LateStep& step, Explained& explained) const;
    bool lastLongerByTurns(std::size_t work, const RankBetweenCalls::CountsRow& counts) const;

    const FindingInput& m_input;
    const RunCollectives& m_run;
    RankBetweenCalls m_late;
    std::vector<RankBetweenCalls> m_others; ///< that waited longest
    LateLaunches m_launches;
    std::map<Key, LateStep> m_steps;
    struct Ways
    {
        Way own;
        std::vector<std::pair<RankBetweenCalls*, Way>> others;
        bool isInStep = false; ///< which part of them
        bool isReason = false; ///< the rank becomes later there
    };
    std::vector<Ways> m_ways; ///< of the steps in which others wait
    std::int64_t m_waitedNs = 0;
    Spending m_inLateStepsNs{}; ///< of all groups
    Spending m_inAllStepsNs{}; ///< of all groups
    std::map<std::int64_t, Spending> m_more; ///< by step; of several groups the largest
    Explained m_lasting;
    Explained m_byTurns;
};

ReasonSums::ReasonSums(const FindingInput& input, const RankShare& late, const LateGroup& group)
    : m_input(input)
    , m_run(input.analysis.run())
    , m_late(input, late)
    , m_launches(input.analysis, m_late, m_others)
{
    // The median of a few tells what is usual.
    constexpr std::size_t few = 4;
    std::vector<std::pair<std::int32_t, std::int64_t>> payers = group.finding.nsByRank;
    std::stable_sort(payers.begin(), payers.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    payers.resize(std::min(payers.size(), few));
    m_others.reserve(payers.size());
    for (const auto& [rank, ns] : payers) {
        if (const RankShare* const share = input.partition.shareOf(rank))
            m_others.emplace_back(input, *share);
    }
    findSteps(group);
}

void ReasonSums::findSteps(const LateGroup& group)
{
    const ExposedCalls& calls = m_input.partition.calls;
    struct Waits
    {
        std::int64_t ns = 0;
        std::int64_t longestNs = 0;
    };
    std::map<std::uint32_t, Waits> byInstance; // several ranks wait for one call
    for (const std::size_t index : group.directWaits) {
        const CallTiming& timing = calls.times[index];
        const CollectiveInstance& instance = m_run.matching.instances[timing.instance];
        const std::int64_t waitedNs = calls.shares[index].waiting.ns;
        m_waitedNs += waitedNs;
        const auto own = m_late.matched().find(timing.instance);
        const StepShare* const share
            = own != m_late.matched().end() ? m_late.stepOf(m_run.callOf(own->second)) : nullptr;
        if (!share)
            continue;
        Waits& waits = byInstance[timing.instance];
        waits.ns += waitedNs;
        waits.longestNs = std::max(waits.longestNs, waitedNs);
        LateStep& step = m_steps[{instance.group, share->step.number}];
        step.lastNs = std::max(step.lastNs, m_late.arrivalNs(m_run.callOf(own->second)));
        step.waitedNs += waitedNs;
        step.waiting.insert(m_run.ranks[timing.call.rank].rank);
    }
    for (const auto& [instance, waits] : byInstance)
        m_launches.add(instance, waits.ns, waits.longestNs);
}

std::int64_t ReasonSums::moreOfEventsNs(const RankBetweenCalls::CountsRow& counts) const
{
    std::int64_t moreNs = 0;
    for (const Ways& ways : m_ways) {
        std::vector<double> usual;
        usual.reserve(ways.others.size());
        for (const auto& [rank, way] : ways.others)
            usual.push_back(static_cast<double>(rank->eventsOf(way, ways.isInStep, counts).ns));
        moreNs
            += m_late.eventsOf(ways.own, ways.isInStep, counts).ns - std::llround(middleOf(std::move(usual)));
    }
    return moreNs;
}

/// Whether events explain why the late rank works longer where it becomes later: it has about as many of them
/// there as the others, which have not done that work before, and they last longer.
bool ReasonSums::lastLongerByTurns(std::size_t work, const RankBetweenCalls::CountsRow& counts) const
{
    double all = 0;
    double differ = 0;
    double moreNs = 0;
    for (const Ways& ways : m_ways) {
        if (!ways.isReason)
            continue;
        std::vector<double> usualCount;
        std::vector<double> usualNs;
        for (const auto& [rank, way] : ways.others) {
            const RankBetweenCalls::Events events = rank->eventsOf(way, ways.isInStep, counts);
            usualCount.push_back(static_cast<double>(events.count));
            usualNs.push_back(static_cast<double>(events.ns));
        }
        const RankBetweenCalls::Events own = m_late.eventsOf(ways.own, ways.isInStep, counts);
        all += static_cast<double>(own.count);
        differ += std::abs(static_cast<double>(own.count) - middleOf(std::move(usualCount)));
        moreNs += static_cast<double>(own.ns) - middleOf(std::move(usualNs));
    }
    std::int64_t laterNs = 0;
    for (const auto& [key, step] : m_steps)
        laterNs += step.laterNs[work];
    constexpr double few = 0.1;
    return differ <= few * all && 2 * moreNs >= static_cast<double>(laterNs);
}

void ReasonSums::dropWorkBeside()
{
    // The CPU may be late because it waits for what the GPU computes.
    const std::optional<IdleCause> before = causeOfLaunches();
    const bool isOfLaunch = before && *before != IdleCause::Synchronises;
    const auto drop = [&](std::size_t work, bool (*isWork)(KernelClass)) {
        const auto counts
            = [&](const SliceColumns& slices, std::size_t row) { return isWork(slices.kernelClass[row]); };
        if (m_byTurns.shares[work] == 0)
            return;
        if (isOfLaunch || 2 * moreOfEventsNs(counts) < m_inLateStepsNs[work])
            m_lasting.shares[work] = 0;
        if (isOfLaunch || !lastLongerByTurns(work, counts))
            m_byTurns.shares[work] = 0;
    };
    drop(computeSpending, isCompute);
    drop(copySpending, [](KernelClass kind) { return kind == KernelClass::Copy; });
}

/// What the late rank spends more time on from one collective to the next. It is a reason only where others
/// wait for the rank in this collective or in a later one of the step.
void ReasonSums::addWay(std::uint32_t instance, LateStep* step, bool isWaitedFor)
{
    std::optional<Way> own;
    std::vector<std::pair<RankBetweenCalls*, Way>> others;
    for (const CallRef member : m_run.matching.membersOf(m_run.matching.instances[instance])) {
        const Call& call = m_run.callOf(member);
        const std::int32_t rank = m_run.ranks[member.rank].rank;
        if (rank == m_late.rank())
            own = m_late.before(instance, call);
        const auto other = std::find_if(m_others.begin(), m_others.end(),
                                        [&](const RankBetweenCalls& o) { return o.rank() == rank; });
        if (other == m_others.end())
            continue;
        if (const std::optional<Way> way = other->before(instance, call))
            others.emplace_back(&*other, *way);
    }
    if (!own || others.empty())
        return;
    // What stages compute differs. Idle time is compared nevertheless: a stage that has its work has no
    // reason for it.
    const bool areStages = std::any_of(others.begin(), others.end(), [&](const auto& other) {
        return m_late.handsWorkTo(other.first->rank());
    });
    const auto spendingIn = [areStages](RankBetweenCalls& rank, const Way& way, bool isInStep) {
        Spending spent = rank.spendingIn(*way.timeline, way.part(isInStep));
        if (areStages)
            spent[computeSpending] = spent[copySpending] = spent[communicationSpending] = 0;
        return spent;
    };
    for (const bool isInStep : {false, true}) {
        std::vector<Spending> spent;
        spent.reserve(others.size());
        for (const auto& [rank, way] : others)
            spent.push_back(spendingIn(*rank, way, isInStep));
        Spending moreNs = spendingIn(m_late, *own, isInStep);
        const Spending usual = medianOf(spent);
        std::transform(moreNs.begin(), moreNs.end(), usual.begin(), moreNs.begin(), std::minus<>());
        const bool isReason = addPart(moreNs, isInStep, step, isWaitedFor);
        if (step && (isInStep || isReason))
            m_ways.push_back({*own, others, isInStep, isReason});
    }
}

/// A part in which the rank does not become later has no reasons. What it does between its last collective of
/// a step and the next step counts only as a reason: the others may do it later. Whether it becomes later.
bool ReasonSums::addPart(Spending moreNs, bool isInStep, LateStep* step, bool isWaitedFor)
{
    // What one rank hides of its communication, another one may not, and that may be why it is late. But the
    // one that is early communicates longer, too: its calls queue up.
    const std::int64_t communicatesNs = std::exchange(moreNs[communicationSpending], 0);
    const std::int64_t laterNs = std::accumulate(moreNs.begin(), moreNs.end(), std::int64_t{0})
        + std::max<std::int64_t>(communicatesNs, 0);
    const bool isReason = step && isWaitedFor && laterNs > 0;
    for (std::size_t i = 0; i < moreNs.size(); ++i) {
        const std::int64_t reasonNs = isReason ? std::clamp<std::int64_t>(moreNs[i], 0, laterNs) : 0;
        const std::int64_t ns = isInStep ? moreNs[i] : reasonNs;
        m_inAllStepsNs[i] += ns;
        if (step) {
            step->laterNs[i] += reasonNs;
            step->moreNs[i] += ns;
        }
    }
    return isReason;
}

/// No reason explains more than the wait, and all together do not either.
void ReasonSums::explain(const Spending& moreNs, const LateStep& step, Explained& explained) const
{
    const auto waitedNs = static_cast<double>(step.waitedNs);
    const double waitNs = waitedNs / static_cast<double>(step.waiting.size());
    const auto allNs = static_cast<double>(std::accumulate(moreNs.begin(), moreNs.end(), std::int64_t{0}));
    for (std::size_t i = 0; i < moreNs.size() && waitNs > 0; ++i)
        explained.shares[i] += static_cast<double>(moreNs[i]) / std::max(allNs, waitNs) * waitedNs
            / static_cast<double>(m_waitedNs);
}

void ReasonSums::addStep(std::int64_t number, const LateStep& step)
{
    Spending& more = m_more[number];
    Spending lastingNs{};
    for (std::size_t i = 0; i < more.size(); ++i) {
        lastingNs[i] = std::max<std::int64_t>(std::min(step.moreNs[i], step.laterNs[i]), 0);
        more[i] = std::max(more[i], lastingNs[i]);
        m_inLateStepsNs[i] += lastingNs[i];
    }
    explain(lastingNs, step, m_lasting);
    explain(step.laterNs, step, m_byTurns);
}

void ReasonSums::addAll()
{
    std::set<std::uint32_t> groups;
    for (const auto& [key, step] : m_steps)
        groups.insert(key.first);
    for (const auto& [index, own] : m_late.matched()) {
        if (m_input.analysis.options().cancelled())
            return;
        const CollectiveInstance& instance = m_run.matching.instances[index];
        const Call& call = m_run.callOf(own);
        const StepShare* const share = m_late.stepOf(call);
        if (!share || !groups.contains(instance.group))
            continue;
        const auto found = m_steps.find({instance.group, share->step.number});
        LateStep* const step = found != m_steps.end() ? &found->second : nullptr;
        addWay(index, step, step && m_late.arrivalNs(call) <= step->lastNs);
    }
    for (const auto& [key, step] : m_steps)
        addStep(key.second, step);
}

/// Whether a cause says more than that none was found.
bool isKnown(IdleCause cause)
{
    return cause != IdleCause::Outside && cause != IdleCause::NotRecorded && cause != IdleCause::Unexplained;
}

/// Whether slow kernels are why a rank is late: those on its ways to the collectives take longer, and not
/// only others. All names of a slow rank share that; of a few slow ones, the worst has most of it.
bool areSlowKernelsWhy(const SlowRank& kernels, const ReasonSums& sums, std::int64_t moreNs)
{
    if (2 * kernels.ns <= static_cast<double>(moreNs))
        return false;
    const std::int64_t moreInWorstNs = sums.moreOfEventsNs(
        [&](const SliceColumns& slices, std::size_t row) { return slices.name[row] == kernels.worst; });
    constexpr std::int64_t fewest = 10;
    return kernels.isGeneral ? fewest * moreInWorstNs > moreNs : 2 * moreInWorstNs > moreNs;
}

/// Words and cause of what a rank spends longer on. `lasts`: not only by turns.
LateReason wordsOf(const FindingInput& input, const SlowRank& kernels, const ReasonSums& sums,
                   std::size_t most, bool lasts)
{
    LateReason reason;
    const std::string longer = lasts ? "longer" : "longer before some of its calls and shorter before others";
    if (most < idleCauseCount) {
        const auto cause = static_cast<IdleCause>(most);
        reason.cause = idleCauseName(cause);
        reason.text = "its GPU is idle " + longer
            + (isKnown(cause) ? ": " + std::string(idleCauseText(cause))
                              : ", and the trace does not show why");
    } else if (most == copySpending) {
        reason.cause = "copies";
        reason.text = "it copies " + longer;
    } else if (lasts && areSlowKernelsWhy(kernels, sums, sums.moreNs(most))) {
        reason.cause = kernels.isGeneral ? "slow_kernels" : "longer_kernels";
        reason.text = std::string(kernels.isGeneral ? "its kernels" : "some of its kernels")
            + " take longer, mostly " + quotedName(input.analysis.model().text(kernels.worst));
    } else {
        reason.cause = lasts ? "more_compute" : "varying_compute";
        reason.text = "it computes " + longer;
    }
    return reason;
}

} // namespace

LateReason reasonOf(const FindingInput& input, const std::vector<SlowRank>& slow, std::int32_t late,
                    const LateGroup& group)
{
    const RankShare* const share = input.partition.shareOf(late);
    if (!share)
        return {};
    ReasonSums sums(input, *share, group);
    sums.addAll();
    sums.dropWorkBeside();
    if (const auto cause = sums.causeOfLaunches(); cause && *cause != IdleCause::Synchronises) {
        const std::string text = *cause == IdleCause::CpuBound
            ? "its CPU is busy and launches later"
            : "its CPU launches later: " + std::string(idleCauseText(*cause));
        return {std::string(idleCauseName(*cause)), text, 0, sums.shareOfLaunches(), 0};
    }
    std::size_t most = sums.lasting().largest();
    const bool lasts
        = sums.lasting().shares[most] >= leastExplained && sums.shareInAllSteps(most) >= mostlyExplained;
    if (!lasts)
        most = sums.byTurns().largest();
    const double explained = (lasts ? sums.lasting() : sums.byTurns()).shares[most];
    LateReason reason;
    if (explained >= leastExplained)
        reason = wordsOf(input, slow[static_cast<std::size_t>(share - input.partition.ranks.data())], sums,
                         most, lasts);
    if (lasts)
        reason.moreNs = std::llround(sums.shareInAllSteps(most) * static_cast<double>(sums.moreNs(most)));
    reason.share = explained;
    reason.computeShare
        = std::max(sums.lasting().shares[computeSpending], sums.byTurns().shares[computeSpending]);
    return reason;
}

} // namespace collscope
