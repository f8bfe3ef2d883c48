// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/multirank/rank_windows.h"

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

namespace {

/// The timelines of one rank that count: Kineto, else nsys, unless the profile mode says otherwise.
std::map<std::int32_t, std::vector<const Timeline*>> timelinesByRank(const TraceModel& model,
                                                                     ProfileMode mode)
{
    std::map<std::int32_t, std::vector<const Timeline*>> byRank;
    for (const SourceKind kind : {SourceKind::Kineto, SourceKind::Nsys}) {
        if ((mode == ProfileMode::Torch && kind != SourceKind::Kineto)
            || (mode == ProfileMode::Nsys && kind != SourceKind::Nsys))
            continue;
        for (const Timeline& timeline : model.timelines) {
            if (timeline.kind != kind)
                continue;
            std::vector<const Timeline*>& own = byRank[timeline.rank];
            if (own.empty() || own.front()->kind == kind)
                own.push_back(&timeline);
        }
    }
    return byRank;
}

/// `range`: that of the options in the timeline's own time.
std::vector<Step> chosenSteps(const Timeline& timeline, const MetricOptions& options,
                              std::optional<TimeRange> range)
{
    if (range)
        return timeline.range.overlaps(*range) ? std::vector{Step{0, StringId{0}, *range}}
                                               : std::vector<Step>();
    std::vector<Step> steps = timeline.steps;
    switch (options.steps.mode) {
    case StepChoice::Mode::Inner:
        if (steps.size() > 2) {
            steps.pop_back();
            steps.erase(steps.begin());
        }
        break;
    case StepChoice::Mode::All:
        break;
    case StepChoice::Mode::Range:
        std::erase_if(steps, [&](const Step& step) {
            return step.number < options.steps.first || step.number > options.steps.last;
        });
        break;
    }
    return steps;
}

std::string windowName(const MetricOptions& options)
{
    if (options.range)
        return "range";
    switch (options.steps.mode) {
    case StepChoice::Mode::Inner:
        return "inner steps";
    case StepChoice::Mode::All:
        return "all steps";
    case StepChoice::Mode::Range:
        break;
    }
    const std::string first = std::to_string(options.steps.first);
    return options.steps.first == options.steps.last
        ? "step " + first
        : "steps " + first + "-" + std::to_string(options.steps.last);
}

std::string rankList(const std::map<std::int32_t, std::vector<const Timeline*>>& byRank)
{
    std::string list;
    for (const auto& [rank, timelines] : byRank) {
        if (list.size() > 60)
            return list + ", ...";
        list += (list.empty() ? "" : ", ") + std::to_string(rank);
    }
    return list;
}

std::string scopeOf(const std::vector<RankWindows>& ranks)
{
    return ranks.size() == 1 ? "rank " + std::to_string(ranks.front().rank)
                             : std::to_string(ranks.size()) + " ranks";
}

void addWarnings(Selection& selection)
{
    std::set<StepSource> sources;
    bool graphs = false;
    for (const RankWindows& rank : selection.ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            sources.insert(part.timeline->stepSource);
            graphs |= part.timeline->graphTraceSpans > 0;
        }
    }
    if (selection.window != "range" && sources.contains(StepSource::WholeTrace))
        selection.warnings.emplace_back("No step markers were found: the whole trace counts as one step.");
    if (sources.contains(StepSource::OptimizerMarker))
        selection.warnings.emplace_back("Steps are the times from one optimizer marker to the next.");
    if (graphs)
        selection.warnings.emplace_back(
            "Some CUDA graphs were traced as a whole: the kernels inside them are unknown and not counted.");
}

} // namespace

std::int64_t RankWindows::stepCount() const
{
    std::int64_t count = 0;
    for (const Part& part : parts)
        count += static_cast<std::int64_t>(part.steps.size());
    return count;
}

std::int64_t RankWindows::windowNs() const
{
    std::int64_t sum = 0;
    for (const Part& part : parts) {
        for (const Step& step : part.steps)
            sum += step.range.lengthNs();
    }
    return sum;
}

