// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/call_matching.h"

#include "metrics/matching/call_alignment.h"
#include "metrics/matching/call_numbers.h"
#include "metrics/matching/match_evidence.h"
#include "metrics/matching/order_in_steps.h"

#include <algorithm>
#include <array>
#include <limits>

namespace collscope {

namespace {

using Lane = ProcessGroup::Lane;

class Matcher
{
public:
    Matcher(const TraceModel& model, const std::vector<RankCalls>& ranks,
            const std::function<bool()>& cancelled)
        : m_model(model)
        , m_ranks(ranks)
        , m_cancelled(cancelled)
    { }

    Matching match()
    {
        GroupedCalls grouped = groupCalls(m_model, m_ranks);
        m_result.groups = std::move(grouped.groups);
        m_result.warnings = std::move(grouped.warnings);
        for (const auto& [rank, call] : grouped.ungrouped)
            m_result.unmatched.push_back({{rank, call}, UnmatchedReason::NoGroup});
        m_result.skipped = static_cast<std::int64_t>(grouped.ungrouped.size());
        m_result.complete = grouped.ungrouped.empty();
        for (const RankCalls& rank : m_ranks)
            m_result.calls += static_cast<std::int64_t>(rank.calls.size());
        m_result.members.reserve(static_cast<std::size_t>(m_result.calls));
        for (std::size_t g = 0; g < m_result.groups.size() && !m_cancelled(); ++g) {
            m_group = static_cast<std::uint32_t>(g);
            matchGroup(m_result.groups[g]);
        }
        settleStreams();
        matchPooled();
        for (ProcessGroup& group : m_result.groups)
            group.lanes = {};
        finish(grouped.isNamed);
        return std::move(m_result);
    }

    Matching match(ProcessGroup group)
    {
        m_result.groups.push_back(std::move(group));
        matchGroup(m_result.groups.front());
        m_result.groups.front().lanes = {};
        finish(true);
        return std::move(m_result);
    }

private:
    const Call& callOf(CallRef ref) const { return m_ranks[ref.rank].calls[ref.call]; }
    const Call& callOf(const Lane& lane, std::size_t i) const
    {
        return m_ranks[lane.rank].calls[lane.calls[i]];
    }

    void matchGroup(const ProcessGroup& group)
    {
        const bool pointToPoint
            = group.kind == ProcessGroup::Kind::Pair || group.kind == ProcessGroup::Kind::Unpaired;
        if (group.kind == ProcessGroup::Kind::Unpaired && group.size != 2) {
            addAlone(group, UnmatchedReason::PartnersUnknown); // partners differ from call to call
        } else if (!pointToPoint && group.lanes.size() > mostMembers(group)) {
            m_result.complete = false;
            warn(
                named(group.text.empty() ? "A process group" : "Process group", group) + " has "
                + std::to_string(mostMembers(group)) + " ranks, but " + std::to_string(group.lanes.size())
                + (group.ranks.empty()
                       ? " ranks make calls in groups with that name, and the trace does not list the members"
                       : " ranks make calls in it, so some of them cannot be members")
                + ": these calls are not matched.");
            addAlone(group, UnmatchedReason::PartnersUnknown);
        } else if (pointToPoint) {
            matchByOrder(group);
        } else {
            const Numbers numbers = matchByNumbers(m_ranks, group);
            if (numbers.slots.size() == 0 || (!numbers.holdUp && orderFindsMore(group, numbers)))
                matchByOrder(group);
            else
                addSlots(numbers.slots, numbers.rule);
        }
    }

    /// Number of members according to the group size in the trace, else to its list of ranks; without either,
    /// unlimited.
    static std::size_t mostMembers(const ProcessGroup& group)
    {
        if (group.size > 0)
            return static_cast<std::size_t>(group.size);
        return group.ranks.empty() ? std::numeric_limits<std::size_t>::max() : group.ranks.size();
    }

    /// "Process group dp [0, 2]"; only the words if the trace does not name the group.
    static std::string named(const std::string& words, const ProcessGroup& group)
    {
        return group.text.empty() ? words : words + " " + group.text;
    }

