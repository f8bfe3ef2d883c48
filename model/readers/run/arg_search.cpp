// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/arg_search.h"

#include "model/containers/run_sort.h"
#include "model/readers/kineto/kineto_event_args.h"

#include <algorithm>
#include <utility>

namespace collscope {

namespace {

constexpr std::size_t askEvery = std::size_t{1} << 16U;

/// The events of a source whose names are wanted, in file order.
std::vector<EventLocation> placesOf(const TraceModel& model, std::size_t source, const NameTest& isWantedName)
{
    std::vector<EventLocation> places;
    NameVerdicts names(model, isWantedName);
    for (std::uint32_t t = 0; t < model.tracks.size(); ++t) {
        if (model.timeline(model.tracks[t].timeline).source.value != source)
            continue;
        const SliceColumns& slices = model.tracks[t].slices;
        for (std::uint32_t row = 0; row < slices.size(); ++row) {
            if (names.isWanted(slices.name[row]))
                places.push_back({slices.fileOffset[row], {TrackId{t}, row}});
        }
    }
    sortRuns(places.begin(), places.end(),
             [](const EventLocation& a, const EventLocation& b) { return a.offset < b.offset; });
    return places;
}

/// The slices found in a source, or the error that stopped its reading.
using Found = Result<std::vector<SliceRef>>;

/// Collects the slices of the model for which `isHit` is true; nullptr if cancelled.
template<typename IsHit>
SliceMatchesPtr collected(const TraceModel& model, const std::stop_token& stop, IsHit isHit)
{
    MatchCollector collector(model);
    for (std::uint32_t t = 0; t < model.tracks.size(); ++t) {
        const SliceColumns& slices = model.tracks[t].slices;
        for (std::uint32_t row = 0; row < slices.size(); ++row) {
            if (row % askEvery == 0 && stop.stop_requested())
                return nullptr;
            if (isHit(SliceRef{TrackId{t}, row}))
                collector.add(TrackId{t}, row);
        }
    }
    return collector.finish();
}

} // namespace

SliceMatchesPtr slicesWithKeptArg(const TraceModel& model, const ArgQuestion& question,
                                  const std::stop_token& stop)
{
    NameVerdicts names(model, question.isWantedName);
    KeptArgs kept(model, question.isWantedArg);
    return collected(model, stop, [&](SliceRef slice) {
        return names.isWanted(model.track(slice.track).slices.name[slice.row]) && kept.isWanted(slice);
    });
}

std::vector<std::size_t> sourcesWithArgs(const TraceModel& model)
{
    std::vector<std::size_t> sources;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.kind == SourceKind::Kineto)
            sources.push_back(timeline.source.value);
    }
    std::sort(sources.begin(), sources.end());
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return sources;
}

ArgSearchAnswerPtr slicesWithArgInFiles(const TraceModel& model, const ArgQuestion& question,
                                        const ArgSearchContext& context)
{
    const std::vector<std::size_t> sources = sourcesWithArgs(model);
    std::vector<Found> found(sources.size(), Found(std::vector<SliceRef>()));
    context.parallel.forEach(sources.size(), [&](std::size_t i) {
        const std::vector<EventLocation> places = placesOf(model, sources[i], question.isWantedName);
        found[i] = slicesWithArg(model, model.sources[sources[i]].path, places, question.isWantedArg,
                                 [&](std::uint64_t diskBytes) {
                                     context.progress(sources[i], diskBytes);
                                     return !context.stop.stop_requested();
                                 });
    });
    auto answer = std::make_shared<ArgSearchAnswer>();
    std::vector<SliceRef> hits;
    std::vector<bool> wasRead(model.sources.size(), false);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        wasRead[sources[i]] = found[i].has_value();
        if (found[i])
            hits.insert(hits.end(), found[i]->begin(), found[i]->end());
        else
            answer->failures.push_back(found[i].error());
    }
    std::sort(hits.begin(), hits.end());
    NameVerdicts names(model, question.isWantedName);
    KeptArgs kept(model, question.isWantedArg);
    auto hit = hits.begin();
    answer->matches = collected(model, context.stop, [&](SliceRef slice) {
        if (wasRead[model.timelineOf(slice).source.value]) {
            const bool isHit = hit != hits.end() && *hit == slice;
            hit += isHit ? 1 : 0;
            return isHit;
        }
        return names.isWanted(model.track(slice.track).slices.name[slice.row]) && kept.isWanted(slice);
    });
    return answer->matches ? answer : nullptr;
}

} // namespace collscope
