// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/kernels/communication_rules.h"
#include "model/kernels/kernel_names.h"
#include "model/readers/nsys/nsys_file.h"

#include <algorithm>
#include <limits>
#include <set>

namespace collscope {

namespace {

constexpr std::int64_t mostGpus = 1 << 20;

/// Clamps a number of a file to the range of its column here.
std::int32_t within32(std::int64_t value, std::int64_t least = 0)
{
    return static_cast<std::int32_t>(
        std::clamp<std::int64_t>(value, least, std::numeric_limits<std::int32_t>::max()));
}

/// The value of a counter whose name says MHz. Exports have it in Hz: "GPC Clock Frequency: the average GPC
/// clock frequency in hertz" ("GPU Metrics" in the User Guide of Nsight Systems). No clock reaches 10,000
/// MHz.
double megahertzOf(double value)
{
    constexpr double mostMegahertz = 10'000;
    return value > mostMegahertz ? value / 1e6 : value;
}

std::string_view copyName(std::int64_t copyKind)
{
    switch (copyKind) {
    case 1:
        return "Memcpy HtoD";
    case 2:
        return "Memcpy DtoH";
    case 8:
        return "Memcpy DtoD";
    case 10:
        return "Memcpy PtoP";
    default:
        return "Memcpy";
    }
}

} // namespace

std::int32_t NsysFile::deviceOf(std::int64_t globalPid, std::int64_t deviceId) const
{
    const auto gpu = m_gpuOf.find({(globalPid >> 24) & nsysThreadMask, deviceId});
    return gpu != m_gpuOf.end() ? gpu->second
                                : static_cast<std::int32_t>(std::clamp<std::int64_t>(deviceId, 0, mostGpus));
}

void NsysFile::readDeviceInfo()
{
    std::map<std::int64_t, NsysDeviceInfo> byGpu;
    m_database.forEachRow("TARGET_INFO_GPU", {"id", "name", "smCount"}, [&](const NsysRow& row) {
        NsysDeviceInfo& info = byGpu[row.integer(0)];
        if (const auto name = m_database.name(row, 1, m_fragment.strings))
            info.name = *name;
        info.multiprocessors
            = static_cast<std::int32_t>(std::clamp<std::int64_t>(row.integer(2), 0, 1 << 20));
        return true;
    });
    struct Ordinal
    {
        std::int64_t pid, cuda, gpu, multiprocessors;
    };
    std::vector<Ordinal> ordinals;
    m_database.forEachRow("TARGET_INFO_CUDA_DEVICE", {"pid", "cudaId", "gpuId", "numMultiprocessors"},
                          [&](const NsysRow& row) {
                              ordinals.push_back({row.integer(0), row.integer(1),
                                                  row.integer(2, row.integer(1)), row.integer(3)});
                              return true;
                          });
    // With CUDA_VISIBLE_DEVICES, every process may number its GPU 0. Only then must the GPU's own number be
    // used.
    std::map<std::int64_t, std::set<std::int64_t>> gpusOfOrdinal;
    for (const Ordinal& ordinal : ordinals)
        gpusOfOrdinal[ordinal.cuda].insert(ordinal.gpu);
    const bool ordinalsRepeat = std::any_of(gpusOfOrdinal.begin(), gpusOfOrdinal.end(),
                                            [](const auto& entry) { return entry.second.size() > 1; });
    if (ordinalsRepeat)
        note(Severity::Info, "gpu_numbers",
             "Processes of this file number their GPUs differently (CUDA_VISIBLE_DEVICES); GPUs are shown "
             "with the machine's numbers.");
    if (ordinals.empty()) {
        for (const auto& [gpu, info] : byGpu)
            m_deviceInfo[static_cast<std::int32_t>(std::clamp<std::int64_t>(gpu, 0, mostGpus))] = info;
    }
    for (const Ordinal& ordinal : ordinals) {
        const auto device = static_cast<std::int32_t>(
            std::clamp<std::int64_t>(ordinalsRepeat ? ordinal.gpu : ordinal.cuda, 0, mostGpus));
        if (ordinalsRepeat)
            m_gpuOf[{ordinal.pid, ordinal.cuda}] = device;
        NsysDeviceInfo& info = m_deviceInfo[device];
        if (const auto gpu = byGpu.find(ordinal.gpu); gpu != byGpu.end())
            info = gpu->second;
        if (info.multiprocessors == 0)
            info.multiprocessors
                = static_cast<std::int32_t>(std::clamp<std::int64_t>(ordinal.multiprocessors, 0, 1 << 20));
    }
}

/// Columns 2 to 5 of every GPU activity are deviceId, streamId, correlationId, globalPid.
void NsysFile::addGpuWork(const NsysRow& row, SliceRow slice, KernelDetail detail)
{
    const std::optional<TimeRange> times = timesOf(row);
    if (!times)
        return;
    std::int64_t process = row.integer(5);
    const std::int64_t stream = row.integer(3, -1);
    detail.device = deviceOf(process, row.integer(2));
    detail.stream = static_cast<std::int32_t>(std::clamp<std::int64_t>(stream, -1, 1 << 30));
    NsysDevice& device = deviceFor(detail.device);
    if (!device.firstProcess)
        device.firstProcess = process;
    if (process == 0)
        process = *device.firstProcess; // some exports omit the process of copies
    ++device.activityByProcess[process];

    const auto [place, isNew] = device.streamTracks.try_emplace({process, stream});
    if (isNew) {
        place->second
            = device.builder.track(TrackKind::GpuStream, nsysPidText(process), std::to_string(stream));
        device.builder.trackAt(place->second).device = detail.device;
        device.builder.trackAt(place->second).stream = detail.stream;
    }
    slice.startNs = times->beginNs;
    slice.durationNs = times->lengthNs();
    slice.correlation = correlationOf(device, process, row.integer(4));
    slice.detail = device.builder.addDetail(detail);
    device.builder.addSlice(place->second, slice);
}

/// Classifies a kernel by the short name that slices have, or by its full name: "dispatch" alone is
/// ambiguous, "deep_ep::internode::dispatch" is not.
KernelClass NsysFile::kernelClassOf(StringId shortName, std::optional<StringId> fullName)
{
    const std::uint64_t full = fullName.value_or(shortName).value;
    const auto [known, isNew]
        = m_classByNames.try_emplace(std::uint64_t{shortName.value} << 32 | full, KernelClass::None);
    if (isNew) {
        const std::string_view shortText = m_fragment.strings.view(shortName);
        known->second = classifyKernel(shortText);
        const std::string_view fullText = fullName ? m_fragment.strings.view(*fullName) : shortText;
        if (!isCommunication(known->second) && fullText.find(shortText) != std::string_view::npos)
            known->second = communicationClassOf(fullText).value_or(known->second);
    }
    return known->second;
}

void NsysFile::readKernels()
{
    readEvents(NsysTables::kernels,
               {"start", "end", "deviceId", "streamId", "correlationId", "globalPid",
                "shortName|demangledName|name|mangledName", "gridX", "gridY", "gridZ", "blockX", "blockY",
                "blockZ", "registersPerThread", "staticSharedMemory", "dynamicSharedMemory", "demangledName"},
               [this](const NsysRow& row) {
                   SliceRow slice;
                   slice.name = nameOf(row, 6);
                   slice.category = SliceCategory::Kernel;
                   slice.kernelClass
                       = kernelClassOf(slice.name, m_database.name(row, 16, m_fragment.strings));
                   if (isCommunication(slice.kernelClass))
                       m_nccl.addKernel(row.integer(5), row.integer(4));
                   KernelDetail detail;
                   for (int axis = 0; axis < 3; ++axis) {
                       detail.grid[axis] = static_cast<std::uint32_t>(within32(row.integer(7 + axis)));
                       detail.block[axis] = static_cast<std::uint32_t>(within32(row.integer(10 + axis)));
                   }
                   detail.registersPerThread = within32(row.integer(13, -1), -1);
                   if (!row.isNull(14) || !row.isNull(15))
                       detail.sharedMemoryBytes
                           = within32(std::int64_t{within32(row.integer(14))} + within32(row.integer(15)));
                   addGpuWork(row, slice, detail);
               });
}

void NsysFile::readCopies()
{
    readEvents(NsysTables::copies,
               {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes", "copyKind"},
               [this](const NsysRow& row) {
                   KernelDetail detail;
                   detail.bytes = row.integer(6, -1);
                   detail.copyKind = static_cast<std::int32_t>(row.integer(7, -1));
                   SliceRow slice;
                   slice.name = m_fragment.strings.intern(copyName(detail.copyKind));
                   slice.category = SliceCategory::Memcpy;
                   slice.kernelClass = KernelClass::Copy;
                   addGpuWork(row, slice, detail);
               });
}

void NsysFile::readMemsets()
{
    readEvents(NsysTables::memsets,
               {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes"},
               [this](const NsysRow& row) {
                   KernelDetail detail;
                   detail.bytes = row.integer(6, -1);
                   SliceRow slice;
                   slice.name = m_fragment.strings.intern("Memset");
                   slice.category = SliceCategory::Memset;
                   slice.kernelClass = KernelClass::Memset;
                   addGpuWork(row, slice, detail);
               });
}

void NsysFile::readGraphSpans()
{
    // A graph traced as a whole hides its kernels: the span is shown, but it is not a kernel and metrics do
    // not count it.
    readEvents(
        NsysTables::graphs, {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "graphId"},
        [this](const NsysRow& row) {
            SliceRow slice;
            slice.name = m_fragment.strings.intern("CUDA graph " + std::to_string(row.integer(6)));
            slice.category = SliceCategory::Other;
            ++deviceFor(deviceOf(row.integer(5), row.integer(2))).graphSpans;
            addGpuWork(row, slice, KernelDetail());
            note(Severity::Notice, "graph_trace",
                 "CUDA graphs were traced as a whole: the kernels inside these spans are unknown, so metrics "
                 "do not count the spans. Profile with --cuda-graph-trace=node to see the kernels.");
        });
}

void NsysFile::readMetrics()
{
    std::map<std::pair<std::int64_t, std::int64_t>, StringId> names;
    tolerate("TARGET_INFO_GPU_METRICS", [&] {
        m_database.forEachRow("TARGET_INFO_GPU_METRICS", {"typeId", "metricId", "metricName"},
                              [&](const NsysRow& row) {
                                  if (const auto name = m_database.name(row, 2, m_fragment.strings))
                                      names[{row.integer(0), row.integer(1)}] = *name;
                                  return true;
                              });
    });
    const bool anyGpuWork = std::any_of(m_devices.begin(), m_devices.end(), [](const auto& entry) {
        return entry.second.firstProcess.has_value();
    });
    readEvents(NsysTables::metrics, {"timestamp", "typeId", "metricId", "value"}, [&](const NsysRow& row) {
        const auto name = names.find({row.integer(1), row.integer(2)});
        if (name == names.end())
            return exclude("unnamed_metric",
                           "A GPU metric sample has no name in TARGET_INFO_GPU_METRICS; it was skipped.");
        const std::int64_t time = row.integer(0, nsysLargestTimeNs);
        if (time >= nsysLargestTimeNs || time <= -nsysLargestTimeNs)
            return exclude("row_without_time", "A row has no usable start or end time; it was skipped.");
        const bool clock = m_fragment.strings.view(name->second).find("[MHz]") != std::string_view::npos;
        const auto gpu = static_cast<std::int32_t>(row.integer(1) & 0xFF);
        // Samples of a GPU without work still belong to the file: they are added to its first timeline, under
        // their own device.
        NsysDevice& device
            = anyGpuWork && !m_devices.contains(gpu) ? m_devices.begin()->second : deviceFor(gpu);
        device.builder.addCounter(name->second, clock ? CounterUnit::Megahertz : CounterUnit::Percent, gpu,
                                  time, clock ? megahertzOf(row.number(3)) : row.number(3));
    });
}

} // namespace collscope
