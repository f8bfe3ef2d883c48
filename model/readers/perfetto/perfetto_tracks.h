// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tracks of a Perfetto trace and their events, as timelines: one for each GPU that work of rocprofv3 or
// of a driver names, or one for a trace without such work.

#include "model/readers/nsys/nsys_steps.h"
#include "model/readers/protobuf/proto_fields.h"
#include "model/readers/reader.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace collscope {

/// An event of a track (message TrackEvent), with its names resolved.
struct PerfettoEvent
{
    enum class Type : std::uint8_t
    {
        Unknown = 0,
        Begin = 1,
        End = 2,
        Instant = 3,
        Counter = 4
    };
    Type type = Type::Unknown;
    std::int64_t timeNs = 0;
    std::uint64_t track = 0; ///< 0 = that of the whole trace
    StringId name; ///< none = not stated
    StringId category; ///< the first one; none = not stated
    std::string gpu; ///< rocprofv3's name of an agent; "" = not stated
    std::uint32_t correlation = 0; ///< rocprofv3's; 0 = none
    double value = 0; ///< of a counter
};

/// Work on a GPU that is not an event of a track (message GpuRenderStageEvent).
struct PerfettoGpuWork
{
    std::int64_t timeNs = 0, durationNs = 0;
    std::int64_t gpu = 0;
    std::uint64_t queue = 0;
    StringId name, queueName;
};

class PerfettoTracks
{
public:
    PerfettoTracks(TraceFragment& fragment, const ReadContext& context);

    /// Adds a message TrackDescriptor.
    void describe(std::string_view descriptor);
    void add(const PerfettoEvent& event);
    void add(const PerfettoGpuWork& work);
    /// Ends open slices, and makes the timelines. False if the user cancelled.
    bool finish();

private:
    struct Description
    {
        std::string name;
        std::uint64_t parent = 0;
        std::optional<std::int64_t> pid, tid;
        std::string processName;
        CounterUnit unit = CounterUnit::Count;
        double factor = 1; ///< of a counter's values
        bool isIncremental = false;
        double sum = 0; ///< of an incremental counter
    };
    /// A begin or an end of a slice. Files need not have them in the order of time, so that they are kept
    /// until all are known.
    struct SliceEdge
    {
        std::int64_t timeNs = 0;
        std::uint64_t track = 0;
        StringId name, category, gpu;
        std::uint32_t correlation = 0;
        bool isEnd = false;
    };
    struct OpenSlice
    {
        StringId name;
        std::int64_t beginNs = 0;
        SliceCategory category = SliceCategory::Other;
        std::uint32_t correlation = 0;
        std::string gpu;
    };
    /// A track in use: its open slices, and where they go.
    struct Live
    {
        std::vector<OpenSlice> open;
        std::map<std::string, std::uint32_t> gpuTracks; ///< in the builder of this GPU
        std::uint32_t cpuTrack = Id<void>::noneValue;
    };

    void keep(const PerfettoEvent& event);
    bool pairEdges();
    void begin(const SliceEdge& edge);
    void end(const SliceEdge& edge);
    void close(std::uint64_t track, Live& live, std::int64_t timeNs);
    void count(const PerfettoEvent& event);
    SliceCategory categoryOf(StringId name);
    FragmentBuilder& builderOf(const std::string& gpu);
    std::uint32_t cpuTrackOf(std::uint64_t track, Live& live);
    const Description* descriptionOf(std::uint64_t track) const;
    std::int64_t processOf(std::uint64_t track) const;
    std::string nameOf(std::uint64_t track) const;
    void nameTracks(std::size_t first);
    static void numberStreams(FragmentBuilder& builder, std::int32_t gpu);
    void exclude(std::string_view code, std::string_view explanation, std::uint64_t events);

    TraceFragment& m_fragment;
    const ReadContext& m_context;
    std::unordered_map<std::uint64_t, Description> m_descriptions;
    std::unordered_map<std::uint64_t, Live> m_live;
    std::map<std::string, FragmentBuilder> m_gpus; ///< by their names
    FragmentBuilder m_threads;
    std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> m_gpuQueues; ///< of PerfettoGpuWork
    std::unordered_map<std::uint32_t, SliceCategory> m_categories; ///< by StringId
    std::vector<SliceEdge> m_edges; ///< in the order of the file
    NvtxSteps m_steps;
    std::int64_t m_lastNs = 0;
};

} // namespace collscope
