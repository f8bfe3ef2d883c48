// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a load reads: the files of a run, and the runs of a folder.

#include "model/building/kernel_rules.h"
#include "model/readers/reader.h"
#include "model/readers/run/trace_facts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

/// The profiler iteration to load if a directory contains several.
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
    std::optional<int> maxRanks; ///< at most this many ranks, evenly spaced
    /// Sets the ranks of files if neither their content nor their name is to be trusted: by the end of the
    /// path, from a folder or file name on ("host1/trace.json").
    using Ranks = std::map<std::string, std::int32_t>;
    Ranks ranks;
    std::optional<std::uint64_t> maxMemory; ///< bytes that the process may use; empty = the program decides
    std::string cardPath, configPath; ///< --card, --config: used instead of those in the directory
    bool asOneRun = false; ///< load a folder of several runs as one run, as the user requested
    bool exportsReports = false; ///< the user allowed nsys to be run to export its reports
    std::vector<KernelRule> kernelRules; ///< the user's rules for kernel names
    GivenFacts given;
    /// Folders of parts that are read in place of a path, because what it names lies on another machine.
    /// Iteration and ranks were chosen there.
    std::map<std::string, std::string> copies;
};

struct PlannedFile
{
    SourceFile file;
    const ReaderDescriptor* reader
        = nullptr; ///< nullptr: an .nsys-rep whose SQLite export the loader finds or creates
    TraceFacts facts = {};
    /// An .nsys-rep next to other traces of the run: if it cannot be read, that is a notice and not an error.
    bool isSpare = false;
};

/// The severity of a planned file that could not be read.
inline Severity severityOfUnread(const PlannedFile& planned)
{
    return planned.isSpare ? Severity::Notice : Severity::Error;
}

/// A file that is named like a trace, but from which nothing can be read.
struct WreckedFile
{
    std::string path;
    std::optional<std::int32_t> rank; ///< stated by its name
    std::string why; ///< "its file is empty"
};

/// One of the runs of a folder.
struct FoundRun
{
    std::string name; ///< its folder below the opened one, or a name for files that share a folder
    std::vector<std::string> paths; ///< paths to open: one folder, or files
    std::vector<std::int32_t> ranks; ///< as stated by names or files, ascending
    std::size_t traces = 0; ///< number of timelines; if there are none, of files
    std::uint64_t bytes = 0;
    std::optional<std::int64_t> beginNs; ///< earliest wall clock time of an event (or file) that states one
    std::int64_t changedNs = 0; ///< modification time of its latest file
};

/// The files to read, and those set aside, with the reasons (in problems).
struct LoadPlan
{
    std::string path; ///< the first of `paths`
    std::vector<std::string> paths; ///< opened by the user
    std::vector<PlannedFile> files;
    /// If several: the folder is not one run, and loadTrace() refuses it with this list. `files` are those of
    /// all runs.
    std::vector<FoundRun> runs;
    std::vector<std::int64_t> iterationsOffered;
    std::vector<WreckedFile> wrecks;
    bool isFolder = false; ///< folders were opened, which should contain everything that belongs to the run
    bool isLimited = false; ///< --max-ranks excluded ranks
    bool recognised
        = false; ///< a known format was found that is not read (yet): the folder is not unreadable
    std::vector<KernelRule> kernelRules; ///< applied to the data read
    GivenFacts given;
    Diagnostics problems;
};

} // namespace collscope
