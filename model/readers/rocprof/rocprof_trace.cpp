// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/rocprof/rocprof_trace.h"

#include "model/kernels/kernel_names.h"
#include "model/kernels/runtime_kernels.h"
#include "model/readers/text/measurement_text.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

namespace collscope {

namespace {

/// Times beyond this (73 years) are damage; the sum of two such times fits in 64 bits.
constexpr std::uint64_t largestRocprofNs = std::uint64_t{1} << 61;
constexpr std::int64_t copyQueue = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t mostRocprofDevices = 1 << 20;

/// rocprofv3's operations, as CUPTI numbers and names them.
struct CopyOperation
{
    std::string_view operation;
    std::string_view name;
    std::int32_t kind;
};
constexpr std::array<CopyOperation, 4> copyOperations{{{"HOST_TO_DEVICE", "Memcpy HtoD", 1},
                                                       {"DEVICE_TO_HOST", "Memcpy DtoH", 2},
                                                       {"DEVICE_TO_DEVICE", "Memcpy DtoD", 8},
                                                       {"HOST_TO_HOST", "Memcpy HtoH", 9}}};

std::int32_t rocprofWithin32(std::int64_t value)
{
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(value, -1, std::numeric_limits<std::int32_t>::max()));
}

/// Workgroups of a grid along one axis, as CUDA counts blocks.
std::uint32_t workgroupsOf(std::int64_t workItems, std::int64_t groupSize)
{
    if (workItems <= 0 || groupSize <= 0)
        return 0;
    return static_cast<std::uint32_t>(
        std::min<std::int64_t>((workItems - 1) / groupSize + 1, std::numeric_limits<std::uint32_t>::max()));
}

} // namespace

RocprofTrace::RocprofTrace(const SourceFile& file, const ReadContext& context)
    : m_file(file)
    , m_context(context)
    , m_fragment(fragmentOf(file, SourceKind::Rocprof))
{ }

void RocprofTrace::addAgent(std::int64_t process, std::uint64_t id, const RocprofAgent& agent)
{
    m_agents[{process, id}] = agent;
    m_nodes.try_emplace(agent.node, static_cast<std::int32_t>(m_nodes.size()));
    if (agent.isGpu)
        m_gpusPerNode = std::clamp(agent.number + 1, m_gpusPerNode, mostRocprofDevices);
}

void RocprofTrace::addKernel(std::int64_t process, std::uint64_t id, std::string_view name,
                             std::int64_t registers)
{
    m_kernels[{process, id}]
        = {m_fragment.strings.intern(name), runtimeKernelClass(name).value_or(classifyKernel(name)),
           rocprofWithin32(registers)};
}

void RocprofTrace::setHost(std::string_view name)
{
    if (!name.empty())
        m_host = m_fragment.strings.intern(name);
}

void RocprofTrace::setThreadName(std::int64_t process, std::int64_t thread, std::string_view name)
{
    if (!name.empty())
        threadsOf(process).setThreadName(std::to_string(process), std::to_string(thread), name);
}

void RocprofTrace::exclude(Severity severity, std::string_view code, std::string_view explanation,
                           std::uint64_t offset, std::uint64_t events)
{
    m_fragment.source.eventsInFile += events;
    m_fragment.source.excluded += events;
    m_fragment.problems.add(severity, code, m_file.path, offset, explanation, events);
}

std::optional<TimeRange> RocprofTrace::timesOf(const Record& record)
{
    if (record.beginNs == 0 || record.beginNs > largestRocprofNs || record.endNs > largestRocprofNs) {
        exclude(Severity::DataLoss, "row_without_time",
                "A record has no usable start or end time; it was skipped.");
        return std::nullopt;
    }
    if (record.endNs < record.beginNs)
        m_fragment.problems.add(Severity::Notice, "negative_duration", m_file.path, 0,
                                "A record ends before it starts; it is shown with no duration.");
    const auto begin = static_cast<std::int64_t>(record.beginNs);
    return TimeRange{begin, std::max(begin, static_cast<std::int64_t>(record.endNs))};
}

