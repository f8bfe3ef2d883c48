// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/steps.h"

#include "model/building/detected_steps.h"
#include "model/name_table.h"
#include "model/text/pass_names.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>

namespace collscope {

namespace {

/// How a name marks a step. `number` returns nullopt if it does not, else the step number, or `counted`.
struct Marker
{
    StepSource source;
    SliceCategory category;
    bool anyCategory; ///< older traces use other categories for the marker
    std::optional<std::int64_t> (*number)(std::string_view name);
};

std::optional<std::int64_t> numberAt(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

constexpr std::int64_t counted = -1; ///< the marker does not contain a number

std::optional<std::int64_t> profilerStep(std::string_view name)
{
    constexpr std::string_view prefix = "ProfilerStep#";
    return name.starts_with(prefix) ? numberAt(name.substr(prefix.size())) : std::nullopt;
}

std::optional<std::int64_t> executeContext(std::string_view name)
{
    const auto pass = passNameOf(name);
    return pass && pass->isExecute ? std::optional(counted) : std::nullopt;
}

std::optional<std::int64_t> serverStep(std::string_view name)
{
    const auto pass = passNameOf(name);
    return pass && !pass->isExecute ? std::optional(counted) : std::nullopt;
}

std::optional<std::int64_t> runBatch(std::string_view name)
{
    return name == "run_batch" || name.ends_with(": run_batch") ? std::optional(counted) : std::nullopt;
}

std::optional<std::int64_t> xlaStep(std::string_view name)
{
    return name == "$core.py:331 step" ? std::optional(counted) : std::nullopt;
}

std::optional<std::int64_t> stepMarker(std::string_view name)
{
    return name == "StepMarker" ? std::optional(counted) : std::nullopt;
}

constexpr Marker markers[] = {
    {StepSource::ProfilerStep, SliceCategory::UserAnnotation, true, profilerStep},
    {StepSource::ExecuteContext, SliceCategory::UserAnnotation, false, executeContext},
    {StepSource::ServerStep, SliceCategory::UserAnnotation, false, serverStep},
    {StepSource::RunBatch, SliceCategory::Python, false, runBatch},
    {StepSource::XlaStep, SliceCategory::Other, true, xlaStep},
    {StepSource::XlaStep, SliceCategory::Other, true, stepMarker},
};

/// What a name marks.
struct MarkedStep
{
    bool isTested = false;
    std::optional<std::int64_t> number;
};

/// The marker's slices as steps. Counted steps are numbered from 0 in time order.
std::vector<Step> stepsBy(const TraceModel& model, const Timeline& timeline, const Marker& marker)
{
    // Names repeat for every event: each is tested once.
    NameTable<MarkedStep> known;
    std::map<std::int64_t, Step> numbered;
    std::vector<Step> inOrder;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        const bool mayMark = track.kind == TrackKind::CpuThread
            || (timeline.isXla && marker.source == StepSource::XlaStep
                && track.kind == TrackKind::GpuAnnotation);
        if (!mayMark)
            continue;
        const SliceColumns& slices = track.slices;
        for (std::size_t row = 0; row < slices.size(); ++row) {
            const SliceCategory category = slices.category[row];
            if (category != marker.category && !(marker.anyCategory && !isGpuWork(category)))
                continue;
            MarkedStep& own = known[slices.name[row]];
            if (!own.isTested)
                own = {true, marker.number(model.text(slices.name[row]))};
            if (!own.number)
                continue;
            const Step step{*own.number, slices.name[row], slices.range(row)};
            if (step.number == counted)
                inOrder.push_back(step);
            else
                numbered.try_emplace(step.number, step); // one per number: a second thread repeats it
        }
    }
    std::vector<Step> steps;
    steps.reserve(numbered.size() + inOrder.size());
    for (const auto& [number, step] : numbered)
        steps.push_back(step);
    std::sort(inOrder.begin(), inOrder.end(),
              [](const Step& a, const Step& b) { return a.range.beginNs < b.range.beginNs; });
    for (Step& step : inOrder) {
        step.number = static_cast<std::int64_t>(steps.size());
        steps.push_back(step);
    }
    return steps;
}

/// XLA's StepMarker also marks fragments of a step. Only markers longer than a tenth of the longest one
/// count.
void dropShortMarkers(std::vector<Step>& steps)
{
    std::int64_t longest = 0;
    for (const Step& step : steps)
        longest = std::max(longest, step.range.lengthNs());
    std::erase_if(steps, [&](const Step& step) { return step.range.lengthNs() * 10 <= longest; });
}

/// Steps from the lane "Steps" of a device, whose slices are named by step numbers.
std::vector<Step> stepsOfDevice(const TraceModel& model, const Timeline& timeline)
{
    std::map<std::int64_t, Step> numbered;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuAnnotation || model.text(track.name) != "Steps")
            continue;
        for (std::size_t row = 0; row < track.slices.size(); ++row) {
            const StringId name = track.slices.name[row];
            if (const auto number = numberAt(model.text(name)))
                numbered.try_emplace(*number, Step{*number, name, track.slices.range(row)});
        }
    }
    std::vector<Step> steps;
    steps.reserve(numbered.size());
    for (const auto& [number, step] : numbered)
        steps.push_back(step);
    return steps;
}

