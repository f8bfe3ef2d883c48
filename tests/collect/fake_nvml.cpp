// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// An NVML whose counters are a known ramp: the TX data counter of link n rises by n + 1 KiB per microsecond,
// RX by half of that. FAKE_NVML_GPUS: number of GPUs (2); FAKE_NVML_LINKS: number of links per GPU (3).

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

struct FieldValue
{
    std::uint32_t fieldId, scopeId;
    std::int64_t timestampUs, latencyUs;
    std::uint32_t valueType;
    std::int32_t result;
    std::uint64_t value;
};

unsigned numberOf(const char* name, unsigned fallback)
{
    const char* const text = std::getenv(name);
    return text ? static_cast<unsigned>(std::atoi(text)) : fallback;
}

constexpr int invalidArgument = 2, notSupported = 3;
int devices[8];

} // namespace

extern "C" {

int nvmlInit_v2()
{
    return std::getenv("FAKE_NVML_BROKEN") ? 9 : 0; // NVML_ERROR_DRIVER_NOT_LOADED
}
int nvmlShutdown()
{
    return 0;
}
const char* nvmlErrorString(int)
{
    return "Driver Not Loaded";
}
int nvmlDeviceGetCount_v2(unsigned* count)
{
    *count = numberOf("FAKE_NVML_GPUS", 2);
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device)
{
    if (index >= 8)
        return invalidArgument;
    devices[index] = static_cast<int>(index);
    *device = &devices[index];
    return 0;
}
int nvmlDeviceGetUUID(void* device, char* uuid, unsigned size)
{
    std::snprintf(uuid, size, "GPU-fake-%d", *static_cast<int*>(device));
    return 0;
}
int nvmlDeviceGetNvLinkState(void*, unsigned link, unsigned* isActive)
{
    if (link >= 12)
        return invalidArgument;
    *isActive = link < numberOf("FAKE_NVML_LINKS", 3) ? 1 : 0;
    return 0;
}
int nvmlDeviceGetFieldValues(void*, int count, FieldValue* values)
{
    for (int i = 0; i < count; ++i) {
        FieldValue& own = values[i];
        timespec now{};
        ::clock_gettime(CLOCK_REALTIME, &now);
        own.timestampUs = now.tv_sec * std::int64_t{1'000'000} + now.tv_nsec / 1000;
        own.latencyUs = 1;
        own.valueType = 3; // NVML_VALUE_TYPE_UNSIGNED_LONG_LONG
        own.result = own.fieldId == 138 || own.fieldId == 139 ? 0 : notSupported;
        // Since the start of a day, so that the product does not overflow.
        const auto us = static_cast<std::uint64_t>(own.timestampUs % (std::int64_t{86'400} * 1'000'000));
        own.value = own.result != 0 ? 0 : us * (own.scopeId + 1) / (own.fieldId == 139 ? 2 : 1);
    }
    return 0;
}

} // extern "C"
