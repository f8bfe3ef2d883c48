// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run that tasks have reduced: from a load plan to tasks, and from their parts to a load plan that gives
// the same model.

#include "model/partial/part_file.h"
#include "model/partial/reduce_plan.h"
#include "model/readers/load_trace.h"

namespace collscope {

inline constexpr std::string_view missingPart = "missing_part"; ///< code of a problem

/// What `planLoad` found, for tasks. Memory snapshots are set aside: they are not reduced.
ReducePlan reducePlan(const LoadPlan& plan, std::uint32_t tasks, Kept kept, std::string version);

/// The files of one task, and the place of each in the plan.
struct TaskFiles
{
    LoadPlan load;
    std::vector<std::uint32_t> places; ///< of load.files
    std::vector<std::pair<std::uint32_t, Error>> changed; ///< since it was planned, by place; not in load
};
TaskFiles filesOfTask(const ReducePlan& plan, std::uint32_t task);

struct TaskPart
{
    std::string bytes; ///< of the part
    std::size_t sections = 0;
    std::vector<std::pair<std::uint32_t, std::string>> failures; ///< files of the plan, and why
};
/// Reads the files of a task and lets `reduce` leave out what the merge does not need. A file that cannot be
/// read is a section that says why. Error Cancelled.
Result<TaskPart> partOfTask(const TaskFiles& files, std::uint64_t plan, std::uint32_t task,
                            const LoadContext& context, const std::function<void(TraceFragment&)>& reduce);
/// True if the part at `path` is of this task and plan, and whole: nothing is left to do.
bool isPartWhole(const std::string& path, std::uint64_t plan, std::uint32_t task);

/// True for a folder with a plan and parts.
bool isReducedRun(const std::string& folder);
/// What to load of such a folder, in the order of the plan, so that the model is that of the traces. Parts
/// that are not there, damaged or of another plan are problems "missing_part", with the ranks that lack.
/// Error NotFound if no part fits, or the options ask for what was decided when the run was planned; Format
/// if another version made it.
Result<LoadPlan> planReduced(const std::string& folder, const LoadOptions& options = {});

} // namespace collscope
