// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/late_reasons.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/interval_profile.h"
#include "metrics/findings/part_sweep.h"
#include "metrics/findings/thread_reader.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace collscope {

namespace {

/// What a rank spends its time on, in ns: causes of idle time, then compute and copies. Not communication:
/// a rank that waits for others longer passes their lateness on.
using Spending = std::array<std::int64_t, idleCauseCount + 2>;
constexpr std::size_t computeSpending = idleCauseCount;
constexpr std::size_t copySpending = idleCauseCount + 1;

/// What a rank does between its arrivals at the last call of a group and at the next one: all ranks do the
/// same part of the program in it.
struct Way
{
    const Timeline* timeline = nullptr;
    TimeRange range; ///< in the timeline's own time; without a last call from the begin of the step
    std::int64_t stepNs = 0; ///< begin of the step, which is in the range or its begin

    /// Before or in the step.
    TimeRange part(bool isInStep) const
    {
        return isInStep ? TimeRange{stepNs, range.endNs} : TimeRange{range.beginNs, stepNs};
    }
};

/// One rank between the collectives of its groups.
class RankBetweenCalls
{
public:
    RankBetweenCalls(const FindingInput& input, const RankShare& rank);

    std::int32_t rank() const { return m_rank->rank; }
    /// Its calls by their instance.
    const std::map<std::uint32_t, CallRef>& matched() const { return m_matched; }
    /// In the timeline's own time.
    std::int64_t arrivalNs(const Call& call) const
    {
        return m_input->analysis.model().rangeOf(call.slice).beginNs;
    }
    /// The way to a call; nullopt without a last call of its group and outside the steps.
    std::optional<Way> before(std::uint32_t group, const Call& call) const;
    Spending spendingIn(const Timeline& timeline, TimeRange range);
    /// The time in kernels of a name that begin in a range.
    std::int64_t kernelNs(StringId name, const Timeline& timeline, TimeRange range) const;
    const StepShare* stepOf(const Call& call) const
    {
        return m_rank->stepAt(*call.timeline, arrivalNs(call));
    }

private:
    const FindingInput* m_input;
    const RankShare* m_rank;
    ExposedCalls m_calls; ///< of this rank; the shares are not used
    std::map<std::uint32_t, CallRef> m_matched;
    std::vector<CopyShare> m_copies; ///< not used
    std::map<std::pair<std::uint32_t, const Timeline*>, std::vector<std::int64_t>> m_arrivals; ///< sorted
    void addGap(const Timeline& timeline, const GpuGap& gap, TimeRange inside, Spending& spent);

