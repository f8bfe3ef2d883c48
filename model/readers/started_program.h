// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Starts another program without a shell and waits for its end. ARCHITECTURE.md lists all callers.

#include "model/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Returns the absolute path of a program in the folders of PATH. Relative entries are skipped: "." would run
/// a program from the folder of a trace.
std::optional<std::string> programOnPath(std::string_view name);

struct ProgramStart
{
    std::vector<std::string> arguments; ///< the first is the program's absolute path
    std::optional<std::vector<std::string>> environment = {}; ///< "NAME=value"; nullopt: that of this process
    bool keepsOutput = false; ///< otherwise the program writes to /dev/null
    /// If set: gets what the program writes to its standard output as it comes, instead of ProgramEnd::out.
    /// Returns false to kill the program.
    std::function<bool(std::string_view)> takeOutput = {};
};

struct ProgramEnd
{
    int exitCode = -1; ///< -1: killed
    std::string out, err; ///< if they were kept or taken, at most 64 KiB each
};

/// Runs the program, with /dev/null as its input. It is killed when mustStop() becomes true, which is asked
/// 50 times a second. Fails if the program cannot be started.
Result<ProgramEnd> runProgram(ProgramStart start, const std::function<bool()>& mustStop);

} // namespace collscope
