// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the options say of themselves, as data: --help, the manual page and the completions of shells are made
// of it.

#include <string>
#include <string_view>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): theirs
class App;
}

namespace collscope {

struct OptionHelp
{
    std::vector<std::string> names; ///< "-v", "--verbose"
    std::string argument; ///< "FILE"; empty for an option that takes none
    std::vector<std::string> choices; ///< the only values it takes; empty: any
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
    std::string parallelismKind; ///< one sentence
    std::string usage; ///< what follows the name
    std::vector<OptionHelp> positionals; ///< with one name each
    std::vector<OptionGroup> groups; ///< in the order in which they were declared
    std::string footer;
};

/// The texts with a separator between each two.
std::string joined(const std::vector<std::string>& texts, std::string_view separator);

/// Reads what was declared of `app`. A positional's and an option's argument is the type name without checks.
CommandHelp commandHelp(const CLI::App& app);
/// The text of --help, in lines of at most 100 characters.
std::string helpText(const CommandHelp& command);

/// A page for man(1), of the first command, with the others as sections.
std::string manualPage(const std::vector<CommandHelp>& commands);
/// A completion script. `metrics` are what --metric and --explain take.
std::string bashCompletion(const std::vector<CommandHelp>& commands, const std::vector<std::string>& metrics);
std::string zshCompletion(const std::vector<CommandHelp>& commands, const std::vector<std::string>& metrics);

} // namespace collscope
