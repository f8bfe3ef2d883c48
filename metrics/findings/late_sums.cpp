// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/late_sums.h"

#include "metrics/analysis/interval_profile.h"

#include <cmath>
#include <functional>

namespace collscope {

namespace {

/// Whether the GPU is idle for what the CPU does, or does not do.
bool isOfCpu(std::size_t spending)
{
    constexpr std::array others{IdleCause::CpuBound, IdleCause::Waits, IdleCause::Outside};
    return spending < namedCauseCount || std::any_of(others.begin(), others.end(), [&](IdleCause cause) {
               return spending == static_cast<std::size_t>(cause);
           });
}

/// The part of it that is idle time for the CPU.
std::int64_t cpuIdleNs(const Spending& spent)
{
    std::int64_t ns = 0;
    for (std::size_t i = 0; i < spent.size(); ++i)
        ns += isOfCpu(i) ? spent[i] : 0;
    return ns;
}

/// The median of each entry.
Spending medianSpending(const std::vector<Spending>& all)
{
    Spending middle{};
    for (std::size_t i = 0; i < middle.size(); ++i) {
        // Most entries are 0 on all ranks.
        if (std::all_of(all.begin(), all.end(), [&](const Spending& one) { return one[i] == 0; }))
            continue;
        std::vector<double> values;
        values.reserve(all.size());
        for (const Spending& one : all)
            values.push_back(static_cast<double>(one[i]));
        middle[i] = std::llround(middleOf(std::move(values)));
    }
    return middle;
}

} // namespace

LateSums::LateSums(const FindingInput& input, const ComparedWays& ways, const LateGroup& group)
    : m_input(input)
    , m_run(input.analysis.run())
    , m_late(ways.late->rank())
    , m_compared(ways)
    , m_cpus(input.analysis.model(), ways)
{
    findSteps(group);
}

void LateSums::findSteps(const LateGroup& group)
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
        const RankBetweenCalls::Matched* const own = m_late.find(timing.instance);
        const StepShare* const share = own ? m_late.stepOf(m_run.callOf(own->call)) : nullptr;
        if (!share)
            continue;
        Waits& waits = byInstance[timing.instance];
        waits.ns += waitedNs;
        waits.longestNs = std::max(waits.longestNs, waitedNs);
        LateStep& step = m_steps[{instance.group, share->step.number}];
        step.lastNs = std::max(step.lastNs, m_late.arrivalNs(m_run.callOf(own->call)));
        step.waitedNs += waitedNs;
        step.waiting.insert(m_run.ranks[timing.call.rank].rank);
    }
    constexpr std::int64_t shortestNs = 100'000; // shorter ones may be the time of a launch
    std::vector<CpuComparison::Delay> prompt;
    for (const auto& [instance, waits] : byInstance) {
        if (waits.longestNs < shortestNs || !m_late.startsAtLaunch(instance))
            continue;
        prompt.emplace_back(waits.longestNs, instance);
        m_promptWaitsNs += waits.ns;
    }
    judgeLaunches(std::move(prompt));
}

void LateSums::judgeLaunches(std::vector<CpuComparison::Delay> prompt)
{
    if (2 * m_promptWaitsNs <= m_waitedNs)
        return;
    const CpuComparison::Compared all = m_cpus.compare(std::move(prompt));
    const auto most = std::max_element(all.moreNs.begin(), all.moreNs.end());
    const auto cause = static_cast<IdleCause>(most - all.moreNs.begin());
    // The CPU may be late because it waits for what the GPU computes.
    if (2 * *most > all.delayNs && cause != IdleCause::Synchronises)
        m_causeOfLaunches = cause;
}

std::int64_t LateSums::moreOfEventsNs(const RankBetweenCalls::CountsRow& counts) const
{
    std::int64_t moreNs = 0;
    for (const Ways& ways : m_ways) {
        std::vector<double> usual;
        usual.reserve(ways.others.size());
        for (const auto& [rank, way] : ways.others)
            usual.push_back(static_cast<double>(rank->rank().eventsOf(way, ways.isInStep, counts).ns));
        moreNs
            += m_late.eventsOf(ways.own, ways.isInStep, counts).ns - std::llround(middleOf(std::move(usual)));
    }
    return moreNs;
}

/// Whether events explain why the late rank works longer where it becomes later: it has about as many of them
/// there as the others, which have not done that work before, and they last longer.
bool LateSums::lastLongerByTurns(std::size_t work, const RankBetweenCalls::CountsRow& counts) const
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
            const RankBetweenCalls::Events events = rank->rank().eventsOf(way, ways.isInStep, counts);
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

