// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/command_line_help.h"

#include <optional>

namespace collscope {

/// The verb that follows --batch; None if there is none. A folder of that name is written ./plan.
Distributed::Verb distributedVerb(const std::vector<std::string>& arguments);

/// Arguments of plan, reduce and slurm, behind the verb. Fills `result`; its mode is Message where they ask
/// for help or are wrong.
void parseDistributed(Distributed::Verb verb, const std::vector<std::string>& arguments, CommandLine& result);

/// What plan, reduce or slurm say of their options.
CommandHelp distributedHelp(Distributed::Verb verb);

} // namespace collscope
