// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run reduced by tasks: turns a load plan into tasks, and their parts into a load plan that gives the same
// model.
// See reduce-and-merge.md.

#include "model/partial/part_file.h"
#include "model/partial/reduce_plan.h"
#include "model/readers/run/load_context.h"
#include "model/readers/run/load_plan.h"

namespace collscope {

inline constexpr std::string_view missingPart = "missing_part"; ///< a diagnostic code

/// Turns a plan of `planLoad` into tasks. Memory snapshots are set aside: they are not reduced.
ReducePlan reducePlan(const LoadPlan& plan, std::uint32_t tasks, Kept kept, std::string version);

/// The files of one task, and the position of each in the plan.
struct TaskFiles
{
    LoadPlan load;
    std::vector<std::uint32_t> places; ///< positions of load.files
    std::vector<std::pair<std::uint32_t, Error>> changed; ///< changed since planning, by position; not in
                                                          ///< load
};
TaskFiles filesOfTask(const ReducePlan& plan, std::uint32_t task);

struct TaskPart
{
    std::string bytes; ///< contents of the part
    std::size_t sections = 0;
    std::vector<std::pair<std::uint32_t, std::string>> failures; ///< files of the plan, with the reasons
};
/// Reads the files of a task and lets `reduce` remove the data that the merge does not need. A file that
/// cannot be read becomes a section that states the reason. Error Cancelled.
Result<TaskPart> partOfTask(const TaskFiles& files, std::uint64_t plan, std::uint32_t task,
                            const LoadContext& context, const std::function<void(TraceFragment&)>& reduce);
/// Whether the part at `path` belongs to this task and plan and is complete, so that nothing is left to do.
bool isPartWhole(const std::string& path, std::uint64_t plan, std::uint32_t task);

/// Whether the folder contains a plan and parts.
bool isReducedRun(const std::string& folder);
/// Plans the load of such a folder, in the order of the original plan, so that the model is that of the
/// traces. Parts that are missing, damaged or of another plan become problems "missing_part", with the
/// missing ranks. Error NotFound if no part fits, or if the options request something that was fixed when the
/// run was planned; Format if another version created it.
Result<LoadPlan> planReduced(const std::string& folder, const LoadOptions& options = {});

} // namespace collscope
