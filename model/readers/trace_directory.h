// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Walks a run directory, decides by content what each file is, and plans the load. Pure: reads only heads of
// files.

#include "model/kernel_rules.h"
#include "model/readers/found_runs.h"
#include "model/readers/reader.h"
#include "model/readers/trace_facts.h"

#include <functional>
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
    bool asOneRun = false; ///< a folder of several runs is taken as one, as a person says
    bool exportsReports = false; ///< nsys may be run to export its reports, as a person says
    std::vector<KernelRule> kernelRules; ///< what a person says of kernels
    GivenFacts given;
};

struct PlannedFile
{
    SourceFile file;
    const ReaderDescriptor* reader
        = nullptr; ///< nullptr: an .nsys-rep whose SQLite export the loader finds or makes
    TraceFacts facts = {};
    /// An .nsys-rep beside other traces of the run: where it cannot be read, that is a notice and no error.
    bool isSpare = false;
};

/// How bad it is that a file of the plan could not be read.
inline Severity severityOfUnread(const PlannedFile& planned)
{
    return planned.isSpare ? Severity::Notice : Severity::Error;
}

/// A file of a trace's name from which nothing can be read.
struct WreckedFile
{
    std::string path;
    std::optional<std::int32_t> rank; ///< that its name says
    std::string why; ///< "its file is empty"
};

/// What will be read, and what was set aside and why (in problems).
struct LoadPlan
{
    std::string path; ///< the first of `paths`
    std::vector<std::string> paths; ///< what the user opened
    std::vector<PlannedFile> files;
    /// Several: the folder is not one run, and loadTrace() refuses it with this list. `files` are those of
    /// all.
    std::vector<FoundRun> runs;
    std::vector<std::int64_t> iterationsOffered;
    std::vector<WreckedFile> wrecks;
    bool isFolder = false; ///< folders were opened: all that belongs to the run should be in them
    bool isLimited = false; ///< --max-ranks left ranks out
    bool recognised
        = false; ///< something was found that is known but not read (yet): the folder is not unreadable
    std::vector<KernelRule> kernelRules; ///< applied to what is read
    GivenFacts given;
    Diagnostics problems;
};

/// What a file is that planLoad() would read for its events or samples, by its content: the title of the
/// format. "" for everything else, also for cards and configurations.
std::string_view traceFormat(const std::string& path);

/// Error NotFound if a path or the iteration asked for does not exist, Cancelled if `cancelled` (polled for
/// each file) says so; an empty plan (with problems) if nothing in it is recognised.
Result<LoadPlan> planLoad(
    const std::vector<std::string>& paths, const LoadOptions& options,
    const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
