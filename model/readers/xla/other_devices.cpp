// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/xla/other_devices.h"

#include "model/kernels/kernel_names.h"

namespace collscope {

namespace {

DeviceWork kernelOf(KernelClass kernelClass)
{
    return {SliceCategory::Kernel, kernelClass, false, {}};
}

constexpr DeviceWork copy{SliceCategory::Memcpy, KernelClass::Copy, false, {}};
constexpr DeviceWork annotation{SliceCategory::GpuAnnotation, KernelClass::None, false, {}};

DeviceWork ofXla(std::string_view hloCategory, std::string_view name)
{
    const KernelClass kernelClass = classifyHlo(hloCategory, name);
    if (kernelClass == KernelClass::None)
        return annotation; // it contains other operations
    return kernelClass == KernelClass::Copy ? copy : kernelOf(kernelClass);
}

/// Programs of the processing elements have three names; waiting for events and recording them is not work.
DeviceWork ofMtia(std::string_view name)
{
    if (name.starts_with("event_"))
        return annotation;
    return name.starts_with("dma") ? copy : kernelOf(KernelClass::OtherCompute);
}

std::optional<DeviceWork> ofAiu(std::string_view name)
{
    DeviceWork work;
    if (name.ends_with(" Cmpt Exec")) {
        work = kernelOf(classifyKernel(name));
        work.lane = "compute";
    } else if (name.ends_with(" Cmpt Prep")) {
        work = annotation;
        work.lane = "prepare";
    } else if (name.ends_with(" DmaI") || name.ends_with(" DmaO")) {
        // A transfer between devices names the collective that it is part of:
        // "[sync=AllReduce_all_reduce_4_s0]".
        const std::size_t sync = name.find("[sync=");
        const KernelClass kernelClass
            = sync == std::string_view::npos ? KernelClass::Copy : classifyKernel(name.substr(sync));
        work = isCommunication(kernelClass) ? kernelOf(kernelClass) : copy;
        work.lane = name.back() == 'I' ? "DMA in" : "DMA out";
    } else {
        return std::nullopt;
    }
    work.pidIsRank = true;
    return work;
}

} // namespace

std::optional<DeviceWork> otherDeviceWork(std::string_view category, std::string_view name,
                                          std::string_view hloCategory)
{
    if (!hloCategory.empty())
        return ofXla(hloCategory, name);
    if (category == "mtia_ccp_events")
        return ofMtia(name);
    return category.empty() ? ofAiu(name) : std::nullopt;
}

} // namespace collscope