    /// Adds each call as a separate instance.
    void addAlone(const ProcessGroup& group, UnmatchedReason reason)
    {
        for (const Lane& lane : group.lanes) {
            for (const std::uint32_t call : lane.calls) {
                m_result.unmatched.push_back({{lane.rank, call}, reason});
                addInstance({CallRef{lane.rank, call}}, MatchRule::GroupOrder);
            }
        }
    }

    /// Whether aligned orders match more calls than numbers that contradict the calls.
    bool orderFindsMore(const ProcessGroup& group, const Numbers& numbers) const
    {
        const auto together = [&](const Slots& slots) {
            std::size_t calls = 0;
            for (std::size_t i = 0; i < slots.size(); ++i)
                calls += slots[i].size() > 1 && allAgree(m_ranks, slots[i]) ? slots[i].size() : 0;
            return calls;
        };
        NestedSlots aligned;
        return align(group, sequencesOf(group), aligned)
            && together(Slots(aligned)) > together(numbers.slots);
    }

    // ---- by order

    void matchByOrder(const ProcessGroup& group)
    {
        const MatchRule rule
            = group.kind == ProcessGroup::Kind::Stream ? MatchRule::StreamOrder : MatchRule::GroupOrder;
        const std::vector<std::vector<AlignedCall>> sequences = sequencesOf(group);
        const bool equal
            = std::all_of(sequences.begin(), sequences.end(), [&](const std::vector<AlignedCall>& sequence) {
                  return sameSignatures(sequence, sequences.front());
              });
        NestedSlots aligned;
        if (equal) {
            Slots slots;
            slots.reserve(group.lanes.size() * group.lanes.front().calls.size());
            for (std::size_t i = 0; i < group.lanes.front().calls.size(); ++i) {
                slots.begin();
                for (const Lane& lane : group.lanes)
                    slots.add({lane.rank, lane.calls[i]});
            }
            addByOrder(slots, rule);
        } else if (isOfCpu(group) && !group.isOneOfSeveral && group.kind != ProcessGroup::Kind::Pair
                   && group.kind != ProcessGroup::Kind::Unpaired) {
            matchCpuSteps(group);
        } else if (align(group, sequences, aligned)) {
            m_aligned = true;
            addByOrder(Slots(aligned), rule);
        } else {
            matchBySteps(group);
        }
    }

    std::vector<std::vector<AlignedCall>> sequencesOf(const ProcessGroup& group) const
    {
        std::vector<std::vector<AlignedCall>> sequences;
        for (const Lane& lane : group.lanes) {
            std::vector<AlignedCall>& sequence = sequences.emplace_back();
            sequence.reserve(lane.calls.size());
            for (std::size_t i = 0; i < lane.calls.size(); ++i)
                sequence.push_back({signatureOf(callOf(lane, i)), callOf(lane, i).range.beginNs});
        }
        return sequences;
    }

    static bool sameSignatures(const std::vector<AlignedCall>& a, const std::vector<AlignedCall>& b)
    {
        return std::equal(
            a.begin(), a.end(), b.begin(), b.end(),
            [](const AlignedCall& x, const AlignedCall& y) { return x.signature == y.signature; });
    }

    /// Merges the lanes one after the other into one sequence of slots, one per collective.
    static bool align(const ProcessGroup& group, const std::vector<std::vector<AlignedCall>>& sequences,
                      NestedSlots& slots)
    {
        std::vector<AlignedCall> merged;
        for (std::size_t l = 0; l < sequences.size(); ++l) {
            const std::vector<AlignedCall>& sequence = sequences[l];
            const Lane& lane = group.lanes[l];
            const auto partner = alignCalls(merged, sequence);
            if (!partner)
                return false;
            std::vector<AlignedCall> nextMerged;
            NestedSlots nextSlots;
            std::size_t taken = 0;
            const auto takeUpTo = [&](std::size_t end) {
                for (; taken < end; ++taken) {
                    nextMerged.push_back(merged[taken]);
                    nextSlots.push_back(std::move(slots[taken]));
                }
            };
            for (std::size_t i = 0; i < sequence.size(); ++i) {
                if ((*partner)[i] == notAligned) {
                    nextMerged.push_back(sequence[i]);
                    nextSlots.emplace_back();
                } else {
                    takeUpTo((*partner)[i] + 1);
                }
                nextSlots.back().push_back({lane.rank, lane.calls[i]});
            }
            takeUpTo(merged.size());
            merged = std::move(nextMerged);
            slots = std::move(nextSlots);
        }
        return true;
    }