Selection selectRanks(const TraceModel& model, const MetricOptions& options, const ClockMap& clocks)
{
    Selection selection;
    selection.window = windowName(options);
    auto byRank = timelinesByRank(model, options.profileMode);
    if (byRank.empty()) {
        const char* wanted = options.profileMode == ProfileMode::Torch ? "no PyTorch profiler (Kineto) trace"
            : options.profileMode == ProfileMode::Nsys                 ? "no Nsight Systems SQLite export"
                                                       : "no timeline (Kineto JSON or Nsight SQLite export)";
        selection.failure = MetricResult::missingInput(std::string("The run has ") + wanted + ".");
        return selection;
    }
    if (options.rank) {
        const auto found = byRank.find(*options.rank);
        if (found == byRank.end()) {
            selection.failure = MetricResult::missingInput("The run has no timeline of rank "
                                                           + std::to_string(*options.rank) + "; it has ranks "
                                                           + rankList(byRank) + ".");
            return selection;
        }
        byRank = {{found->first, found->second}};
    }
    std::set<SourceKind> kinds;
    for (const auto& [rank, timelines] : byRank) {
        RankWindows windows;
        windows.rank = rank;
        for (const Timeline* timeline : timelines) {
            kinds.insert(timeline->kind);
            const auto index = model.indexOf(*timeline);
            const auto range
                = options.range ? std::optional(clocks.fromAxis(index, *options.range)) : std::nullopt;
            windows.parts.push_back({timeline, chosenSteps(*timeline, options, range)});
        }
        if (windows.stepCount() > 0)
            selection.ranks.push_back(std::move(windows));
    }
    for (const SourceKind kind : kinds)
        selection.source += (selection.source.empty() ? "" : "+") + std::string(sourceKindName(kind));
    if (selection.ranks.empty()) {
        selection.failure = MetricResult::notApplicable(
            options.range ? std::string("The range lies outside the traced time.")
                          : "No step of the run is in the window (" + selection.window + ").");
        return selection;
    }
    selection.scope = scopeOf(selection.ranks);
    addWarnings(selection);
    return selection;
}

bool hasGpuWork(const TraceModel& model, const RankWindows& rank)
{
    for (const RankWindows::Part& part : rank.parts) {
        for (const TrackId id : part.timeline->tracks) {
            const Track& track = model.track(id);
            if (track.kind != TrackKind::GpuStream)
                continue;
            const std::vector<SliceCategory>& categories = track.slices.category;
            if (std::any_of(categories.begin(), categories.end(), isGpuWork))
                return true;
        }
    }
    return false;
}

Selection withGpuWork(const TraceModel& model, Selection selection)
{
    if (selection.failure)
        return selection;
    std::string without;
    std::erase_if(selection.ranks, [&](const RankWindows& rank) {
        if (hasGpuWork(model, rank))
            return false;
        if (without.size() < 40)
            without += (without.empty() ? "" : ", ") + std::to_string(rank.rank);
        return true;
    });
    if (selection.ranks.empty()) {
        selection.failure = MetricResult::missingInput(
            "The trace holds no GPU work (no kernel, copy or memset): record it with GPU activities "
            "(torch.profiler with ProfilerActivity.CUDA, nsys --trace=cuda).");
        selection.failure->source = selection.source;
        return selection;
    }
    if (!without.empty()) {
        selection.warnings.push_back("Left out, because their files hold no GPU work: ranks " + without
                                     + ".");
        selection.scope = scopeOf(selection.ranks);
    }
    return selection;
}

Selection selectWholeFiles(const TraceModel& model, const MetricOptions& options)
{
    MetricOptions everyStep = options;
    everyStep.range.reset();
    everyStep.steps.mode = StepChoice::Mode::All;
    Selection selection = selectRanks(model, everyStep, ClockMap());
    selection.window = "whole file";
    selection.warnings.clear(); // they are about steps
    for (RankWindows& rank : selection.ranks) {
        for (RankWindows::Part& part : rank.parts)
            part.steps = {Step{0, StringId{0}, part.timeline->range}};
    }
    return selection;
}

} // namespace collscope
