// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The loaded run: one immutable value that metrics and views read. Built by FragmentBuilder and load_trace,
// and never changed afterwards.

#include "model/diagnostics.h"
#include "model/execution_trace.h"
#include "model/measurements.h"
#include "model/memory_snapshot.h"
#include "model/nvlink.h"
#include "model/string_table.h"
#include "model/timeline.h"
#include "model/workload_card.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

struct HangEvidence;
struct HardwareRecord;
struct JobHistory;
struct NetworkRecord;

/// One file of the run. All its events are accounted for: eventsInFile = shown + excluded, always.
struct SourceInfo
{
    std::string path;
    SourceKind kind = SourceKind::Kineto;
    std::uint64_t bytes = 0;
    std::optional<std::int32_t> rank;
    std::int64_t iteration = -1;
    std::uint64_t eventsInFile = 0;
    std::uint64_t shown = 0; ///< in the model as slice, counter, instant, flow end or metadata
    std::uint64_t excluded = 0; ///< the rest; each has an entry in TraceModel::problems
    bool isReduced = false; ///< read from a part of a distributed run: lacks most CPU operators
};

/// All loaded data. Shared only as std::shared_ptr<const TraceModel>, without locks or setters. All times are
/// ns on one axis whose zero is the earliest slice. Axis time + axisZeroNs is wall-clock time (ns since the
/// epoch) for every timeline with hasWallClock.
struct TraceModel
{
    StringTable strings;
    std::vector<Track> tracks;
    std::vector<Timeline> timelines; ///< sorted by rank, then Kineto before nsys
    std::vector<NvlinkDevice> nvlink;
    std::vector<MemorySnapshot> memory; ///< by rank, then iteration
    std::vector<ExecutionTrace> executionTraces; ///< by rank
    /// What a job that hung left (model/hang/hang_evidence.h); nullptr if there is nothing of it.
    std::shared_ptr<const HangEvidence> hang;
    /// What other programs recorded beside the traces (model/witnesses); each nullptr if there is nothing of
    /// it.
    std::shared_ptr<const JobHistory> history;
    std::shared_ptr<const HardwareRecord> hardware;
    std::shared_ptr<const NetworkRecord> network;
    std::vector<SourceInfo> sources;
    std::optional<WorkloadCard> card;
    std::optional<TrainConfig> trainConfig;
    GivenFacts given; ///< its degrees of parallelism are already in card and trainConfig
    Measurements measurements; ///< benchmarks, training logs, gate logs stored with the traces
    Diagnostics problems;
    std::vector<std::int64_t> iterationsOffered; ///< every profiler iteration found in the directory
    std::vector<std::string> paths; ///< paths opened by the user
    std::string title; ///< for window titles: the given name, else the last part of the path
    std::int64_t axisZeroNs = 0;
    bool hasWallClock = false; ///< axisZeroNs is wall-clock time
    TimeRange range; ///< of slices and NVLink intervals, and of memory history (see assemble.cpp)
    std::optional<std::int32_t> worldSize; ///< see model/queries/world_size.h
    std::string worldSizeSource; ///< source of worldSize, in words
    bool isWorldSizeLeast = false; ///< worldSize is only a lower bound, because no source states it

    std::string_view text(StringId id) const { return strings.view(id); }
    const Track& track(TrackId id) const { return tracks[id.value]; }
    const Timeline& timeline(TimelineId id) const { return timelines[id.value]; }
    /// Index of one of this model's timelines in `timelines`: the value of its TimelineId.
    std::size_t indexOf(const Timeline& timeline) const
    {
        return static_cast<std::size_t>(&timeline - timelines.data());
    }
    const Timeline& timelineOf(SliceRef slice) const { return timelines[track(slice.track).timeline.value]; }
    TimeRange rangeOf(SliceRef slice) const { return track(slice.track).slices.range(slice.row); }
    std::string_view nameOf(SliceRef slice) const { return text(track(slice.track).slices.name[slice.row]); }
    KernelClass classOf(SliceRef slice) const { return track(slice.track).slices.kernelClass[slice.row]; }
    /// Details of a GPU slice, nullptr if it has none.
    const KernelDetail* detailOf(SliceRef slice) const;
    /// Metadata of a collective; nullptr if the slice is not one.
    const CollectiveCall* collectiveOf(SliceRef slice) const;
    /// Ranks that have a timeline, ascending.
    std::vector<std::int32_t> ranks() const;
    std::uint64_t eventCount() const; ///< events in all files
    /// True if a source was reduced, so that metrics that count CPU operators are unavailable.
    bool isReduced() const;
    /// True if a timeline has a summary in place of its events.
    bool isSummarized() const;
    std::uint64_t sliceCount() const;
};

using TraceModelPtr = std::shared_ptr<const TraceModel>;

} // namespace collscope
