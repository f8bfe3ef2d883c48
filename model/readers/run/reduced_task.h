// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One task of a reduced run: reads its files, and hands over the section of each as soon as it is complete.
// See reduce-and-merge.md.

#include "model/partial/part_file.h"
#include "model/partial/reduce_plan.h"
#include "model/readers/run/load_context.h"
#include "model/readers/run/load_plan.h"

#include <set>

namespace collscope {

/// A file of a plan as the readers expect it.
SourceFile sourceOf(const ReducePlan::File& file);

/// Positions of a task's files in the plan.
std::set<std::uint32_t> placesOfTask(const ReducePlan& plan, std::uint32_t task);

/// Files that a task reads.
struct TaskFiles
{
    LoadPlan load; ///< where the files are read
    std::vector<std::uint32_t> places; ///< their positions in the plan
    std::vector<ReducePlan::File> planned; ///< as they were planned
};
/// `places`: the files to read. `copies`: they were copied into this folder, each under its path in the
/// folder of the run; empty: they are where they were planned. What is read does not depend on it.
TaskFiles filesToRead(const ReducePlan& plan, const std::set<std::uint32_t>& places,
                      const std::string& copies = {});
/// All files of a task.
TaskFiles filesOfTask(const ReducePlan& plan, std::uint32_t task);

/// Takes the section of a file. Called by any thread, also by several at once. An error ends the task.
using SectionSink = std::function<Status(PackedSection)>;

/// Reads the files, lets `reduce` remove the data that the merge does not need, and passes the section of
/// each to `keep` as soon as it is complete. A file that was changed or cannot be read becomes a section that
/// states the reason. Error: Cancelled, or what `keep` returns.
Status reduceFiles(const TaskFiles& files, const LoadContext& context,
                   const std::function<void(TraceFragment&)>& reduce, const SectionSink& keep);

/// Whether the part at `path` belongs to this task and plan and is complete, so that nothing is left to do.
bool isPartWhole(const std::string& path, std::uint64_t plan, std::uint32_t task);

} // namespace collscope