/// Correlation ids are numbers of a process. Those of further processes, and numbers that are too large, are
/// replaced, from the top down.
std::uint32_t RocprofTrace::correlationOf(const Record& record)
{
    if (record.correlation == 0)
        return 0;
    if (!m_firstProcess)
        m_firstProcess = record.process;
    constexpr std::uint64_t largestOwn = std::uint64_t{1} << 31;
    if (record.process == *m_firstProcess && record.correlation < largestOwn)
        return static_cast<std::uint32_t>(record.correlation);
    const auto next = Id<void>::noneValue - 1 - static_cast<std::uint32_t>(m_replacedCorrelations.size());
    return m_replacedCorrelations.try_emplace({record.process, record.correlation}, next).first->second;
}

RocprofTrace::Device& RocprofTrace::deviceOf(std::int64_t process, std::uint64_t agent)
{
    std::int32_t number = 0;
    const auto known = m_agents.find({process, agent});
    if (known != m_agents.end()) {
        const std::int64_t inCluster = std::int64_t{m_nodes.at(known->second.node)} * m_gpusPerNode
            + std::max(known->second.number, 0);
        number = static_cast<std::int32_t>(std::min<std::int64_t>(inCluster, mostRocprofDevices));
    } else {
        m_fragment.problems.add(Severity::Notice, "unknown_agent", m_file.path, 0,
                                "The file does not describe the GPU of a record; it is shown on GPU 0.");
    }
    const auto [found, isNew] = m_devices.try_emplace(number, m_fragment.strings);
    if (known != m_agents.end()) {
        found->second.name = known->second.name;
        found->second.computeUnits = known->second.computeUnits;
    }
    if (isNew && !m_context.keepsEvents)
        found->second.builder.keepNothing();
    return found->second;
}

FragmentBuilder& RocprofTrace::threadsOf(std::int64_t process)
{
    const auto [found, isNew] = m_threads.try_emplace(process, m_fragment.strings);
    if (isNew && !m_context.keepsEvents)
        found->second.keepNothing();
    return found->second;
}

std::uint32_t RocprofTrace::trackOf(Device& device, std::int64_t process, std::int64_t queue)
{
    const auto [place, isNew] = device.tracks.try_emplace({process, static_cast<std::uint64_t>(queue)});
    if (isNew) {
        const std::string text = queue == copyQueue ? "copies" : std::to_string(queue);
        place->second = device.builder.track(TrackKind::GpuStream, std::to_string(process), text);
        device.builder.trackAt(place->second).name
            = m_fragment.strings.intern(queue == copyQueue ? text : "queue " + text);
    }
    return place->second;
}

RocprofTrace::Place& RocprofTrace::placeOf(std::int64_t process, std::uint64_t agent, std::int64_t queue)
{
    const Key key{process, agent};
    const bool isSameGpu = m_last.device && m_last.agent == key;
    if (isSameGpu && m_last.queue == queue)
        return m_last;
    if (!isSameGpu) {
        m_last.agent = key;
        m_last.device = &deviceOf(process, agent);
        const auto known = m_agents.find(key);
        m_last.number = known == m_agents.end() ? 0 : known->second.number;
        m_last.work = &m_last.device->workOf[process];
    }
    m_last.queue = queue;
    m_last.track = trackOf(*m_last.device, process, queue);
    Track& track = m_last.device->builder.trackAt(m_last.track);
    track.device = m_last.number;
    track.stream = queue == copyQueue ? -1 : rocprofWithin32(queue);
    return m_last;
}

void RocprofTrace::addWork(Place& place, const Record& record, TimeRange times, SliceRow slice,
                           KernelDetail detail)
{
    ++*place.work;
    detail.device = place.number;
    slice.startNs = times.beginNs;
    slice.durationNs = times.lengthNs();
    slice.correlation = correlationOf(record);
    slice.detail = place.device->builder.addDetail(detail);
    place.device->builder.addSlice(place.track, slice);
    ++m_fragment.source.eventsInFile;
    ++m_fragment.source.shown;
}

