// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plan -> fragments (in parallel) -> model. Called by batch mode, the window and tests.

#include "model/readers/trace_directory.h"

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

/// Whether the files of a plan can be one run: Error Unsupported, with the list of runs, if they cannot.
Status checkOneRun(const LoadPlan& plan);

/// Loads a plan. Error Unsupported for a folder of several runs (with their list), Cancelled, or NotFound if
/// nothing was readable (a card or TOML alone is not enough; the message lists the findings). The same files
/// give the same model for any number of threads.
Result<TraceModelPtr> loadTrace(const LoadPlan& plan, const LoadContext& context);

} // namespace collscope
