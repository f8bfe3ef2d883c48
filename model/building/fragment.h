// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The result of reading one file: tracks with their own string table. The only mutable form of a trace.

#include "model/containers/unique_rows.h"
#include "model/cpu_calls.h"
#include "model/parallel.h"
#include "model/trace_model.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace collscope {

/// All data read from one file. Times are on the file's own clock; `clockOffsetNs` converts them to
/// wall-clock time if hasWallClock.
struct TraceFragment
{
    SourceInfo source;
    StringTable strings;
    Diagnostics problems;
    /// Tracks and timelines refer to each other by index within the fragment. An nsys file has one timeline
    /// per device.
    std::vector<Track> tracks;
    std::vector<Timeline> timelines;
    std::vector<NvlinkDevice> nvlink;
    std::vector<MemorySnapshot> memory;
    std::vector<ExecutionTrace> executionTraces;
    std::shared_ptr<HangEvidence> hang; ///< nullptr if the file has none; not cloned
    /// Likewise: nullptr if the file has none; not cloned.
    std::shared_ptr<JobHistory> history;
    std::shared_ptr<HardwareRecord> hardware;
    std::shared_ptr<NetworkRecord> network;
    std::optional<WorkloadCard> card;
    std::optional<TrainConfig> trainConfig;
    Measurements measurements;
    bool hasWallClock = false;
    std::int64_t clockOffsetNs = 0;
    bool isMerged = false; ///< contains several ranks, which its timelines state
    bool isOfDevices = false; ///< the timelines are devices of a host: nsys, XLA
    /// Returns a copy with its own string table, for a preview while the rest of a run is read.
    TraceFragment clone() const;
    std::string process; ///< process that wrote the file, from the file name; set by the loader
    std::optional<std::int32_t> nameRank; ///< rank by file or folder name; set by the loader
    std::optional<std::int32_t> contentRank; ///< distributedInfo.rank, or the Rank argument of collectives
};

/// Collects the events of one timeline in any order. finish() sorts, nests and links them.
class FragmentBuilder
{
public:
    explicit FragmentBuilder(StringTable& strings)
        : m_strings(&strings)
    { }
    /// Returns a builder with the same events whose ids refer to `strings`, a clone of this builder's table.
    FragmentBuilder copyFor(StringTable& strings) const
    {
        FragmentBuilder copy(*this);
        copy.m_strings = &strings;
        return copy;
    }

    /// The local index of the track for (kind, pid, tid), which is created on first use. pid and tid are as
    /// written in the file.
    std::uint32_t track(TrackKind kind, std::string_view pid, std::string_view tid);
    Track& trackAt(std::uint32_t index) { return m_tracks[index]; }
    std::size_t trackCount() const { return m_tracks.size(); }
    /// Discards all further events, for callers that only need to know how each event is handled.
    void keepNothing() { m_keepsEvents = false; }
    void addSlice(std::uint32_t track, const SliceRow& row)
    {
        if (m_keepsEvents)
            m_tracks[track].slices.append(row);
    }
    void addInstant(std::uint32_t track, std::int64_t timeNs, StringId name);
    /// Local index for flow ends of one kind ("ac2g") and phase on one thread of the file.
    std::uint32_t flowPlace(std::string_view pid, std::string_view tid, std::string_view kind,
                            FlowPhase phase);
    void addFlow(std::uint32_t place, std::int64_t timeNs, std::uint64_t id);
    /// Local index of a counter, which is created on first use.
    std::uint32_t counter(StringId name, CounterUnit unit, std::int32_t device);
    void addSample(std::uint32_t counter, std::int64_t timeNs, double value);
    void addCounter(StringId name, CounterUnit unit, std::int32_t device, std::int64_t timeNs, double value)
    {
        addSample(counter(name, unit, device), timeNs, value);
    }
    std::uint32_t addDetail(const KernelDetail& detail);
    /// Adds the metadata of the slice that is appended next with the returned index in SliceRow::collective.
    std::uint32_t addCollective(const CollectiveCall& call);
    void addSync(const SyncDetail& sync);
    void setProcessName(std::string_view pid, std::string_view name);
    void setThreadName(std::string_view pid, std::string_view tid, std::string_view name);
    /// Sets the process group of all collectives that a CPU backend executed.
    void setOnlyGroup(std::optional<OnlyGroup> group) { m_onlyGroup = std::move(group); }

    /// Reserves memory for all events, of which the events so far are this share (0 to 1), so that columns
    /// need not be moved while they grow. Memory that stays unused does not occupy RAM.
    void expectTotal(double shareRead);

    /// Moves the events of `part` to the end of this builder's events. names[i] is the id here of the part's
    /// string i. The part keeps its tracks, empty, for more events. Returns the index here of each of its
    /// tracks.
    const std::vector<std::uint32_t>& takeFrom(FragmentBuilder& part, const std::vector<StringId>& names);

    /// The name of the thread in the file; empty if it has none.
    std::string threadName(const Track& track) const;
    /// A process of the file, with its name if the file states one.
    struct Process
    {
        std::string pid, name;
    };
    /// The processes that have tracks.
    std::vector<Process> processes() const;
    using PartOf = std::function<std::size_t(const std::string& pid)>;
    /// Moves the events into this number of builders, by process. This builder is empty afterwards.
    std::vector<FragmentBuilder> split(std::size_t parts, const PartOf& partOf);