void RocprofTrace::add(const Dispatch& dispatch)
{
    const auto times = timesOf(dispatch);
    if (!times)
        return;
    SliceRow slice;
    slice.category = SliceCategory::Kernel;
    KernelDetail detail;
    const auto kernel = m_kernels.find({dispatch.process, dispatch.kernel});
    if (kernel != m_kernels.end()) {
        slice.name = kernel->second.name;
        slice.kernelClass = kernel->second.kernelClass;
        slice.category = slice.kernelClass == KernelClass::Copy ? SliceCategory::Memcpy
            : slice.kernelClass == KernelClass::Memset          ? SliceCategory::Memset
                                                                : SliceCategory::Kernel;
        detail.registersPerThread = kernel->second.registers;
    } else {
        slice.name = m_fragment.strings.intern("(unnamed)");
        slice.kernelClass = KernelClass::OtherCompute;
        m_fragment.problems.add(Severity::Notice, "missing_name", m_file.path, 0,
                                "The file does not name the kernel of a dispatch; it is shown as (unnamed).");
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        detail.grid[axis] = workgroupsOf(dispatch.workItems[axis], dispatch.groupSize[axis]);
        detail.block[axis]
            = static_cast<std::uint32_t>(std::max(rocprofWithin32(dispatch.groupSize[axis]), 0));
    }
    ++m_dispatches;
    detail.sharedMemoryBytes = rocprofWithin32(dispatch.groupMemory);
    detail.stream = rocprofWithin32(dispatch.stream);
    addWork(placeOf(dispatch.process, dispatch.agent, dispatch.queue), dispatch, *times, slice, detail);
}

void RocprofTrace::add(const Copy& copy)
{
    const auto times = timesOf(copy);
    if (!times)
        return;
    ++m_copies;
    SliceRow slice;
    slice.category = SliceCategory::Memcpy;
    slice.kernelClass = KernelClass::Copy;
    KernelDetail detail;
    detail.bytes = copy.bytes;
    detail.stream = rocprofWithin32(copy.stream);
    std::string_view name = "Memcpy";
    for (const CopyOperation& known : copyOperations) {
        if (copy.operation.ends_with(known.operation)) {
            name = known.name;
            detail.copyKind = known.kind;
        }
    }
    slice.name = m_fragment.strings.intern(name);
    // The GPU that receives, else the one that sends; between parts of the host, none.
    for (const auto& agent : {copy.destination, copy.source}) {
        const auto known = agent ? m_agents.find({copy.process, *agent}) : m_agents.end();
        if (known == m_agents.end() || !known->second.isGpu)
            continue;
        return addWork(placeOf(copy.process, *agent, copyQueue), copy, *times, slice, detail);
    }
    exclude(Severity::Info, "copies_of_host", "Copies that no GPU of the file takes part in are not shown.");
}

void RocprofTrace::add(const Call& call)
{
    const auto times = timesOf(call);
    if (!times)
        return;
    FragmentBuilder& builder = threadsOf(call.process);
    const std::uint32_t track
        = builder.track(TrackKind::CpuThread, std::to_string(call.process), std::to_string(call.thread));
    const StringId name = m_fragment.strings.intern(call.name);
    ++m_fragment.source.eventsInFile;
    ++m_fragment.source.shown;
    if (call.isMarker && times->isEmpty())
        return builder.addInstant(track, times->beginNs, name);
    SliceRow slice;
    slice.startNs = times->beginNs;
    slice.durationNs = times->lengthNs();
    slice.name = name;
    slice.category = call.isMarker ? SliceCategory::Nvtx : SliceCategory::Runtime;
    slice.correlation = call.isMarker ? 0 : correlationOf(call);
    if (call.collective) {
        slice.collective = builder.addCollective(*call.collective);
        m_rcclCalls[call.process].add(track, *times, *call.collective);
    }
    builder.addSlice(track, slice);
    if (call.isMarker)
        m_steps.add(name, call.name, *times, call.thread);
}

