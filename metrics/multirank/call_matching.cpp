// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/multirank/call_matching.h"

#include "metrics/multirank/call_alignment.h"
#include "metrics/multirank/call_slots.h"
#include "metrics/step_rows.h"

#include <algorithm>
#include <array>

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
            m_result.groups[g].lanes = {};
        }
        finish(grouped.isNamed);
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
        const auto most = static_cast<std::size_t>(std::max(group.size, 0));
        if (group.kind == ProcessGroup::Kind::Unpaired && group.size != 2) {
            addAlone(group, UnmatchedReason::PartnersUnknown); // partners change from call to call
        } else if (!pointToPoint && group.ranks.empty() && most > 0 && group.lanes.size() > most) {
            m_result.complete = false;
            warn("Process group " + group.text + " has " + std::to_string(most) + " ranks, but "
                 + std::to_string(group.lanes.size())
                 + " ranks make calls in groups of that name and the trace does not list their members: "
                   "these calls are not matched.");
            addAlone(group, UnmatchedReason::PartnersUnknown);
        } else if (pointToPoint) {
            matchByOrder(group);
        } else {
            const Numbers numbers = bySequence(group);
            if (numbers.slots.size() == 0 || (!numbers.holdUp && orderFindsMore(group, numbers)))
                matchByOrder(group);
            else
                addSlots(numbers.slots, numbers.rule);
        }
    }

    /// Every call as an instance of its own.
    void addAlone(const ProcessGroup& group, UnmatchedReason reason)
    {
        for (const Lane& lane : group.lanes) {
            for (const std::uint32_t call : lane.calls) {
                m_result.unmatched.push_back({{lane.rank, call}, reason});
                addInstance({CallRef{lane.rank, call}}, MatchRule::GroupOrder, 0);
            }
        }
    }

    // ---- by Seq

    struct Numbered
    {
        std::int64_t communicator, sequence;
        std::uint32_t repeat; ///< coalesced calls share a number: the k-th of it is the same call everywhere
        std::uint32_t lane;
        std::uint32_t call;
        auto key() const { return std::tuple(communicator, sequence, repeat); }
    };

    /// What the numbers of the calls say.
    struct Numbers
    {
        Slots slots; ///< none: not every call has a number
        MatchRule rule = MatchRule::GroupSequence;
        bool holdUp = false;
    };
    Numbers bySequence(const ProcessGroup& group) const
    {
        bool hasCommunicator = true;
        std::vector<Numbered> calls;
        for (std::uint32_t l = 0; l < group.lanes.size(); ++l) {
            const Lane& lane = group.lanes[l];
            for (std::size_t i = 0; i < lane.calls.size(); ++i) {
                const CollectiveCall* meta = callOf(lane, i).meta;
                if (!meta || !meta->sequence)
                    return {};
                hasCommunicator &= meta->commsId.has_value();
                calls.push_back({meta->commsId.value_or(0), *meta->sequence, 0, l, lane.calls[i]});
            }
        }
        if (hasCommunicator) {
            Numbers numbers{numbered(group, calls), MatchRule::CommunicatorSequence, true};
            if (holdsUp(group, numbers.slots))
                return numbers;
        }
        for (Numbered& call : calls)
            call.communicator = 0;
        Numbers numbers{numbered(group, calls), MatchRule::GroupSequence, false};
        numbers.holdUp = holdsUp(group, numbers.slots);
        return numbers;
    }

    /// Calls with one number are one collective.
    static Slots numbered(const ProcessGroup& group, std::vector<Numbered>& calls)
    {
        std::sort(calls.begin(), calls.end(), [](const Numbered& a, const Numbered& b) {
            return std::tie(a.communicator, a.sequence, a.lane, a.call)
                < std::tie(b.communicator, b.sequence, b.lane, b.call);
        });
        bool repeats = false;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const bool again = i > 0 && calls[i].lane == calls[i - 1].lane
                && calls[i].sequence == calls[i - 1].sequence
                && calls[i].communicator == calls[i - 1].communicator;
            calls[i].repeat = again ? calls[i - 1].repeat + 1 : 0;
            repeats |= again;
        }
        if (repeats)
            std::stable_sort(calls.begin(), calls.end(),
                             [](const Numbered& a, const Numbered& b) { return a.key() < b.key(); });
        Slots slots;
        slots.reserve(calls.size());
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (i == 0 || calls[i].key() != calls[i - 1].key())
                slots.begin();
            slots.add({group.lanes[calls[i].lane].rank, calls[i].call});
        }
        return slots;
    }

    /// Whether aligned orders bring more calls together than numbers that contradict the calls.
    bool orderFindsMore(const ProcessGroup& group, const Numbers& numbers) const
    {
        const auto together = [&](const Slots& slots) {
            std::size_t calls = 0;
            for (std::size_t i = 0; i < slots.size(); ++i)
                calls += slots[i].size() > 1 && allAgree(slots[i]) ? slots[i].size() : 0;
            return calls;
        };
        NestedSlots aligned;
        return align(group, sequencesOf(group), aligned)
            && together(Slots(aligned)) > together(numbers.slots);
    }

    /// Of the collectives with several members at least 95 % agree; and there are any, where there could be.
    bool holdsUp(const ProcessGroup& group, const Slots& slots) const
    {
        std::size_t several = 0, differ = 0;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i].size() > 1)
                ++several;
            if (!allAgree(slots[i]))
                ++differ;
        }
        return group.lanes.size() < 2 || (several > 0 && differ * 20 <= several);
    }

    bool allAgree(std::span<const CallRef> slot) const
    {
        return std::all_of(slot.begin(), slot.end(),
                           [&](CallRef member) { return agree(callOf(slot.front()), callOf(member)); });
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
            addSlots(slots, rule);
        } else if (align(group, sequences, aligned)) {
            m_aligned = true;
            addSlots(Slots(aligned), rule);
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

    /// The steps in which all ranks made the same calls, call by call; the others cannot be told apart.
    void matchBySteps(const ProcessGroup& group)
    {
        std::map<std::int64_t, std::vector<std::pair<const Lane*, std::vector<std::uint32_t>>>> steps;
        for (const Lane& lane : group.lanes) {
            for (const std::uint32_t call : lane.calls) {
                auto& lanes = steps[stepNumberOf(callOf({lane.rank, call}))];
                if (lanes.empty() || lanes.back().first != &lane)
                    lanes.emplace_back(&lane, std::vector<std::uint32_t>());
                lanes.back().second.push_back(call);
            }
        }
        std::int64_t ambiguous = 0;
        for (const auto& [number, lanes] : steps) {
            NestedSlots slots(lanes.front().second.size());
            bool same = true;
            for (const auto& [lane, calls] : lanes) {
                same &= calls.size() == slots.size();
                for (std::size_t i = 0; same && i < calls.size(); ++i) {
                    slots[i].push_back({lane->rank, calls[i]});
                    same &= agree(callOf(slots[i].front()), callOf(slots[i].back()));
                }
            }
            if (same && number != noStep) {
                addSlots(Slots(slots), MatchRule::StepOrder);
                continue;
            }
            for (const auto& [lane, calls] : lanes) {
                for (const std::uint32_t call : calls) {
                    ++ambiguous;
                    m_result.unmatched.push_back({{lane->rank, call}, UnmatchedReason::Ambiguous});
                    addInstance({CallRef{lane->rank, call}}, MatchRule::StepOrder, 0);
                }
            }
        }
        m_result.complete &= ambiguous == 0;
        warn("The ranks of process group " + group.text
             + " made so many different calls that they were matched step by step"
             + (ambiguous > 0 ? ", and " + countText(ambiguous, "collective call") + " not at all." : "."));
    }

    static constexpr std::int64_t noStep = std::numeric_limits<std::int64_t>::min();
    static std::int64_t stepNumberOf(const Call& call)
    {
        const Step* const step = stepAround(*call.timeline, call.range.beginNs);
        return step ? step->number : noStep;
    }

    // ---- results

    void addSlots(const Slots& slots, MatchRule rule)
    {
        const ProcessGroup& group = m_result.groups[m_group];
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const std::span<const CallRef> slot = slots[i];
            if (!allAgree(slot)) {
                ++m_result.mismatched;
                for (const CallRef member : slot)
                    m_result.unmatched.push_back({member, UnmatchedReason::Differs});
                continue;
            }
            if (slot.size() == 1 && group.size != 1)
                m_result.unmatched.push_back({slot.front(),
                                              group.lanes.size() > 1 || group.expected > 1
                                                  ? UnmatchedReason::NoSuchCall
                                                  : UnmatchedReason::OthersNotLoaded});
            addInstance(slot, rule,
                        static_cast<std::int32_t>(group.expected - std::min(group.expected, slot.size())));
            m_rules[static_cast<std::size_t>(rule)] = true;
        }
    }

    void addInstance(std::span<const CallRef> slot, MatchRule rule, std::int32_t absent)
    {
        m_result.instances.push_back({m_group, static_cast<std::uint32_t>(m_result.members.size()),
                                      static_cast<std::uint32_t>(slot.size()), absent, rule});
        m_result.members.insert(m_result.members.end(), slot.begin(), slot.end());
    }
    void addInstance(std::initializer_list<CallRef> slot, MatchRule rule, std::int32_t absent)
    {
        addInstance(std::span(slot.begin(), slot.size()), rule, absent);
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
            text += "; orders aligned on name, type and size where ranks made different calls";
    }

    void finish(bool isNamed)
    {
        describeRules(isNamed);
        if (m_result.mismatched > 0)
            warn(countText(m_result.mismatched, "collective call")
                 + " left out: name, type or size differs between the ranks.");
        if (m_result.skipped > 0 && m_ranks.size() > 1)
            warn(countText(m_result.skipped, "collective call")
                 + " not matched across the ranks: the trace names no process group for them, and more than "
                   "one stream communicates.");
        // In time order, so that lists of instances read like the timeline.
        std::vector<std::pair<std::int64_t, std::uint32_t>> order;
        for (std::uint32_t i = 0; i < m_result.instances.size(); ++i)
            order.emplace_back(callOf(m_result.members[m_result.instances[i].firstMember]).range.beginNs, i);
        std::sort(order.begin(), order.end());
        std::vector<Instance> sorted;
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
    bool m_aligned = false;
};

} // namespace

