// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/perfetto/perfetto_tracks.h"

#include "model/kernels/kernel_names.h"
#include "model/kernels/runtime_kernels.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace collscope {

namespace {

/// What categories mean: those of rocprofv3, and those that PyTorch gives its events.
struct PerfettoCategory
{
    std::string_view name;
    SliceCategory category;
};
constexpr PerfettoCategory knownCategories[] = {
    {"kernel_dispatch", SliceCategory::Kernel}, {"kernel", SliceCategory::Kernel},
    {"memory_copy", SliceCategory::Memcpy},     {"gpu_memcpy", SliceCategory::Memcpy},
    {"gpu_memset", SliceCategory::Memset},      {"hip_api", SliceCategory::Runtime},
    {"hsa_api", SliceCategory::Runtime},        {"rccl_api", SliceCategory::Runtime},
    {"marker_api", SliceCategory::Nvtx},        {"cuda_runtime", SliceCategory::Runtime},
    {"cpu_op", SliceCategory::CpuOp},           {"user_annotation", SliceCategory::UserAnnotation},
    {"python_function", SliceCategory::Python},
};

SliceCategory perfettoCategoryOf(std::string_view name)
{
    for (const PerfettoCategory& known : knownCategories) {
        if (known.name == name)
            return known.category;
    }
    return SliceCategory::Other;
}

KernelClass perfettoClassOf(SliceCategory category, std::string_view name)
{
    switch (category) {
    case SliceCategory::Kernel:
        return runtimeKernelClass(name).value_or(classifyKernel(name));
    case SliceCategory::Memcpy:
        return KernelClass::Copy;
    case SliceCategory::Memset:
        return KernelClass::Memset;
    default:
        return KernelClass::None;
    }
}

} // namespace

PerfettoTracks::PerfettoTracks(TraceFragment& fragment, const ReadContext& context)
    : m_fragment(fragment)
    , m_context(context)
    , m_threads(fragment.strings)
{
    if (!context.keepsEvents)
        m_threads.keepNothing();
}

void PerfettoTracks::exclude(std::string_view code, std::string_view explanation, std::uint64_t events)
{
    m_fragment.source.excluded += events;
    m_fragment.problems.add(Severity::DataLoss, code, m_fragment.source.path, 0, explanation, events);
}

void PerfettoTracks::describe(std::string_view descriptor)
{
    constexpr std::uint32_t uuidField = 1, nameField = 2, processField = 3, threadField = 4, parentField = 5,
                            counterField = 8, staticNameField = 10;
    std::uint64_t uuid = 0;
    Description description;
    const auto readMembers = [](std::string_view message, auto&& f) {
        ProtoFields members(message);
        ProtoValue member;
        while (members.next(member))
            f(member);
    };
    readMembers(descriptor, [&](const ProtoValue& field) {
        if (field.number == uuidField) {
            uuid = field.bits;
        } else if (field.number == parentField) {
            description.parent = field.bits;
        } else if (field.number == nameField || field.number == staticNameField) {
            description.name = field.bytes;
        } else if (field.number == processField) {
            readMembers(field.bytes, [&](const ProtoValue& member) {
                constexpr std::uint32_t pidField = 1, processNameField = 6;
                if (member.number == pidField)
                    description.pid = static_cast<std::int32_t>(member.bits);
                else if (member.number == processNameField)
                    description.processName = member.bytes;
            });
        } else if (field.number == threadField) {
            readMembers(field.bytes, [&](const ProtoValue& member) {
                constexpr std::uint32_t pidField = 1, tidField = 2, threadNameField = 5;
                if (member.number == pidField)
                    description.pid = static_cast<std::int32_t>(member.bits);
                else if (member.number == tidField)
                    description.tid = static_cast<std::int64_t>(member.bits);
                else if (member.number == threadNameField && description.name.empty())
                    description.name = member.bytes;
            });
        } else if (field.number == counterField) {
            readMembers(field.bytes, [&](const ProtoValue& member) {
                constexpr std::uint32_t unitField = 3, factorField = 4, incrementalField = 5;
                constexpr std::uint64_t bytesUnit = 3;
                if (member.number == unitField && member.bits == bytesUnit)
                    description.unit = CounterUnit::Bytes;
                else if (member.number == factorField && member.bits != 0)
                    description.factor = static_cast<double>(member.integer());
                else if (member.number == incrementalField)
                    description.isIncremental = member.bits != 0;
            });
        }
    });
    Description& own = m_descriptions[uuid];
    description.sum = own.sum; // writers describe a track again and again
    own = std::move(description);
}

const PerfettoTracks::Description* PerfettoTracks::descriptionOf(std::uint64_t track) const
{
    const auto found = m_descriptions.find(track);
    return found == m_descriptions.end() ? nullptr : &found->second;
}

