// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/summarized_events.h"

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/analysis/kept_events.h"
#include "metrics/core/main_thread.h"
#include "metrics/partition/summarized_partition.h"
#include "metrics/summary/stored_calls.h"
#include "model/partial/packed_steps.h"
#include "model/queries/list_job_calls.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace collscope {

namespace {

/// A hash of all events of a timeline.
class EventDigest
{
public:
    explicit EventDigest(const TraceModel& model)
        : m_model(model)
    { }

    std::uint64_t of(const Timeline& timeline)
    {
        constexpr std::size_t fewestSlices = 16; // fewer may be the same by chance
        std::size_t slices = 0;
        for (const TrackId id : timeline.tracks) {
            const Track& track = m_model.track(id);
            slices += track.slices.size();
            add(static_cast<std::uint64_t>(track.kind));
            for (const StringId text : {track.pid, track.tid})
                add(m_model.text(text));
            for (const std::int32_t number : {track.device, track.stream, std::int32_t{track.lane}})
                add(static_cast<std::uint64_t>(number));
            for (std::size_t row = 0; row < track.slices.size(); ++row) {
                add(static_cast<std::uint64_t>(track.slices.startNs[row] - timeline.fileToAxisNs));
                add(static_cast<std::uint64_t>(std::int64_t{track.slices.durationNs[row]}));
                add(hashOf(track.slices.name[row]));
            }
        }
        for (const CollectiveCall& call : timeline.collectives) {
            for (const StringId text : {call.group, call.groupRanks})
                add(text ? hashOf(text) : 0);
        }
        return slices < fewestSlices ? 0 : std::max<std::uint64_t>(m_hash, 1);
    }

private:
    static constexpr std::uint64_t prime = 0x100000001B3u; // FNV-1a

    void add(std::uint64_t value)
    {
        m_hash = (m_hash ^ value) * prime;
        m_hash ^= m_hash >> 29;
    }
    void add(std::string_view text)
    {
        add(text.size());
        for (const char c : text)
            m_hash = (m_hash ^ static_cast<unsigned char>(c)) * prime;
    }
    /// Hashed once per name.
    std::uint64_t hashOf(StringId name)
    {
        if (m_names.empty())
            m_names.resize(m_model.strings.size());
        std::uint64_t& known = m_names[name.value];
        if (known == 0) {
            const std::uint64_t before = std::exchange(m_hash, start);
            add(m_model.text(name));
            known = std::exchange(m_hash, before) | 1;
        }
        return known;
    }

    static constexpr std::uint64_t start = 0xCBF29CE484222325u;
    const TraceModel& m_model;
    std::uint64_t m_hash = start;
    std::vector<std::uint64_t> m_names;
};

/// Summarizes one timeline of a model that consists of its file alone.
class EventSummary
{
public:
    /// `names`: into which the names in the summary go.
    EventSummary(const TraceModel& model, const Timeline& timeline, StringTable& names)
        : m_model(model)
        , m_timeline(timeline)
        , m_names(names)
    {
        m_windows.push_back({0, StringId{0}, timeline.range});
        if (timeline.stepSource != StepSource::WholeTrace)
            m_windows.insert(m_windows.end(), timeline.steps.begin(), timeline.steps.end());
    }

    TimelineSummary make()
    {
        std::vector<WindowSummary> windows(m_windows.size());
        addWindows(windows);
        addThread(windows);
        summarizePartition(m_model, m_timeline, m_windows, m_names, m_summary.partition, windows);
        m_summary.whole = std::move(windows.front());
        windows.erase(windows.begin());
        m_summary.steps = packSteps(std::move(windows));
        if (m_timeline.stepSource == StepSource::Detected) {
            for (const Step& step : m_timeline.steps)
                m_summary.detectedNs.push_back(inFile(step.range).beginNs);
            m_summary.detectedNs.push_back(inFile(m_timeline.steps.back().range).endNs);
        }
        for (const TrackId id : m_timeline.tracks) {
            const Track& track = m_model.track(id);
            if (track.kind == TrackKind::GpuStream)
                m_summary.gpuEvents += static_cast<std::uint64_t>(
                    std::count_if(track.slices.category.begin(), track.slices.category.end(), isGpuWork));
        }
        if (const auto span = kernelSpan(m_model, m_timeline))
            m_summary.kernels = inFile(*span);
        m_summary.hasSeveralGpus = hasSeveralGpus(m_model, m_timeline);
        m_summary.communicates = m_summary.whole.kernels.communicationKernels > 0
            || std::any_of(m_timeline.collectives.begin(), m_timeline.collectives.end(),
                           [](const CollectiveCall& call) { return call.onGpu && call.slice; });
        addJobCalls();
        m_summary.digest = EventDigest(m_model).of(m_timeline);
        return std::move(m_summary);
    }

private:
    TimeRange inFile(TimeRange range) const
    {
        return {range.beginNs - m_timeline.fileToAxisNs, range.endNs - m_timeline.fileToAxisNs};
    }
    StringId named(StringId name) { return m_names.intern(m_model.text(name)); }

    /// The measures of metrics, with each window as the only one of a rank.
    void addWindows(std::vector<WindowSummary>& windows)
    {
        Selection selection;
        for (const Step& window : m_windows)
            selection.ranks.push_back({m_timeline.rank, {{&m_timeline, {window}}}});
        const std::vector<RankBreakdown> times = measureBreakdown(m_model, selection, {});
        std::vector<RankKernels> kernels = measureKernels(m_model, selection, {});
        for (std::size_t i = 0; i < m_windows.size(); ++i) {
            WindowSummary& window = windows[i];
            const TimeBreakdown& work = times[i].total;
            window.range = inFile(m_windows[i].range);
            std::copy(work.active.ns.begin(), work.active.ns.end(), std::begin(window.activeNs));
            window.kernelSumNs = work.kernelSumNs;
            window.communicationSumNs = work.communicationSumNs;
            window.communicationCalls = work.communicationCalls;
            window.kernelCalls = work.kernelCalls;
            window.kernels = std::move(static_cast<KernelBreakdown&>(kernels[i]));
            for (NameBreakdown& own : window.kernels.names)
                own.name = named(own.name);
        }
    }

