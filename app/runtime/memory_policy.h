// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Allocator settings and the memory limit of the program.

#include "model/readers/run/load_trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace collscope {

/// Returns large freed blocks to the system. Columns grow by doubling, and by default glibc keeps ever larger
/// freed blocks for reuse, although the next, larger block does not fit into them: a third of a load's memory
/// would be holes.
void giveFreedMemoryBack();
/// Returns what all threads have freed so far. glibc keeps it for the thread that freed it, although other
/// threads do the next work: a quarter of the memory of a merge would be unused. Takes milliseconds.
void giveMemoryOfThreadsBack();

/// Returns the private memory of this process in bytes. Any thread.
std::uint64_t memoryInUse();
/// Returns the memory that processes can still get: of the machine, or of this process's control group if
/// that is less. 0 if the system does not report it. `root` is prepended to the system file paths.
std::uint64_t memoryAvailable(const std::string& root = {});
/// Returns the requested limit, or the memory in use plus three quarters of the available memory.
MemoryLimit memoryLimit(std::optional<std::uint64_t> askedBytes);

/// Parses "8G", "512 MiB", "1.5GB" or "800000000" into bytes; K to T are powers of 1024. nullopt if it is not
/// a size above 0.
std::optional<std::uint64_t> sizeFromText(std::string_view text);

} // namespace collscope
