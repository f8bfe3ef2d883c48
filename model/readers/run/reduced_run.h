// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run reduced by tasks: turns a load plan into tasks, and their parts into a load plan that gives the same
// model. See reduce-and-merge.md; reduced_task.h is what one task does.

#include "model/partial/part_file.h"
#include "model/partial/reduce_plan.h"
#include "model/readers/run/load_context.h"
#include "model/readers/run/load_plan.h"

namespace collscope {

/// Turns a plan of `planLoad` into tasks. Memory snapshots are set aside: they are not reduced. The plan
/// follows from names, contents and options alone: a copy of the run gets the same plan except for the paths.
/// Reads both ends of every file; where a stop is requested, the plan is not complete.
ReducePlan reducePlan(const LoadPlan& plan, std::uint32_t tasks, Kept kept, std::string version,
                      const Parallel& parallel = {}, const std::stop_token& stop = {});

/// Whether the folder contains a plan and parts.
bool isReducedRun(const std::string& folder);
/// Plans the load of such a folder, in the order of the original plan, so that the model is that of the
/// traces. Parts that are missing, damaged or of another plan become problems (delivered_parts.h), with the
/// missing ranks. Error NotFound if no part fits, or if the options request something that was fixed when the
/// run was planned; Format if another version created it.
Result<LoadPlan> planReduced(const std::string& folder, const LoadOptions& options = {});

} // namespace collscope
