// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/late_reasons.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/interval_profile.h"
#include "metrics/findings/rank_between_calls.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace collscope {

namespace {

/// The waits for a late rank in one group and one step.
struct LateStep
{
    std::int64_t lastNs = 0; ///< its last arrival that others waited for, in the timeline's own time
    std::int64_t waitedNs = 0; ///< exposed, over all ranks
    std::set<std::int32_t> waiting; ///< ranks
    Spending moreNs{}; ///< of the late rank
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
    std::size_t largest() const
    {
        return static_cast<std::size_t>(std::max_element(m_explained.begin(), m_explained.end())
                                        - m_explained.begin());
    }
    /// Leaves compute and copies out where they only run beside what makes the rank late: where it has no
    /// more of them to do, or where it arrives as soon as its call is launched.
    void dropWorkBeside();
    /// What the CPU did before late launches, if most of the waits are for calls that start as soon as they
    /// are launched, and one cause took most of that time.
    std::optional<IdleCause> causeOfLaunches() const;
    double shareOfLaunches() const
    {
        return static_cast<double>(m_promptNs) / static_cast<double>(m_waitedNs);
    }
    /// A stall that makes a rank late in several groups of a step is one stall.
    std::int64_t moreNs(std::size_t reason) const
    {
        return std::accumulate(m_more.begin(), m_more.end(), std::int64_t{0},
                               [&](std::int64_t sum, const auto& step) { return sum + step.second[reason]; });
    }
    /// Whether moreNs() is cut to the mean wait anywhere.
    bool isCut() const { return m_isCut; }
    /// By how much the events that count last longer on the late rank, on its ways to the collectives.
    std::int64_t moreOnWaysNs(const RankBetweenCalls::CountsRow& counts) const;
    double share(std::size_t reason) const
    {
        return m_waitedNs > 0 ? m_explained[reason] / static_cast<double>(m_waitedNs) : 0;
    }
    /// How much of the excess on the ways on which the rank becomes later is left over all ways, 0 to 1:
    /// little where it spends less on others, for instance where kernels last differently long each time.
    double shareOnAllWays(std::size_t reason) const
    {
        const std::int64_t laterNs = m_onLateWaysNs[reason];
        const auto allNs = static_cast<double>(m_onAllWaysNs[reason]);
        return laterNs > 0 ? std::clamp(allNs / static_cast<double>(laterNs), 0.0, 1.0) : 0;
    }

private:
    using Key = std::pair<std::uint32_t, std::int64_t>; ///< group, number of the step

    void findSteps(const LateGroup& group);
    void lookBeforeLaunch(const Call& call, std::int64_t waitsNs, std::int64_t longestNs);
    void addWay(const CollectiveInstance& instance, LateStep* step);
    bool addExcess(const Spending& own, const Spending& usual, LateStep& step);
    void addStep(std::int64_t number, const LateStep& step);

    const FindingInput& m_input;
    const RunCollectives& m_run;
    RankBetweenCalls m_late;
    std::vector<RankBetweenCalls> m_others; ///< that waited longest
    std::map<Key, LateStep> m_steps;
    struct Ways
    {
        Way own;
        std::vector<std::pair<RankBetweenCalls*, Way>> others;
        bool isInStep = false; ///< the part in which the rank becomes later
    };
    std::vector<Ways> m_ways;
    std::int64_t m_waitedNs = 0;
    std::int64_t m_promptNs = 0; ///< waits for calls that start as soon as they are launched
    std::int64_t m_beforeLaunchNs = 0; ///< the time before these launches, as long as the longest wait
    std::array<std::int64_t, idleCauseCount> m_cpuNs{}; ///< what the launching thread did then
    bool m_isCut = false;
    Spending m_onLateWaysNs{}; ///< more than usual, where the rank becomes later
    Spending m_onAllWaysNs{}; ///< more than usual, less what is below it
    std::map<std::int64_t, Spending> m_more; ///< by step; at most the mean wait of the ranks that wait
    std::array<double, std::tuple_size_v<Spending>> m_explained{}; ///< ns of the waits
};

ReasonSums::ReasonSums(const FindingInput& input, const RankShare& late, const LateGroup& group)
    : m_input(input)
    , m_run(input.analysis.run())
    , m_late(input, late)
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
        lookBeforeLaunch(m_run.callOf(m_late.matched().at(instance)), waits.ns, waits.longestNs);
}

