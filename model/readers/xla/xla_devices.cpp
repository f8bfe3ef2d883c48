// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/xla/xla_devices.h"

#include "model/kernels/kernel_names.h"
#include "model/kernels/runtime_kernels.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace collscope {

namespace {

/// The device number of a process: "/device:TPU:3" and "/device:TPU:3 SparseCore 0" -> 3.
std::optional<std::int32_t> deviceNumber(std::string_view process)
{
    constexpr std::string_view prefix = "/device:";
    if (!process.starts_with(prefix))
        return std::nullopt;
    const std::size_t colon = process.find(':', prefix.size());
    if (colon == std::string_view::npos)
        return std::nullopt;
    std::int32_t number = 0;
    const char* const begin = process.data() + colon + 1;
    const auto [end, error] = std::from_chars(begin, process.data() + process.size(), number);
    constexpr std::int32_t most = 1 << 16;
    return error == std::errc() && number >= 0 && number < most ? std::optional(number) : std::nullopt;
}

/// Copies of AMD GPUs have the names of ROCprofiler's operations: "CopyDeviceToDevice".
bool isCopyOfXla(std::string_view name)
{
    constexpr std::string_view copies[]
        = {"CopyHostToDevice", "CopyDeviceToHost", "CopyDeviceToDevice", "CopyHostToHost"};
    return std::any_of(std::begin(copies), std::end(copies),
                       [name](std::string_view copy) { return name.starts_with(copy); });
}

/// Classifies the kernels and copies of a GPU, whose events have no category.
void classify(SliceColumns& slices, const StringTable& strings)
{
    for (std::size_t row = 0; row < slices.size(); ++row) {
        const std::string_view name = strings.view(slices.name[row]);
        const KernelClass kind
            = isCopyOfXla(name) ? KernelClass::Copy : runtimeKernelClass(name).value_or(classifyKernel(name));
        slices.kernelClass.set(row, kind);
        slices.category[row] = kind == KernelClass::Copy ? SliceCategory::Memcpy
            : kind == KernelClass::Memset                ? SliceCategory::Memset
                                                         : SliceCategory::Kernel;
    }
}

} // namespace

RankOfPid arrangeXlaDevices(FragmentBuilder& builder, StringTable& strings)
{
    RankOfPid devices;
    for (const FragmentBuilder::Process& process : builder.processes()) {
        if (const auto number = deviceNumber(process.name))
            devices[process.pid] = *number;
    }
    for (std::uint32_t t = 0; !devices.empty() && t < builder.trackCount(); ++t) {
        Track& track = builder.trackAt(t);
        const auto device = devices.find(strings.view(track.pid));
        if (device == devices.end())
            continue;
        track.device = device->second;
        const std::string lane = builder.threadName(track);
        if (track.kind == TrackKind::CpuThread) {
            const bool isStream = lane.starts_with("Stream #");
            track.kind = isStream ? TrackKind::GpuStream : TrackKind::GpuAnnotation;
            if (isStream)
                classify(track.slices, strings);
        }
        if (!lane.empty())
            track.name = strings.intern(lane);
    }
    return devices;
}

} // namespace collscope
