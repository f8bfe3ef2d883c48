// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether the traces of a folder are one run or several: decided by names and first bytes, before any of them
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
    std::string name; ///< its folder below the one that was opened; of files that share a folder, theirs
    std::vector<std::string> paths; ///< what to open: one folder, or files
    std::vector<std::int32_t> ranks; ///< those that names or files say, ascending
    std::size_t traces = 0; ///< timelines, or what the run consists of where it has none
    std::uint64_t bytes = 0;
    std::optional<std::int64_t> beginNs; ///< wall clock of the first event (or file) that tells it
    std::int64_t changedNs = 0; ///< when its latest file was written, as the disk says
};

/// The runs of a folder, in the order of their names; fewer than two: it is one run. Several runs are
/// subfolders that hold the same ranks, or files whose processes were recorded one after the other.
/// Subfolders with ranks of their own are one run, and so are kineto/, iteration_5/, rank3/, node1/.
std::vector<FoundRun> findRuns(const std::string& folder, const std::vector<PlannedFile>& files);

/// "ranks 0-7", "rank 3", "4 traces": for lists of runs.
std::string ranksText(const FoundRun& run);
/// A sentence and a line for each run.
std::string severalRunsText(const std::string& folder, const std::vector<FoundRun>& runs);

} // namespace collscope