/// A call that starts as soon as it is launched is late because its launch is.
void ReasonSums::lookBeforeLaunch(const Call& call, std::int64_t waitsNs, std::int64_t longestNs)
{
    constexpr std::int64_t promptNs = 100'000;
    const TraceModel& model = m_input.analysis.model();
    const std::uint32_t correlation = model.track(call.slice.track).slices.correlation[call.slice.row];
    const SliceRef launch = correlation != 0 ? call.timeline->launchOf(correlation) : SliceRef();
    if (!launch || longestNs < promptNs || m_late.arrivalNs(call) - model.rangeOf(launch).endNs > promptNs)
        return;
    m_promptNs += waitsNs;
    const std::int64_t launchedNs = model.rangeOf(launch).beginNs;
    const ThreadLook look
        = m_late.readerOf(*call.timeline).look(launch.track, {launchedNs - longestNs, launchedNs});
    m_beforeLaunchNs += longestNs;
    for (std::size_t cause = 0; cause < namedCauseCount; ++cause)
        m_cpuNs[cause] += look.causeNs[cause];
    m_cpuNs[static_cast<std::size_t>(IdleCause::Waits)] += look.waitedNs;
    m_cpuNs[static_cast<std::size_t>(IdleCause::CpuBound)]
        += std::max<std::int64_t>(look.recordedNs - look.namedNs - look.waitedNs, 0);
}

std::optional<IdleCause> ReasonSums::causeOfLaunches() const
{
    const auto most = std::max_element(m_cpuNs.begin(), m_cpuNs.end());
    if (2 * m_promptNs <= m_waitedNs || 2 * *most <= m_beforeLaunchNs)
        return std::nullopt;
    return static_cast<IdleCause>(most - m_cpuNs.begin());
}

std::int64_t ReasonSums::moreOnWaysNs(const RankBetweenCalls::CountsRow& counts) const
{
    std::int64_t moreNs = 0;
    for (const Ways& ways : m_ways) {
        std::vector<double> usual;
        usual.reserve(ways.others.size());
        for (const auto& [rank, way] : ways.others)
            usual.push_back(static_cast<double>(rank->sumNs(way, ways.isInStep, counts)));
        moreNs += m_late.sumNs(ways.own, ways.isInStep, counts) - std::llround(middleOf(std::move(usual)));
    }
    return moreNs;
}

void ReasonSums::dropWorkBeside()
{
    // The CPU may be late because it waits for what the GPU computes.
    const std::optional<IdleCause> before = causeOfLaunches();
    const bool isOfLaunch = 2 * m_promptNs > m_waitedNs && before != std::optional(IdleCause::Synchronises);
    const auto drop = [&](std::size_t work, bool (*isWork)(KernelClass)) {
        const auto counts
            = [&](const SliceColumns& slices, std::size_t row) { return isWork(slices.kernelClass[row]); };
        if (m_explained[work] > 0 && (isOfLaunch || 2 * moreOnWaysNs(counts) < moreNs(work)))
            m_explained[work] = 0;
    };
    drop(computeSpending, isCompute);
    drop(copySpending, [](KernelClass kind) { return kind == KernelClass::Copy; });
}

/// What the late rank spends more time on from one collective to the next. Only where others wait for it
/// later in `step` that is a reason.
void ReasonSums::addWay(const CollectiveInstance& instance, LateStep* step)
{
    std::optional<Way> own;
    std::vector<std::pair<RankBetweenCalls*, Way>> others;
    for (const CallRef member : m_run.matching.membersOf(instance)) {
        const Call& call = m_run.callOf(member);
        const std::int32_t rank = m_run.ranks[member.rank].rank;
        if (rank == m_late.rank())
            own = m_late.before(instance.group, call);
        const auto other = std::find_if(m_others.begin(), m_others.end(),
                                        [&](const RankBetweenCalls& o) { return o.rank() == rank; });
        if (other == m_others.end())
            continue;
        if (const std::optional<Way> way = other->before(instance.group, call))
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
            spent[computeSpending] = spent[copySpending] = 0;
        return spent;
    };
    for (const bool isInStep : {false, true}) {
        std::vector<Spending> spent;
        spent.reserve(others.size());
        for (const auto& [rank, way] : others)
            spent.push_back(spendingIn(*rank, way, isInStep));
        const Spending lateSpent = spendingIn(m_late, *own, isInStep);
        const Spending usual = medianOf(spent);
        for (std::size_t i = 0; i < usual.size(); ++i)
            m_onAllWaysNs[i] += lateSpent[i] - usual[i];
        if (step && addExcess(lateSpent, usual, *step))
            m_ways.push_back({*own, others, isInStep});
    }
}

