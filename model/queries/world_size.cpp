// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/world_size.h"

#include "model/text/lower_case.h"
#include "model/text/rank_lists.h"
#include "model/trace_model.h"

#include <algorithm>
#include <limits>
#include <map>

namespace collscope {

namespace {

/// A lower bound for the number of ranks.
struct LowerBound
{
    std::int64_t size = 0;
    std::string_view source;

    void raise(std::int64_t atLeast, std::string_view by)
    {
        if (atLeast > size)
            *this = {atLeast, by};
    }
};

/// Number of ranks in the recording with the most ranks. Ranks of different jobs are not added up.
std::int64_t ranksFound(const TraceModel& model)
{
    std::map<std::int32_t, std::set<std::int32_t>> ofRecording;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.copyOfRank < 0)
            ofRecording[timeline.recording].insert(timeline.rank);
    }
    std::size_t most = 0;
    for (const auto& [recording, ranks] : ofRecording)
        most = std::max(most, ranks.size());
    if (model.timelines.empty())
        most = model.ranks().size();
    return static_cast<std::int64_t>(most);
}

/// The highest rank number; -1 if none is certain. A number at the end of a name may mean anything, and the
/// number of a device is not its rank, unless the name contains "rank".
std::int64_t highestRank(const TraceModel& model)
{
    std::int64_t highest = -1;
    for (const Timeline& timeline : model.timelines) {
        const std::string path = lowered(model.sources[timeline.source.value].path);
        const bool isNamed = timeline.kind == SourceKind::Kineto && path.find("rank") != std::string::npos;
        if (isNamed && !timeline.isRankAssumed && timeline.copyOfRank < 0)
            highest = std::max<std::int64_t>(highest, timeline.rank);
    }
    return highest;
}

template<typename Take>
void forEachCall(const TraceModel& model, const Take& take)
{
    for (const Timeline& timeline : model.timelines)
        std::for_each(timeline.collectives.begin(), timeline.collectives.end(), take);
    for (const ExecutionTrace& trace : model.executionTraces) {
        for (const ExecutionTrace::Call& call : trace.calls)
            take(call.meta);
    }
}

std::int64_t largestGroup(const TraceModel& model)
{
    std::int64_t largest = 0;
    const auto take = [&](const CollectiveCall& call) {
        largest = std::max<std::int64_t>(largest, call.groupSize.value_or(0));
    };
    forEachCall(model, take);
    return largest;
}

LowerBound lowerBound(const TraceModel& model)
{
    LowerBound bound;
    bound.raise(ranksFound(model), "the number of ranks found");
    bound.raise(highestRank(model) + 1, "the highest rank number");
    const std::set<std::int32_t> listed = listedRanks(model);
    if (!listed.empty())
        bound.raise(std::int64_t{*listed.rbegin()} + 1, "the ranks listed by process groups");
    bound.raise(largestGroup(model), "the largest process group of any collective");
    if (model.card)
        bound.raise(model.card->parallelism.worldSize().value_or(0),
                    "the parallelism degrees that the workload card states");
    return bound;
}

/// Size of the default process group, which contains every rank; 0 if no group has this name.
std::int64_t defaultGroupSize(const TraceModel& model)
{
    const StringId name = model.strings.find("default_pg");
    std::int64_t size = 0;
    const auto take = [&](const CollectiveCall& call) {
        if (name && call.groupDescription == name)
            size = std::max<std::int64_t>(size, call.groupSize.value_or(0));
    };
    forEachCall(model, take);
    return size;
}

/// A card may omit degrees; a TOML has defaults.
bool saysEveryDegree(const Parallelism& degrees)
{
    return degrees.worldSize() && degrees.tp && degrees.pp;
}

bool communicates(const TraceModel& model)
{
    return std::any_of(model.timelines.begin(), model.timelines.end(),
                       [](const Timeline& timeline) { return !timeline.collectives.empty(); });
}

void set(TraceModel& model, std::int64_t size, std::string source, bool isLeast)
{
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    model.worldSize = static_cast<std::int32_t>(std::min(size, most));
    model.worldSizeSource = std::move(source);
    model.isWorldSizeLeast = isLeast;
}

} // namespace

std::optional<StatedWorldSize> statedWorldSize(const TraceModel& model)
{
    std::int32_t byTraces = 0;
    for (const Timeline& timeline : model.timelines)
        byTraces = std::max(byTraces, timeline.worldSize.value_or(0));
    if (byTraces > 0)
        return StatedWorldSize{byTraces, "distributedInfo of the trace", true};
    if (model.card && model.card->totalCount)
        return StatedWorldSize{*model.card->totalCount, "total_count of the workload card"};
    if (model.card && saysEveryDegree(model.card->parallelism))
        return StatedWorldSize{*model.card->parallelism.worldSize(),
                               "parallelism degrees of the workload card"};
    if (model.trainConfig && model.trainConfig->parallelism.worldSize())
        return StatedWorldSize{*model.trainConfig->parallelism.worldSize(),
                               "parallelism degrees of the TOML"};
    if (model.measurements.gpuCount)
        return StatedWorldSize{*model.measurements.gpuCount, "gpu_count.txt"};
    return std::nullopt;
}

std::set<std::int32_t> listedRanks(const TraceModel& model)
{
    std::set<std::int32_t> listed;
    std::set<std::uint32_t> seen;
    for (const Timeline& timeline : model.timelines) {
        seen.clear();
        for (const CollectiveCall& call : timeline.collectives) {
            if (!seen.insert(call.groupRanks.value).second)
                continue;
            const std::vector<std::int32_t> ranks = parseRankList(model.text(call.groupRanks));
            // A list without the calling rank uses another numbering.
            if (std::find(ranks.begin(), ranks.end(), timeline.rank) == ranks.end())
                continue;
            for (const std::int32_t rank : ranks) {
                if (rank >= 0)
                    listed.insert(rank);
            }
        }
    }
    return listed;
}

void findWorldSize(TraceModel& model)
{
    const LowerBound bound = lowerBound(model);
    const std::optional<StatedWorldSize> stated = statedWorldSize(model);
    if (stated && (stated->isByTraces || stated->size >= bound.size))
        return set(model, stated->size, stated->source, false);
    if (const std::int64_t size = defaultGroupSize(model); size > 0 && size >= bound.size)
        return set(model, size, "the default process group of the trace", false);
    const std::string contradicted
        = stated ? "; " + stated->source + " states " + std::to_string(stated->size) : std::string();
    const bool isPart = communicates(model) || highestRank(model) > 0;
    const bool saysMore = model.card && model.card->parallelism.worldSize();
    if (ranksFound(model) > 1 || largestGroup(model) > 0 || saysMore)
        // The loaded files may still be only a part of the run.
        set(model, bound.size, std::string(bound.source) + contradicted, true);
    else if (!model.timelines.empty() && !isPart)
        set(model, bound.size, std::string(bound.source) + contradicted, false);
}

bool canHaveRanks(const TraceModel& model, std::int64_t ranks)
{
    return model.worldSize
        && (model.isWorldSizeLeast ? ranks >= *model.worldSize : ranks == *model.worldSize);
}

std::string worldSizeText(const TraceModel& model)
{
    if (!model.worldSize)
        return "an unknown number";
    return (model.isWorldSizeLeast ? "at least " : "") + std::to_string(*model.worldSize);
}

} // namespace collscope