/// The threads of a process belong to the GPU to which it gave the most work; those of a process without any
/// to the first GPU.
void RocprofTrace::giveThreads()
{
    std::vector<StringId> same(m_fragment.strings.size());
    for (std::uint32_t i = 0; i < same.size(); ++i)
        same[i] = StringId{i};
    for (auto& [process, threads] : m_threads) {
        if (const auto calls = m_rcclCalls.find(process); calls != m_rcclCalls.end()) {
            calls->second.findLaunches(threads);
            for (auto& [number, device] : m_devices)
                calls->second.giveTo(device.builder);
        }
        Device* most = nullptr;
        std::uint64_t work = 0;
        for (auto& [number, device] : m_devices) {
            const auto own = device.workOf.find(process);
            if (own != device.workOf.end() && own->second > work) {
                work = own->second;
                most = &device;
            }
        }
        if (!most && m_devices.empty())
            most = &m_devices.try_emplace(-1, m_fragment.strings).first->second;
        else if (!most)
            most = &m_devices.begin()->second;
        most->builder.takeFrom(threads, same);
    }
    m_threads.clear();
}

Timeline RocprofTrace::timelineOf(std::int32_t number, const Device& device) const
{
    Timeline timeline;
    timeline.kind = SourceKind::Rocprof;
    timeline.rank = std::max(number, 0);
    timeline.device = number;
    timeline.host = m_host;
    timeline.deviceName = device.name;
    timeline.multiprocessors = device.computeUnits;
    return timeline;
}

Result<TraceFragment> RocprofTrace::finish()
{
    const Error cancelled{Error::Kind::Cancelled, "Loading was cancelled.", m_file.path};
    if (m_context.mustStop())
        return cancelled;
    if (m_fragment.source.eventsInFile == 0)
        return Error{Error::Kind::Format,
                     "The file of rocprofv3 contains no kernels, copies, calls or markers; profile with "
                     "`rocprofv3 --runtime-trace`.",
                     m_file.path, 0};
    giveThreads();
    m_fragment.isOfDevices = m_devices.size() > 1;
    StepSource stepSource = StepSource::WholeTrace;
    const std::vector<Step> steps = m_steps.steps(stepSource);
    for (auto& [number, device] : m_devices) {
        Timeline timeline = timelineOf(number, device);
        timeline.steps = steps;
        timeline.stepSource = stepSource;
        if (!device.builder.finish(m_fragment, std::move(timeline), m_context.parallel,
                                   [this](double) { return !m_context.mustStop(); }))
            return cancelled;
    }
    noteUnknownCollectives();
    if (m_dispatches > 0 && m_copies == 0)
        m_fragment.problems.add(
            Severity::Notice, "copies_not_recorded", m_file.path, 0,
            "The file has kernels but no copies of memory: the program made none, or rocprofv3 ran without "
            "--memory-copy-trace (part of --runtime-trace). Times of copies are those of the runtime's copy "
            "kernels alone.");
    return std::move(m_fragment);
}

/// RCCL has one kernel for all collectives; what it ran is known where the call that launched it is.
void RocprofTrace::noteUnknownCollectives()
{
    std::size_t unknown = 0;
    for (const Timeline& timeline : m_fragment.timelines) {
        for (const CollectiveCall& call : timeline.collectives)
            unknown += call.onGpu && call.kind == KernelClass::OtherCommunication && !call.name ? 1u : 0u;
    }
    if (unknown > 0)
        m_fragment.problems.add(
            Severity::Notice, "collectives_unknown", m_file.path, 0,
            m_rcclCalls.empty()
                ? "RCCL runs all collectives in one kernel, so the file does not say which collective "
                    + std::to_string(unknown)
                    + " kernels ran, nor its size and communicator. Profile with `rocprofv3 "
                      "--runtime-trace`, which records the calls of RCCL."
                : "RCCL runs all collectives in one kernel. The file has calls of RCCL, but "
                    + std::to_string(unknown)
                    + " kernels could not be related to one of them, such as those of a group of calls.");
}

} // namespace collscope
