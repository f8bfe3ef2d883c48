// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/call_alignment.h"
#include "metrics/calls.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace collscope {

namespace {

using Member = Instance::Member;

/// What calls must share to be compared at all: iteration, process group, and the pair of ranks of a
/// point-to-point call.
struct GroupKey
{
    static constexpr std::int64_t collective = -2;
    static constexpr std::int64_t unpaired = -1;
    std::int64_t iteration = -1;
    std::uint32_t name = 0;
    std::uint32_t ranks = 0; ///< index of the rank list
    std::int32_t size = 0;
    std::int64_t from = collective, to = collective;
    auto operator<=>(const GroupKey&) const = default;
};

/// The calls of one rank in one group, in time order.
struct Lane
{
    std::size_t rank = 0;
    std::vector<std::size_t> calls;
};

struct Group
{
    GroupKey key;
    std::string text;
    std::vector<std::int32_t> ranks; ///< as far as the trace lists them
    std::vector<Lane> lanes; ///< by rank
    std::size_t expected = 0; ///< loaded ranks that should take part in each call; 0 = unknown
};

/// Number of GPU streams with communication on one rank: with one, order alone tells calls apart.
std::size_t streamCount(const TraceModel& model, const RankCalls& rank)
{
    std::set<std::tuple<const Timeline*, std::int32_t, std::int32_t>> streams;
    TrackId last;
    for (const Call& call : rank.calls) {
        if (call.slice.track == last)
            continue;
        last = call.slice.track;
        const Track& track = model.track(last); // lanes of a stream are one stream
        streams.emplace(call.timeline, track.device,
                        track.stream >= 0 ? track.stream : -1 - static_cast<std::int32_t>(last.value));
    }
    return streams.size();
}

/// All-to-all with splits, and what has a root, may differ in size between the ranks.
bool isSized(KernelClass kind)
{
    return kind == KernelClass::AllReduce || kind == KernelClass::AllGather
        || kind == KernelClass::ReduceScatter;
}

/// What the ranks of one collective must agree on.
bool agree(const Call& a, const Call& b)
{
    if (!a.meta || !b.meta || a.kind == KernelClass::SendRecv)
        return a.kind == b.kind; // one rank's send is the other one's recv
    return a.kind == b.kind && a.meta->name == b.meta->name && a.meta->elementType == b.meta->elementType
        && (!isSized(a.kind)
            || (a.meta->inElements == b.meta->inElements && a.meta->outElements == b.meta->outElements));
}

/// Equal for calls that agree.
std::uint64_t signatureOf(const Call& call)
{
    std::uint64_t hash = static_cast<std::uint64_t>(call.kind);
    const auto mix = [&](std::uint64_t value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    };
    if (call.meta && call.kind != KernelClass::SendRecv) {
        mix(call.meta->name.value);
        mix(call.meta->elementType.value);
        if (isSized(call.kind)) {
            mix(static_cast<std::uint64_t>(call.meta->inElements.value_or(-1)));
            mix(static_cast<std::uint64_t>(call.meta->outElements.value_or(-1)));
        }
    }
    return hash;
}

std::string callsText(std::int64_t count)
{
    return std::to_string(count) + (count == 1 ? " collective call" : " collective calls");
}

class Matcher
{
public:
    Matcher(const TraceModel& model, const std::vector<RankCalls>& ranks)
        : m_model(model)
        , m_ranks(ranks)
    { }

    Instances match()
    {
        collectGroups();
        for (Group& group : m_groups) {
            group.expected = expectedMembers(group);
            matchGroup(group);
        }
        finish();
        return std::move(m_result);
    }

private:
    const Call& callOf(const Member& member) const { return m_ranks[member.rank].calls[member.call]; }
    const Call& callOf(const Lane& lane, std::size_t i) const
    {
        return m_ranks[lane.rank].calls[lane.calls[i]];
    }

    /// Lists that name the same ranks are one, however they are written.
    std::uint32_t rankListOf(StringId text)
    {
        const auto [known, isNew] = m_listOfText.try_emplace(text.value, 0u);
        if (isNew) {
            std::vector<std::int32_t> ranks = parseRankList(m_model.text(text));
            std::string canonical;
            for (const std::int32_t rank : ranks)
                canonical += (canonical.empty() ? "" : ", ") + std::to_string(rank);
            if (ranks.empty())
                canonical = m_model.text(text);
            known->second
                = m_lists.try_emplace(canonical, static_cast<std::uint32_t>(m_lists.size())).first->second;
            m_ranksOfList[known->second] = std::move(ranks);
        }
        return known->second;
    }

    GroupKey keyOf(const Call& call, std::int32_t rank)
    {
        GroupKey key;
        key.iteration = call.timeline->iteration;
        if (!call.meta)
            return key;
        key.name = m_model.text(call.meta->group).empty() ? 0 : call.meta->group.value;
        key.ranks = rankListOf(call.meta->groupRanks);
        key.size = call.groupSize;
        if (!isPointToPoint(m_model, call))
            return key;
        const std::string_view name = m_model.text(call.meta->name);
        const auto sender = name == "send" ? std::optional<std::int64_t>(rank) : std::nullopt;
        const auto receiver = name == "recv" ? std::optional<std::int64_t>(rank) : std::nullopt;
        const auto from = call.meta->sourceRank ? call.meta->sourceRank : sender;
        const auto to = call.meta->destinationRank ? call.meta->destinationRank : receiver;
        const bool paired = from && to && *from != *to;
        key.from = paired ? *from : GroupKey::unpaired;
        key.to = paired ? *to : GroupKey::unpaired;
        return key;
    }

