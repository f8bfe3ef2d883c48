// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What the program can be told to do. A command is a class of its own whose members are the values of its
// options. Its source file, and a row in command_table.cpp, are all that it needs.

#include "app/cli/command_options.h"

#include <memory>
#include <span>

namespace collscope {

class WindowProgram;

class ProgramCommand
{
public:
    ProgramCommand() = default;
    ProgramCommand(const ProgramCommand&) = delete; // the options refer to members
    ProgramCommand& operator=(const ProgramCommand&) = delete;
    virtual ~ProgramCommand() = default;

    /// Adds the options of this command, bound to its members, to `options`.
    virtual void declare() = 0;
    /// Called when all values are set. An error is the first mistake in their combination; nothing has been
    /// read yet.
    virtual Status check() { return {}; }
    /// Whether run() opens a window or draws, for which it needs `window`. Known after check().
    virtual bool needsWindow() const { return false; }
    /// Called once before run(), by the program that runs the command: gets what lies on other machines.
    /// Returns an ExitCode; run() is called only after 0.
    virtual int prepare() { return 0; }
    /// Returns an ExitCode.
    virtual int run() const = 0;

    CommandOptions options;
    std::vector<std::string> words; ///< the arguments as typed
    WindowProgram* window = nullptr; ///< only collscope-window sets it
};

/// A row in the table of commands.
struct CommandRow
{
    std::string_view name; ///< the word that names it, or "merge --partial"; "" = the window
    std::string_view usage; ///< follows the name: "RUN ... [OPTIONS]"
    std::string_view description; ///< one sentence
    std::unique_ptr<ProgramCommand> (*make)() = nullptr;
    std::string_view footer = {}; ///< lines at the end of its --help
    bool isBatch = true; ///< named after --batch; false: the first word of the line

    /// Whether it is another command named by the same word and an option, as "merge --partial" is. Its help,
    /// but no list of commands, shows it.
    bool isForm() const { return name.find(' ') != std::string_view::npos; }
};

/// Returns all commands, the window first.
std::span<const CommandRow> allCommands();
/// nullptr if no command has this name.
const CommandRow* findCommand(std::string_view name);
/// Makes the command and declares its options.
std::unique_ptr<ProgramCommand> makeCommand(const CommandRow& row);
/// Returns "--batch NAME" or "NAME", or "" for the window: what follows the program.
std::string commandText(const CommandRow& row);

} // namespace collscope
