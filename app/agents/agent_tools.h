// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tools of the server as a table.

#include "app/cli/command.h"
#include "metrics/core/value.h"

#include <span>
#include <string_view>
#include <vector>

namespace collscope {

/// A question that an agent may ask, and the command that answers it.
struct AgentTool
{
    std::string_view name;
    std::string_view title;
    std::string_view description; ///< for the agent: what it answers, and what to be careful about
    CommandRow command; ///< of --batch, or one that only agents have
    /// Options of the command that an agent may give; "PATH": the run. All others are out of reach.
    std::vector<std::string_view> arguments;
    std::vector<std::string_view> required = {};
    std::vector<std::string_view> fixed = {}; ///< words that are always given
    bool takesAllFolders = false; ///< without a run: all folders of the server
    /// Arguments for the runs of a command that takes several, in the order of the command line; all are
    /// required.
    std::vector<std::string_view> runs = {};

    /// Whether --batch has the command.
    bool isOfBatch() const { return command.isBatch; }
};

std::span<const AgentTool> agentTools();
/// nullptr if no tool has this name.
const AgentTool* findTool(std::string_view name);

/// The name of an argument: "awaited_rank" for --awaited-rank, "run" for PATH.
std::string argumentName(std::string_view option);
/// Whether the value of an option is the path of a run.
bool isRunPath(const OptionSpec& spec);
/// What tools/list says about a tool; its schema is made from the options of the command.
Value toolValue(const AgentTool& tool);

} // namespace collscope
