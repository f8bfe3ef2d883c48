// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the program says about its commands and their options: --help, the manual page and the completions of
// shells. All are made from the table of commands.

#include "app/cli/command.h"

namespace collscope {

/// Returns the text of --help: one screen, in lines of at most 100 characters. If that is too little for all
/// options, those that many commands share are only named, unless `isWhole` (--help-all).
std::string helpText(const CommandRow& row, bool isWhole = false);
/// Returns the text of --help without a command: the list of commands.
std::string overviewText();

/// Returns a page for man(1).
std::string manualPage();
// Completion scripts.
std::string bashCompletion();
std::string zshCompletion();

/// Returns the texts, separated by `separator`.
std::string joined(const std::vector<std::string>& texts, std::string_view separator);
/// Returns the value as --help shows it: "FILE", or the words to choose from.
std::string argumentText(const OptionSpec& spec);

} // namespace collscope
