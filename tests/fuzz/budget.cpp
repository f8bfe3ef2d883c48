// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/budget.h"

#include <sanitizer/allocator_interface.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace collscope {

namespace {

// The seeds take 3.2 MB, 20 bytes per byte and 12 ms at most.
constexpr std::int64_t mostBytesPerByte = 256;
constexpr std::int64_t mostNanoseconds = 500'000'000; ///< sanitized, on a busy machine
constexpr std::int64_t mostNanosecondsPerByte = 10'000;
/// A target that grants more memory lets a small input inflate to so much that is read.
constexpr std::int64_t mostNanosecondsPerGrantedByte = 10;

std::atomic<std::int64_t> liveBytes{0};
std::atomic<std::int64_t> peakBytes{0};

void onAllocation(const volatile void*, std::size_t size)
{
    const std::int64_t live = liveBytes += static_cast<std::int64_t>(size);
    std::int64_t peak = peakBytes;
    while (peak < live && !peakBytes.compare_exchange_weak(peak, live)) { }
}

void onRelease(const volatile void* memory)
{
    if (memory)
        liveBytes -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(memory));
}

std::int64_t processTime()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

void require(std::int64_t used, std::int64_t allowed, const char* what, std::size_t inputBytes)
{
    if (used <= allowed)
        return;
    std::fprintf(stderr, "%zu bytes of input took %lld %s, and %lld are allowed\n", inputBytes,
                 static_cast<long long>(used), what, static_cast<long long>(allowed));
    std::abort();
}

} // namespace

Budget::Budget(std::size_t inputBytes, std::int64_t anyway)
    : m_inputBytes(inputBytes)
    , m_anyway(anyway)
{
    static const bool areHooksSet = __sanitizer_install_malloc_and_free_hooks(onAllocation, onRelease) != 0;
    if (!areHooksSet)
        std::abort();
    // What lived before is not counted: releasing it makes the count negative, never too large.
    liveBytes = 0;
    peakBytes = 0;
    m_started = processTime();
}

Budget::~Budget()
{
    const auto bytes = static_cast<std::int64_t>(m_inputBytes);
    if (std::getenv("COLLSCOPE_FUZZ_COSTS"))
        std::fprintf(stderr, "cost: %zu bytes of input, %lld bytes of memory, %lld ns\n", m_inputBytes,
                     static_cast<long long>(peakBytes), static_cast<long long>(processTime() - m_started));
    require(peakBytes, m_anyway + mostBytesPerByte * bytes, "bytes of memory", m_inputBytes);
    if (COLLSCOPE_JUDGES_TIME) { // a test judges no time
        const std::int64_t granted = std::max<std::int64_t>(m_anyway - usualBytes, 0);
        require(processTime() - m_started,
                mostNanoseconds + mostNanosecondsPerByte * bytes + mostNanosecondsPerGrantedByte * granted,
                "ns of CPU time", m_inputBytes);
    }
}

} // namespace collscope