/// The process of a track or of what it is part of; 0 if none is named.
std::int64_t PerfettoTracks::processOf(std::uint64_t track) const
{
    constexpr int deepest = 16; // parents may form a circle
    for (int level = 0; level < deepest; ++level) {
        const Description* const own = descriptionOf(track);
        if (!own)
            return 0;
        if (own->pid)
            return *own->pid;
        track = own->parent;
    }
    return 0;
}

std::string PerfettoTracks::nameOf(std::uint64_t track) const
{
    const Description* const own = descriptionOf(track);
    if (own && !own->name.empty())
        return own->tid ? own->name + " (" + std::to_string(*own->tid) + ")" : own->name;
    if (own && own->tid)
        return "thread " + std::to_string(*own->tid);
    if (own && own->pid)
        return "process " + std::to_string(*own->pid);
    return track == 0 ? std::string("(trace)") : "track " + std::to_string(track);
}

FragmentBuilder& PerfettoTracks::builderOf(const std::string& gpu)
{
    const auto [found, isNew] = m_gpus.try_emplace(gpu, m_fragment.strings);
    if (isNew && !m_context.keepsEvents)
        found->second.keepNothing();
    return found->second;
}

std::uint32_t PerfettoTracks::cpuTrackOf(std::uint64_t track, Live& live)
{
    if (live.cpuTrack == Id<void>::noneValue)
        live.cpuTrack
            = m_threads.track(TrackKind::CpuThread, std::to_string(processOf(track)), std::to_string(track));
    return live.cpuTrack;
}

SliceCategory PerfettoTracks::categoryOf(StringId name)
{
    if (!name)
        return SliceCategory::Other;
    const auto [known, isNew] = m_categories.try_emplace(name.value, SliceCategory::Other);
    if (isNew)
        known->second = perfettoCategoryOf(m_fragment.strings.view(name));
    return known->second;
}

void PerfettoTracks::add(const PerfettoEvent& event)
{
    m_lastNs = std::max(m_lastNs, event.timeNs);
    switch (event.type) {
    case PerfettoEvent::Type::Begin:
    case PerfettoEvent::Type::End:
        return keep(event);
    case PerfettoEvent::Type::Counter:
        return count(event);
    case PerfettoEvent::Type::Instant: {
        Live& live = m_live[event.track];
        const StringId name = event.name ? event.name : m_fragment.strings.intern("(unnamed)");
        m_threads.addInstant(cpuTrackOf(event.track, live), event.timeNs, name);
        ++m_fragment.source.shown;
        return;
    }
    case PerfettoEvent::Type::Unknown:
        break;
    }
    exclude("legacy_events", "Events of an old kind, without a type, are not shown.", 1);
}

void PerfettoTracks::keep(const PerfettoEvent& event)
{
    SliceEdge edge{event.timeNs, event.track, event.name, event.category, {}, event.correlation, false};
    edge.isEnd = event.type == PerfettoEvent::Type::End;
    if (!event.gpu.empty())
        edge.gpu = m_fragment.strings.intern(event.gpu);
    m_edges.push_back(edge);
}

/// Pairs begins and ends in the order of time; those of the same time in the order of the file. False if the
/// user cancelled.
bool PerfettoTracks::pairEdges()
{
    const auto isEarlier = [](const SliceEdge& a, const SliceEdge& b) { return a.timeNs < b.timeNs; };
    if (!std::is_sorted(m_edges.begin(), m_edges.end(), isEarlier))
        std::stable_sort(m_edges.begin(), m_edges.end(), isEarlier);
    constexpr std::size_t block = 1 << 16;
    for (std::size_t i = 0; i < m_edges.size(); ++i) {
        if (i % block == 0 && m_context.mustStop())
            return false;
        if (m_edges[i].isEnd)
            end(m_edges[i]);
        else
            begin(m_edges[i]);
    }
    m_edges = {};
    return true;
}

void PerfettoTracks::begin(const SliceEdge& edge)
{
    OpenSlice slice;
    slice.name = edge.name ? edge.name : m_fragment.strings.intern("(unnamed)");
    slice.beginNs = edge.timeNs;
    slice.category = categoryOf(edge.category);
    slice.correlation = edge.correlation;
    if (edge.gpu)
        slice.gpu = m_fragment.strings.view(edge.gpu);
    m_live[edge.track].open.push_back(std::move(slice));
}

void PerfettoTracks::end(const SliceEdge& edge)
{
    const auto live = m_live.find(edge.track);
    if (live == m_live.end() || live->second.open.empty())
        return exclude("unbalanced_end", "A slice ends that did not begin in the trace.", 1);
    close(edge.track, live->second, edge.timeNs);
    m_fragment.source.shown += 2;
}

