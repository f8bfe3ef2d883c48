// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Which runs a folder stands for in the table of runs.

#include "app/runs_job.h"

#include <functional>

namespace collscope {

struct RunList
{
    std::vector<ListedRun> runs;
    std::vector<std::string> others; ///< subfolders in which nothing is a run
};

/// The runs of a folder that holds several, however deep they lie; else the folder itself, as it is. Looks at
/// names and the first bytes of files; `cancelled` is polled for each.
RunList runsIn(
    const std::string& folder, const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
