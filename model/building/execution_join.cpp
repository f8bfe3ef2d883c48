// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/execution_join.h"

#include "model/trace_model.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>

namespace collscope {

namespace {

/// Whether a kernel of this class can belong to that call. NCCL implements all-to-all, gather and scatter
/// with send and receive, and uneven all-gathers with broadcasts.
bool mayBeOf(KernelClass kernel, KernelClass call)
{
    if (kernel == call || kernel == KernelClass::OtherCommunication
        || call == KernelClass::OtherCommunication)
        return true;
    return (kernel == KernelClass::SendRecv && call == KernelClass::AllToAll)
        || (kernel == KernelClass::Broadcast && call == KernelClass::AllGather);
}

/// A call on the CPU and the kernels without metadata that it launched.
struct LaunchedCall
{
    std::int64_t startNs = 0;
    std::uint32_t externalId = 0;
    std::vector<std::uint32_t> kernels; ///< rows of Timeline::collectives
};

class Join
{
public:
    Join(TraceModel& model, Timeline& timeline, const ExecutionTrace& trace)
        : m_model(model)
        , m_timeline(timeline)
        , m_trace(trace)
        , m_calls(launchedCalls())
    { }

    std::size_t calls() const { return m_calls.size(); }
    std::size_t joined() const { return m_joined; } ///< number of joined calls

    /// Joins by id, if all calls of the smaller side have a partner of the same kind.
    bool byId()
    {
        std::unordered_map<std::int64_t, std::size_t> rowOfId;
        for (std::size_t row = 0; row < m_trace.calls.size(); ++row) {
            if (m_trace.calls[row].recordId != 0)
                rowOfId.try_emplace(m_trace.calls[row].recordId, row);
        }
        std::vector<Pair> pairs;
        std::set<std::size_t> used;
        for (const LaunchedCall& call : m_calls) {
            const auto found = rowOfId.find(call.externalId);
            if (found == rowOfId.end())
                continue;
            if (!matches(call, m_trace.calls[found->second].meta) || !used.insert(found->second).second)
                return false;
            pairs.emplace_back(&call, &m_trace.calls[found->second].meta);
        }
        return !pairs.empty() && pairs.size() >= std::min(m_calls.size(), m_trace.calls.size())
            && take(pairs);
    }

    /// Joins by order, if both sides have the same number of calls, of the same kinds in the same order.
    bool byOrder()
    {
        if (m_calls.size() != m_trace.calls.size())
            return false;
        std::vector<Pair> pairs;
        for (std::size_t i = 0; i < m_calls.size(); ++i) {
            if (!matches(m_calls[i], m_trace.calls[i].meta))
                return false;
            pairs.emplace_back(&m_calls[i], &m_trace.calls[i].meta);
        }
        return take(pairs);
    }

private:
    using Pair = std::pair<const LaunchedCall*, const CollectiveCall*>;

    bool matches(const LaunchedCall& call, const CollectiveCall& meta) const
    {
        return std::all_of(call.kernels.begin(), call.kernels.end(), [&](std::uint32_t row) {
            return mayBeOf(m_timeline.collectives[row].kind, meta.kind);
        });
    }

    /// The calls in the order in which they were made.
    std::vector<LaunchedCall> launchedCalls()
    {
        std::map<std::pair<std::uint32_t, std::uint32_t>, LaunchedCall> calls; // by track and row
        for (std::uint32_t i = 0; i < m_timeline.collectives.size(); ++i) {
            if (!lacksMetadata(m_timeline.collectives[i]))
                continue;
            const SliceRef made = callOf(m_timeline.collectives[i].slice);
            const SliceColumns& slices = m_model.track(made.track).slices;
            LaunchedCall& call = calls[{made.track.value, made.row}];
            call.startNs = slices.startNs[made.row];
            call.externalId = slices.externalId[made.row];
            call.kernels.push_back(i);
        }
        std::vector<LaunchedCall> sorted;
        sorted.reserve(calls.size());
        for (auto& [place, call] : calls)
            sorted.push_back(std::move(call));
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const LaunchedCall& a, const LaunchedCall& b) { return a.startNs < b.startNs; });
        return sorted;
    }

    /// The record_param_comms slice around a kernel's launch; else the launch, or the kernel itself.
    SliceRef callOf(SliceRef kernel)
    {
        const std::uint32_t correlation = m_model.track(kernel.track).slices.correlation[kernel.row];
        const SliceRef launch = correlation != 0 ? m_timeline.launchOf(correlation) : SliceRef();
        if (!launch)
            return kernel;
        const SliceColumns& slices = m_model.track(launch.track).slices;
        const std::vector<std::uint32_t>& rows = commsRowsOf(launch.track);
        const auto behind = std::upper_bound(rows.begin(), rows.end(), launch.row);
        if (behind != rows.begin() && slices.endNs(behind[-1]) >= slices.endNs(launch.row))
            return {launch.track, behind[-1]};
        return launch;
    }

    const std::vector<std::uint32_t>& commsRowsOf(TrackId track)
    {
        const auto [entry, isNew] = m_commsRows.try_emplace(track.value);
        const SliceColumns& slices = m_model.track(track).slices;
        for (std::uint32_t row = 0; isNew && row < slices.size(); ++row) {
            if (m_model.text(slices.name[row]) == "record_param_comms")
                entry->second.push_back(row);
        }
        return entry->second;
    }

