// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Walks a run directory, decides by content what each file is, and plans the load. Pure: reads only heads of
// files.

#include "model/readers/reader.h"

#include <map>

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
    friend bool operator==(const IterationChoice&, const IterationChoice&) = default;
};

struct LoadOptions
{
    IterationChoice iteration;
    std::optional<int> maxRanks; ///< at most so many ranks, evenly spaced
    /// Which rank a file is, where neither it nor its name is to be believed: by the end of its path, from a
    /// folder or file name on ("host1/trace.json").
    using Ranks = std::map<std::string, std::int32_t>;
    Ranks ranks;
    std::optional<std::uint64_t>
        maxMemory; ///< bytes that the process may take; empty = as the program thinks
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
    std::string path; ///< the first of `paths`
    std::vector<std::string> paths; ///< what the user opened
    std::vector<PlannedFile> files;
    std::vector<std::int64_t> iterationsOffered;
    bool recognised
        = false; ///< something was found that is known but not read (yet): the folder is not unreadable
    Diagnostics problems;
};

/// Error NotFound if a path or the iteration asked for does not exist; an empty plan (with problems) if
/// nothing in it is recognised.
Result<LoadPlan> planLoad(const std::vector<std::string>& paths, const LoadOptions& options);

} // namespace collscope
