// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/rank_windows.h"

#include "metrics/core/common_steps.h"
#include "metrics/core/value.h"
#include "model/cpu_calls.h"
#include "model/text/rank_ranges.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace collscope {

namespace {

/// The timelines used for each rank: Kineto, else nsys, else another format, in the order of the formats,
/// unless the profile mode selects one of the first two.
std::map<std::int32_t, std::vector<const Timeline*>> timelinesByRank(const TraceModel& model,
                                                                     ProfileMode mode)
{
    std::map<std::int32_t, std::vector<const Timeline*>> byRank;
    for (const SourceTraits& format : allSourceTraits()) {
        const SourceKind kind = format.kind;
        if (!format.holdsTimeline || (mode == ProfileMode::Torch && kind != SourceKind::Kineto)
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

/// The steps of the window in one timeline. `range`: the range of the options in the timeline's own time.
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
    if (hasNoSteps(selection)) {
        selection.window = wholeTraceWindowName;
        selection.warnings.emplace_back(noStepsWarning);
    } else if (selection.window != "range" && sources.contains(StepSource::WholeTrace)) {
        selection.warnings.emplace_back(unmarkedFilesWarning);
    }
    if (selection.window != "range" && sources.contains(StepSource::Detected)) {
        selection.window = "detected " + selection.window;
        selection.warnings.emplace_back(
            "No step markers were found. The steps were detected: the sequence of kernels "
            "repeats from the first one on. If no optimizer runs in the window, they may be smaller parts of "
            "a step.");
    }
    if (sources.contains(StepSource::OptimizerMarker))
        selection.warnings.emplace_back("Each step is the time from one optimizer marker to the next.");
    if (graphs)
        selection.warnings.emplace_back("Some CUDA graphs were traced as single events: the kernels inside "
                                        "them are unknown and not counted.");
}

} // namespace

namespace {

/// The ranks, each with its own steps or the range.
Selection ranksAlone(const TraceModel& model, const MetricOptions& options, const ClockMap& clocks)
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
            selection.failure = MetricResult::missingInput("The run has no timeline for rank "
                                                           + std::to_string(*options.rank)
                                                           + ". Available ranks: " + rankList(byRank) + ".");
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
            options.range ? std::string("The range lies outside the recorded time.")
                          : "No step of the run lies in the window (" + selection.window + ").");
        return selection;
    }
    selection.scope = scopeOf(selection.ranks);
    return selection;
}

/// Adds warnings about missing ranks: a mean then does not cover all ranks.
void warnOfMissingRanks(const TraceModel& model, Selection& selection)
{
    for (const Diagnostic& problem : model.problems.entries()) {
        if (problem.code == "ranks_missing" && problem.severity >= Severity::DataLoss)
            selection.warnings.push_back(problem.explanation);
    }
}

/// Warns about truncated files, which may lack any kernels and calls.
void warnOfCutFiles(const TraceModel& model, Selection& selection)
{
    std::set<std::string_view> cut;
    for (const Diagnostic& problem : model.problems.entries()) {
        if (problem.code == "truncated")
            cut.insert(problem.file);
    }
    std::vector<std::int32_t> ranks;
    for (const RankWindows& rank : selection.ranks) {
        if (std::any_of(rank.parts.begin(), rank.parts.end(), [&](const RankWindows::Part& part) {
                return cut.contains(model.sources[part.timeline->source.value].path);
            }))
            ranks.push_back(rank.rank);
    }
    if (!ranks.empty())
        selection.warnings.push_back(
            "Some files are truncated and may lack kernels and calls that count here: "
            + rankRangesText(ranks) + ".");
}

} // namespace

Selection selectRanks(const TraceModel& model, const MetricOptions& options, const ClockMap& clocks)
{
    Selection selection = keepOneJob(model, ranksAlone(model, options, clocks));
    if (selection.failure)
        return selection;
    if (selection.ranks.size() > 1) {
        warnOfMissingRanks(model, selection);
        warnOfCutFiles(model, selection);
    }
    if (!options.range)
        selection = keepCommonSteps(std::move(selection));
    if (!selection.failure)
        addWarnings(selection);
    return selection;
}

bool hasNoSteps(const Selection& selection)
{
    return selection.window != "range"
        && std::all_of(selection.ranks.begin(), selection.ranks.end(), [](const RankWindows& rank) {
               return std::all_of(rank.parts.begin(), rank.parts.end(), [](const RankWindows::Part& part) {
                   return part.timeline->stepSource == StepSource::WholeTrace;
               });
           });
}

