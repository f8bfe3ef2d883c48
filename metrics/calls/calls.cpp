// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/calls/calls.h"

#include "metrics/calls/parallelism_kind.h"
#include "metrics/core/step_rows.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace collscope {

namespace {

Call makeCall(const TraceModel& model, const Timeline& timeline, SliceRef slice)
{
    Call call;
    call.slice = slice;
    call.timeline = &timeline;
    call.range = model.rangeOf(slice);
    // An operator shows when a collective was called. It ends before the collective does, so the length of
    // the call is meaningless.
    if (model.track(slice.track).slices.category[slice.row] == SliceCategory::CpuOp)
        call.range.endNs = call.range.beginNs;
    call.kind = model.classOf(slice);
    call.meta = model.collectiveOf(slice);
    if (call.meta) {
        call.bytes = messageBytes(*call.meta, model.text(call.meta->elementType));
        call.groupSize = call.meta->groupSize.value_or(0);
    }
    return call;
}

/// A collective that consists of copies lasts from the first to the last of them.
void addCopy(const Call& copy, Call& whole)
{
    const TimeRange range = whole.range.united(copy.range);
    if (copy.range.beginNs < whole.range.beginNs)
        whole = copy;
    whole.range = range;
}

void addCalls(const TraceModel& model, const RankWindows::Part& part, const Mesh& mesh,
              const MetricOptions& options, std::vector<Call>& calls)
{
    ParallelismFinder parallelismKinds(model, mesh, *part.timeline);
    const StepRows rows(model, *part.timeline, part.steps, options.attribution);
    const std::size_t before = calls.size();
    std::unordered_map<std::uint32_t, std::size_t> copied; // calls made of several copies, by collective
    for (const TrackId id : part.timeline->tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        for (std::size_t row = 0; row < track.slices.size(); ++row) {
            if (!isCommunication(track.slices.kernelClass[row]))
                continue;
            Call call = makeCall(model, *part.timeline, {id, static_cast<std::uint32_t>(row)});
            call.step = rows.stepOf(id, row);
            parallelismKinds.find(call);
            if (track.slices.category[row] == SliceCategory::Memcpy) {
                const auto [first, isNew] = copied.try_emplace(track.slices.collective[row], calls.size());
                if (!isNew) {
                    addCopy(call, calls[first->second]);
                    continue;
                }
            }
            calls.push_back(call);
        }
        if (options.cancelled())
            return;
    }
    for (const CollectiveCall& own : part.timeline->collectives) {
        if (!own.isOfCpu() || !own.slice)
            continue;
        calls.push_back(makeCall(model, *part.timeline, own.slice));
        calls.back().step = rows.stepOf(own.slice.track, own.slice.row);
        parallelismKinds.find(calls.back());
    }
    std::sort(
        calls.begin() + static_cast<std::ptrdiff_t>(before), calls.end(), [](const Call& a, const Call& b) {
            return a.range.beginNs != b.range.beginNs ? a.range.beginNs < b.range.beginNs : a.slice < b.slice;
        });
}

} // namespace

const RankCalls* callsOf(const std::vector<RankCalls>& ranks, std::int32_t rank)
{
    const auto found
        = std::lower_bound(ranks.begin(), ranks.end(), rank,
                           [](const RankCalls& own, std::int32_t number) { return own.rank < number; });
    return found != ranks.end() && found->rank == rank ? &*found : nullptr;
}

void RankCalls::findWindow()
{
    const auto isInside = [](const Call& call) { return call.inWindow(); };
    windowBegin
        = static_cast<std::size_t>(std::find_if(calls.begin(), calls.end(), isInside) - calls.begin());
    windowEnd = static_cast<std::size_t>(calls.rend() - std::find_if(calls.rbegin(), calls.rend(), isInside));
}

std::span<const Call> RankCalls::aroundWindow() const
{
    const std::size_t end = std::min(windowEnd, calls.size());
    return std::span(calls).subspan(std::min(windowBegin, end), end - std::min(windowBegin, end));
}

std::optional<double> wireBytes(const Call& call)
{
    const auto factor = busFactor(call.kind, call.groupSize);
    if (!call.bytes || !factor)
        return std::nullopt;
    return static_cast<double>(*call.bytes) * *factor;
}

bool isPointToPoint(const TraceModel& model, const Call& call)
{
    if (!call.meta)
        return false;
    const std::string_view name = model.text(call.meta->name);
    const bool isBatch = name == "coalesced"
        && (call.kind == KernelClass::SendRecv || call.kind == KernelClass::OtherCommunication);
    return isBatch || classifyCollective(name) == KernelClass::SendRecv;
}

std::string_view callName(const TraceModel& model, const Call& call)
{
    const std::string_view name = call.meta ? model.text(call.meta->name) : std::string_view();
    return name.empty() ? kernelClassName(call.kind) : name;
}

const Step* stepOf(const RankWindows& rank, const Call& call)
{
    for (const RankWindows::Part& part : rank.parts) {
        if (part.timeline == call.timeline && call.inWindow()
            && static_cast<std::size_t>(call.step) < part.steps.size())
            return &part.steps[static_cast<std::size_t>(call.step)];
    }
    return nullptr;
}

std::string whyUnsized(const TraceModel& model, const std::vector<RankCalls>& ranks,
                       std::optional<KernelClass> kind)
{
    for (const RankCalls& rank : ranks) {
        for (const Call& call : rank.aroundWindow()) {
            const bool counts = call.inWindow() && (!kind || call.kind == *kind);
            if (counts && !call.bytes && call.meta && call.meta->elementType
                && (call.meta->inElements || call.meta->outElements))
                return "the message sizes are unknown, because the size of the element type "
                    + std::string(model.text(call.meta->elementType)) + " is unknown.";
        }
    }
    return "the trace contains no message sizes. The PyTorch profiler records them since version 2.2; an "
           "Nsight Systems export contains those of NCCL calls if it was made with `nsys export --type "
           "sqlite --include-blobs=true`.";
}

std::string borrowedText(std::int64_t borrowed, std::int64_t calls)
{
    return "The execution trace supplies the type and size of " + std::to_string(borrowed) + " of "
        + std::to_string(calls) + " calls; their kernels do not record them.";
}

std::vector<RankCalls> listCalls(const TraceModel& model, const Selection& selection, const Mesh& mesh,
                                 const MetricOptions& options)
{
    std::vector<RankCalls> table;
    for (const RankWindows& windows : selection.ranks) {
        RankCalls& rank = table.emplace_back();
        rank.rank = windows.rank;
        rank.stepCount = static_cast<double>(windows.stepCount());
        rank.windowNs = windows.windowNs();
        for (const RankWindows::Part& part : windows.parts)
            addCalls(model, part, mesh, options, rank.calls);
        rank.findWindow();
    }
    return table;
}

std::string groupText(const TraceModel& model, const Call& call)
{
    if (!call.meta)
        return {};
    std::string text(model.text(call.meta->group));
    const std::string_view ranks = model.text(call.meta->groupRanks);
    if (!ranks.empty())
        text += (text.empty() ? "" : " ") + std::string(ranks);
    return text;
}

} // namespace collscope
