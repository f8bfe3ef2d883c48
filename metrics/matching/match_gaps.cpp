// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/match_gaps.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/matching/call_slots.h"
#include "metrics/matching/end_agreement.h"
#include "metrics/matching/wait_rule.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

/// "allreduce of 64 MB on rank 0".
std::string describeCall(const TraceModel& model, const Call& call, std::int32_t rank)
{
    std::string text(callName(model, call));
    if (call.bytes)
        text += " of " + numberText(static_cast<double>(*call.bytes) / 1e6) + " MB";
    return text + " on rank " + std::to_string(rank);
}

/// Finds different calls at the same position between complete collectives of a group.
class DifferenceFinder
{
public:
    DifferenceFinder(const TraceModel& model, const std::vector<RankCalls>& ranks,
                     const ClockAlignment& clocks, Matching& matching)
        : m_model(model)
        , m_ranks(ranks)
        , m_clocks(clocks)
        , m_map(clocks.map(ClockChoice::Auto))
        , m_matching(matching)
    { }

    void run()
    {
        std::vector<std::vector<std::uint32_t>> instances(m_matching.groups.size());
        for (std::uint32_t i = 0; i < m_matching.instances.size(); ++i)
            instances[m_matching.instances[i].group].push_back(i);
        for (std::size_t g = 0; g < instances.size(); ++g) {
            const ProcessGroup& group = m_matching.groups[g];
            if (group.kind == ProcessGroup::Kind::Collective && group.expected > 1)
                searchGroup(group, instances[g]);
        }
        std::sort(m_alone.begin(), m_alone.end());
        for (Unmatched& unmatched : m_matching.unmatched) {
            if (std::binary_search(m_alone.begin(), m_alone.end(), keyOf(unmatched.call)))
                unmatched.reason = UnmatchedReason::Differs;
        }
        if (m_places == 0)
            return;
        m_matching.mismatched += m_places;
        m_matching.warnings.push_back(
            "At " + countText(m_places, "place")
            + " in the run, the ranks of a process group called different collectives that ended together: "
            + m_example + ". These calls are excluded.");
    }

private:
    /// A call that lacks partners, and its instance.
    struct Left
    {
        CallRef call;
        std::uint32_t instance = 0;
    };
    using Lefts = std::map<std::uint32_t, std::vector<Left>>; ///< by rank, in the order of its calls

    static std::uint64_t keyOf(CallRef ref) { return (std::uint64_t{ref.rank} << 32) | ref.call; }
    const Call& callOf(CallRef ref) const { return m_ranks[ref.rank].calls[ref.call]; }

    /// Divides the calls of each rank of a group at the complete collectives.
    void searchGroup(const ProcessGroup& group, const std::vector<std::uint32_t>& instances)
    {
        const auto isComplete
            = [&](std::uint32_t i) { return m_matching.instances[i].memberCount >= group.expected; };
        if (std::all_of(instances.begin(), instances.end(), isComplete))
            return;
        // A gap is identified by the number of complete collectives before it.
        std::map<std::uint32_t, std::vector<Left>> lanes;
        for (const std::uint32_t i : instances) {
            for (const CallRef member : m_matching.membersOf(m_matching.instances[i]))
                lanes[member.rank].push_back({member, i});
        }
        if (lanes.size() < group.expected)
            return;
        std::map<std::size_t, Lefts> gaps;
        for (auto& [rank, lane] : lanes) {
            std::sort(lane.begin(), lane.end(),
                      [](const Left& a, const Left& b) { return a.call.call < b.call.call; });
            std::size_t complete = 0;
            for (const Left& left : lane) {
                if (isComplete(left.instance))
                    ++complete;
                else
                    gaps[complete][rank].push_back(left);
            }
        }
        for (const auto& [before, lefts] : gaps) {
            if (lefts.size() == group.expected)
                searchGap(group, lefts);
        }
    }

    void searchGap(const ProcessGroup& group, const Lefts& lefts)
    {
        const std::size_t count = lefts.begin()->second.size();
        std::vector<std::vector<Left>> places(count);
        for (const auto& [rank, lane] : lefts) {
            if (lane.size() != count)
                return; // some calls are missing, but it is unknown which
            for (std::size_t i = 0; i < count; ++i)
                places[i].push_back(lane[i]);
        }
        const auto isTogether
            = [&](const std::vector<Left>& place) { return haveOneNumber(place) && endedTogether(place); };
        if (!std::all_of(places.begin(), places.end(), isTogether))
            return;
        for (const std::vector<Left>& place : places)
            mark(group, place);
    }

