// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a load may use: threads, memory, and whom it tells.

#include "model/readers/reader.h"
#include "model/trace_model.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace collscope {

/// The memory that the process may use while it loads; a file that would need more is refused.
struct MemoryLimit
{
    std::uint64_t bytes = 0; ///< 0 = no limit
    std::function<std::uint64_t()> inUse
        = [] { return std::uint64_t{0}; }; ///< memory that the process uses now; called from any thread
    /// Like inUse, but may be slightly out of date: called for every few kilobytes that are read. Empty:
    /// `inUse` is called.
    std::function<std::uint64_t()> inUseLately;

    /// Bytes that may still be used; the largest number without a limit.
    std::uint64_t left() const;
};

struct LoadContext
{
    Parallel parallel;
    std::function<void(std::size_t file, std::uint64_t doneBytes)> progress
        = [](std::size_t, std::uint64_t) {};
    std::stop_token stop; ///< requested when the user cancels
    /// If set and the run is large: called once, before the load ends, with the part loaded so far (the first
    /// rank, or the start of it). From any thread.
    std::function<void(TraceModelPtr)> preview;
    std::string cacheFolder;
    bool exportsReports = false; ///< nsys may be run to export its reports into the cache folder
    MemoryLimit memory;
};

} // namespace collscope
