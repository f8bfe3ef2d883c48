// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/calls/workload.h"
#include "metrics/causes/hidden_waits.h"
#include "metrics/summary/summarized_calls.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace collscope {

namespace {

/// What the calls of a group have in common, at least as fine as the groups of process_groups.cpp.
using OwnGroupKey = std::tuple<bool, std::uint32_t, std::uint32_t, std::int32_t, bool,
                               std::optional<std::int64_t>, std::optional<std::int64_t>, std::uint32_t>;

auto keyOf(const SummarizedKind& kind)
{
    return std::tie(kind.kind, kind.hasMeta, kind.isOfCpu, kind.name, kind.elementType, kind.inElements,
                    kind.outElements, kind.payloadBytes, kind.sourceRank, kind.destinationRank,
                    kind.communicator, kind.annotated);
}

struct LessKind
{
    bool operator()(const SummarizedKind& a, const SummarizedKind& b) const { return keyOf(a) < keyOf(b); }
};

class Summarizer
{
public:
    Summarizer(const TraceModel& model, const Timeline& timeline, std::size_t callsPerChunk)
        : m_model(model)
        , m_timeline(timeline)
        , m_hidden(model)
        , m_callsPerChunk(std::clamp<std::size_t>(callsPerChunk, 1, CallChunks::mostCalls))
    { }

    EncodedCalls run(const RankCalls& rank)
    {
        describe(rank.rank);
        for (const Call& call : rank.calls)
            add(call);
        for (std::size_t group = 0; group < m_entries.size(); ++group)
            encode(group);
        return std::move(m_result);
    }

private:
    struct Entry
    {
        std::int64_t communicator = 0, sequence = CallColumns::noSequence;
        const Call* call = nullptr;
        std::uint32_t what = 0;
    };

    std::int64_t ownNs(std::int64_t axisNs) const { return axisNs - m_timeline.fileToAxisNs; }

    void describe(std::int32_t rank)
    {
        SummarizedCalls& head = m_result.head;
        head.rank = rank;
        head.iteration = m_timeline.iteration;
        head.range = {ownNs(m_timeline.range.beginNs), ownNs(m_timeline.range.endNs)};
        head.hasWallClock = m_timeline.hasWallClock;
        head.clockOffsetNs = m_timeline.hasWallClock ? m_timeline.fileToAxisNs + m_model.axisZeroNs : 0;
        head.worldSize = m_timeline.worldSize;
        if (m_timeline.host)
            head.host = m_model.text(m_timeline.host);
        head.stepSource = m_timeline.stepSource;
        for (const Step& step : m_timeline.steps)
            head.steps.emplace_back(step.number,
                                    TimeRange{ownNs(step.range.beginNs), ownNs(step.range.endNs)});
    }

    std::uint32_t whatIs(const Call& call)
    {
        SummarizedKind kind;
        kind.kind = call.kind;
        kind.hasMeta = call.meta != nullptr;
        if (call.meta) {
            kind.isOfCpu = call.meta->isOfCpu();
            kind.name = m_model.text(call.meta->name);
            kind.elementType = m_model.text(call.meta->elementType);
            kind.inElements = call.meta->inElements;
            kind.outElements = call.meta->outElements;
            kind.payloadBytes = call.meta->payloadBytes;
            kind.sourceRank = call.meta->sourceRank;
            kind.destinationRank = call.meta->destinationRank;
            kind.communicator = call.meta->commsId;
        }
        if (call.rule == ParallelismRule::Annotation && isPointToPoint(m_model, call))
            kind.annotated = call.parallelismKind;
        kind.isOfCpu
            |= m_model.track(call.slice.track).slices.category[call.slice.row] == SliceCategory::CpuOp;
        const auto [known, isNew]
            = m_kinds.try_emplace(kind, static_cast<std::uint32_t>(m_result.head.kinds.size()));
        if (isNew)
            m_result.head.kinds.push_back(std::move(kind));
        return known->second;
    }

    OwnGroupKey keyOf(const Call& call) const
    {
        if (!call.meta)
            return {};
        const std::string_view name = m_model.text(call.meta->name);
        // Without both ranks of the pair, calls of all kinds are one group.
        const bool isPair = isPointToPoint(m_model, call);
        const bool isPaired = isPair && (call.meta->sourceRank || name == "send")
            && (call.meta->destinationRank || name == "recv");
        const auto none = std::optional<std::int64_t>();
        return {true,
                m_model.text(call.meta->group).empty() ? 0 : call.meta->group.value,
                m_model.text(call.meta->groupRanks).empty() ? 0 : call.meta->groupRanks.value,
                call.groupSize,
                isPair,
                isPaired ? call.meta->sourceRank : none,
                isPaired ? call.meta->destinationRank : none,
                isPaired ? call.meta->name.value : 0};
    }

