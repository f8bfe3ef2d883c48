// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The runs that a folder adds to the table of runs.

#include "app/runs_job.h"

#include <functional>

namespace collscope {

struct RunList
{
    std::vector<ListedRun> runs;
    std::vector<std::string> others; ///< subfolders that contain no runs
};

/// Returns the runs of a folder that contains several runs, at any depth; otherwise the folder itself.
/// Inspects names and the first bytes of files; `cancelled` is polled for each.
RunList runsIn(
    const std::string& folder, const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
