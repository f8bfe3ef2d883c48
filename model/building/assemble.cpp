// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/duplicate_ranks.h"
#include "model/building/execution_join.h"
#include "model/building/fragment.h"
#include "model/building/fragment_clocks.h"
#include "model/building/hang_merge.h"
#include "model/building/run_findings.h"
#include "model/building/steps.h"
#include "model/building/summary_strings.h"
#include "model/building/witness_merge.h"
#include "model/queries/recordings.h"
#include "model/queries/unrecognised_communication.h"
#include "model/queries/world_size.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace collscope {

namespace {

/// Whether a fragment contains any data of a rank.
bool isOfRank(const TraceFragment& fragment)
{
    return !fragment.timelines.empty() || !fragment.memory.empty() || !fragment.executionTraces.empty();
}

/// The ranks stated by the files of a kind, and the files without a rank.
struct RanksSaid
{
    std::set<std::int32_t> taken;
    std::vector<TraceFragment*> unknown; ///< files without a rank, in the order of their names
    std::size_t files = 0;
};

/// The rank in the content of a file takes precedence over the rank in its name.
RanksSaid takeRanksSaid(std::vector<TraceFragment>& fragments, SourceKind kind, Diagnostics& problems)
{
    RanksSaid said;
    for (TraceFragment& fragment : fragments) {
        if (fragment.source.kind != kind || !isOfRank(fragment))
            continue;
        ++said.files;
        if (fragment.isMerged) {
            for (const Timeline& timeline : fragment.timelines)
                said.taken.insert(timeline.rank);
            continue;
        }
        if (fragment.contentRank && fragment.nameRank && *fragment.contentRank != *fragment.nameRank)
            problems.add(Severity::Notice, "rank_disagrees", fragment.source.path, 0,
                         "The file states rank " + std::to_string(*fragment.contentRank)
                             + ", but its name states rank " + std::to_string(*fragment.nameRank)
                             + ". The rank in the file is used.");
        const std::optional<std::int32_t> rank
            = fragment.contentRank ? fragment.contentRank : fragment.nameRank;
        fragment.source.rank = rank;
        if (rank)
            said.taken.insert(*rank);
        else
            said.unknown.push_back(&fragment);
    }
    return said;
}

void assumeRank(TraceFragment& fragment, std::int32_t rank)
{
    fragment.source.rank = rank;
    for (Timeline& timeline : fragment.timelines)
        timeline.isRankAssumed = true;
}

/// Assigns ranks to all fragments of a kind: by content, else by name, else in the order of the names.
void assignRanks(std::vector<TraceFragment>& fragments, SourceKind kind, Diagnostics& problems)
{
    auto [taken, unknown, files] = takeRanksSaid(fragments, kind, problems);
    std::set<std::string> processes;
    for (const TraceFragment* fragment : unknown)
        processes.insert(fragment->process.empty() ? fragment->source.path : fragment->process);
    const bool several = files > unknown.size() || processes.size() > 1;
    // Device files count nodes. They come last, so that they do not use up the numbers of files that contain
    // ranks.
    std::stable_partition(unknown.begin(), unknown.end(),
                          [](const TraceFragment* fragment) { return !fragment->isOfDevices; });
    std::int32_t next = 0;
    std::map<std::string, std::int32_t> rankOfProcess; // all cycles of a process belong to one rank
    for (TraceFragment* fragment : unknown) {
        const auto known = rankOfProcess.find(fragment->process);
        if (!fragment->process.empty() && known != rankOfProcess.end()) {
            assumeRank(*fragment, known->second);
            continue;
        }
        while (taken.contains(next))
            ++next;
        taken.insert(next);
        rankOfProcess.emplace(fragment->process, next);
        assumeRank(*fragment, next);
        if (!fragment->isOfDevices)
            problems.add(several ? Severity::Notice : Severity::Info, "rank_guessed", fragment->source.path,
                         0,
                         "Neither the file nor its name states its rank. It is treated as rank "
                             + std::to_string(next) + ", by the order of the file names.");
    }
}

/// The rank of a device of a node; nullopt if the number is out of range.
std::optional<std::int32_t> rankInNode(std::int32_t node, std::int32_t perNode, std::int32_t device)
{
    const std::int64_t rank = static_cast<std::int64_t>(node) * perNode + device;
    return rank <= std::numeric_limits<std::int32_t>::max() ? std::optional(static_cast<std::int32_t>(rank))
                                                            : std::nullopt;
}

/// Number of devices per file if any device file contains several devices, else 0. Such files are nodes, and
/// their devices are the ranks.
std::int32_t devicesPerNode(const std::vector<TraceFragment>& fragments)
{
    constexpr std::int32_t mostDevices = 1 << 20;
    std::int32_t devices = 0;
    for (const TraceFragment& fragment : fragments) {
        if (!fragment.isOfDevices || fragment.timelines.size() < 2)
            continue;
        for (const Timeline& timeline : fragment.timelines)
            devices = std::max({devices, std::min(timeline.device, mostDevices) + 1,
                                static_cast<std::int32_t>(fragment.timelines.size())});
    }
    return devices;
}

/// Kineto: the rank of the file. A single nsys or XLA file: its devices are the ranks. Several such files:
/// each file is a rank, whichever device it used, unless the files are nodes with several devices.
void setTimelineRanks(std::vector<TraceFragment>& fragments)
{
    const auto hosts = std::count_if(fragments.begin(), fragments.end(), [](const TraceFragment& f) {
        return f.isOfDevices && !f.timelines.empty();
    });
    const std::int32_t perNode = devicesPerNode(fragments);
    for (TraceFragment& fragment : fragments) {
        if (fragment.isMerged) {
            for (Timeline& timeline : fragment.timelines)
                timeline.iteration = fragment.source.iteration;
            continue;
        }
        const std::int32_t file = fragment.source.rank.value_or(0);
        for (Timeline& timeline : fragment.timelines) {
            timeline.iteration = fragment.source.iteration;
            const std::int32_t device = std::max(timeline.device, 0);
            timeline.rank = !fragment.isOfDevices ? file
                : hosts == 1                      ? device
                : perNode > 0                     ? rankInNode(file, perNode, device).value_or(file)
                                                  : file;
        }
        if (fragment.isOfDevices)
            fragment.source.rank = fragment.timelines.size() == 1
                ? std::optional(fragment.timelines.front().rank)
                : std::nullopt;
    }
}

void shiftTimes(TimelineSummary& summary, std::int64_t shift)
{
    const auto add = [&](TimeRange& range) { range = {range.beginNs + shift, range.endNs + shift}; };
    add(summary.whole.range);
    summary.steps.shiftNs += shift;
    for (std::int64_t& time : summary.detectedNs)
        time += shift;
    for (JobGroupCalls& group : summary.jobCalls.groups) {
        add(group.range);
        for (std::int64_t& time : group.numbered.beginNs)
            time += shift;
    }
    add(summary.kernels);
}

void shiftTimes(TraceModel& model, Timeline& timeline, std::int64_t shift)
{
    const auto add = [shift](std::vector<std::int64_t>& times) {
        for (std::int64_t& time : times)
            time += shift;
    };
    for (const TrackId id : timeline.tracks) {
        add(model.tracks[id.value].slices.startNs);
        model.tracks[id.value].slices.index.shift(shift);
        add(model.tracks[id.value].instants.timeNs);
    }
    add(timeline.flows.timeNs);
    for (CounterSeries& counter : timeline.counters)
        add(counter.timeNs);
    for (Step& step : timeline.steps)
        step.range = {step.range.beginNs + shift, step.range.endNs + shift};
    timeline.range = {timeline.range.beginNs + shift, timeline.range.endNs + shift};
    if (timeline.summary)
        shiftTimes(*timeline.summary, shift);
    timeline.fileToAxisNs = shift;
}

/// Maps the ids of one fragment to the ids of the model that it is merged into.
class Remap
{
public:
    Remap(TraceModel& model, const StringTable& strings)
        : m_strings(model.strings.merge(strings))
        , m_trackBase(static_cast<std::uint32_t>(model.tracks.size()))
        , m_timelineBase(static_cast<std::uint32_t>(model.timelines.size()))
    { }