    void addThread(std::vector<WindowSummary>& windows)
    {
        const std::vector<CpuWork> works
            = measureMainThread(m_model, {m_timeline.rank, {{&m_timeline, m_windows}}}, [] { return false; });
        for (std::size_t i = 0; i < works.size(); ++i) {
            WindowSummary& window = windows[i];
            window.selfNs = works[i].selfNs;
            window.operatorNs = works[i].operatorNs;
            window.callNs = works[i].callNs;
            window.launchBoundNs = works[i].launchBoundNs;
        }
        m_summary.hasOperators = works.front().hasOperators;
        m_summary.isThreadMarked = works.front().isMarked;
        if (m_summary.hasOperators)
            m_summary.thread = m_names.intern(works.front().thread);
    }

    void addJobCalls()
    {
        m_summary.jobCalls = listJobCalls(m_model, m_timeline);
        for (JobGroupCalls& group : m_summary.jobCalls.groups) {
            for (StringId* id : {&group.group, &group.ranks, &group.description})
                *id = *id ? named(*id) : *id;
            for (JobCallKind& kind : group.kinds)
                kind.name = kind.name ? named(kind.name) : kind.name;
            group.range = inFile(group.range);
            for (std::int64_t& time : group.numbered.beginNs)
                time -= m_timeline.fileToAxisNs;
        }
    }

    const TraceModel& m_model;
    const Timeline& m_timeline;
    StringTable& m_names;
    std::vector<Step> m_windows; ///< the whole timeline, then its steps
    TimelineSummary m_summary;
};

/// Of the calls, one for each process group: who is in it tells of the job.
void keepGroups(std::vector<CollectiveCall>& calls)
{
    std::set<std::tuple<StringId, StringId, StringId>> known;
    std::vector<CollectiveCall> groups;
    for (const CollectiveCall& call : calls) {
        if (!known.insert({call.group, call.groupDescription, call.groupRanks}).second)
            continue;
        CollectiveCall& own = groups.emplace_back();
        own.kind = call.kind;
        own.onGpu = false;
        own.group = call.group;
        own.groupDescription = call.groupDescription;
        own.groupRanks = call.groupRanks;
        own.groupSize = call.groupSize;
    }
    calls = std::move(groups);
}

void dropEvents(Timeline& timeline)
{
    timeline.tracks.clear();
    timeline.counters.clear();
    keepGroups(timeline.collectives);
    timeline.kernelDetails.clear();
    timeline.flows = {};
    timeline.syncs.clear();
    timeline.launches.clear();
    timeline.gpuSlices.clear();
}

/// Takes over the steps that were found, unless the merge decides about them.
void takeSteps(const TraceModel& model, const Timeline& found, TraceFragment& fragment, Timeline& timeline)
{
    timeline.steps.clear();
    timeline.stepSource = StepSource::WholeTrace;
    if (found.stepSource == StepSource::WholeTrace || found.stepSource == StepSource::Detected)
        return;
    timeline.stepSource = found.stepSource;
    for (Step step : found.steps) {
        step.name = fragment.strings.intern(model.text(step.name));
        step.range = {step.range.beginNs - found.fileToAxisNs, step.range.endNs - found.fileToAxisNs};
        timeline.steps.push_back(step);
    }
}

} // namespace

void summarizeEvents(TraceFragment& fragment)
{
    if (fragment.timelines.empty())
        return;
    std::vector<TraceFragment> alone;
    alone.push_back(fragment.clone());
    // Steps, threads and calls are found in a model; this one is of the file alone, as tasks know no others.
    const TraceModelPtr model = assemble(std::move(alone), {}, {});
    for (const Timeline& found : model->timelines) {
        const auto own
            = std::find_if(fragment.timelines.begin(), fragment.timelines.end(),
                           [&](const Timeline& timeline) { return timeline.tracks == found.tracks; });
        if (own == fragment.timelines.end())
            continue;
        TimelineSummary summary = EventSummary(*model, found, fragment.strings).make();
        // A merge holds one chunk of each rank in each of its groups.
        constexpr std::size_t callsPerChunk = 256;
        // Fails for a rank with several timelines in one file: its calls are not known then.
        if (const auto calls = summarizeCalls(*model, found.rank, MetricOptions(), callsPerChunk))
            summary.calls = StoredBytes(storeCalls(*calls));
        // Times that no recording has are damage to whoever reads them.
        if (!openCalls(summary.calls))
            summary.calls = {};
        takeSteps(*model, found, fragment, *own);
        own->summary = std::move(summary);
    }
    std::erase_if(fragment.timelines, [](const Timeline& timeline) { return !timeline.summary; });
    for (Timeline& timeline : fragment.timelines)
        dropEvents(timeline);
    fragment.tracks.clear();
    fragment.source.isReduced = !fragment.timelines.empty();
}

std::function<void(TraceFragment&)> reductionTo(Kept kept)
{
    switch (kept) {
    case Kept::WhatMetricsRead:
        return keepWhatMetricsRead;
    case Kept::Summaries:
        return summarizeEvents;
    case Kept::Everything:
        break;
    }
    return [](TraceFragment&) {};
}

} // namespace collscope
