// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// An NVML whose counters are a known ramp: the TX data counter of link n rises by n + 1 KiB per microsecond,
// RX by half of that. FAKE_NVML_GPUS: number of GPUs (2); FAKE_NVML_LINKS: number of links per GPU (3);
// FAKE_NVML_THROTTLED: a GPU that is throttled by heat and counts an NVLink replay with each question.

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

struct Pci
{
    char legacy[16];
    unsigned numbers[5];
    char busId[32];
};

bool isThrottled(void* device)
{
    return static_cast<unsigned>(*static_cast<int*>(device)) == numberOf("FAKE_NVML_THROTTLED", 99);
}

constexpr int invalidArgument = 2, notSupported = 3;
int devices[8];
std::uint64_t replays = 0;

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
int nvmlDeviceGetName(void*, char* name, unsigned size)
{
    std::snprintf(name, size, "NVIDIA Fake, 80GB");
    return 0;
}
int nvmlDeviceGetPciInfo_v3(void* device, Pci* pci)
{
    std::snprintf(pci->busId, sizeof pci->busId, "00000000:%02X:00.0", 0x1B + *static_cast<int*>(device));
    return 0;
}
int nvmlDeviceGetClockInfo(void* device, int type, unsigned* mhz)
{
    *mhz = type == 2 ? 3201 : isThrottled(device) ? 1215 : 1980;
    return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts)
{
    *milliwatts = 412'345;
    return 0;
}
int nvmlDeviceGetTemperature(void* device, int, unsigned* degrees)
{
    *degrees = isThrottled(device) ? 91 : 60;
    return 0;
}
int nvmlDeviceGetUtilizationRates(void*, unsigned* rates)
{
    rates[0] = 98;
    rates[1] = 40;
    return 0;
}
// The older of its two names.
int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons)
{
    *reasons = isThrottled(device) ? 0x48 : 0;
    return 0;
}
int nvmlDeviceGetTotalEccErrors(void*, int, int, unsigned long long*)
{
    return notSupported;
}
int nvmlDeviceGetFieldValues(void* device, int count, FieldValue* values)
{
    for (int i = 0; i < count; ++i) {
        FieldValue& own = values[i];
        timespec now{};
        ::clock_gettime(CLOCK_REALTIME, &now);
        own.timestampUs = now.tv_sec * std::int64_t{1'000'000} + now.tv_nsec / 1000;
        own.latencyUs = 1;
        own.valueType = 3; // NVML_VALUE_TYPE_UNSIGNED_LONG_LONG
        own.result = own.fieldId == 138 || own.fieldId == 139 || own.fieldId == 52 ? 0 : notSupported;
        // Since the start of a day, so that the product does not overflow.
        const auto us = static_cast<std::uint64_t>(own.timestampUs % (std::int64_t{86'400} * 1'000'000));
        own.value = own.result != 0 ? 0 : us * (own.scopeId + 1) / (own.fieldId == 139 ? 2 : 1);
        if (own.fieldId == 52)
            own.value = isThrottled(device) ? ++replays : 7;
    }
    return 0;
}

} // extern "C"