    void operator()(StringId& id) const { id = id ? m_strings[id.value] : id; }
    void operator()(TrackId& id) const { id.value += id ? m_trackBase : 0; }
    void operator()(TimelineId& id) const { id.value += m_timelineBase; }
    template<typename T>
    void operator()(std::vector<T>& ids) const
    {
        for (T& id : ids)
            (*this)(id);
    }

private:
    std::vector<StringId> m_strings;
    std::uint32_t m_trackBase;
    std::uint32_t m_timelineBase;
};

void remapTimeline(Timeline& timeline, const Remap& remap)
{
    remap(timeline.deviceName);
    remap(timeline.backend);
    remap(timeline.host);
    remap(timeline.tracks);
    for (FlowColumns::Endpoint& place : timeline.flows.places) {
        remap(place.track);
        remap(place.kind);
    }
    for (CounterSeries& counter : timeline.counters)
        remap(counter.name);
    for (CollectiveCall& call : timeline.collectives) {
        forEachString(call, remap);
        remap(call.slice.track);
    }
    for (std::vector<LaunchLink>* links : {&timeline.launches, &timeline.gpuSlices}) {
        for (LaunchLink& link : *links)
            remap(link.slice.track);
    }
    for (Step& step : timeline.steps)
        remap(step.name);
    if (timeline.summary)
        forEachString(*timeline.summary, remap);
}

void remapSnapshot(MemorySnapshot& snapshot, const Remap& remap, std::int64_t shift)
{
    for (StackFrame& frame : snapshot.stacks.frames) {
        remap(frame.function);
        remap(frame.file);
    }
    for (MemoryDevice& device : snapshot.devices) {
        for (std::int64_t& time : device.events.timeNs)
            time += shift;
    }
    for (MemoryAnnotation& annotation : snapshot.annotations) {
        remap(annotation.name);
        annotation.range = {annotation.range.beginNs + shift, annotation.range.endNs + shift};
    }
}

/// Appends the rows of one file to the rows of the run.
template<typename T>
void appendFrom(std::vector<T>& rows, std::vector<T>& own, SourceId source)
{
    for (T& row : own) {
        row.source = source;
        rows.push_back(std::move(row));
    }
}

void mergeMeasurements(TraceModel& model, Measurements& own, SourceId source)
{
    appendFrom(model.measurements.benchmarks, own.benchmarks, source);
    appendFrom(model.measurements.trainingLogs, own.trainingLogs, source);
    appendFrom(model.measurements.gateLogs, own.gateLogs, source);
    if (!model.measurements.gpuCount)
        model.measurements.gpuCount = own.gpuCount;
}

void mergeHang(HangEvidence& hang, HangEvidence& own, SourceId source, const Remap& remap)
{
    for (FlightRecord& record : own.records) {
        forEachString(record, remap);
        record.source = source;
        hang.records.push_back(std::move(record));
    }
    const auto take = [&](auto& all, auto& some) {
        for (auto& row : some) {
            row.source = source;
            all.push_back(std::move(row));
        }
    };
    take(hang.watchdogLines, own.watchdogLines);
    take(hang.ras, own.ras);
    take(hang.stacks, own.stacks);
}

/// Moves one fragment into the model. Converts string ids, track ids and times to those of the model.
void mergeFragment(TraceModel& model, HangEvidence& hang, TraceFragment& fragment, std::int64_t shift)
{
    const Remap remap(model, fragment.strings);
    const SourceId source{static_cast<std::uint32_t>(model.sources.size())};
    for (Track& track : fragment.tracks) {
        remap(track.timeline);
        for (StringId* id : {&track.name, &track.pid, &track.tid})
            remap(*id);
        remap(track.slices.name);
        remap(track.instants.name);
        model.tracks.push_back(std::move(track));
    }
    for (Timeline& timeline : fragment.timelines) {
        timeline.source = source;
        timeline.hasWallClock = fragment.hasWallClock;
        remapTimeline(timeline, remap);
        shiftTimes(model, timeline, shift);
        model.timelines.push_back(std::move(timeline));
    }
    for (NvlinkDevice& device : fragment.nvlink) {
        device.source = source;
        for (LinkSeries& series : device.series) {
            for (std::size_t i = 0; i < series.beginNs.size(); ++i) {
                series.beginNs[i] += shift;
                series.endNs[i] += shift;
            }
            for (LinkSeries::FailedRead& read : series.failedReads)
                read.timeNs += shift;
        }
        model.nvlink.push_back(std::move(device));
    }
    for (MemorySnapshot& snapshot : fragment.memory) {
        snapshot.source = source;
        snapshot.rank = fragment.source.rank.value_or(0);
        snapshot.isOnAxis = fragment.hasWallClock && model.hasWallClock;
        remapSnapshot(snapshot, remap, shift);
        model.memory.push_back(std::move(snapshot));
    }
    for (ExecutionTrace& trace : fragment.executionTraces) {
        trace.source = source;
        trace.rank = fragment.source.rank.value_or(0);
        for (ExecutionTrace::Call& call : trace.calls)
            forEachString(call.meta, remap);
        model.executionTraces.push_back(std::move(trace));
    }
    if (fragment.hang)
        mergeHang(hang, *fragment.hang, source, remap);
    mergeMeasurements(model, fragment.measurements, source);
    model.sources.push_back(std::move(fragment.source));
}

/// Sorts the timelines by rank. Tracks keep their ids and get the new index of their timeline.
void sortTimelines(TraceModel& model)
{
    std::vector<std::uint32_t> order(model.timelines.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Timeline& x = model.timelines[a];
        const Timeline& y = model.timelines[b];
        return std::tuple(x.rank, x.kind, x.iteration) < std::tuple(y.rank, y.kind, y.iteration);
    });
    std::vector<Timeline> sorted;
    for (const std::uint32_t i : order) {
        for (const TrackId track : model.timelines[i].tracks)
            model.tracks[track.value].timeline = TimelineId{static_cast<std::uint32_t>(sorted.size())};
        sorted.push_back(std::move(model.timelines[i]));
    }
    model.timelines = std::move(sorted);
    std::stable_sort(model.executionTraces.begin(), model.executionTraces.end(),
                     [](const ExecutionTrace& a, const ExecutionTrace& b) { return a.rank < b.rank; });
    std::stable_sort(
        model.memory.begin(), model.memory.end(), [](const MemorySnapshot& a, const MemorySnapshot& b) {
            return std::tuple(a.rank, a.iteration, a.atExit) < std::tuple(b.rank, b.iteration, b.atExit);
        });
    std::stable_sort(model.nvlink.begin(), model.nvlink.end(),
                     [](const NvlinkDevice& a, const NvlinkDevice& b) {
                         return a.gpu.value_or(1 << 30) < b.gpu.value_or(1 << 30);
                     });
}

