// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/calls/process_groups.h"

#include "model/queries/recordings.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

namespace collscope {

namespace {

using Kind = ProcessGroup::Kind;

/// Properties that calls must share to be compared.
struct GroupKey
{
    std::int64_t iteration = -1;
    std::int32_t recording = 0;
    std::uint32_t name = 0;
    std::uint32_t ranks = 0; ///< index of the rank list
    std::int32_t size = 0;
    std::int32_t stream
        = -1; ///< index of the communicating stream of the rank; only for calls without a group name
    std::int64_t from = -1, to = -1; ///< the pair of a point-to-point call
    Kind kind = Kind::Collective;
    friend bool operator==(const GroupKey&, const GroupKey&) = default;
};

struct GroupKeyHash
{
    std::size_t operator()(const GroupKey& key) const
    {
        std::uint64_t hash = 0;
        for (const std::uint64_t part :
             {static_cast<std::uint64_t>(key.iteration), static_cast<std::uint64_t>(key.recording),
              std::uint64_t{key.name}, std::uint64_t{key.ranks}, static_cast<std::uint64_t>(key.size),
              static_cast<std::uint64_t>(key.stream), static_cast<std::uint64_t>(key.from),
              static_cast<std::uint64_t>(key.to), static_cast<std::uint64_t>(key.kind)}) {
            hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
        return hash;
    }
};

/// Indexes of the communicating streams of a rank, in stream order; all lanes of a stream have the same
/// index.
std::map<TrackId, std::int32_t> streamsOf(const TraceModel& model, const RankCalls& rank)
{
    std::map<std::tuple<const Timeline*, std::int32_t, std::int32_t>, std::vector<TrackId>> streams;
    std::set<TrackId> seen;
    TrackId last;
    for (const Call& call : rank.calls) {
        if (call.slice.track == last)
            continue;
        last = call.slice.track;
        if (!seen.insert(last).second)
            continue;
        const Track& track = model.track(last);
        const std::int32_t stream = track.kind == TrackKind::CpuThread
            ? 0 // threads of a backend share one queue
            : track.stream >= 0 ? track.stream
                                : -1 - static_cast<std::int32_t>(last.value);
        streams[{call.timeline, track.device, stream}].push_back(last);
    }
    std::map<TrackId, std::int32_t> ordinals;
    std::map<const Timeline*, std::int32_t> next;
    for (const auto& [stream, tracks] : streams) {
        const std::int32_t ordinal = next[std::get<0>(stream)]++;
        for (const TrackId track : tracks)
            ordinals[track] = ordinal;
    }
    return ordinals;
}

std::int32_t streamCount(const std::map<TrackId, std::int32_t>& ordinals)
{
    std::int32_t most = -1;
    for (const auto& [track, ordinal] : ordinals)
        most = std::max(most, ordinal);
    return most + 1;
}

std::string listText(const std::vector<std::int32_t>& ranks)
{
    std::string text;
    for (const std::int32_t rank : ranks)
        text += (text.empty() ? "[" : ", ") + std::to_string(rank);
    return text + "]";
}

class Grouping
{
public:
    Grouping(const TraceModel& model, const std::vector<RankCalls>& ranks)
        : m_model(model)
        , m_ranks(ranks)
        , m_recordings(recordingsOf(model))
    { }

    GroupedCalls run()
    {
        collect();
        orderCpuCalls();
        joinRenamed();
        for (ProcessGroup& group : m_result.groups)
            group.expected = expectedMembers(group);
        warnOfCollisions();
        return std::move(m_result);
    }

private:
    /// Index of a rank list; lists with the same ranks have the same index in any notation.
    std::uint32_t rankListOf(StringId text)
    {
        const auto [known, isNew] = m_listOfText.try_emplace(text.value, 0u);
        if (!isNew)
            return known->second;
        std::vector<std::int32_t> ranks = parseRankList(m_model.text(text));
        std::sort(ranks.begin(), ranks.end());
        const std::string canonical = ranks.empty() ? std::string(m_model.text(text)) : listText(ranks);
        known->second
            = m_lists.try_emplace(canonical, static_cast<std::uint32_t>(m_lists.size())).first->second;
        m_ranksOfList[known->second] = std::move(ranks);
        return known->second;
    }

    std::int32_t recordingOf(const Call& call) const { return m_recordings[m_model.indexOf(*call.timeline)]; }

    bool isNamed(const Call& call) const
    {
        return call.meta
            && !(m_model.text(call.meta->group).empty() && m_model.text(call.meta->groupRanks).empty());
    }

