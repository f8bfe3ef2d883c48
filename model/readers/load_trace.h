// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plan -> fragments (in parallel) -> model. Batch, window and tests all
// call this.

#include "model/readers/trace_directory.h"

namespace collscope {

/// How much memory the process may have while it loads; what would need more is refused.
struct MemoryLimit
{
    std::uint64_t bytes = 0; ///< 0 = no limit
    std::function<std::uint64_t()> inUse
        = [] { return std::uint64_t{0}; }; ///< what the process has now; from any thread
    /// The same, or what it was a moment ago: asked for each few kilobytes that are read. Empty: `inUse`.
    std::function<std::uint64_t()> inUseLately;

    /// Bytes that may still be taken; the largest number without a limit.
    std::uint64_t left() const;
};

struct LoadContext
{
    Parallel parallel;
    std::function<void(std::size_t file, std::uint64_t doneBytes)> progress
        = [](std::size_t, std::uint64_t) {};
    std::function<bool()> cancelled = [] { return false; };
    /// If set and the run is large: called once, before the load ends, with what is there by then (the first
    /// rank, or the beginning of it). From any thread.
    std::function<void(TraceModelPtr)> preview;
    std::string cacheFolder;
    bool exportsReports = false; ///< nsys may be run to export its reports into the cache folder
    MemoryLimit memory;
};

/// Why the files of a plan cannot be one run: Error Unsupported, with the list of the runs. nullopt if they
/// can.
std::optional<Error> severalRunsError(const LoadPlan& plan);

/// Error Unsupported for a folder of several runs (with the list of them), Cancelled, or NotFound when
/// nothing was readable (a card or TOML alone is not; the message says what was found). The same files give
/// the same model for any number of threads.
Result<TraceModelPtr> loadTrace(const LoadPlan& plan, const LoadContext& context);

} // namespace collscope