    std::map<const Timeline*, PartSweep> m_sweeps;
    std::map<const Timeline*, ThreadReader> m_readers;
};

RankBetweenCalls::RankBetweenCalls(const FindingInput& input, const RankShare& rank)
    : m_input(&input)
    , m_rank(&rank)
{
    const RunCollectives& run = input.analysis.run();
    m_calls = callsOf(input.partition.calls, rank.timelines);
    for (const CallTiming& timing : m_calls.times) {
        if (timing.instance == CallTiming::noInstance)
            continue;
        m_matched.emplace(timing.instance, timing.call);
        const Call& call = run.callOf(timing.call);
        const std::uint32_t group = run.matching.instances[timing.instance].group;
        m_arrivals[{group, call.timeline}].push_back(arrivalNs(call));
    }
    for (auto& [group, arrivals] : m_arrivals)
        std::sort(arrivals.begin(), arrivals.end());
}

std::optional<Way> RankBetweenCalls::before(std::uint32_t group, const Call& call) const
{
    const StepShare* const step = stepOf(call);
    const auto known = m_arrivals.find({group, call.timeline});
    if (!step || known == m_arrivals.end())
        return std::nullopt;
    const std::int64_t ns = arrivalNs(call);
    const std::int64_t stepNs = step->step.range.beginNs;
    const auto own = std::lower_bound(known->second.begin(), known->second.end(), ns);
    const std::int64_t lastNs = own != known->second.begin() ? *std::prev(own) : stepNs;
    return Way{call.timeline, {lastNs, ns}, std::max(lastNs, stepNs)};
}

Spending RankBetweenCalls::spendingIn(const Timeline& timeline, TimeRange range)
{
    Spending spent{};
    const std::size_t part = m_rank->partOf(timeline);
    if (part == m_rank->timelines.size())
        return spent;
    m_rank->gaps[part].forEachIn(
        range, [&](const GpuGap& gap, TimeRange inside) { addGap(timeline, gap, inside, spent); });
    auto sweep = m_sweeps.find(&timeline);
    if (sweep == m_sweeps.end())
        sweep = m_sweeps.try_emplace(&timeline, m_input->analysis.model(), timeline, m_calls, m_copies).first;
    const PartTimes parts = sweep->second.run(range, m_input->analysis.options().cancelled);
    spent[computeSpending] = parts.of(Part::Compute);
    spent[copySpending] = parts.of(Part::Copy);
    return spent;
}

/// A long gap is divided: one cause gets all of it in the findings about idle time, but ranks may differ in
/// another one, which covers less of it.
void RankBetweenCalls::addGap(const Timeline& timeline, const GpuGap& gap, TimeRange inside, Spending& spent)
{
    std::int64_t& all = spent[static_cast<std::size_t>(gap.cause)];
    all += inside.lengthNs();
    constexpr std::int64_t shortestNs = 10 * longestLaunchOverheadNs; // looks at threads are slow
    if (!gap.thread || inside.lengthNs() < shortestNs)
        return;
    auto reader = m_readers.find(&timeline);
    if (reader == m_readers.end())
        reader = m_readers.try_emplace(&timeline, m_input->analysis.model(), timeline).first;
    const ThreadLook look = reader->second.look(gap.thread, inside);
    all -= inside.lengthNs();
    std::int64_t restNs = inside.lengthNs();
    for (std::size_t cause = 0; cause < namedCauseCount; ++cause) {
        spent[cause] += look.causeNs[cause];
        restNs -= look.causeNs[cause];
    }
    const std::int64_t workedNs = gap.cause == IdleCause::CpuBound ? look.recordedNs - look.namedNs
        : gap.cause == IdleCause::Waits                            ? look.waitedNs
                                                                   : 0;
    const std::int64_t ownNs = std::clamp<std::int64_t>(workedNs, 0, restNs);
    all += ownNs;
    // What no event shows is not the cause of the gap.
    const bool isUnknown = gap.cause == IdleCause::Unexplained || gap.cause == IdleCause::NotRecorded
        || gap.cause == IdleCause::WaitsOnStream;
    spent[static_cast<std::size_t>(isUnknown ? gap.cause : IdleCause::Outside)] += restNs - ownNs;
}

std::int64_t RankBetweenCalls::kernelNs(StringId name, const Timeline& timeline, TimeRange range) const
{
    std::int64_t ns = 0;
    for (const TrackId id : timeline.tracks) {
        const Track& track = m_input->analysis.model().track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        forEachOverlapping(track.slices, range, [&](std::size_t row) {
            if (track.slices.name[row] == name && range.contains(track.slices.startNs[row]))
                ns += track.slices.durationNs[row];
        });
    }
    return ns;
}

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
    /// A stall that makes a rank late in several groups of a step is one stall.
    std::int64_t moreNs(std::size_t reason) const
    {
        return std::accumulate(m_more.begin(), m_more.end(), std::int64_t{0},
                               [&](std::int64_t sum, const auto& step) { return sum + step.second[reason]; });
    }
    /// Whether moreNs() is cut to the mean wait anywhere.
    bool isCut() const { return m_isCut; }
    /// How much longer the late rank spends in kernels of a name on its ways to the collectives.
    std::int64_t moreInKernelsNs(StringId name) const;
    double share(std::size_t reason) const
    {
        return m_waitedNs > 0 ? m_explained[reason] / static_cast<double>(m_waitedNs) : 0;
    }

private:
    using Key = std::pair<std::uint32_t, std::int64_t>; ///< group, number of the step