void LateSums::dropWorkBeside()
{
    const bool isOfLaunch = m_causeOfLaunches.has_value();
    const auto drop = [&](std::size_t work, bool (*isWork)(KernelClass)) {
        const auto counts
            = [&](const SliceColumns& slices, std::size_t row) { return isWork(slices.kernelClass[row]); };
        if (m_byTurns[work] == 0)
            return;
        if (isOfLaunch || 2 * moreOfEventsNs(counts) < m_inLateStepsNs[work])
            m_lasting[work] = 0;
        if (isOfLaunch || !lastLongerByTurns(work, counts))
            m_byTurns[work] = 0;
    };
    drop(computeSpending, isCompute);
    drop(copySpending, [](KernelClass kind) { return kind == KernelClass::Copy; });
}

/// What the late rank spends more time on from one collective to the next. It is a reason only where others
/// wait for the rank in this collective or in a later one of the step.
void LateSums::addWay(std::uint32_t instance, LateStep* step, bool isWaitedFor)
{
    const std::optional<Way> own = m_late.before(instance);
    std::vector<std::pair<const WaySpending*, Way>> others;
    for (const WaySpending* const other : m_compared.others) {
        if (const std::optional<Way> way = other->rank().before(instance))
            others.emplace_back(other, *way);
    }
    if (!own || others.empty())
        return;
    // What stages compute differs. Idle time is compared nevertheless: a stage that has its work has no
    // reason for it.
    const bool areStages = std::any_of(others.begin(), others.end(), [&](const auto& other) {
        return m_late.handsWorkTo(other.first->rank().rank());
    });
    const auto spendingIn = [&](const WaySpending& rank, bool isInStep) {
        Spending spent = rank.in(instance, isInStep);
        if (areStages)
            spent[computeSpending] = spent[copySpending] = spent[communicationSpending] = 0;
        return spent;
    };
    const auto isEmptyOn = [](const Way& way, bool isInStep) { return way.part(isInStep).isEmpty(); };
    for (const bool isInStep : {false, true}) {
        // All are in one step on nearly all ways: nothing lies before it.
        if (!isInStep && isEmptyOn(*own, false)
            && std::all_of(others.begin(), others.end(),
                           [&](const auto& other) { return isEmptyOn(other.second, false); }))
            continue;
        std::vector<Spending> spent;
        spent.reserve(others.size());
        for (const auto& [rank, way] : others)
            spent.push_back(spendingIn(*rank, isInStep));
        Spending moreNs = spendingIn(*m_compared.late, isInStep);
        const Spending usual = medianSpending(spent);
        std::transform(moreNs.begin(), moreNs.end(), usual.begin(), moreNs.begin(), std::minus<>());
        const bool isReason = addPart(moreNs, isInStep, step, isWaitedFor);
        if (step && (isInStep || isReason))
            m_ways.push_back({instance, *own, others, isInStep, isReason, cpuIdleNs(moreNs)});
    }
}

/// A part in which the rank does not become later has no reasons. What it does between its last collective of
/// a step and the next step counts only as a reason: the others may do it later. Whether it becomes later.
bool LateSums::addPart(Spending moreNs, bool isInStep, LateStep* step, bool isWaitedFor)
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
void LateSums::explain(const Spending& moreNs, const LateStep& step, Shares& explained) const
{
    const auto waitedNs = static_cast<double>(step.waitedNs);
    const double waitNs = waitedNs / static_cast<double>(step.waiting.size());
    const auto allNs = static_cast<double>(std::accumulate(moreNs.begin(), moreNs.end(), std::int64_t{0}));
    for (std::size_t i = 0; i < moreNs.size() && waitNs > 0; ++i)
        explained[i] += static_cast<double>(moreNs[i]) / std::max(allNs, waitNs) * waitedNs
            / static_cast<double>(m_waitedNs);
}

void LateSums::addStep(std::int64_t number, const LateStep& step)
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

void LateSums::addAll()
{
    std::set<std::uint32_t> groups;
    for (const auto& [key, step] : m_steps)
        groups.insert(key.first);
    for (const RankBetweenCalls::Matched& own : m_late.matched()) {
        if (m_input.analysis.options().cancelled())
            return;
        const CollectiveInstance& instance = m_run.matching.instances[own.instance];
        const Call& call = m_run.callOf(own.call);
        const StepShare* const share = m_late.stepOf(call);
        if (!share || !groups.contains(instance.group))
            continue;
        const auto found = m_steps.find({instance.group, share->step.number});
        LateStep* const step = found != m_steps.end() ? &found->second : nullptr;
        addWay(own.instance, step, step && m_late.arrivalNs(call) <= step->lastNs);
    }
    for (const auto& [key, step] : m_steps)
        addStep(key.second, step);
}

