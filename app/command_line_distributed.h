// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/command_line_help.h"

#include <optional>

namespace collscope {

/// Returns the verb that follows --batch, or None. A folder of the same name can be given as ./plan.
Distributed::Verb distributedVerb(const std::vector<std::string>& arguments);

/// Parses the arguments of plan, reduce and slurm that follow the verb into `result`. Its mode is Message if
/// help was requested or the arguments are wrong.
void parseDistributed(Distributed::Verb verb, const std::vector<std::string>& arguments, CommandLine& result);

/// Returns the help of plan, reduce or slurm.
CommandHelp distributedHelp(Distributed::Verb verb);

} // namespace collscope