    bool isNamed(const Call& call) const
    {
        return call.meta
            && !(m_model.text(call.meta->group).empty() && m_model.text(call.meta->groupRanks).empty());
    }

    void collectGroups()
    {
        bool oneStream = true;
        for (const RankCalls& rank : m_ranks) {
            oneStream &= streamCount(m_model, rank) <= 1;
            for (const Call& call : rank.calls)
                m_named |= isNamed(call);
        }
        std::map<GroupKey, std::size_t> index;
        for (std::size_t r = 0; r < m_ranks.size(); ++r) {
            for (std::size_t c = 0; c < m_ranks[r].calls.size(); ++c) {
                const Call& call = m_ranks[r].calls[c];
                if (!isNamed(call) && (m_named || !oneStream)) {
                    m_result.complete = false;
                    ++m_result.skipped;
                    continue;
                }
                const GroupKey key = keyOf(call, m_ranks[r].rank);
                const auto [found, isNew] = index.try_emplace(key, m_groups.size());
                if (isNew) {
                    m_groups.push_back({key, groupText(m_model, call), {}, {}, 0});
                    if (call.meta)
                        m_groups.back().ranks = m_ranksOfList[key.ranks];
                }
                Group& group = m_groups[found->second];
                if (group.lanes.empty() || group.lanes.back().rank != r)
                    group.lanes.push_back({r, {}});
                group.lanes.back().calls.push_back(c);
            }
        }
    }

    void matchGroup(const Group& group)
    {
        const auto lanes = group.lanes.size();
        const bool pointToPoint = group.key.from != GroupKey::collective;
        const auto most = static_cast<std::size_t>(std::max(group.key.size, 0));
        if (pointToPoint && group.key.from == GroupKey::unpaired && group.key.size != 2) {
            addAlone(group); // partners change from call to call, and the trace does not name them
        } else if (!pointToPoint && group.ranks.empty() && most > 0 && lanes > most) {
            m_result.complete = false;
            warn("Process group " + group.text + " has " + std::to_string(most) + " ranks, but "
                 + std::to_string(lanes)
                 + " ranks make calls in groups of that name and the trace does not list their members: "
                   "these calls are not matched.");
            addAlone(group);
        } else if (!pointToPoint && hasSequence(group)) {
            m_sequenced = true;
            matchBySequence(group);
        } else {
            m_ordered = true;
            matchByOrder(group);
        }
    }

    bool hasSequence(const Group& group) const
    {
        for (const Lane& lane : group.lanes) {
            for (std::size_t i = 0; i < lane.calls.size(); ++i) {
                const Call& call = callOf(lane, i);
                if (!call.meta || !call.meta->sequence)
                    return false;
            }
        }
        return true;
    }

    void addAlone(const Group& group)
    {
        for (const Lane& lane : group.lanes) {
            for (const std::size_t call : lane.calls)
                add(group, {{lane.rank, call}});
        }
    }

    void matchBySequence(const Group& group)
    {
        // Coalesced calls share a number: the k-th of a number is the same call everywhere.
        std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Member>> found;
        for (const Lane& lane : group.lanes) {
            std::unordered_map<std::int64_t, std::int64_t> seen;
            for (std::size_t i = 0; i < lane.calls.size(); ++i) {
                const std::int64_t sequence = *callOf(lane, i).meta->sequence;
                found[{sequence, seen[sequence]++}].push_back({lane.rank, lane.calls[i]});
            }
        }
        for (auto& [key, members] : found)
            add(group, std::move(members));
    }

    void matchByOrder(const Group& group)
    {
        std::vector<std::vector<AlignedCall>> sequences;
        bool equal = true;
        for (const Lane& lane : group.lanes) {
            std::vector<AlignedCall>& sequence = sequences.emplace_back();
            for (std::size_t i = 0; i < lane.calls.size(); ++i)
                sequence.push_back({signatureOf(callOf(lane, i)), callOf(lane, i).range.beginNs});
            equal &= sequence.size() == sequences.front().size()
                && std::equal(sequence.begin(), sequence.end(), sequences.front().begin(),
                              [](const AlignedCall& a, const AlignedCall& b) {
                                  return a.signature == b.signature;
                              });
        }
        std::vector<std::vector<Member>> slots;
        if (equal || !align(group, sequences, slots)) {
            slots.clear();
            for (const Lane& lane : group.lanes) {
                slots.resize(std::max(slots.size(), lane.calls.size()));
                for (std::size_t i = 0; i < lane.calls.size(); ++i)
                    slots[i].push_back({lane.rank, lane.calls[i]});
            }
        }
        for (std::vector<Member>& members : slots)
            add(group, std::move(members));
    }

