// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// How a run that is too large for one machine is divided into tasks: for the commands plan and slurm.

#include "app/cli/command_options.h"
#include "model/partial/reduce_plan.h"
#include "model/readers/run/trace_directory.h"

namespace collscope {

/// A run and the number of tasks that reduce it.
struct PlanInput
{
    std::vector<std::string> paths;
    LoadOptions load;
    std::uint32_t tasks = 0;
    std::optional<Kept> kept; ///< without: events, if a merge of them fits into the memory of this machine
    std::string ranks; ///< "0-7,12"; empty: all
    bool prefersEverything = false; ///< without `kept`: all events, if their merge fits into the memory

    void declare(CommandOptions& options);
    /// declare() without the number of tasks.
    void declareRun(CommandOptions& options);
};

/// Returns the plan, with absolute paths, because tasks may run in another folder. Error NotFound if nothing
/// is left to reduce.
Result<ReducePlan> makePlan(const PlanInput& input);

} // namespace collscope
