// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the program asks of the allocator, and how much memory it may take.

#include "model/readers/load_trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace collscope {

/// Columns grow by doubling. By default glibc keeps ever larger freed blocks for reuse, where the next,
/// larger one does not fit: a third of the memory of a load would be holes. Large blocks go back to the
/// system instead.
void giveFreedMemoryBack();

/// Memory that this process alone has, in bytes; from any thread.
std::uint64_t memoryInUse();
/// Memory that processes can still get: of the machine, or of the control group that this one is in if that
/// is less. 0 if the system does not say. `root` stands before the paths of its files.
std::uint64_t memoryAvailable(const std::string& root = {});
/// As asked, or three quarters of what is available on top of what the process has.
MemoryLimit memoryLimit(std::optional<std::uint64_t> askedBytes);

/// "8G", "512 MiB", "1.5GB", "800000000": bytes, K to T in powers of 1024. nullopt if it is no size above 0.
std::optional<std::uint64_t> sizeFromText(std::string_view text);

} // namespace collscope
