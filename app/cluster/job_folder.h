// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The folder of the jobs that reduce a run: the plan, and what the scheduler is given. For the commands slurm
// and kubernetes.

#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Lists the jobs that were submitted from the folder.
inline constexpr std::string_view submittedName = "jobs.txt";

struct JobFile
{
    std::string name, text;
    bool isScript = false;
};

/// Writes the files into a folder, and the empty folders below it. A folder that is not empty is used only if
/// it contains nothing but what this very call would write, as after a submission that failed: parts of
/// another plan would be merged as if they belonged to this run. Returns false, with a sentence on stderr
/// that says what is different, otherwise.
bool writeJobFolder(const std::string& folder, const std::vector<JobFile>& files,
                    const std::vector<std::string>& emptyFolders);

} // namespace collscope
