// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// collscope --batch plan | reduce | merge | slurm: a run that is too large for one machine, reduced by tasks.

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
        Reduce, ///< one task: its files to a part
        Merge, ///< the parts as if they were the run; everything else that --batch does
        Slurm ///< the two jobs that do this on a cluster, written and submitted
    } verb
        = Verb::None;
    std::string output; ///< -o: the plan, the folder of the parts, the folder of the jobs
    std::string planFile;
    std::uint32_t task = 0;
    std::uint32_t tasks = 0;
    Kept kept = Kept::WhatMetricsRead;
    bool allowMissing = false; ///< merge what is there

    // slurm
    std::string account, qos, partition, constraint, time = "00:30:00", mergeTime = "00:30:00";
    std::vector<std::string> sbatchOptions; ///< more of them, for both jobs
    int cpus = 16; ///< of a task
    int running = 0; ///< tasks at once, 0 = as many as Slurm likes
    bool dryRun = false; ///< write, do not submit
    std::vector<std::string> mergeArguments; ///< what the merge makes
};

} // namespace collscope
