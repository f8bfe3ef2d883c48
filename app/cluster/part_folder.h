// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The plan of a reduced run, and the folder of its parts. For the commands reduce and merge --partial.

#include "model/partial/reduce_plan.h"

#include <string>

namespace collscope {

/// A plan and its text, of which parts keep the hash.
struct PlanText
{
    std::string text;
    ReducePlan plan;
};
/// Reads a plan of this version of the program. Error Usage: a sentence that names the file.
Result<PlanText> readPlan(const std::string& file);
/// Error Usage: the plan has no such task.
Status checkTask(const ReducePlan& plan, std::uint32_t task);
/// Makes the folder if it is missing, and stores the plan in it, so that it records which run the parts
/// belong to. Returns false, with a sentence on stderr, on failure, or if it has another plan.
bool settlePlan(const std::string& folder, const std::string& text);

} // namespace collscope