    /// Matches the steps in which all ranks made the same calls, call by call; the other calls are ambiguous.
    void matchBySteps(const ProcessGroup& group)
    {
        const StepSlots steps = slotsOfEqualSteps(m_ranks, group);
        addAmbiguous(steps.ambiguous);
        addByOrder(steps.slots, MatchRule::StepOrder);
        m_result.complete &= steps.ambiguous.empty();
        warn(named(group.text.empty() ? "The ranks" : "The ranks of process group", group)
             + " made too many different calls to be matched as one sequence: the calls were matched step by "
               "step"
             + (steps.ambiguous.empty() ? "."
                                        : ", and " + countText(std::ssize(steps.ambiguous), "collective call")
                        + " could not be matched."));
    }

    /// Matches calls of a CPU backend if a trace lacks some. Their ends scatter too much to identify the
    /// missing calls.
    void matchCpuSteps(const ProcessGroup& group)
    {
        const StepSlots steps = slotsOfStepContent(m_ranks, group);
        addAmbiguous(steps.ambiguous);
        for (std::size_t i = 0; i < steps.slots.size(); ++i)
            addCollective(steps.slots[i], MatchRule::StepOrder, MatchConfidence::ProgramOrder);
        m_result.complete &= steps.ambiguous.empty();
        std::string result = ": the calls were matched step by step";
        if (steps.areApart)
            result = ". These calls are not matched, because most calls in steps with the same number did "
                     "not run at the same time: the steps are numbered differently, or the clocks differ";
        else if (!steps.ambiguous.empty())
            result += ", without " + countText(std::ssize(steps.ambiguous), "collective call")
                + " in steps where a rank lacks an equal call";
        const std::string every = "The traces do not contain the same calls for every rank";
        warn(named(group.text.empty() ? every : every + " of process group", group) + result + ".");
    }

    void addAmbiguous(const std::vector<CallRef>& calls)
    {
        for (const CallRef call : calls) {
            m_result.unmatched.push_back({call, UnmatchedReason::Ambiguous});
            addInstance({call}, MatchRule::StepOrder);
        }
    }

    // ---- results

    /// Adds collectives identified by the profiler's numbers.
    void addSlots(const Slots& slots, MatchRule rule)
    {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const std::span<const CallRef> slot = slots[i];
            if (allAgree(m_ranks, slot)) {
                addCollective(slot, rule, MatchConfidence::Named);
                continue;
            }
            ++m_result.mismatched;
            for (const CallRef member : slot)
                m_result.unmatched.push_back({member, UnmatchedReason::Differs});
        }
    }

    /// Adds collectives matched by order unless times refute them. If that order is a guess (one of several
    /// streams), times must confirm it; otherwise matchPooled() handles the calls.
    void addByOrder(const Slots& slots, MatchRule rule)
    {
        const ProcessGroup& group = m_result.groups[m_group];
        if (isOrderOfProgram(group, slots)) {
            // A rank that started recording a step later has as many calls, but different ones.
            const bool areApart = areMostlyApart(m_ranks, slots);
            if (areApart && areInOtherSteps(m_ranks, slots))
                return matchCpuSteps(group);
            for (std::size_t i = 0; i < slots.size(); ++i)
                addCollective(slots[i], rule,
                              areApart ? MatchConfidence::OrderAlone : MatchConfidence::ProgramOrder);
            return;
        }
        WeighedOrder weighed = weighOrder(m_model, m_ranks, group, slots);
        if (group.isOneOfSeveral)
            m_streams[{group.iteration, group.recording}].push_back({m_group, rule, std::move(weighed)});
        else
            addWeighed(weighed, rule);
    }

