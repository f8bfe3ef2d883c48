// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/serving_passes.h"

#include "model/building/steps.h"

#include <algorithm>

namespace collscope {

namespace {

/// The pass of each name, by string id. Empty if none of the names belongs to a pass.
std::vector<std::optional<PassName>> passNames(const TraceModel& model)
{
    std::vector<std::optional<PassName>> names(model.strings.size());
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i] = passNameOf(model.text(StringId{static_cast<std::uint32_t>(i)}));
        any |= names[i].has_value();
    }
    return any ? names : std::vector<std::optional<PassName>>();
}

/// The annotations of passes in a timeline whose steps are something else (enclosing ProfilerStep#N).
std::vector<Step> annotatedPasses(const TraceModel& model, const Timeline& timeline,
                                  const std::vector<std::optional<PassName>>& names)
{
    std::vector<Step> passes;
    bool executes = false;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::CpuThread)
            continue;
        const SliceColumns& slices = track.slices;
        for (std::size_t row = 0; row < slices.size(); ++row) {
            const std::optional<PassName>& name = names[slices.name[row].value];
            if (!name
                || (slices.category[row] != SliceCategory::UserAnnotation
                    && slices.category[row] != SliceCategory::Nvtx))
                continue;
            passes.push_back({0, slices.name[row], slices.range(row)});
            executes |= name->isExecute;
        }
    }
    if (executes) // the two forms mark the same passes, one inside the other
        std::erase_if(passes, [&](const Step& pass) { return !names[pass.name.value]->isExecute; });
    std::sort(passes.begin(), passes.end(),
              [](const Step& a, const Step& b) { return a.range.beginNs < b.range.beginNs; });
    for (std::size_t i = 0; i < passes.size(); ++i)
        passes[i].number = static_cast<std::int64_t>(i);
    lastUntilGpuWorkIsDone(model, timeline, passes);
    return passes;
}

/// Precondition: `passes` is not empty.
ServingPasses divided(const TraceModel& model, const Timeline& timeline, std::vector<Step> passes)
{
    ServingPasses result;
    result.timeline = &timeline;
    result.passes = std::move(passes);
    const auto nameOf
        = [&](const Step& pass) { return passNameOf(model.text(pass.name)).value_or(PassName()); };
    const auto readsPrompt = [&](const Step& pass) {
        const PassName name = nameOf(pass);
        return name.contextTokens > 0
            || (!name.isExecute && name.kind != PassKind::Decode && name.kind != PassKind::None);
    };
    const auto begin = result.passes.begin();
    const auto end = result.passes.end();
    const auto first = std::find_if(begin, end, readsPrompt);
    if (first == end) {
        const bool allGenerate = std::all_of(
            begin, end, [&](const Step& pass) { return nameOf(pass).kind == PassKind::Decode; });
        result.prefillEnd = allGenerate ? 0 : 1;
        return result;
    }
    const auto after = std::find_if_not(first, end, readsPrompt);
    result.prefillBegin = static_cast<std::size_t>(first - begin);
    result.prefillEnd = static_cast<std::size_t>(after - begin);
    result.isInterleaved = std::any_of(after, end, readsPrompt);
    result.mixed = static_cast<std::size_t>(
        std::count_if(first, after, [&](const Step& pass) { return nameOf(pass).kind == PassKind::Mixed; }));
    return result;
}

} // namespace

PassKind passKindOf(std::string_view name)
{
    const auto pass = passNameOf(name);
    return pass ? pass->kind : PassKind::None;
}

bool namesPasses(const TraceModel& model)
{
    return !passNames(model).empty();
}

std::vector<RankPasses> findPasses(const TraceModel& model, const Selection& selection, bool xla)
{
    const std::vector<std::optional<PassName>> names = passNames(model);
    std::vector<RankPasses> ranks;
    for (const RankWindows& windows : selection.ranks) {
        RankPasses rank{windows.rank, {}};
        for (const RankWindows::Part& part : windows.parts) {
            const StepSource source = part.timeline->stepSource;
            std::vector<Step> passes;
            if (source == StepSource::ExecuteContext || source == StepSource::ServerStep
                || source == StepSource::RunBatch || (source == StepSource::XlaStep && xla))
                passes = part.timeline->steps;
            else if (!names.empty())
                passes = annotatedPasses(model, *part.timeline, names);
            if (!passes.empty())
                rank.parts.push_back(divided(model, *part.timeline, std::move(passes)));
        }
        if (!rank.parts.empty())
            ranks.push_back(std::move(rank));
    }
    return ranks;
}

} // namespace collscope
