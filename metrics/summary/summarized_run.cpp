// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/summarized_run.h"

#include "model/building/fragment_clocks.h"

#include <algorithm>
#include <array>
#include <limits>

namespace collscope {

namespace {

/// A text that only equal values have.
class ContentKey
{
public:
    ContentKey& add(std::string_view text)
    {
        m_key += std::to_string(text.size());
        (m_key += ':') += text;
        return *this;
    }
    ContentKey& add(std::int64_t value)
    {
        m_key += std::to_string(value);
        m_key += ',';
        return *this;
    }
    ContentKey& add(std::optional<std::int64_t> value)
    {
        if (!value) {
            m_key += '-';
            return *this;
        }
        m_key += '=';
        return add(*value);
    }
    const std::string& text() const { return m_key; }

private:
    std::string m_key;
};

/// Where the files lie on the axis of the run.
FragmentClocks clocksOf(const std::vector<RankSummary>& ranks)
{
    std::vector<TraceFragment> files(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        files[i].timelines.emplace_back();
        files[i].timelines.back().range = ranks[i].head.range;
        files[i].hasWallClock = ranks[i].head.hasWallClock;
        files[i].clockOffsetNs = ranks[i].head.clockOffsetNs;
    }
    Diagnostics problems;
    return {files, problems};
}

/// Number of members according to the trace; without it, unlimited.
std::size_t mostMembers(const ProcessGroup& group)
{
    if (group.size > 0)
        return static_cast<std::size_t>(group.size);
    return group.ranks.empty() ? std::numeric_limits<std::size_t>::max() : group.ranks.size();
}

} // namespace

std::string_view needsDetailText(NeedsDetail reason)
{
    static constexpr std::array<std::string_view, needsDetailCount> texts{
        "its calls can be joined by their numbers",
        "the traces name no process groups, so calls are matched by order and end times",
        "sends and receives are matched by order",
        "calls of a CPU backend are matched by the order of the program",
        "some of its calls have no sequence number, so they are matched by order",
        "calls with equal sequence numbers differ in name, type or size, so order may match them better",
        "its sequence numbers count in several communicators at once",
        "more than two ranks make its sends and receives",
        "its sends and receives are not received in the order in which they were sent",
        "it has too many calls to match them by order",
        "a rank states the group in two ways",
        "the summary of a rank is damaged"};
    return texts[static_cast<std::size_t>(reason)];
}

Error cannotTell(std::string_view what, const SummarizedRun::Group& group, NeedsDetail needs)
{
    // Events of all ranks are matched as one process does. A damaged summary has to be made again.
    const std::string_view help = needs == NeedsDetail::Damaged
        ? "Reduce its file again."
        : "Read the traces, or plan the run again with --keep metrics, for all of its ranks.";
    return {Error::Kind::Unsupported,
            std::string(what) + " cannot be told from the summaries, because of process group "
                + group.group.text + ": " + std::string(needsDetailText(needs)) + ". " + std::string(help)};
}

Result<SummarizedRunPtr> SummarizedRun::make(std::vector<RankSummary> ranks)
{
    std::sort(ranks.begin(), ranks.end(),
              [](const RankSummary& a, const RankSummary& b) { return a.head.rank < b.head.rank; });
    const auto twice
        = std::adjacent_find(ranks.begin(), ranks.end(), [](const RankSummary& a, const RankSummary& b) {
              return a.head.rank == b.head.rank;
          });
    if (twice != ranks.end())
        return Error{Error::Kind::Usage,
                     "Two summaries are of rank " + std::to_string(twice->head.rank) + "."};
    auto run = std::shared_ptr<SummarizedRun>(new SummarizedRun);
    run->addTimelines(ranks);
    constexpr std::int64_t farthestNs = std::int64_t{1} << 55; // a year: sums of waits must not overflow
    for (const Timeline& timeline : run->m_model.timelines) {
        if (timeline.range.endNs > farthestNs)
            return Error{Error::Kind::Usage,
                         "The recording of rank " + std::to_string(timeline.rank)
                             + " ends more than a year after the first one begins: not the same job."};
    }
    for (std::uint32_t rank = 0; rank < ranks.size(); ++rank)
        run->addRank(rank, ranks[rank]);
    run->findGroups();
    return SummarizedRunPtr(run);
}

void SummarizedRun::addTimelines(const std::vector<RankSummary>& ranks)
{
    const FragmentClocks clocks = clocksOf(ranks);
    m_model.axisZeroNs = clocks.zeroNs;
    m_model.hasWallClock = clocks.hasWall;
    for (std::uint32_t i = 0; i < ranks.size(); ++i) {
        const SummarizedCalls& head = ranks[i].head;
        const std::int64_t shift = clocks.shifts[i];
        Timeline& timeline = m_model.timelines.emplace_back();
        timeline.rank = head.rank;
        timeline.source = {i};
        timeline.iteration = head.iteration;
        timeline.hasWallClock = head.hasWallClock;
        timeline.fileToAxisNs = shift;
        timeline.worldSize = head.worldSize;
        if (!head.host.empty())
            timeline.host = m_model.strings.intern(head.host);
        timeline.stepSource = head.stepSource;
        timeline.range = {head.range.beginNs + shift, head.range.endNs + shift};
        timeline.steps.reserve(head.steps.size());
        for (const auto& [number, range] : head.steps)
            timeline.steps.push_back({number, StringId{0}, {range.beginNs + shift, range.endNs + shift}});
        timeline.tracks = {TrackId{i}};
        Track& track = m_model.tracks.emplace_back();
        track.kind = TrackKind::GpuStream;
        track.timeline = {i};
        SliceRow kernel;
        kernel.category = SliceCategory::Kernel;
        kernel.kernelClass = KernelClass::OtherCommunication;
        track.slices.append(kernel);
        m_model.sources.emplace_back();
        if (head.worldSize)
            m_model.worldSize = std::max(m_model.worldSize.value_or(0), *head.worldSize);
    }
}

void SummarizedRun::addRank(std::uint32_t rank, RankSummary& summary)
{
    m_chunks.push_back(std::move(summary.chunks));
    m_groupsOf.push_back(std::move(summary.head.groups));
    std::vector<std::uint32_t>& kinds = m_kindsOf.emplace_back();
    for (const SummarizedKind& kind : summary.head.kinds)
        kinds.push_back(internKind(kind));
    RankCalls& calls = m_ranks.emplace_back();
    calls.rank = summary.head.rank;
    for (SummarizedGroup& group : m_groupsOf.back()) {
        calls.calls.push_back(firstCall(rank, group, kinds[group.firstWhat]));
        group.name = {}; // interned with the call
        group.description = {};
        group.ranks = {};
    }
}

std::uint32_t SummarizedRun::internKind(const SummarizedKind& kind)
{
    ContentKey key;
    key.add(static_cast<std::int64_t>(kind.kind)).add(kind.name).add(kind.elementType);
    key.add(std::int64_t{kind.hasMeta}).add(std::int64_t{kind.isOfCpu});
    key.add(static_cast<std::int64_t>(kind.annotated));
    for (const auto& value : {kind.inElements, kind.outElements, kind.payloadBytes, kind.sourceRank,
                              kind.destinationRank, kind.communicator})
        key.add(value);
    const auto [known, isNew]
        = m_kindNumbers.try_emplace(key.text(), static_cast<std::uint32_t>(m_kinds.size()));
    if (!isNew)
        return known->second;
    Call& call = m_kinds.emplace_back();
    call.kind = kind.kind;
    m_isOfCpu.push_back(kind.isOfCpu);
    m_annotated.push_back(kind.annotated);
    if (!kind.hasMeta)
        return known->second;
    CollectiveCall& meta = m_metas.emplace_back();
    meta.kind = kind.kind;
    meta.name = m_model.strings.intern(kind.name);
    meta.elementType = m_model.strings.intern(kind.elementType);
    meta.inElements = kind.inElements;
    meta.outElements = kind.outElements;
    meta.payloadBytes = kind.payloadBytes;
    meta.sourceRank = kind.sourceRank;
    meta.destinationRank = kind.destinationRank;
    meta.commsId = kind.communicator;
    call.meta = &meta;
    call.bytes = messageBytes(meta, kind.elementType);
    return known->second;
}

/// The first call of a rank in a group, with what it states about the group.
Call SummarizedRun::firstCall(std::uint32_t rank, const SummarizedGroup& group, std::uint32_t kind)
{
    Call call = m_kinds[kind];
    call.timeline = &m_model.timelines[rank];
    call.slice = {TrackId{rank}, 0};
    call.groupSize = group.size;
    call.parallelismKind = group.parallelismKind;
    call.range.beginNs = call.range.endNs = group.firstBeginNs + shiftNs(rank);
    if (!call.meta)
        return call;
    ContentKey key;
    key.add(std::int64_t{kind}).add(group.name).add(group.description).add(group.ranks);
    const CollectiveCall*& meta = m_groupMetas[key.text()];
    if (!meta) {
        CollectiveCall& own = m_metas.emplace_back(*call.meta);
        own.group = m_model.strings.intern(group.name);
        own.groupDescription = m_model.strings.intern(group.description);
        own.groupRanks = m_model.strings.intern(group.ranks);
        meta = &own;
    }
    call.meta = meta;
    return call;
}

void SummarizedRun::findGroups()
{
    m_grouped = groupCalls(m_model, m_ranks);
    for (ProcessGroup& found : m_grouped.groups) {
        Group& group = m_groups.emplace_back();
        bool isOnce = true;
        group.isNumbered = group.hasCommunicators = true;
        for (const ProcessGroup::Lane& lane : found.lanes) {
            isOnce &= lane.calls.size() == 1;
            for (const std::uint32_t own : lane.calls) {
                const SummarizedGroup& part = m_groupsOf[lane.rank][own];
                group.calls += static_cast<std::int64_t>(part.calls);
                group.isNumbered &= part.numbered == part.calls;
                group.hasCommunicators &= part.withCommunicator == part.calls;
                group.lanes.push_back({lane.rank, own});
            }
        }
        group.group = std::move(found);
        group.group.lanes.clear();
        const bool isUnpaired = group.group.kind == ProcessGroup::Kind::Unpaired && group.group.size != 2;
        const bool isTooLarge = !group.isOfPairs() && group.lanes.size() > mostMembers(group.group);
        group.hasUnknownMembers = isUnpaired || (isOnce && isTooLarge);
        if (!group.hasUnknownMembers)
            group.needs = isOnce ? whyDetail(group) : NeedsDetail::TwoNotations;
    }
    m_grouped.groups.clear();
}

NeedsDetail SummarizedRun::whyDetail(const Group& group) const
{
    if (group.group.kind == ProcessGroup::Kind::Stream)
        return NeedsDetail::NoGroupNames;
    if (group.isOfPairs())
        return NeedsDetail::PointToPoint;
    for (const Group::Lane lane : group.lanes) {
        if (m_isOfCpu[kindOf(lane.rank, ownGroup(lane).firstWhat)])
            return NeedsDetail::OnCpu;
    }
    // Of one rank, there is nothing to match.
    return group.isNumbered || group.lanes.size() < 2 ? NeedsDetail::Nothing : NeedsDetail::NoNumbers;
}

} // namespace collscope