    bool take(const std::vector<Pair>& pairs)
    {
        std::set<std::uint32_t> tracks;
        for (const auto& [call, meta] : pairs) {
            ++m_joined;
            for (const std::uint32_t row : call->kernels) {
                const CollectiveCall& known = m_timeline.collectives[row];
                CollectiveCall told = *meta;
                if (row != call->kernels.front()) // the call moves its bytes once
                    told.inElements = told.outElements = std::nullopt;
                if (told.kind == KernelClass::OtherCommunication)
                    told.kind = known.kind; // "coalesced" is less specific than the kernel
                told.slice = known.slice;
                told.onGpu = true;
                told.fromExecutionTrace = true;
                told.sequence = known.sequence;
                told.commsId = known.commsId;
                told.group = known.group ? known.group : told.group;
                told.groupRanks = known.groupRanks;
                told.groupSize = known.groupSize ? known.groupSize : told.groupSize;
                m_timeline.collectives[row] = told;
                m_model.tracks[known.slice.track.value].slices.kernelClass.set(known.slice.row, told.kind);
                tracks.insert(told.slice.track.value);
            }
        }
        for (const std::uint32_t track : tracks) // the index contains classes
            m_model.tracks[track].slices.buildIndex();
        return true;
    }

    TraceModel& m_model;
    Timeline& m_timeline;
    const ExecutionTrace& m_trace;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_commsRows; ///< by track
    std::vector<LaunchedCall> m_calls;
    std::size_t m_joined = 0;
};

/// Whether any kernel of these timelines lacks metadata about its call.
bool lackMetadata(const std::vector<Timeline*>& timelines)
{
    return std::any_of(timelines.begin(), timelines.end(), [](const Timeline* timeline) {
        return std::any_of(timeline->collectives.begin(), timeline->collectives.end(), lacksMetadata);
    });
}

std::string listOf(const std::set<std::int32_t>& ranks)
{
    std::string text;
    for (const std::int32_t rank : ranks)
        text.append(text.empty() ? "" : ", ").append(std::to_string(rank));
    return text;
}

} // namespace

bool lacksMetadata(const CollectiveCall& call)
{
    return call.onGpu && !call.inElements && !call.outElements && !call.payloadBytes;
}

void joinExecutionTraces(TraceModel& model)
{
    std::map<std::int32_t, std::vector<Timeline*>> timelines;
    std::map<std::int32_t, std::vector<const ExecutionTrace*>> traces;
    for (Timeline& timeline : model.timelines) {
        if (timeline.kind == SourceKind::Kineto)
            timelines[timeline.rank].push_back(&timeline);
    }
    for (const ExecutionTrace& trace : model.executionTraces)
        traces[trace.rank].push_back(&trace);
    std::set<std::int32_t> byId, byOrder, differing, several;
    std::size_t calls = 0, joined = 0; // joined by id
    for (const auto& [rank, own] : traces) {
        const auto timed = timelines.find(rank);
        if (timed == timelines.end() || !lackMetadata(timed->second))
            continue;
        if (own.size() != 1 || timed->second.size() != 1) {
            several.insert(rank);
            continue;
        }
        // Operators are the calls of CPU backends. GPU libraries record their own calls.
        static const ExecutionTrace none;
        const std::vector<ExecutionTrace::Call>& told = own.front()->calls;
        const bool isOfCpu = !told.empty() && told.front().meta.isOfCpu();
        Join join(model, *timed->second.front(), isOfCpu ? none : *own.front());
        if (join.byId()) {
            byId.insert(rank);
            calls += join.calls();
            joined += join.joined();
        } else {
            (join.byOrder() ? byOrder : differing).insert(rank);
        }
    }
    const auto note = [&](const std::set<std::int32_t>& ranks, const char* code, const std::string& what) {
        if (!ranks.empty())
            model.problems.add(Severity::Notice, code, "", 0, what + listOf(ranks) + ".");
    };
    const std::string text = "Communication kernels without metadata get their collective, sizes and group "
                             "from the execution trace of their rank, ";
    note(byId, "joined_by_id",
         text + "joined by External id (" + std::to_string(joined) + " of " + std::to_string(calls)
             + " calls): ranks ");
    note(byOrder, "joined_by_order",
         text + "joined by call order (the same number of calls of the same kinds on both sides): ranks ");
    note(several, "several_execution_traces",
         "Several execution traces or timelines were found for the same rank. It is unknown which of them "
         "belong together, so they are not joined. Ranks: ");
    note(
        differing, "execution_trace_differs",
        "Communication kernels have no sizes. The execution trace of their rank contains different calls, or "
        "a different number of calls, so it is not used. Ranks: ");
}

void notePartners(TraceModel& model)
{
    std::set<std::int32_t> timed, traced;
    for (const Timeline& timeline : model.timelines)
        timed.insert(timeline.rank);
    for (const ExecutionTrace& trace : model.executionTraces)
        traced.insert(trace.rank);
    if (timed.empty() || traced.empty())
        return;
    const auto note = [&](const std::set<std::int32_t>& own, const std::set<std::int32_t>& others,
                          std::string_view code, const char* what) {
        std::set<std::int32_t> alone;
        std::set_difference(own.begin(), own.end(), others.begin(), others.end(),
                            std::inserter(alone, alone.end()));
        if (!alone.empty())
            model.problems.add(Severity::Notice, code, "", 0, what + listOf(alone) + ".");
    };
    note(timed, traced, "no_execution_trace", "These ranks have timelines but no execution traces: ");
    note(traced, timed, "no_timeline", "These ranks have execution traces but no timelines: ");
}

} // namespace collscope