std::string_view matchRuleName(MatchRule rule)
{
    static constexpr std::array<std::string_view, matchRuleCount> names{
        "Comms Id and Seq", "process group and Seq", "process group and order of the calls",
        "process group and order in each step", "order on the stream (the trace names no process groups)"};
    return names[static_cast<std::size_t>(rule)];
}

std::string_view unmatchedReasonText(UnmatchedReason reason)
{
    switch (reason) {
    case UnmatchedReason::NoGroup:
        return "the trace names no process group for it, and several streams communicate";
    case UnmatchedReason::PartnersUnknown:
        return "the trace does not say which ranks take part";
    case UnmatchedReason::Differs:
        return "name, type or size is another on the other ranks";
    case UnmatchedReason::NoSuchCall:
        return "no other loaded rank of the group made this call";
    case UnmatchedReason::OthersNotLoaded:
        return "the traces of the group's other ranks are not loaded";
    case UnmatchedReason::Ambiguous:
        return "the ranks made so many different calls that it cannot be told apart";
    }
    return {};
}

std::int64_t Matching::matchedCalls() const
{
    std::int64_t matched = 0;
    for (const Instance& instance : instances)
        matched += instance.memberCount > 1 ? instance.memberCount : 0;
    return matched;
}

Matching matchCalls(const TraceModel& model, const std::vector<RankCalls>& ranks,
                    const std::function<bool()>& cancelled)
{
    return Matcher(model, ranks, cancelled).match();
}

} // namespace collscope
