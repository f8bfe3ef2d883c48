// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/commands/run_command_line.h"

#include "app/cli/command_line.h"
#include "app/files/batch_io.h"
#include "app/files/resources.h"
#include "app/runtime/memory_policy.h"
#include "app/runtime/open_files.h"
#include "model/text/printable_text.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace collscope {

namespace {

/// Replaces this process by collscope-window. Returns an ExitCode only if that fails.
int startWindowProgram(char* programName, std::vector<std::string> words)
{
    std::vector<char*> arguments{programName};
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string program = windowProgramFile();
    std::error_code error;
    if (!std::filesystem::exists(program, error)) {
        say("windows and pictures need the program collscope-window, which is not installed: " + program
            + " does not exist.");
        return NotWritten;
    }
    // A copy of collscope under the name collscope-window would start itself forever.
    if (std::filesystem::equivalent(program, "/proc/self/exe", error)) {
        say("windows and pictures need the program collscope-window, but " + program
            + " is a copy of collscope. Install Collscope again.");
        return NotWritten;
    }
    execv(program.c_str(), arguments.data());
    say(program + " cannot be started: " + std::generic_category().message(errno) + ".");
    return NotWritten;
}

} // namespace

int runCommandLine(int argc, char** argv, WindowProgram* window)
{
    secureStreams();
    giveFreedMemoryBack();
    allowManyOpenFiles();
    ParsedLine line = parseCommandLine(argv[0], {argv + 1, argv + argc});
    if (!line.command) {
        if (line.exitCode == Done)
            return print(line.message) ? Done : NotWritten;
        std::fputs(printableText(line.message).c_str(), stderr);
        return line.exitCode;
    }
    if (line.command->needsWindow() && !window)
        return startWindowProgram(argv[0], std::move(line.words));
    line.command->window = window;
    if (const int prepared = line.command->prepare(); prepared != Done)
        return prepared;
    return line.command->run();
}

} // namespace collscope
