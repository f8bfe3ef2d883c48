// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/unrecognised_communication.h"

#include "model/interval_set.h"
#include "model/kernels/communication_rules.h"
#include "model/queries/world_size.h"

#include <algorithm>
#include <map>
#include <utility>

namespace collscope {

namespace {

/// Kernels of one stream, including its overflow lanes.
struct StreamKernels
{
    std::vector<TimeRange> ranges;
    std::map<std::uint32_t, std::int64_t> nsByName;
    std::int64_t ns = 0;
};

using Streams = std::map<std::pair<std::int32_t, std::int32_t>, StreamKernels>; ///< by device and stream

/// Work on streams other than the busiest one, in the timeline that has the most of it.
struct BesideBusiest
{
    std::int64_t ns = 0;
    std::map<std::uint32_t, std::int64_t> nsByName;
};

bool communicatesAnywhere(const TraceModel& model)
{
    return std::any_of(model.timelines.begin(), model.timelines.end(), [](const Timeline& timeline) {
        return (timeline.summary && timeline.summary->communicates)
            || std::any_of(timeline.collectives.begin(), timeline.collectives.end(),
                           [](const CollectiveCall& call) { return call.onGpu; });
    });
}

Streams streamsOf(const TraceModel& model, const Timeline& timeline, std::int64_t& kernels)
{
    Streams streams;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        const SliceColumns& slices = track.slices;
        if (track.kind != TrackKind::GpuStream)
            continue;
        StreamKernels& stream = streams[{track.device, track.stream}];
        for (std::size_t row = 0; row < slices.size(); ++row) {
            if (slices.category[row] != SliceCategory::Kernel)
                continue;
            ++kernels;
            stream.ns += slices.durationNs[row];
            stream.ranges.push_back(slices.range(row));
            stream.nsByName[slices.name[row].value] += slices.durationNs[row];
        }
    }
    return streams;
}

/// Streams with at least a tenth of the kernel time and 5 ms, of which half runs while the busiest stream of
/// the device is active. Overlapped communication looks like this, and so does a second compute stream.
BesideBusiest besideBusiest(const Streams& streams)
{
    constexpr std::int64_t leastNs = 5'000'000;
    BesideBusiest beside;
    std::map<std::int32_t, const StreamKernels*> busiest;
    std::int64_t all = 0;
    for (const auto& [place, stream] : streams) {
        const StreamKernels*& most = busiest[place.first];
        most = !most || stream.ns > most->ns ? &stream : most;
        all += stream.ns;
    }
    for (const auto& [place, stream] : streams) {
        const StreamKernels* most = busiest[place.first];
        if (most == &stream || stream.ns < leastNs || stream.ns * 10 < all)
            continue;
        const IntervalSet own(stream.ranges);
        if (2 * own.intersected(IntervalSet(most->ranges)).lengthNs() < own.lengthNs())
            continue;
        beside.ns += stream.ns;
        for (const auto& [name, ns] : stream.nsByName)
            beside.nsByName[name] += ns;
    }
    return beside;
}

/// The functions with the most time; at most three.
std::string longestNames(const TraceModel& model, const BesideBusiest& beside)
{
    std::vector<std::pair<std::int64_t, std::uint32_t>> order;
    for (const auto& [name, ns] : beside.nsByName)
        order.emplace_back(-ns, name);
    std::sort(order.begin(), order.end());
    constexpr std::size_t listed = 3;
    std::string names;
    for (std::size_t i = 0; i < std::min(order.size(), listed); ++i) {
        const std::string function = functionOfKernel(model.text(StringId{order[i].second}));
        constexpr std::size_t longest = 60;
        names.append(i == 0 ? "" : ", ").append(function.substr(0, longest));
    }
    return order.size() > listed ? names + " and others" : names;
}

std::string withDecimal(std::int64_t ns)
{
    const std::int64_t tenths = (ns + 50'000) / 100'000;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms";
}

} // namespace

std::optional<std::int32_t> toldWorldSize(const TraceModel& model)
{
    return statedWorldSize(model) && !model.isWorldSizeLeast ? model.worldSize : std::nullopt;
}

void noteUnrecognisedCommunication(TraceModel& model)
{
    const std::int32_t told = toldWorldSize(model).value_or(0);
    if (told == 1 || communicatesAnywhere(model))
        return;
    std::int64_t kernels = 0;
    BesideBusiest most;
    for (const Timeline& timeline : model.timelines) {
        BesideBusiest own = besideBusiest(streamsOf(model, timeline, kernels));
        if (own.ns > most.ns)
            most = std::move(own);
    }
    const auto ranks = static_cast<std::int32_t>(model.ranks().size());
    if (kernels == 0 || (most.ns == 0 && told < 2 && ranks < 2))
        return;
    std::string text = kernels == 1
        ? "The only kernel was not recognised as communication"
        : "None of the " + std::to_string(kernels) + " kernels was recognised as communication";
    if (told > 1 || ranks > 1)
        text += ", in a run of " + std::to_string(std::max(told, ranks)) + " ranks";
    text += ".";
    if (most.ns > 0)
        text += " On one rank, kernels run for " + withDecimal(most.ns)
            + " on a stream other than the busiest one: " + longestNames(model, most) + ".";
    model.problems.add(
        Severity::Notice, "communication_not_recognised", "", 0,
        text
            + " If some of these kernels communicate, classify them with the context menu of a kernel "
              "in the timeline (Classify as communication) or with a [[communication]] rule.");
}

} // namespace collscope
