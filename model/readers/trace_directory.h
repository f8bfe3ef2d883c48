// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Walks a run directory, decides by content what each file is, and plans the load. Pure: reads only heads of
// files.

#include "model/readers/reader.h"

namespace collscope {

/// Which profiler iteration to load when a directory holds several.
struct IterationChoice
{
    enum class Mode
    {
        LastComplete,
        All,
        One
    } mode
        = Mode::LastComplete;
    std::int64_t number = 0;
};

struct LoadOptions
{
    IterationChoice iteration;
    std::optional<int> maxRanks; ///< at most so many ranks, evenly spaced
    std::string cardPath, configPath; ///< --card, --config: used instead of what the directory holds
};

struct PlannedFile
{
    SourceFile file;
    const ReaderDescriptor* reader
        = nullptr; ///< nullptr: an .nsys-rep whose SQLite export the loader finds or makes
};

/// What will be read, and what was set aside and why (in problems).
struct LoadPlan
{
    std::string path;
    std::vector<PlannedFile> files;
    std::vector<std::int64_t> iterationsOffered;
    bool recognised
        = false; ///< something was found that is known but not read (yet): the folder is not unreadable
    Diagnostics problems;
};

/// Error NotFound if a path does not exist; an empty plan (with problems) if nothing in it is recognised.
Result<LoadPlan> planLoad(const std::vector<std::string>& paths, const LoadOptions& options);

/// Rank by name: "rank[_\s-]*(\d+)" in the file name, then in the parent folder, then kineto_trace_(\d+) or
/// the trailing integer of the stem (metrics.md 2).
std::optional<std::int32_t> rankFromPath(std::string_view path);
/// n of an "iteration_<n>" component of the path, -1 if there is none.
std::int64_t iterationFromPath(std::string_view path);

} // namespace collscope
