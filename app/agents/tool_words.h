// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The arguments of a call as words of a command line, which the command then checks as it checks a user's.

#include "app/agents/agent_tools.h"
#include "app/agents/folder_fence.h"

namespace collscope {

/// Returns the words without the command. An error names an argument that the tool does not have, or whose
/// value has another form, or a path outside of the fence.
Result<std::vector<std::string>> wordsOfCall(const AgentTool& tool, const Value& arguments,
                                             const FolderFence& fence);

/// The line that prints the same in a shell; empty if --batch has no such command.
std::string lineOfCall(const AgentTool& tool, const std::vector<std::string>& words);

} // namespace collscope