void findStepsOf(const TraceModel& model, Timeline& timeline)
{
    // The reader may have set the steps: nsys has NVTX ranges of the complete file. Steps from args rank
    // below markers.
    if (timeline.summary || (!timeline.steps.empty() && timeline.stepSource != StepSource::ArgsStep))
        return;
    for (const Marker& marker : markers) {
        std::vector<Step> steps = stepsBy(model, timeline, marker);
        if (marker.number == stepMarker)
            dropShortMarkers(steps);
        if (steps.empty())
            continue;
        // A marker without a duration lasts until the next one starts.
        for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
            if (steps[i].range.isEmpty())
                steps[i].range.endNs = std::max(steps[i].range.beginNs, steps[i + 1].range.beginNs);
        }
        if (marker.source == StepSource::ExecuteContext || marker.source == StepSource::ServerStep)
            lastUntilGpuWorkIsDone(model, timeline, steps);
        timeline.steps = std::move(steps);
        timeline.stepSource = marker.source;
        return;
    }
}

/// The timeline of an XLA profile with the threads of its host, which contain the markers; nullptr = none.
const Timeline* markedHostOf(const TraceModel& model, const Timeline& device)
{
    const auto host = std::find_if(model.timelines.begin(), model.timelines.end(), [&](const Timeline& t) {
        return t.isXla && t.source == device.source && t.stepSource == StepSource::XlaStep;
    });
    return device.isXla && host != model.timelines.end() ? &*host : nullptr;
}

} // namespace

void lastUntilGpuWorkIsDone(const TraceModel& model, const Timeline& timeline, std::vector<Step>& passes)
{
    std::vector<std::int64_t> doneNs;
    doneNs.reserve(passes.size());
    for (const Step& pass : passes)
        doneNs.push_back(pass.range.endNs);
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        const SliceColumns& slices = track.slices;
        for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < slices.size(); ++row) {
            const std::uint32_t correlation = slices.correlation[row];
            const SliceRef launch = correlation != 0 ? timeline.launchOf(correlation) : SliceRef();
            if (!launch)
                continue;
            const std::int64_t launchNs = model.rangeOf(launch).beginNs;
            const auto after
                = std::upper_bound(passes.begin(), passes.end(), launchNs,
                                   [](std::int64_t ns, const Step& pass) { return ns < pass.range.beginNs; });
            if (after == passes.begin() || launchNs >= (after - 1)->range.endNs)
                continue;
            std::int64_t& done = doneNs[static_cast<std::size_t>(after - passes.begin()) - 1];
            done = std::max(done, slices.endNs(row));
        }
    }
    for (std::size_t i = 0; i < passes.size(); ++i) {
        const std::int64_t next = i + 1 < passes.size() ? passes[i + 1].range.beginNs : doneNs[i];
        passes[i].range.endNs = std::max(passes[i].range.endNs, std::min(doneNs[i], next));
    }
}

bool namesStep(std::string_view name)
{
    return std::any_of(std::begin(markers), std::end(markers),
                       [&](const Marker& marker) { return marker.number(name).has_value(); });
}

void findSteps(TraceModel& model)
{
    for (Timeline& timeline : model.timelines)
        findStepsOf(model, timeline);
    for (Timeline& timeline : model.timelines) {
        if (!timeline.steps.empty())
            continue;
        if (const Timeline* host = markedHostOf(model, timeline)) {
            timeline.steps = host->steps;
            timeline.stepSource = host->stepSource;
        }
    }
    for (Timeline& timeline : model.timelines) {
        if (timeline.steps.empty() && timeline.isXla) {
            timeline.steps = stepsOfDevice(model, timeline);
            timeline.stepSource = timeline.steps.empty() ? StepSource::WholeTrace : StepSource::XlaStep;
        }
    }
    detectSteps(model);
    for (Timeline& timeline : model.timelines) {
        if (timeline.steps.empty() && !timeline.range.isEmpty())
            timeline.steps = {Step{0, StringId{0}, timeline.range}};
    }
}

} // namespace collscope