LateSums::Reason LateSums::reason() const
{
    Reason lasting{0, 0, true};
    for (std::size_t i = 0; i < m_lasting.size(); ++i) {
        if (m_lasting[i] > lasting.share && shareInAllSteps(i) >= mostlyExplained)
            lasting = {i, m_lasting[i], true};
    }
    if (lasting.share >= leastExplained)
        return lasting;
    const auto most = std::max_element(m_byTurns.begin(), m_byTurns.end());
    return {static_cast<std::size_t>(most - m_byTurns.begin()), *most, false};
}

/// What the CPU does on the ways on which the GPU is idle longer for it.
CpuComparison::Compared LateSums::compareIdleTime()
{
    std::map<std::uint32_t, std::int64_t> byInstance; // ways have two parts
    for (const Ways& ways : m_ways) {
        if (ways.isReason && ways.cpuIdleNs > 0)
            byInstance[ways.instance] += ways.cpuIdleNs;
    }
    std::vector<CpuComparison::Delay> delays;
    delays.reserve(byInstance.size());
    for (const auto& [instance, ns] : byInstance)
        delays.emplace_back(ns, instance);
    return m_cpus.compare(std::move(delays));
}

/// The causes of most of the idle time, if the CPUs show them: at most two.
std::vector<IdleCause> LateSums::causesOf(const CpuComparison::Compared& all)
{
    constexpr std::int64_t smallPart = 4;
    std::vector<std::pair<std::int64_t, IdleCause>> causes;
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
        // The wait for a GPU that has its work late is not why it is late.
        if (isOfCpu(cause) && static_cast<IdleCause>(cause) != IdleCause::Synchronises
            && smallPart * all.moreNs[cause] >= all.delayNs)
            causes.emplace_back(all.moreNs[cause], static_cast<IdleCause>(cause));
    }
    std::sort(causes.rbegin(), causes.rend());
    // A wait inside of a loader is both, and a thread that seems to work may only wait for another one.
    const bool isNamed = std::any_of(causes.begin(), causes.end(), [&](const auto& cause) {
        return static_cast<std::size_t>(cause.second) < namedCauseCount && 2 * cause.first >= all.delayNs;
    });
    if (isNamed)
        std::erase_if(causes, [](const auto& cause) {
            return cause.second == IdleCause::Waits || cause.second == IdleCause::CpuBound;
        });
    constexpr std::size_t mostCauses = 2;
    causes.resize(std::min(causes.size(), mostCauses));
    std::int64_t knownNs = 0;
    std::vector<IdleCause> names;
    for (const auto& [ns, cause] : causes) {
        knownNs += ns;
        names.push_back(cause);
    }
    return 2 * knownNs >= all.delayNs ? names : std::vector<IdleCause>{};
}

void LateSums::uniteIdleTime()
{
    std::size_t shown = 0;
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
        if (isOfCpu(cause) && m_byTurns[cause] > m_byTurns[shown])
            shown = cause;
    }
    if (m_byTurns[shown] < leastExplained)
        return;
    const CpuComparison::Compared all = compareIdleTime();
    const auto cause = static_cast<IdleCause>(shown);
    // Another thread holds Python's lock: what launches work seems to do something else.
    const bool isOfOtherThread = cause == IdleCause::CollectsGarbage && 4 * all.ownNs[shown] < all.delayNs;
    if (all.delayNs == 0 || isOfOtherThread)
        return;
    m_causesOnCpu = causesOf(all);
    if (m_causesOnCpu.empty() && cause == IdleCause::Synchronises)
        return;
    if (m_causesOnCpu.empty())
        m_causesOnCpu = {IdleCause::Outside};
    uniteInto(static_cast<std::size_t>(m_causesOnCpu.front()));
}

/// Moves what is idle for the CPU to one cause.
void LateSums::uniteInto(std::size_t cause)
{
    const auto unite = [cause](auto& values) {
        typename std::decay_t<decltype(values)>::value_type sum{};
        for (std::size_t i = 0; i < idleCauseCount; ++i) {
            if (isOfCpu(i))
                sum += std::exchange(values[i], 0);
        }
        values[cause] = sum;
    };
    unite(m_lasting);
    unite(m_byTurns);
    unite(m_inLateStepsNs);
    unite(m_inAllStepsNs);
    for (auto& [step, more] : m_more)
        unite(more);
}

} // namespace collscope