    /// Whether the profiler's numbers agree. Calls with different numbers are not at the same position: each
    /// trace lost a different call.
    bool haveOneNumber(const std::vector<Left>& place) const
    {
        std::optional<std::int64_t> number;
        for (const Left& left : place) {
            const Call& call = callOf(left.call);
            const auto own = call.meta ? call.meta->sequence : std::nullopt;
            if (own && number && *own != *number)
                return false;
            number = own ? own : number;
        }
        return true;
    }

    /// Whether the calls ended together on known clocks: wall clocks as recorded, or clocks aligned by other
    /// collectives.
    bool endedTogether(const std::vector<Left>& place) const
    {
        std::int64_t first = 0, last = 0, firstRaw = 0, lastRaw = 0;
        bool isWall = true, isAligned = m_clocks.isUsed(ClockChoice::Auto);
        std::optional<std::int32_t> component;
        for (const Left& left : place) {
            const Call& call = callOf(left.call);
            // Calls of a CPU backend may start in a different order than in the program.
            if (!confirmsByEnd(m_model, call) || (call.meta && call.meta->isOfCpu()))
                return false;
            const std::size_t timeline = m_model.indexOf(*call.timeline);
            const std::int32_t own = timeline < m_clocks.fits.size() ? m_clocks.fits[timeline].component : -1;
            isAligned &= own >= 0 && component.value_or(own) == own;
            component = own;
            isWall &= call.timeline->hasWallClock
                || call.timeline->source == callOf(place.front().call).timeline->source;
            const std::int64_t endNs = m_map.toAxis(timeline, call.range).endNs;
            const std::int64_t rawNs = call.range.endNs;
            const bool isFirst = &left == &place.front();
            first = isFirst ? endNs : std::min(first, endNs);
            last = isFirst ? endNs : std::max(last, endNs);
            firstRaw = isFirst ? rawNs : std::min(firstRaw, rawNs);
            lastRaw = isFirst ? rawNs : std::max(lastRaw, rawNs);
        }
        return (isAligned && last - first <= closeEndsNs) || (isWall && lastRaw - firstRaw <= closeEndsNs);
    }

    void mark(const ProcessGroup& group, const std::vector<Left>& place)
    {
        std::string example;
        std::set<std::uint64_t> contents;
        for (const Left& left : place) {
            const Call& call = callOf(left.call);
            if (contents.insert(signatureOf(call)).second)
                example += (example.empty() ? "" : ", ")
                    + describeCall(m_model, call, m_ranks[left.call.rank].rank);
        }
        if (contents.size() < 2)
            return;
        if (m_places++ == 0)
            m_example = (group.text.empty() ? "" : "in " + group.text + " ") + example;
        for (const Left& left : place) {
            CollectiveInstance& instance = m_matching.instances[left.instance];
            instance.gap = Gap::OtherCall;
            if (instance.memberCount == 1)
                m_alone.push_back(keyOf(left.call));
        }
    }

    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    const ClockAlignment& m_clocks;
    const ClockMap m_map;
    Matching& m_matching;
    std::vector<std::uint64_t> m_alone; ///< calls that differ from the calls of all other ranks
    std::int64_t m_places = 0;
    std::string m_example; ///< the first of them
};

void warnOfEndsApart(Matching& matching)
{
    const std::int64_t apart
        = std::count_if(matching.unmatched.begin(), matching.unmatched.end(), [](const Unmatched& unmatched) {
              return unmatched.reason == UnmatchedReason::EndsApart
                  || unmatched.reason == UnmatchedReason::EndedBefore;
          });
    if (apart == 0)
        return;
    matching.warnings.push_back(
        countText(apart, "collective call")
        + " not matched: the calls at the same position on other ranks ended at different times"
        + (matching.apartNs > 0 ? ", up to " + timeText(matching.apartNs) + " apart" : std::string())
        + ": an event may have been dropped, or a clock may be unstable.");
}

void warnOfSmallerGroups(Matching& matching)
{
    const std::int64_t count
        = std::count_if(matching.unmatched.begin(), matching.unmatched.end(), [](const Unmatched& unmatched) {
              return unmatched.reason == UnmatchedReason::SmallerGroups;
          });
    if (count > 0)
        matching.warnings.push_back(countText(count, "collective call") + " not matched: "
                                    + std::string(unmatchedReasonText(UnmatchedReason::SmallerGroups)) + ".");
}