    /// Sorts and nests slices, moves overlapping slices to sibling lanes, joins kernels without metadata to
    /// their CPU events by External id, links launches, and appends the timeline and its tracks to the
    /// fragment. Steps are found later.
    /// `shouldContinue` is called now and then with the completed share, 0 to 1. If it returns false,
    /// finish() returns false and the collected events are lost.
    bool finish(
        TraceFragment& fragment, Timeline timeline, const Parallel& parallel = {},
        const std::function<bool(double)>& shouldContinue = [](double) { return true; });

private:
    void nameTracks(Timeline& timeline);
    void nameThread(Track& track);
    void nameStream(Track& track);
    static bool mostlyCommunicates(const SliceColumns& slices);
    /// Sorts slices and flows, and splits tracks into lanes.
    bool arrange(const Parallel& parallel, const std::function<bool(double)>& shouldContinue);
    void placeFlows(std::uint32_t base);
    /// The calls of collectives on the CPU.
    struct CallsOfCpu
    {
        std::unordered_map<std::uint32_t, std::uint32_t> byExternalId; ///< rows of m_collectives
        std::vector<std::vector<std::uint32_t>> rows; ///< of slices, by track
    };
    /// Row of m_collectives for the call that launched a GPU slice; noneValue if none did.
    std::uint32_t metadataOf(const Timeline& timeline, const CallsOfCpu& calls, const SliceColumns& slices,
                             std::size_t row) const;
    void joinCollectives(const Timeline& timeline);
    /// Combines the copies launched by a call without a kernel into one collective.
    void joinCopiedCollectives(const Timeline& timeline, const CallsOfCpu& calls);
    /// Maps External ids to the row of the CPU-side call in m_collectives.
    std::unordered_map<std::uint32_t, std::uint32_t> callsByExternalId() const;
    /// Rows of the CPU-side collective calls, by track.
    std::vector<std::vector<std::uint32_t>> callRows() const;
    /// The innermost of these calls that encloses a launch, as a row of m_collectives; noneValue if none
    /// does.
    std::uint32_t callEnclosing(SliceRef launch, const std::vector<std::uint32_t>& callRows) const;

    StringTable* m_strings;
    bool m_keepsEvents = true;
    std::vector<Track> m_tracks;
    struct TrackKey
    {
        StringId pid, tid;
        TrackKind kind = TrackKind::CpuThread;
        friend bool operator==(const TrackKey&, const TrackKey&) = default;
    };
    struct TrackKeyHash
    {
        std::size_t operator()(const TrackKey& key) const
        {
            return (std::size_t{key.pid.value} * 0x9E3779B97F4A7C15u + key.tid.value) * 3
                + static_cast<std::size_t>(key.kind);
        }
    };
    std::uint32_t trackOf(const TrackKey& key);
    /// Location of a flow end, as written in the file. Becomes FlowColumns::Endpoint when the tracks are
    /// settled.
    struct FlowEndpoint
    {
        StringId pid, tid, kind;
        FlowPhase phase = FlowPhase::Start;
        friend bool operator==(const FlowEndpoint&, const FlowEndpoint&) = default;
    };
    struct FlowPlaceHash
    {
        std::size_t operator()(const FlowEndpoint& place) const
        {
            constexpr std::size_t multiplier = 0x9E3779B97F4A7C15u;
            return ((std::size_t{place.pid.value} * multiplier + place.tid.value) * multiplier
                    + place.kind.value)
                * 3
                + static_cast<std::size_t>(place.phase);
        }
    };
    struct DetailHash
    {
        std::uint64_t operator()(const KernelDetail& detail) const;
    };
    std::uint32_t flowPlaceOf(const FlowEndpoint& place);
    void takeFlows(FragmentBuilder& part, const std::vector<StringId>& names);

    std::unordered_map<TrackKey, std::uint32_t, TrackKeyHash> m_trackByKey;
    std::unordered_map<std::string, std::uint32_t> m_counterByKey;
    std::unordered_map<std::string, std::string> m_processNames, m_threadNames;
    std::vector<CounterSeries> m_counters;
    UniqueRows<KernelDetail, DetailHash> m_details;
    std::vector<CollectiveCall> m_collectives;
    std::vector<SyncDetail> m_syncs;
    std::optional<OnlyGroup> m_onlyGroup;
    FlowColumns m_flows; ///< until finish(), its places refer to m_flowPlaces
    UniqueRows<FlowEndpoint, FlowPlaceHash> m_flowPlaces;
    /// For a part: the indices of its tracks, flow places and details in the builder that takes from it.
    std::vector<std::uint32_t> m_trackThere, m_flowPlaceThere, m_detailThere;
};

/// How the run was opened.
struct AssembleOptions
{
    std::vector<std::string> paths; ///< paths opened by the user
    std::vector<std::int64_t> iterationsOffered;
    /// Whether these are all opened files, so that files that do not belong together are a finding. False for
    /// a preview.
    bool isWhole = false;
    bool isFolder = false; ///< and it should contain all files of the run
    bool isLimited = false; ///< ranks were excluded on purpose
    std::map<std::int32_t, std::string> wrecks = {}; ///< ranks whose files contain nothing, and why
    GivenFacts given = {};
};

/// Merges fragments, in the given order, into the model: ranks, clocks, strings, steps, world size.
TraceModelPtr assemble(std::vector<TraceFragment> fragments, Diagnostics problems,
                       const AssembleOptions& options);

} // namespace collscope
