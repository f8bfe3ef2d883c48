// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// collscope --batch plan | reduce | merge | slurm: reduces a run that is too large for one machine in several
// tasks.

#include "model/partial/reduce_plan.h"

#include <string>
#include <vector>

namespace collscope {

struct Distributed
{
    enum class Verb
    {
        None,
        Plan, ///< divide the files of a run into tasks
        Reduce, ///< reduce the files of one task to a part
        Merge, ///< use the parts as the run, with all other options of --batch
        Slurm ///< write and submit the two cluster jobs for reduce and merge
    } verb
        = Verb::None;
    std::string output; ///< -o: plan file, folder of the parts, or folder of the jobs
    std::string planFile;
    std::uint32_t task = 0;
    std::uint32_t tasks = 0;
    Kept kept = Kept::WhatMetricsRead;
    bool allowMissing = false; ///< merge the available parts

    // slurm
    std::string account, qos, partition, constraint, time = "00:30:00", mergeTime = "00:30:00";
    std::vector<std::string> sbatchOptions; ///< additional options for both jobs
    int cpus = 16; ///< per task
    int running = 0; ///< concurrent tasks, 0 = no limit
    bool dryRun = false; ///< write without submitting
    std::vector<std::string> mergeArguments; ///< options passed to the merge
};

} // namespace collscope