    void add(const Call& call)
    {
        const std::uint32_t what = whatIs(call);
        const auto [known, isNew] = m_groups.try_emplace(keyOf(call), m_entries.size());
        if (isNew) {
            m_entries.emplace_back();
            SummarizedGroup& group = m_result.head.groups.emplace_back();
            if (call.meta) {
                group.name = m_model.text(call.meta->group);
                group.description = m_model.text(call.meta->groupDescription);
                group.ranks = m_model.text(call.meta->groupRanks);
            }
            group.size = call.groupSize;
            group.parallelismKind = call.parallelismKind;
            group.firstWhat = what;
            group.firstBeginNs = ownNs(call.range.beginNs);
        }
        Entry entry;
        entry.call = &call;
        entry.what = what;
        SummarizedGroup& group = m_result.head.groups[known->second];
        ++group.calls;
        if (call.meta && call.meta->sequence) {
            entry.sequence = *call.meta->sequence;
            entry.communicator = call.meta->commsId.value_or(0);
            ++group.numbered;
            group.withCommunicator += call.meta->commsId ? 1U : 0U;
        }
        m_entries[known->second].push_back(entry);
    }

    void encode(std::size_t index)
    {
        std::vector<Entry>& entries = m_entries[index];
        SummarizedGroup& group = m_result.head.groups[index];
        if (group.numbered == group.calls && !isPointToPoint(m_model, *entries.front().call))
            std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
                return std::tie(a.communicator, a.sequence) < std::tie(b.communicator, b.sequence);
            });
        std::vector<ChunkBytes>& chunks = m_result.chunks.emplace_back();
        for (std::size_t begin = 0; begin < entries.size(); begin += m_callsPerChunk) {
            CallColumns columns;
            for (std::size_t i = begin; i < std::min(begin + m_callsPerChunk, entries.size()); ++i)
                append(entries[i], columns);
            chunks.push_back(encodeChunk(columns));
        }
        group.chunks = static_cast<std::uint32_t>(chunks.size());
    }

    void append(const Entry& entry, CallColumns& columns)
    {
        constexpr std::int64_t anyWait = std::numeric_limits<std::int64_t>::max();
        const Call& call = *entry.call;
        columns.sequence.push_back(entry.sequence);
        columns.beginNs.push_back(ownNs(call.range.beginNs));
        columns.durationNs.push_back(call.durationNs());
        columns.what.push_back(entry.what);
        const std::int64_t feltNs = m_hidden.exposedNs(call, anyWait);
        columns.feltNs.push_back(feltNs == anyWait ? CallColumns::alwaysFelt : feltNs);
        columns.endsHidden.push_back(m_hidden.isHiddenAtEnd(call));
    }

    const TraceModel& m_model;
    const Timeline& m_timeline;
    HiddenWaits m_hidden;
    const std::size_t m_callsPerChunk;
    EncodedCalls m_result;
    std::map<SummarizedKind, std::uint32_t, LessKind> m_kinds;
    std::map<OwnGroupKey, std::size_t> m_groups;
    std::vector<std::vector<Entry>> m_entries; ///< by group
};

} // namespace

Result<EncodedCalls> summarizeCalls(const TraceModel& model, std::int32_t rank, const MetricOptions& options,
                                    std::size_t callsPerChunk)
{
    MetricOptions whole;
    whole.profileMode = options.profileMode;
    whole.hardware = options.hardware;
    whole.rank = rank;
    Selection selection = selectWholeFiles(model, whole);
    if (!selection.failure)
        selection = withCalls(model, std::move(selection));
    if (selection.failure)
        return Error{Error::Kind::NotFound, selection.failure->reason};
    if (selection.ranks.size() != 1 || selection.ranks.front().parts.size() != 1)
        return Error{Error::Kind::Unsupported, "Calls are summarized file by file, one rank each."};
    const Mesh mesh = describeWorkload(model, options.hardware.get()).mesh;
    const std::vector<RankCalls> calls = listCalls(model, selection, mesh, whole);
    return Summarizer(model, *selection.ranks.front().parts.front().timeline, callsPerChunk)
        .run(calls.front());
}

} // namespace collscope