void PerfettoTracks::close(std::uint64_t track, Live& live, std::int64_t timeNs)
{
    const OpenSlice slice = std::move(live.open.back());
    live.open.pop_back();
    SliceRow row;
    row.startNs = slice.beginNs;
    row.durationNs = timeNs - slice.beginNs;
    row.name = slice.name;
    row.category = slice.category;
    const std::string_view name = m_fragment.strings.view(slice.name);
    row.kernelClass = perfettoClassOf(slice.category, name);
    if (row.kernelClass == KernelClass::Copy)
        row.category = SliceCategory::Memcpy;
    else if (row.kernelClass == KernelClass::Memset)
        row.category = SliceCategory::Memset;
    row.correlation = slice.correlation;
    if (!isGpuWork(slice.category)) {
        m_threads.addSlice(cpuTrackOf(track, live), row);
        if (slice.category == SliceCategory::Nvtx)
            m_steps.add(slice.name, name, {slice.beginNs, timeNs}, static_cast<std::int64_t>(track));
        return;
    }
    FragmentBuilder& builder = builderOf(slice.gpu);
    const auto [own, isNew] = live.gpuTracks.try_emplace(slice.gpu);
    if (isNew)
        own->second
            = builder.track(TrackKind::GpuStream, std::to_string(processOf(track)), std::to_string(track));
    builder.addSlice(own->second, row);
}

void PerfettoTracks::count(const PerfettoEvent& event)
{
    Description& own = m_descriptions[event.track];
    double value = event.value * own.factor;
    if (own.isIncremental)
        value = own.sum += value;
    const std::string name = nameOf(event.track);
    m_threads.addCounter(m_fragment.strings.intern(name), own.unit, -1, event.timeNs, value);
    ++m_fragment.source.shown;
}

void PerfettoTracks::add(const PerfettoGpuWork& work)
{
    m_lastNs = std::max(m_lastNs, work.timeNs + work.durationNs);
    const std::string gpu = std::to_string(work.gpu);
    FragmentBuilder& builder = builderOf(gpu);
    const auto [own, isNew] = m_gpuQueues.try_emplace({gpu, work.queue});
    if (isNew) {
        own->second = builder.track(TrackKind::GpuStream, "gpu " + gpu, std::to_string(work.queue));
        if (work.queueName)
            builder.trackAt(own->second).name = work.queueName;
    }
    SliceRow row;
    row.startNs = work.timeNs;
    row.durationNs = work.durationNs;
    row.name = work.name ? work.name : m_fragment.strings.intern("(unnamed)");
    row.category = SliceCategory::Kernel;
    row.kernelClass = classifyKernel(m_fragment.strings.view(row.name));
    builder.addSlice(own->second, row);
    ++m_fragment.source.shown;
}

/// Names the tracks from `first` on: descriptions may follow the events of a track.
void PerfettoTracks::nameTracks(std::size_t first)
{
    for (std::size_t t = first; t < m_fragment.tracks.size(); ++t) {
        Track& track = m_fragment.tracks[t];
        const std::string_view uuid = m_fragment.strings.view(track.tid);
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(uuid.data(), uuid.data() + uuid.size(), number);
        if (error == std::errc() && m_live.contains(number))
            track.name = m_fragment.strings.intern(nameOf(number));
    }
}

/// Tells the streams of a GPU apart; their numbers in the trace are arbitrary.
void PerfettoTracks::numberStreams(FragmentBuilder& builder, std::int32_t gpu)
{
    std::int32_t stream = 0;
    for (std::uint32_t t = 0; t < builder.trackCount(); ++t) {
        Track& track = builder.trackAt(t);
        if (track.kind != TrackKind::GpuStream)
            continue;
        track.device = gpu;
        track.stream = stream++;
    }
}

bool PerfettoTracks::finish()
{
    if (!pairEdges())
        return false;
    for (auto& [track, live] : m_live) {
        while (!live.open.empty()) {
            const std::int64_t beginNs = live.open.back().beginNs;
            close(track, live, std::max(beginNs, m_lastNs));
            ++m_fragment.source.shown;
            m_fragment.problems.add(Severity::Notice, "open_range", m_fragment.source.path, 0,
                                    "A slice has no end; it is shown up to the end of the trace.");
        }
    }
    StepSource stepSource = StepSource::WholeTrace;
    const std::vector<Step> steps = m_steps.steps(stepSource);
    if (m_gpus.empty())
        builderOf({});
    std::vector<StringId> same(m_fragment.strings.size());
    for (std::uint32_t i = 0; i < same.size(); ++i)
        same[i] = StringId{i};
    m_gpus.begin()->second.takeFrom(m_threads, same);
    m_fragment.isOfDevices = m_gpus.size() > 1;
    std::int32_t number = 0;
    for (auto& [gpu, builder] : m_gpus) {
        Timeline timeline;
        timeline.kind = SourceKind::Perfetto;
        timeline.rank = number;
        timeline.device = m_gpus.size() > 1 ? number : -1;
        timeline.hasWallClock = m_fragment.hasWallClock;
        timeline.steps = steps;
        timeline.stepSource = stepSource;
        const std::size_t first = m_fragment.tracks.size();
        numberStreams(builder, number++);
        if (!builder.finish(m_fragment, std::move(timeline), m_context.parallel,
                            [this](double) { return !m_context.mustStop(); }))
            return false;
        nameTracks(first);
    }
    return true;
}

} // namespace collscope
