// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The runs that a folder adds to the table of runs.

#include <stop_token>
#include <string>
#include <vector>

namespace collscope {

/// A row of the table of runs.
struct ListedRun
{
    std::string label; ///< its path, or folder and name if it consists of some files of the folder
    std::vector<std::string> paths; ///< paths to open
};

struct RunList
{
    std::vector<ListedRun> runs;
    std::vector<std::string> others; ///< subfolders that contain no runs
};

/// Returns the runs of a folder that contains several runs, at any depth; otherwise the folder itself.
/// Inspects names and the first bytes of files; `stop` is polled for each.
RunList runsIn(const std::string& folder, const std::stop_token& stop = {});

} // namespace collscope