void findRange(TraceModel& model)
{
    std::optional<TimeRange> all;
    const auto take = [&](TimeRange range) {
        if (!range.isEmpty())
            all = all ? all->united(range) : range;
    };
    for (const Timeline& timeline : model.timelines)
        take(timeline.range);
    for (const NvlinkDevice& device : model.nvlink)
        take(device.range());
    // Memory history can span minutes. It extends the axis only if it overlaps the other data on it, or if it
    // is the only data.
    const std::optional<TimeRange> others = all;
    for (const MemorySnapshot& snapshot : model.memory) {
        const TimeRange own = snapshot.range();
        if (!others || (snapshot.isOnAxis && own.overlaps(*others)))
            take(own);
    }
    model.range = all.value_or(TimeRange{0, 1});
}

void warnAboutDistantCounters(TraceModel& model)
{
    std::optional<TimeRange> timelines;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.hasWallClock && !timeline.range.isEmpty())
            timelines = timelines ? timelines->united(timeline.range) : timeline.range;
    }
    for (const NvlinkDevice& device : model.nvlink) {
        if (timelines && !device.range().isEmpty() && !device.range().overlaps(*timelines))
            model.problems.add(Severity::Notice, "nvlink_elsewhere", model.sources[device.source.value].path,
                               0,
                               "The NVLink samples do not overlap the timelines in time, so their peaks "
                               "cannot be attributed to kernels.");
    }
}

} // namespace

