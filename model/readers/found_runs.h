// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Decides whether the traces of a folder are one run or several, by names and first bytes, before any of them
// is read.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

struct PlannedFile;

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

/// Returns the runs of a folder in name order; empty if the folder is one run. Several runs are subfolders
/// that contain the same ranks, or files whose processes were recorded one after the other. Subfolders with
/// different ranks are one run, and so are kineto/, iteration_5/, rank3/, node1/.
std::vector<FoundRun> findRuns(const std::string& folder, const std::vector<PlannedFile>& files);

/// Describes a run for lists: "ranks 0-7", "rank 3", "4 traces".
std::string ranksText(const FoundRun& run);
/// Returns a sentence and one line per run.
std::string severalRunsText(const std::string& folder, const std::vector<FoundRun>& runs);

} // namespace collscope