/// A part in which the rank does not become later has no reasons. Whether it becomes later.
bool ReasonSums::addExcess(const Spending& own, const Spending& usual, LateStep& step)
{
    const auto sumOf
        = [](const Spending& spent) { return std::accumulate(spent.begin(), spent.end(), std::int64_t{0}); };
    const std::int64_t laterNs = sumOf(own) - sumOf(usual);
    for (std::size_t i = 0; i < own.size() && laterNs > 0; ++i) {
        const std::int64_t moreNs = std::clamp<std::int64_t>(own[i] - usual[i], 0, laterNs);
        step.moreNs[i] += moreNs;
        m_onLateWaysNs[i] += moreNs;
    }
    return laterNs > 0;
}

/// No reason explains more than the wait, and all together do not either.
void ReasonSums::addStep(std::int64_t number, const LateStep& step)
{
    const double waitNs = static_cast<double>(step.waitedNs) / static_cast<double>(step.waiting.size());
    const auto allNs
        = static_cast<double>(std::accumulate(step.moreNs.begin(), step.moreNs.end(), std::int64_t{0}));
    const double scale = allNs > waitNs ? waitNs / allNs : 1;
    m_isCut |= scale < 1;
    Spending& more = m_more[number];
    for (std::size_t i = 0; i < more.size() && waitNs > 0; ++i) {
        const double moreNs = scale * static_cast<double>(step.moreNs[i]);
        more[i] = std::max<std::int64_t>(more[i], std::llround(moreNs));
        m_explained[i] += static_cast<double>(step.waitedNs) * moreNs / waitNs;
    }
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
        const auto step = m_steps.find({instance.group, share->step.number});
        const bool isWaitedFor = step != m_steps.end() && m_late.arrivalNs(call) <= step->second.lastNs;
        addWay(instance, isWaitedFor ? &step->second : nullptr);
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
    const std::int64_t moreInWorstNs = sums.moreOnWaysNs(
        [&](const SliceColumns& slices, std::size_t row) { return slices.name[row] == kernels.worst; });
    constexpr std::int64_t fewest = 10;
    return kernels.isGeneral ? fewest * moreInWorstNs > moreNs : 2 * moreInWorstNs > moreNs;
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
        return {std::string(idleCauseName(*cause)), text, 0, false, sums.shareOfLaunches(), 0};
    }
    const std::size_t most = sums.largest();
    LateReason reason{{}, {}, sums.moreNs(most), sums.isCut(), sums.share(most), sums.share(computeSpending)};
    if (reason.moreNs == 0)
        return {};
    const double lasting = sums.shareOnAllWays(most);
    constexpr double mostly = 0.5;
    const bool varies = lasting < mostly;
    const std::string longer
        = varies ? "longer before some of its calls and shorter before others" : "longer";
    if (most < idleCauseCount) {
        const auto cause = static_cast<IdleCause>(most);
        reason.cause = idleCauseName(cause);
        reason.text = "its GPU is idle " + longer
            + (isKnown(cause) ? ": " + std::string(idleCauseText(cause))
                              : ", and the trace does not show why");
    } else if (most == copySpending) {
        reason.cause = "copies";
        reason.text = "it copies " + longer;
    } else if (const SlowRank& kernels = slow[static_cast<std::size_t>(share - input.partition.ranks.data())];
               !varies && areSlowKernelsWhy(kernels, sums, reason.moreNs)) {
        reason.cause = kernels.isGeneral ? "slow_kernels" : "longer_kernels";
        reason.text = std::string(kernels.isGeneral ? "its kernels" : "some of its kernels")
            + " take longer, mostly " + quotedName(input.analysis.model().text(kernels.worst));
    } else {
        reason.cause = varies ? "varying_compute" : "more_compute";
        reason.text = "it computes " + longer;
    }
    reason.moreNs = varies ? 0 : std::llround(lasting * static_cast<double>(reason.moreNs));
    return reason;
}

} // namespace collscope