    GroupKey keyOf(const Call& call, std::int32_t rank)
    {
        GroupKey key;
        key.iteration = call.timeline->iteration;
        key.recording = recordingOf(call);
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
        key.kind = paired ? Kind::Pair : Kind::Unpaired;
        key.from = paired ? *from : -1;
        key.to = paired ? *to : -1;
        return key;
    }

    void collect()
    {
        // Without metadata each stream is treated as a group, which is a guess if a rank has several.
        std::vector<std::map<TrackId, std::int32_t>> streams;
        bool severalStreams = false;
        for (const RankCalls& rank : m_ranks) {
            streams.push_back(streamsOf(m_model, rank));
            severalStreams |= streamCount(streams.back()) > 1;
            for (const Call& call : rank.calls)
                m_result.isNamed |= isNamed(call);
        }
        std::unordered_map<GroupKey, std::size_t, GroupKeyHash> index;
        for (std::uint32_t r = 0; r < m_ranks.size(); ++r) {
            for (std::uint32_t c = 0; c < m_ranks[r].calls.size(); ++c) {
                const Call& call = m_ranks[r].calls[c];
                const bool named = isNamed(call);
                const bool isOneOfSeveral
                    = call.meta && call.meta->isOfCpu() && call.timeline->processGroups > 1;
                if (!named && (m_result.isNamed || isOneOfSeveral)) {
                    m_result.ungrouped.emplace_back(r, c);
                    continue;
                }
                GroupKey key = keyOf(call, m_ranks[r].rank);
                if (!named) {
                    key.kind = Kind::Stream;
                    key.stream = streams[r].at(call.slice.track);
                }
                const auto [found, isNew] = index.try_emplace(key, m_result.groups.size());
                if (isNew) {
                    addGroup(key, call);
                    m_result.groups.back().isOneOfSeveral = !named && severalStreams && m_ranks.size() > 1;
                }
                ProcessGroup& group = m_result.groups[found->second];
                // A stream may be used for several kinds of parallelism.
                if (group.kind == Kind::Stream && group.parallelismKind != call.parallelismKind)
                    group.parallelismKind = ParallelismKind::Unknown;
                if (group.lanes.empty() || group.lanes.back().rank != r)
                    group.lanes.push_back({r, {}});
                group.lanes.back().calls.push_back(c);
            }
        }
    }

    /// Sorts the calls of a CPU backend in program order: several threads run the calls of a group, so they
    /// may start in a different order.
    void orderCpuCalls()
    {
        for (ProcessGroup& group : m_result.groups) {
            for (ProcessGroup::Lane& lane : group.lanes) {
                const std::vector<Call>& calls = m_ranks[lane.rank].calls;
                const auto placeOf = [&](std::uint32_t call) {
                    const CollectiveCall* const meta = calls[call].meta;
                    return meta && meta->order ? *meta->order : -1;
                };
                if (placeOf(lane.calls.front()) >= 0)
                    std::stable_sort(
                        lane.calls.begin(), lane.calls.end(),
                        [&](std::uint32_t a, std::uint32_t b) { return placeOf(a) < placeOf(b); });
            }
        }
    }

    void addGroup(const GroupKey& key, const Call& call)
    {
        ProcessGroup& group = m_result.groups.emplace_back();
        m_keys.push_back(key);
        group.kind = key.kind;
        group.from = key.from;
        group.to = key.to;
        group.iteration = key.iteration;
        group.recording = key.recording;
        group.size = key.size;
        group.parallelismKind = call.parallelismKind;
        group.text = groupText(m_model, call);
        if (key.kind == Kind::Pair)
            group.text += (group.text.empty() ? "" : " ") + std::to_string(key.from) + "\u2192"
                + std::to_string(key.to);
        if (!call.meta)
            return;
        group.name = m_model.text(call.meta->group);
        // PyTorch writes this where the program gave none (torch/distributed/distributed_c10d.py).
        if (const std::string_view text = m_model.text(call.meta->groupDescription); text != "undefined")
            group.description = text;
        group.ranks = m_ranksOfList[key.ranks];
    }

    /// Number of loaded ranks of the group; if the trace does not list the ranks, the number of ranks with
    /// calls in it.
    std::size_t expectedMembers(const ProcessGroup& group) const
    {
        if (group.kind == Kind::Pair || group.kind == Kind::Unpaired)
            return 0;
        if (group.ranks.empty())
            return group.lanes.size();
        return loadedRanks(group);
    }

    std::size_t loadedRanks(const ProcessGroup& group) const
    {
        std::size_t loaded = 0;
        const auto last = group.ranks.end();
        for (auto own = group.ranks.begin(); own != last; own = std::upper_bound(own, last, *own)) {
            const RankCalls* const rank = callsOf(m_ranks, *own);
            if (rank && (rank->calls.empty() || recordingOf(rank->calls.front()) == group.recording))
                ++loaded;
        }
        return loaded;
    }