    void findSteps(const LateGroup& group);
    void addWay(const CollectiveInstance& instance, LateStep& step);
    static bool addExcess(const Spending& own, const Spending& usual, LateStep& step);
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
    bool m_isCut = false;
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
        LateStep& step = m_steps[{instance.group, share->step.number}];
        step.lastNs = std::max(step.lastNs, m_late.arrivalNs(m_run.callOf(own->second)));
        step.waitedNs += waitedNs;
        step.waiting.insert(m_run.ranks[timing.call.rank].rank);
    }
}

/// What the late rank spends more time on from one collective to the next.
void ReasonSums::addWay(const CollectiveInstance& instance, LateStep& step)
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
    for (const bool isInStep : {false, true}) {
        std::vector<Spending> spent;
        for (const auto& [rank, way] : others)
            spent.push_back(rank->spendingIn(*way.timeline, way.part(isInStep)));
        if (addExcess(m_late.spendingIn(*own->timeline, own->part(isInStep)), medianOf(spent), step))
            m_ways.push_back({*own, others, isInStep});
    }
}

std::int64_t ReasonSums::moreInKernelsNs(StringId name) const
{
    std::int64_t moreNs = 0;
    for (const Ways& ways : m_ways) {
        std::vector<double> usual;
        for (const auto& [rank, way] : ways.others)
            usual.push_back(
                static_cast<double>(rank->kernelNs(name, *way.timeline, way.part(ways.isInStep))));
        moreNs += m_late.kernelNs(name, *ways.own.timeline, ways.own.part(ways.isInStep))
            - std::llround(middleOf(std::move(usual)));
    }
    return moreNs;
}

/// A part in which the rank does not become later has no reasons. Whether it becomes later.
bool ReasonSums::addExcess(const Spending& own, const Spending& usual, LateStep& step)
{
    const auto sumOf
        = [](const Spending& spent) { return std::accumulate(spent.begin(), spent.end(), std::int64_t{0}); };
    const std::int64_t laterNs = sumOf(own) - sumOf(usual);
    for (std::size_t i = 0; i < own.size() && laterNs > 0; ++i)
        step.moreNs[i] += std::clamp<std::int64_t>(own[i] - usual[i], 0, laterNs);
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
    for (const auto& [index, own] : m_late.matched()) {
        if (m_input.analysis.options().cancelled())
            return;
        const CollectiveInstance& instance = m_run.matching.instances[index];
        const Call& call = m_run.callOf(own);
        const StepShare* const share = m_late.stepOf(call);
        const auto step = share ? m_steps.find({instance.group, share->step.number}) : m_steps.end();
        if (step != m_steps.end() && m_late.arrivalNs(call) <= step->second.lastNs)
            addWay(instance, step->second);
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
bool explains(const SlowRank& kernels, std::int64_t moreInWorstNs, std::int64_t moreNs)
{
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
    const std::size_t most = sums.largest();
    LateReason reason{{}, {}, sums.moreNs(most), sums.isCut(), sums.share(most), sums.share(computeSpending)};
    if (reason.moreNs == 0)
        return {};
    if (most < idleCauseCount) {
        const auto cause = static_cast<IdleCause>(most);
        reason.cause = idleCauseName(cause);
        reason.text = "its GPU is idle longer"
            + (isKnown(cause) ? ": " + std::string(idleCauseText(cause))
                              : ", and the trace does not show why");
    } else if (most == copySpending) {
        reason.cause = "copies";
        reason.text = "it copies longer";
    } else if (const SlowRank& kernels = slow[static_cast<std::size_t>(share - input.partition.ranks.data())];
               2 * kernels.ns > static_cast<double>(reason.moreNs)
               && explains(kernels, sums.moreInKernelsNs(kernels.worst), reason.moreNs)) {
        reason.cause = kernels.isGeneral ? "slow_kernels" : "longer_kernels";
        reason.text = std::string(kernels.isGeneral ? "its kernels" : "some of its kernels")
            + " take longer, mostly " + quotedName(input.analysis.model().text(kernels.worst));
    } else {
        reason.cause = "more_compute";
        reason.text = "it computes longer";
    }
    return reason;
}

} // namespace collscope
