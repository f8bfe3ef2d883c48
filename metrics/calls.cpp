// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/calls.h"

#include "metrics/purpose.h"
#include "metrics/step_rows.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace collscope {

namespace {

Call makeCall(const TraceModel& model, const Timeline& timeline, SliceRef slice)
{
    Call call;
    call.slice = slice;
    call.timeline = &timeline;
    call.range = model.rangeOf(slice);
    call.kind = model.classOf(slice);
    call.meta = model.collectiveOf(slice);
    if (call.meta) {
        call.bytes = messageBytes(*call.meta, model.text(call.meta->elementType));
        call.groupSize = call.meta->groupSize.value_or(0);
    }
    return call;
}

void addCalls(const TraceModel& model, const RankWindows::Part& part, const Mesh& mesh,
              const MetricOptions& options, std::vector<Call>& calls)
{
    PurposeFinder purposes(model, mesh, *part.timeline);
    const StepRows rows(model, *part.timeline, part.steps, options.attribution);
    const std::size_t before = calls.size();
    for (const TrackId id : part.timeline->tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        for (std::size_t row = 0; row < track.slices.size(); ++row) {
            if (!isCommunication(track.slices.kernelClass[row]))
                continue;
            calls.push_back(makeCall(model, *part.timeline, {id, static_cast<std::uint32_t>(row)}));
            calls.back().step = rows.stepOf(id, row);
            purposes.find(calls.back());
        }
        if (options.cancelled())
            return;
    }
    std::sort(
        calls.begin() + static_cast<std::ptrdiff_t>(before), calls.end(), [](const Call& a, const Call& b) {
            return a.range.beginNs != b.range.beginNs ? a.range.beginNs < b.range.beginNs : a.slice < b.slice;
        });
}

/// What the ranks of one collective must agree on. All-to-all with splits may differ in size.
bool agree(const TraceModel& model, const Call& a, const Call& b)
{
    if (!a.meta || !b.meta)
        return a.kind == b.kind;
    const bool sized = a.kind != KernelClass::AllToAll && a.kind != KernelClass::SendRecv;
    return a.kind == b.kind && model.text(a.meta->name) == model.text(b.meta->name)
        && model.text(a.meta->elementType) == model.text(b.meta->elementType)
        && (!sized
            || (a.meta->inElements == b.meta->inElements && a.meta->outElements == b.meta->outElements));
}

/// Number of GPU streams with communication on one rank: with one, order alone tells calls apart.
std::size_t streamCount(const RankCalls& rank)
{
    std::vector<TrackId> tracks;
    for (const Call& call : rank.calls)
        tracks.push_back(call.slice.track);
    std::sort(tracks.begin(), tracks.end());
    return static_cast<std::size_t>(std::unique(tracks.begin(), tracks.end()) - tracks.begin());
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

} // namespace

std::string_view purposeName(Purpose purpose)
{
    static constexpr std::array<std::string_view, purposeCount> names{"tp", "dp",     "pp",     "cp",
                                                                      "ep", "global", "unknown"};
    return names[static_cast<std::size_t>(purpose)];
}

std::optional<double> busFactor(KernelClass kind, std::int32_t groupSize)
{
    if (groupSize < 2)
        return std::nullopt;
    const double n = groupSize;
    switch (kind) {
    case KernelClass::AllReduce:
        return 2.0 * (n - 1.0) / n;
    case KernelClass::AllGather:
    case KernelClass::ReduceScatter:
    case KernelClass::AllToAll:
        return (n - 1.0) / n;
    default:
        return 1.0;
    }
}

std::optional<double> wireBytes(const Call& call)
{
    const auto factor = busFactor(call.kind, call.groupSize);
    if (!call.bytes || !factor)
        return std::nullopt;
    return static_cast<double>(*call.bytes) * *factor;
}

std::vector<std::int32_t> parseRankList(std::string_view text)
{
    std::vector<std::int32_t> ranks;
    if (text.find("...") != std::string_view::npos)
        return ranks;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
        std::int32_t rank = 0;
        const auto [next, error] = std::from_chars(at, end, rank);
        if (error == std::errc())
            ranks.push_back(rank);
        at = error == std::errc() ? next : at + 1;
    }
    return ranks;
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
    }
    return table;
}

Instances matchCalls(const TraceModel& model, const std::vector<RankCalls>& ranks)
{
    struct Key
    {
        std::int64_t iteration;
        std::string group;
        std::int64_t sequence; ///< -1 where the trace has none
        std::int64_t occurrence;
        auto operator<=>(const Key&) const = default;
    };
    Instances result;
    std::map<Key, Instance> found;
    bool grouped = false;
    bool sequenced = false;
    for (std::size_t r = 0; r < ranks.size(); ++r) {
        const bool oneStream = streamCount(ranks[r]) <= 1;
        std::map<Key, std::int64_t> seen;
        for (std::size_t c = 0; c < ranks[r].calls.size(); ++c) {
            const Call& call = ranks[r].calls[c];
            Key key{call.timeline->iteration, groupText(model, call), -1, 0};
            if (key.group.empty() && !oneStream) {
                result.complete = false;
                continue;
            }
            grouped |= !key.group.empty();
            if (call.meta && call.meta->sequence) {
                key.sequence = *call.meta->sequence;
                sequenced = true;
            }
            // Coalesced calls share a number; without numbers the k-th call of a group is the same call.
            key.occurrence = seen[key]++;
            Instance& instance = found[key];
            instance.group = key.group;
            instance.members.push_back({r, c});
        }
    }
    result.rule = sequenced ? "by process group and Seq"
        : grouped           ? "by process group and order of the calls"
                            : "by the order of the calls alone (the trace names no process groups)";
    for (auto& [key, instance] : found) {
        const auto callOf = [&](const Instance::Member& member) -> const Call& {
            return ranks[member.rank].calls[member.call];
        };
        const Call& first = callOf(instance.members.front());
        if (!std::all_of(
                instance.members.begin(), instance.members.end(),
                [&](const Instance::Member& member) { return agree(model, first, callOf(member)); })) {
            ++result.mismatched;
            continue;
        }
        const auto arrival = std::min_element(instance.members.begin(), instance.members.end(),
                                              [&](const Instance::Member& a, const Instance::Member& b) {
                                                  return callOf(a).range.beginNs < callOf(b).range.beginNs;
                                              });
        instance.inWindow = callOf(*arrival).inWindow();
        result.all.push_back(std::move(instance));
    }
    // In time order, so that lists of instances read like the timeline.
    std::sort(result.all.begin(), result.all.end(), [&](const Instance& a, const Instance& b) {
        const auto start = [&](const Instance& i) {
            return ranks[i.members.front().rank].calls[i.members.front().call].range.beginNs;
        };
        return start(a) < start(b);
    });
    return result;
}

} // namespace collscope