    /// If streams disagree, one of them is numbered differently. Only the ends of all calls show which one.
    void settleStreams()
    {
        for (const auto& [key, streams] : m_streams) {
            std::vector<const WeighedOrder*> orders;
            std::vector<std::uint32_t> groups;
            for (const StreamOrder& stream : streams) {
                orders.push_back(&stream.weighed);
                groups.push_back(stream.group);
            }
            const bool agree = streamsAgree(orders)
                && !endsFindMore(m_model, m_ranks, poolOf(m_result.groups, groups), orders);
            for (const StreamOrder& stream : streams) {
                const auto several = std::count_if(
                    stream.weighed.collectives.begin(), stream.weighed.collectives.end(),
                    [](const WeighedOrder::Collective& collective) { return collective.members.size() > 1; });
                constexpr std::ptrdiff_t fewest = 3; // one or two may end together by chance
                m_group = stream.group;
                if (agree && stream.weighed.isConfirmed && several >= fewest)
                    addWeighed(stream.weighed, stream.rule);
                else
                    m_pooled.push_back(m_group);
            }
        }
    }

    /// Whether every rank recorded every call of a CPU backend, each with its position in the program's
    /// calls. The ends need not agree: they scatter with thread scheduling.
    bool isOrderOfProgram(const ProcessGroup& group, const Slots& slots) const
    {
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const std::span<const CallRef> slot = slots[i];
            if (slot.size() != group.lanes.size() || !allAgree(m_ranks, slot))
                return false;
        }
        return isOfCpu(group);
    }

    bool isOfCpu(const ProcessGroup& group) const
    {
        return std::all_of(group.lanes.begin(), group.lanes.end(), [this](const Lane& lane) {
            for (std::size_t i = 0; i < lane.calls.size(); ++i) {
                const CollectiveCall* const meta = callOf(lane, i).meta;
                if (!meta || !meta->isOfCpu())
                    return false;
            }
            return true;
        });
    }

    void addWeighed(const WeighedOrder& weighed, MatchRule rule)
    {
        m_result.groups[m_group].endsBarNs = weighed.barNs;
        for (const WeighedOrder::Collective& collective : weighed.collectives)
            addCollective(collective.members, rule, collective.confidence, collective.gap);
        m_result.apartNs = std::max(m_result.apartNs, weighed.apartNs);
        for (const Unmatched& refused : weighed.refused) {
            m_result.unmatched.push_back(refused);
            if (rule != MatchRule::EndTimes)
                addInstance({refused.call}, rule);
        }
    }

    /// Matches the calls of all streams whose order is not confirmed: one pool for each job and iteration, in
    /// which only ends count.
    void matchPooled()
    {
        std::map<RecordingKey, std::vector<std::uint32_t>> pools;
        for (const std::uint32_t group : m_pooled)
            pools[{m_result.groups[group].iteration, m_result.groups[group].recording}].push_back(group);
        for (const auto& [key, groups] : pools)
            matchPool(groups);
    }

    void matchPool(const std::vector<std::uint32_t>& groups)
    {
        ProcessGroup pool = poolOf(m_result.groups, groups);
        const WeighedOrder weighed = matchByEnds(m_model, m_ranks, pool);
        m_group = static_cast<std::uint32_t>(m_result.groups.size());
        m_result.groups.push_back(std::move(pool));
        addWeighed(weighed, MatchRule::EndTimes);
        m_result.skipped
            += std::count_if(weighed.refused.begin(), weighed.refused.end(), [](const Unmatched& refused) {
                   return refused.reason != UnmatchedReason::SmallerGroups;
               });
        m_result.complete &= weighed.refused.empty();
    }

