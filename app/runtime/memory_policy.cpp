// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runtime/memory_policy.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <fstream>
#include <limits>
#include <memory>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace collscope {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// Returns the number after a word in a file of "word number" lines; nullopt if the word is missing.
std::optional<std::uint64_t> numberBehind(const std::string& path, const std::string& word)
{
    std::ifstream file(path);
    for (std::string key; file >> key;) {
        std::uint64_t number = 0;
        if (key == word && file >> number)
            return number;
        file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return std::nullopt;
}

/// Returns the number in a file that contains one number; nullopt for "max" and for missing files.
std::optional<std::uint64_t> numberIn(const std::string& path)
{
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

/// Returns the memory that a control group has left below its limit; unlimited without a limit. Droppable
/// file pages do not count as used.
std::uint64_t leftOf(const std::string& folder, const char* limitFile, const char* usageFile,
                     const char* droppable)
{
    const auto limit = numberIn(folder + limitFile);
    const auto used = numberIn(folder + usageFile);
    if (!limit || !used)
        return unlimited;
    const std::uint64_t pages = numberBehind(folder + "memory.stat", droppable).value_or(0);
    const std::uint64_t kept = *used - std::min(pages, *used);
    return *limit - std::min(kept, *limit);
}

/// Returns the memory left in the tightest control group of this process (cgroups(7), version 2 and 1).
std::uint64_t leftOfGroups(const std::string& root)
{
    std::uint64_t left = unlimited;
    std::ifstream groups(root + "/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const bool isUnified = second == first + 1;
        if (!isUnified && line.substr(first + 1, second - first - 1) != "memory")
            continue;
        std::string path = line.substr(second + 1);
        for (bool more = true; more;) {
            if (path == "/")
                path.clear();
            const std::string folder = root + "/sys/fs/cgroup" + (isUnified ? "" : "/memory") + path + "/";
            left = std::min(left,
                            isUnified ? leftOf(folder, "memory.max", "memory.current", "inactive_file")
                                      : leftOf(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                               "total_inactive_file"));
            more = !path.empty();
            path.resize(more ? std::min(path.rfind('/'), path.size() - 1) : 0);
        }
    }
    return left;
}

} // namespace

void giveFreedMemoryBack()
{
#ifdef __GLIBC__
    constexpr int largeBlockBytes = 128 * 1024;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): called before the program starts threads
    mallopt(M_MMAP_THRESHOLD, largeBlockBytes);
#endif
}

void giveMemoryOfThreadsBack()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

std::uint64_t memoryInUse()
{
    // "total resident shared ..." in pages. Avoids streams because this is called for every few kilobytes
    // read.
    const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    char text[128] = {};
    const ssize_t size = file < 0 ? 0 : ::read(file, text, sizeof text - 1);
    if (file >= 0)
        ::close(file);
    std::uint64_t pages[3] = {};
    const char* at = text;
    for (std::uint64_t& count : pages) {
        const auto [end, error] = std::from_chars(at, text + std::max<ssize_t>(size, 0), count);
        if (error != std::errc())
            return 0;
        at = end + 1;
    }
    return (pages[1] - std::min(pages[1], pages[2])) * static_cast<std::uint64_t>(::getpagesize());
}

std::uint64_t memoryAvailable(const std::string& root)
{
    constexpr std::uint64_t kib = 1024;
    const auto machine = numberBehind(root + "/proc/meminfo", "MemAvailable:");
    const std::uint64_t left = std::min(machine ? *machine * kib : unlimited, leftOfGroups(root));
    return left == unlimited ? 0 : left;
}

MemoryLimit memoryLimit(std::optional<std::uint64_t> askedBytes)
{
    MemoryLimit limit;
    limit.inUse = memoryInUse;
    // The system call takes microseconds; parsing a block of text takes fifty.
    struct Lately
    {
        std::atomic<unsigned> asked = 0;
        std::atomic<std::uint64_t> bytes = 0;
    };
    limit.inUseLately = [lately = std::make_shared<Lately>()] {
        constexpr unsigned answersFromMemory = 16; // about one megabyte of text
        if (lately->asked.fetch_add(1, std::memory_order_relaxed) % answersFromMemory == 0)
            lately->bytes.store(memoryInUse(), std::memory_order_relaxed);
        return lately->bytes.load(std::memory_order_relaxed);
    };
    const std::uint64_t available = askedBytes ? 0 : memoryAvailable();
    limit.bytes = askedBytes ? *askedBytes : available == 0 ? 0 : memoryInUse() + available / 4 * 3;
    return limit;
}

std::optional<std::uint64_t> sizeFromText(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || !(number > 0))
        return std::nullopt;
    std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    unit.remove_prefix(std::min(unit.find_first_not_of(' '), unit.size()));
    constexpr std::string_view powers = "KMGT";
    for (std::size_t power = 0; power < powers.size() && !unit.empty(); ++power) {
        const char letter = powers[power];
        if (unit.front() != letter && unit.front() != letter - 'A' + 'a')
            continue;
        for (std::size_t i = 0; i <= power; ++i)
            number *= 1024;
        unit.remove_prefix(1);
        unit.remove_prefix(unit.starts_with('i') ? 1 : 0);
        break;
    }
    unit.remove_prefix(unit.starts_with('B') || unit.starts_with('b') ? 1 : 0);
    if (!unit.empty() || !(number >= 1) || number >= 9e18)
        return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

} // namespace collscope
