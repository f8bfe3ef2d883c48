// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Turns the arguments into a command, validated before anything is read.

#include "app/cli/command.h"

namespace collscope {

struct ParsedLine
{
    std::unique_ptr<ProgramCommand> command; ///< nullptr: print `message` and exit with `exitCode`
    std::string message = {}; ///< --help, --version, or a usage error
    int exitCode = 0;
    /// The arguments, with the --batch that the name ccl-metrics implies.
    std::vector<std::string> words = {};
};

/// Parses the arguments. `programName` may be a path; "ccl-metrics" implies --batch. Never throws, never
/// prints.
ParsedLine parseCommandLine(const std::string& programName, const std::vector<std::string>& arguments);

} // namespace collscope