TraceModelPtr assemble(std::vector<TraceFragment> fragments, Diagnostics problems,
                       const AssembleOptions& options)
{
    auto model = std::make_shared<TraceModel>();
    model->paths = options.paths;
    const std::filesystem::path opened
        = std::filesystem::path(options.paths.empty() ? "" : options.paths.front()).lexically_normal();
    model->given = options.given;
    model->title = !options.given.name.empty()
        ? options.given.name
        : (opened.has_filename() ? opened : opened.parent_path()).filename().string();
    model->iterationsOffered = options.iterationsOffered;

    for (const SourceTraits& format : allSourceTraits()) {
        if (format.isRanked)
            assignRanks(fragments, format.kind, problems);
    }
    setTimelineRanks(fragments);
    setDuplicatesAside(fragments, problems);
    const FragmentClocks clocks(fragments, problems);
    auto hang = std::make_shared<HangEvidence>();
    model->axisZeroNs = clocks.zeroNs;
    model->hasWallClock = clocks.hasWall;
    for (std::size_t i = 0; i < fragments.size(); ++i) {
        problems.merge(fragments[i].problems);
        if (fragments[i].card && !model->card)
            model->card = std::move(fragments[i].card);
        if (fragments[i].trainConfig && !model->trainConfig)
            model->trainConfig = std::move(fragments[i].trainConfig);
        mergeFragment(*model, *hang, fragments[i], clocks.shifts[i]);
    }
    if (model->card)
        model->card->parallelism.take(options.given.parallelism);
    if (model->trainConfig)
        model->trainConfig->parallelism.take(options.given.parallelism);
    sortTimelines(*model);
    if (!hang->isEmpty()) {
        std::vector<std::string> paths;
        for (const SourceInfo& source : model->sources)
            paths.push_back(source.path);
        settleHang(*hang, paths, problems);
        model->hang = std::move(hang);
    }
    mergeWitnesses(*model, fragments, problems);
    model->problems = std::move(problems);
    joinExecutionTraces(*model);
    findSteps(*model);
    findRecordings(*model);
    findWorldSize(*model);
    findRange(*model);
    notePartners(*model);
    noteUnrecognisedCommunication(*model);
    warnAboutDistantCounters(*model);
    noteRunFindings(*model, options);
    return model;
}

} // namespace collscope