/// Warns that calls of smaller groups that end at the same moments look like those of one group.
void warnOfUnnamedGroups(const TraceModel& model, const std::vector<RankCalls>& ranks, Matching& matching)
{
    const bool isSizeTold
        = std::any_of(model.timelines.begin(), model.timelines.end(),
                      [](const Timeline& timeline) { return timeline.worldSize.value_or(0) > 0; });
    std::uint32_t most = 0;
    std::int64_t count = 0;
    for (const CollectiveInstance& instance : matching.instances) {
        const ProcessGroup& group = matching.groupOf(instance);
        if (group.kind != ProcessGroup::Kind::Stream || instance.memberCount < 2)
            continue;
        // Two ranks without a third can only form one group.
        const bool isWhole = instance.memberCount == 2 && model.worldSize == 2;
        const bool isSized = group.size > 0 && group.size == model.worldSize;
        // An unnamed call of a CPU backend is in a group only if the trace lists a single group.
        const CallRef first = matching.membersOf(instance).front();
        const CollectiveCall* const meta = ranks[first.rank].calls[first.call].meta;
        const bool isOfCpu = meta && meta->isOfCpu();
        if (isWhole || isSized || isOfCpu)
            continue;
        most = std::max(most, instance.memberCount);
        ++count;
    }
    if (count == 0)
        return;
    matching.warnings.push_back(
        "The trace names no process group for " + countText(count, "collective") + " of up to "
        + std::to_string(most)
        + " ranks: the group is inferred from the order and end times of the calls. Smaller groups whose "
          "calls end at the same moments look the same, and their waits would be added up"
        + (isSizeTold ? "." : "; ranks whose traces are not loaded may also be members."));
}

} // namespace

void explainGaps(const TraceModel& model, const std::vector<RankCalls>& ranks, const ClockAlignment& clocks,
                 Matching& matching)
{
    DifferenceFinder(model, ranks, clocks, matching).run();
    warnOfEndsApart(matching);
    warnOfSmallerGroups(matching);
    warnOfUnnamedGroups(model, ranks, matching);
}

void noteMissingRanks(const TraceModel& model, const std::vector<RankCalls>& ranks, Matching& matching)
{
    std::set<std::int32_t> present;
    for (const RankCalls& rank : ranks)
        present.insert(rank.rank);
    const auto ofJob = static_cast<std::uint32_t>(std::max(0, model.worldSize.value_or(0)));
    const bool areAllPresent = present.size() >= ofJob;
    for (CollectiveInstance& instance : matching.instances) {
        const CallRef ref = matching.membersOf(instance).front();
        const Call& first = ranks[ref.rank].calls[ref.call];
        const std::int32_t named
            = first.groupSize > 0 ? first.groupSize : std::max(0, matching.groupOf(instance).size);
        std::uint32_t expected = areAllPresent ? 0 : ofJob;
        if (isPointToPoint(model, first))
            expected = 2;
        else if (named > 0)
            expected = static_cast<std::uint32_t>(named);
        instance.isWhole = instance.absent == 0 && instance.memberCount >= expected;
    }
}

SharedCalls countShared(const TraceModel& model, const std::vector<RankCalls>& ranks,
                        const Matching& matching)
{
    SharedCalls shared;
    std::set<std::pair<std::uint32_t, std::uint32_t>> ofOneRank; // calls in groups of one rank
    for (const CollectiveInstance& instance : matching.instances) {
        const CallRef first = matching.membersOf(instance).front();
        if (instance.memberCount == 1 && matching.groupOf(instance).size == 1)
            ofOneRank.emplace(first.rank, first.call);
    }
    const auto counts = [&](const Call& call) { return call.inWindow() && !isPointToPoint(model, call); };
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
        for (std::uint32_t i = 0; i < ranks[rank].calls.size(); ++i)
            shared.all += counts(ranks[rank].calls[i]) && !ofOneRank.contains({rank, i}) ? 1 : 0;
    }
    for (const Unmatched& unmatched : matching.unmatched) {
        if (!counts(ranks[unmatched.call.rank].calls[unmatched.call.call]))
            continue;
        if (unmatched.reason == UnmatchedReason::OthersNotLoaded) {
            ++shared.othersNotLoaded;
            --shared.all;
        } else if (unmatched.reason == UnmatchedReason::PartnersUnknown) {
            --shared.all;
        } else {
            ++shared.unmatched;
        }
    }
    return shared;
}

} // namespace collscope