bool hasGpuWork(const TraceModel& model, const RankWindows& rank)
{
    for (const RankWindows::Part& part : rank.parts) {
        if (part.timeline->summary && part.timeline->summary->gpuEvents > 0)
            return true;
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
    const auto hasNone = [&](const RankWindows& rank) { return !hasGpuWork(model, rank); };
    if (std::all_of(selection.ranks.begin(), selection.ranks.end(), hasNone)) {
        selection.failure = withoutGpuWork(model, std::exchange(selection.ranks, {}));
        selection.failure->source = selection.source;
        return selection;
    }
    std::vector<std::int32_t> without;
    std::erase_if(selection.ranks, [&](const RankWindows& rank) {
        if (!hasNone(rank))
            return false;
        without.push_back(rank.rank);
        return true;
    });
    if (!without.empty()) {
        selection.warnings.push_back(
            "Excluded because their files contain no GPU work: " + rankRangesText(without) + ".");
        selection.scope = scopeOf(selection.ranks);
    }
    return selection;
}

bool hasCpuCalls(const RankWindows& rank)
{
    return std::any_of(rank.parts.begin(), rank.parts.end(), [](const RankWindows::Part& part) {
        const std::vector<CollectiveCall>& calls = part.timeline->collectives;
        return std::any_of(calls.begin(), calls.end(),
                           [](const CollectiveCall& call) { return call.isOfCpu(); });
    });
}

namespace {

/// The backend named by the ranks' files if it is the same in all of them; else "several".
std::string backendOf(const TraceModel& model, const std::vector<RankWindows>& ranks)
{
    std::set<std::string_view> names;
    for (const RankWindows& rank : ranks) {
        for (const RankWindows::Part& part : rank.parts)
            names.insert(part.timeline->backend ? model.text(part.timeline->backend) : std::string_view());
    }
    return names.size() == 1 ? std::string(*names.begin()) : "several";
}

/// "This run used only CPUs (backend gloo)".
std::string madeOnCpusText(const TraceModel& model, const std::vector<RankWindows>& ranks)
{
    const std::string backend = backendOf(model, ranks);
    const std::string how = backend.empty() ? "its files list no GPU"
        : backend == "several"              ? "backends differ"
                                            : "backend " + backend;
    return "This run used only CPUs (" + how + ")";
}

/// Communication in a trace without kernels, as recorded by NCCL's profiler or by operators on the host.
/// Empty if there is none.
std::string hostCallsText(const std::vector<RankWindows>& ranks)
{
    std::int64_t calls = 0;
    std::int64_t sized = 0;
    std::int64_t directed = 0;
    for (const RankWindows& rank : ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const CollectiveCall& call : part.timeline->collectives) {
                if (!call.slice || call.onGpu)
                    continue;
                ++calls;
                sized += call.payloadBytes || call.inElements ? 1 : 0;
                directed += call.sourceRank || call.destinationRank ? 1 : 0;
            }
        }
    }
    if (calls == 0)
        return {};
    std::string text = ", only " + countText(calls, "communication call") + " recorded on the host";
    if (sized + directed > 0)
        text += " (" + std::to_string(sized) + " with a size, " + std::to_string(directed)
            + " with a peer; the timeline shows them)";
    return text;
}

/// Whether a file shows that its rank did not use a GPU: its collectives are of a CPU backend and it names no
/// device, or it lists the devices of the host and has none.
bool isTimelineOfCpu(const TraceModel& model, const Timeline& timeline)
{
    if (timeline.kind != SourceKind::Kineto || timeline.deviceName)
        return false;
    return timeline.backend ? isCpuBackend(model.text(timeline.backend)) : timeline.saysNoGpu;
}

} // namespace

bool isCpuRun(const TraceModel& model, const std::vector<RankWindows>& ranks)
{
    return !ranks.empty() && std::all_of(ranks.begin(), ranks.end(), [&](const RankWindows& rank) {
        return !hasGpuWork(model, rank)
            && std::all_of(rank.parts.begin(), rank.parts.end(), [&](const RankWindows::Part& part) {
                   return isTimelineOfCpu(model, *part.timeline);
               });
    });
}

MetricResult withoutGpuWork(const TraceModel& model, const std::vector<RankWindows>& ranks)
{
    if (!isCpuRun(model, ranks))
        return MetricResult::missingInput(
            "The trace contains no GPU work (no kernel, copy or memset)" + hostCallsText(ranks)
            + ". Record GPU activities (torch.profiler with ProfilerActivity.CUDA, nsys --trace=cuda).");
    return MetricResult::notApplicable(madeOnCpusText(model, ranks) + ": it has no GPU work to measure.");
}

namespace {

MetricResult withoutCpuCalls(const TraceModel& model, const std::vector<RankWindows>& ranks)
{
    if (model.isSummarized())
        return MetricResult::missingInput(madeOnCpusText(model, ranks)
                                          + ", whose collectives are matched by the order of the program, "
                                            "which summaries do not tell. Plan it "
                                            "again with --keep metrics.");
    return MetricResult::missingInput(
        madeOnCpusText(model, ranks)
        + ", and the trace contains no collectives of a CPU backend (such as gloo:all_reduce or "
          "c10d::allreduce_): communication and waits cannot be measured.");
}

} // namespace

Selection withCalls(const TraceModel& model, Selection selection)
{
    Selection gpus = withGpuWork(model, selection);
    if (!gpus.failure || selection.failure)
        return gpus;
    const std::vector<RankWindows> all = selection.ranks;
    std::vector<std::int32_t> without;
    std::erase_if(selection.ranks, [&](const RankWindows& rank) {
        if (hasCpuCalls(rank))
            return false;
        without.push_back(rank.rank);
        return true;
    });
    if (selection.ranks.empty()) {
        if (isCpuRun(model, all)) {
            gpus.failure = withoutCpuCalls(model, all);
            gpus.failure->source = selection.source;
        }
        return gpus;
    }
    selection.isOfCpu = true;
    if (!without.empty()) {
        selection.warnings.push_back(
            "Excluded because their files contain no collectives: " + rankRangesText(without) + ".");
        selection.scope = scopeOf(selection.ranks);
    }
    return selection;
}

Selection selectWholeFiles(const TraceModel& model, const MetricOptions& options)
{
    MetricOptions everyStep = options;
    everyStep.range.reset();
    everyStep.steps.mode = StepChoice::Mode::All;
    Selection selection = ranksAlone(model, everyStep, ClockMap());
    selection.window = "whole file";
    for (RankWindows& rank : selection.ranks) {
        for (RankWindows::Part& part : rank.parts)
            part.steps = {Step{0, StringId{0}, part.timeline->range}};
    }
    return selection;
}

} // namespace collscope