    /// Merges the lanes one after the other into one sequence of slots, one per collective.
    bool align(const Group& group, const std::vector<std::vector<AlignedCall>>& sequences,
               std::vector<std::vector<Member>>& slots)
    {
        std::vector<AlignedCall> merged;
        for (std::size_t l = 0; l < sequences.size(); ++l) {
            const std::vector<AlignedCall>& sequence = sequences[l];
            const Lane& lane = group.lanes[l];
            const auto partner = alignCalls(merged, sequence);
            if (!partner) {
                warn("The ranks of process group " + group.text
                     + " made so many different calls that they were matched by their order alone.");
                m_result.complete = false;
                return false;
            }
            std::vector<AlignedCall> nextMerged;
            std::vector<std::vector<Member>> nextSlots;
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
        m_aligned = true;
        return true;
    }

    /// Ranks of the group that are loaded; where the trace does not list them, those that call it at all.
    std::size_t expectedMembers(const Group& group) const
    {
        if (group.key.from != GroupKey::collective || group.ranks.empty())
            return group.key.from != GroupKey::collective ? 0 : group.lanes.size();
        return static_cast<std::size_t>(
            std::count_if(m_ranks.begin(), m_ranks.end(), [&](const RankCalls& rank) {
                return std::find(group.ranks.begin(), group.ranks.end(), rank.rank) != group.ranks.end();
            }));
    }

    void add(const Group& group, std::vector<Member> members)
    {
        const Call& first = callOf(members.front());
        if (!std::all_of(members.begin(), members.end(),
                         [&](const Member& member) { return agree(first, callOf(member)); })) {
            ++m_result.mismatched;
            return;
        }
        const auto arrival
            = std::min_element(members.begin(), members.end(), [&](const Member& a, const Member& b) {
                  return callOf(a).range.beginNs < callOf(b).range.beginNs;
              });
        Instance instance;
        instance.group = group.text;
        instance.inWindow = callOf(*arrival).inWindow();
        instance.absent
            = static_cast<std::int32_t>(group.expected - std::min(group.expected, members.size()));
        m_result.incomplete += instance.inWindow && instance.absent > 0 ? 1 : 0;
        instance.members = std::move(members);
        m_result.all.push_back(std::move(instance));
    }

    void warn(std::string text) { m_result.warnings.push_back(std::move(text)); }

    /// A name that two sets of ranks use would mix their calls if it alone were the group.
    void warnOfCollisions()
    {
        std::map<std::uint32_t, std::set<std::string>> groupsOfName;
        for (const Group& group : m_groups) {
            std::string members;
            for (const std::int32_t rank : group.ranks)
                members += (members.empty() ? "[" : ", ") + std::to_string(rank);
            if (group.key.name != 0)
                groupsOfName[group.key.name].insert(
                    group.ranks.empty() ? std::to_string(group.key.size) + " ranks" : members + "]");
        }
        for (const auto& [name, groups] : groupsOfName) {
            if (groups.size() < 2)
                continue;
            std::string list;
            for (const std::string& text : groups)
                list += (list.empty() ? "" : "; ") + text;
            warn("The process group name " + std::string(m_model.text(StringId{name})) + " stands for "
                 + std::to_string(groups.size()) + " different groups (" + list
                 + "): their calls are kept apart.");
        }
    }

    void finish()
    {
        m_result.rule = m_sequenced && m_ordered
            ? "by process group and Seq, or the order of the calls where Seq is missing"
            : m_sequenced ? "by process group and Seq"
            : m_named     ? "by process group and order of the calls"
                          : "by the order of the calls alone (the trace names no process groups)";
        if (m_aligned)
            m_result.rule += "; orders aligned on name, type and size where ranks made different calls";
        warnOfCollisions();
        if (m_result.mismatched > 0)
            warn(callsText(m_result.mismatched) + " left out: name, type or size differs between the ranks.");
        if (m_result.incomplete > 0)
            warn(callsText(m_result.incomplete)
                 + " of the window without a rank whose trace is there: an event was dropped, or a capture "
                   "began late or ended early.");
        if (m_result.skipped > 0 && m_ranks.size() > 1)
            warn(callsText(m_result.skipped)
                 + " not matched across the ranks: the trace names no process group for them, and more than "
                   "one stream communicates.");
        // In time order, so that lists of instances read like the timeline.
        std::stable_sort(m_result.all.begin(), m_result.all.end(), [&](const Instance& a, const Instance& b) {
            return callOf(a.members.front()).range.beginNs < callOf(b.members.front()).range.beginNs;
        });
    }

    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    Instances m_result;
    std::vector<Group> m_groups;
    std::unordered_map<std::uint32_t, std::uint32_t> m_listOfText;
    std::map<std::string, std::uint32_t> m_lists;
    std::map<std::uint32_t, std::vector<std::int32_t>> m_ranksOfList;
    bool m_named = false, m_sequenced = false, m_ordered = false, m_aligned = false;
};

} // namespace

Instances matchCalls(const TraceModel& model, const std::vector<RankCalls>& ranks)
{
    return Matcher(model, ranks).match();
}

} // namespace collscope