    /// Joins groups that have the same ranks and are each used by only some of them: one group with several
    /// names. Descriptions must be equal; several candidates are joined in the order of their first calls.
    void joinRenamed()
    {
        std::vector<bool> gone(m_result.groups.size(), false);
        std::map<std::tuple<std::int64_t, std::int32_t, std::uint32_t, std::int64_t, std::int64_t, Kind>,
                 std::vector<std::size_t>>
            sameRanks;
        for (std::size_t g = 0; g < m_result.groups.size(); ++g) {
            const GroupKey& key = m_keys[g];
            const ProcessGroup& group = m_result.groups[g];
            if (!group.ranks.empty() && group.lanes.size() < loadedRanks(group))
                sameRanks[{key.iteration, key.recording, key.ranks, key.from, key.to, key.kind}].push_back(g);
        }
        for (auto& [key, groups] : sameRanks) {
            if (groups.size() < 2)
                continue;
            std::stable_sort(groups.begin(), groups.end(), [&](std::size_t a, std::size_t b) {
                return firstCallNs(m_result.groups[a]) < firstCallNs(m_result.groups[b]);
            });
            for (std::size_t i = 0; i < groups.size(); ++i) {
                for (std::size_t j = i + 1; j < groups.size() && !gone[groups[i]]; ++j)
                    gone[groups[j]]
                        = gone[groups[j]] || join(m_result.groups[groups[i]], m_result.groups[groups[j]]);
            }
        }
        std::size_t kept = 0;
        for (std::size_t g = 0; g < m_result.groups.size(); ++g) {
            if (gone[g])
                continue;
            if (kept != g)
                m_result.groups[kept] = std::move(m_result.groups[g]);
            ++kept;
        }
        m_result.groups.resize(kept);
    }

    /// Time from the first call of the rank to the first call of the group: comparable between ranks with
    /// different clocks.
    std::int64_t firstCallNs(const ProcessGroup& group) const
    {
        const ProcessGroup::Lane& lane = group.lanes.front();
        const std::vector<Call>& calls = m_ranks[lane.rank].calls;
        return calls[lane.calls.front()].range.beginNs - calls.front().range.beginNs;
    }

    bool join(ProcessGroup& into, ProcessGroup& from)
    {
        if (into.description != from.description || into.name == from.name || from.lanes.empty())
            return false;
        for (const ProcessGroup::Lane& lane : from.lanes) {
            if (std::any_of(into.lanes.begin(), into.lanes.end(),
                            [&](const ProcessGroup::Lane& own) { return own.rank == lane.rank; }))
                return false;
        }
        m_result.warnings.push_back("The process group with ranks " + listText(into.ranks) + " is named "
                                    + into.name + " on some of them and " + from.name
                                    + " on others: it is treated as one group.");
        std::move(from.lanes.begin(), from.lanes.end(), std::back_inserter(into.lanes));
        from.lanes.clear();
        std::sort(into.lanes.begin(), into.lanes.end(),
                  [](const auto& a, const auto& b) { return a.rank < b.rank; });
        return true;
    }

    /// Warns about names used by several sets of ranks. Grouping by name alone would mix their calls.
    void warnOfCollisions()
    {
        std::map<std::string, std::set<std::string>> groupsOfName;
        for (const ProcessGroup& group : m_result.groups) {
            if (!group.name.empty())
                groupsOfName[group.name].insert(group.ranks.empty() ? std::to_string(group.size) + " ranks"
                                                                    : listText(group.ranks));
        }
        for (const auto& [name, groups] : groupsOfName) {
            if (groups.size() < 2)
                continue;
            std::string list;
            for (const std::string& text : groups)
                list.append(list.empty() ? "" : "; ").append(text);
            m_result.warnings.push_back("The process group name " + name + " is used by "
                                        + std::to_string(groups.size()) + " different groups (" + list
                                        + "): their calls are kept separate.");
        }
    }

    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    const std::vector<std::int32_t> m_recordings; ///< by timeline
    GroupedCalls m_result;
    std::vector<GroupKey> m_keys; ///< by group, as collected
    std::unordered_map<std::uint32_t, std::uint32_t> m_listOfText;
    std::map<std::string, std::uint32_t> m_lists;
    std::map<std::uint32_t, std::vector<std::int32_t>> m_ranksOfList;
};

} // namespace

GroupedCalls groupCalls(const TraceModel& model, const std::vector<RankCalls>& ranks)
{
    return Grouping(model, ranks).run();
}

} // namespace collscope
