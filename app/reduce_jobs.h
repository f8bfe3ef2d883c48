// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "model/result.h"

namespace collscope {

/// The plan of the command line's run, with absolute paths. Error NotFound if there is nothing to reduce.
Result<ReducePlan> makePlan(const CommandLine& command);

/// The array of tasks as a script for sbatch; `folder` is absolute and holds plan.json, parts and logs.
std::string reduceJob(const Distributed& own, const std::string& folder, std::uint32_t tasks);
/// The job behind it.
std::string mergeJob(const Distributed& own, const std::string& folder);

} // namespace collscope