    void addCollective(std::span<const CallRef> members, MatchRule rule, MatchConfidence confidence,
                       Gap gap = Gap::None)
    {
        const ProcessGroup& group = m_result.groups[m_group];
        const auto absent
            = static_cast<std::int32_t>(group.expected - std::min(group.expected, members.size()));
        if (members.size() == 1 && group.size != 1) {
            UnmatchedReason reason = UnmatchedReason::OthersNotLoaded;
            if (gap == Gap::EndsApart)
                reason = UnmatchedReason::EndsApart;
            else if (group.lanes.size() > 1 || group.expected > 1)
                reason = UnmatchedReason::NoSuchCall;
            m_result.unmatched.push_back({members.front(), reason});
        }
        addInstance(members, rule, confidence, absent);
        if (absent > 0)
            m_result.instances.back().gap = gap == Gap::None ? Gap::NoCall : gap;
        m_rules[static_cast<std::size_t>(rule)] = true;
    }

    void addInstance(std::span<const CallRef> slot, MatchRule rule, MatchConfidence confidence,
                     std::int32_t absent)
    {
        m_result.instances.push_back({m_group, static_cast<std::uint32_t>(m_result.members.size()),
                                      static_cast<std::uint32_t>(slot.size()), absent, rule, confidence});
        m_result.members.insert(m_result.members.end(), slot.begin(), slot.end());
    }
    /// Adds a call of one rank without partners.
    void addInstance(std::initializer_list<CallRef> slot, MatchRule rule)
    {
        addInstance(std::span(slot.begin(), slot.size()), rule, MatchConfidence::OrderAlone, 0);
    }

    void warn(std::string text) { m_result.warnings.push_back(std::move(text)); }

    void describeRules(bool isNamed)
    {
        std::string& text = m_result.rule;
        for (std::size_t rule = 0; rule < m_rules.size(); ++rule) {
            if (m_rules[rule])
                text += (text.empty() ? "by " : ", or ")
                    + std::string(matchRuleName(static_cast<MatchRule>(rule)));
        }
        if (text.empty())
            text = isNamed ? "by process group" : "by order";
        if (m_aligned)
            text += "; call orders aligned by name, type and size where ranks made different calls";
    }

    void finish(bool isNamed)
    {
        describeRules(isNamed);
        if (m_result.mismatched > 0)
            warn(countText(m_result.mismatched, "collective call")
                 + " excluded: name, type or size differs between the ranks.");
        if (m_result.skipped > 0 && m_ranks.size() > 1)
            warn(countText(m_result.skipped, "collective call")
                 + " not matched across the ranks: the trace names no process group for them, several "
                   "streams communicate, and end times do not identify the matching calls on other ranks.");
        // In time order, so that lists of instances read like the timeline.
        std::vector<std::pair<std::int64_t, std::uint32_t>> order;
        for (std::uint32_t i = 0; i < m_result.instances.size(); ++i)
            order.emplace_back(callOf(m_result.members[m_result.instances[i].firstMember]).range.beginNs, i);
        std::sort(order.begin(), order.end());
        std::vector<CollectiveInstance> sorted;
        sorted.reserve(order.size());
        for (const auto& [beginNs, i] : order)
            sorted.push_back(m_result.instances[i]);
        m_result.instances = std::move(sorted);
    }

    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    const std::function<bool()>& m_cancelled;
    Matching m_result;
    std::uint32_t m_group = 0;
    std::array<bool, matchRuleCount> m_rules{};
    using RecordingKey = std::pair<std::int64_t, std::int32_t>; ///< iteration and recording
    /// The calls of one of several streams.
    struct StreamOrder
    {
        std::uint32_t group = 0;
        MatchRule rule = MatchRule::StreamOrder;
        WeighedOrder weighed;
    };
    std::map<RecordingKey, std::vector<StreamOrder>> m_streams;
    std::vector<std::uint32_t> m_pooled; ///< groups whose order is not confirmed
    bool m_aligned = false;
};

} // namespace

Matching matchCalls(const TraceModel& model, const std::vector<RankCalls>& ranks,
                    const std::function<bool()>& cancelled)
{
    return Matcher(model, ranks, cancelled).match();
}

Matching matchGroup(const TraceModel& model, const std::vector<RankCalls>& ranks, ProcessGroup group)
{
    return Matcher(model, ranks, [] { return false; }).match(std::move(group));
}

} // namespace collscope
