// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Help texts of the options as data. --help, the manual page and the shell completions are generated from it.

#include <string>
#include <string_view>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): CLI11's
class App;
}

namespace collscope {

struct OptionHelp
{
    std::vector<std::string> names; ///< "-v", "--verbose"
    std::string argument; ///< "FILE"; empty for an option without an argument
    std::vector<std::string> choices; ///< the only allowed values; empty: any
    std::string description;
};

struct OptionGroup
{
    std::string title;
    std::vector<OptionHelp> options;
};

struct CommandHelp
{
    std::string name; ///< "collscope --batch plan"
    std::string description; ///< one sentence
    std::string usage; ///< follows the name
    std::vector<OptionHelp> positionals; ///< one name each
    std::vector<OptionGroup> groups; ///< in the order of declaration
    std::string footer;
};

/// Returns the texts, separated by `separator`.
std::string joined(const std::vector<std::string>& texts, std::string_view separator);

/// Reads the options declared in `app`. The argument of a positional or an option is its type name without
/// the checks.
CommandHelp commandHelp(const CLI::App& app);
/// Returns the text of --help, in lines of at most 100 characters.
std::string helpText(const CommandHelp& command);

/// Returns a page for man(1) about the first command, with the other commands as sections.
std::string manualPage(const std::vector<CommandHelp>& commands);
/// Completion scripts. `metrics` are the values that --metric and --explain accept.
std::string bashCompletion(const std::vector<CommandHelp>& commands, const std::vector<std::string>& metrics);
std::string zshCompletion(const std::vector<CommandHelp>& commands, const std::vector<std::string>& metrics);

} // namespace collscope
