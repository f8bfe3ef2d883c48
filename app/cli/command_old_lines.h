// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Lines without a command, as version 1 had them: options choose what is done. They are translated into
// commands, so that there is one way from a command to its result.

#include "app/cli/command.h"
#include "app/cli/command_words.h"

namespace collscope {

/// A command with its options, not yet checked.
struct CommandCall
{
    const CommandRow* row = nullptr;
    std::vector<GivenOption> given;
};

/// The group of the options that no command has.
inline constexpr const char* oldLineGroup = "Without a command";
/// Returns the options of all commands, and those that choose a command.
const CommandOptions& oldLineOptions();

/// Translates a line that was split with oldLineOptions(). `isMerge`: it follows --batch merge, whose options
/// choose a command in the same way. An error names an option that does not go together with the others.
Result<CommandCall> translateOldLine(std::vector<GivenOption> given, bool isMerge);

/// Returns the words of a call: "doctor RUN --json".
std::string wordsOf(const CommandCall& call);

} // namespace collscope
