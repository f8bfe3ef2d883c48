// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The streams and files of --batch: results on stdout, everything else on stderr, files whole or not at all.

#include <string>

namespace collscope {

/// Exit codes of the contract.
enum ExitCode
{
    Done = 0,
    WrongUsage = 1,
    NothingReadable = 2,
    NotAvailable = 3,
    NotWritten = 4,
    Cancelled = 5
};

/// A sentence on stderr.
void say(const std::string& text);
/// False, with a sentence on stderr, if standard output takes no more.
bool print(const std::string& text);
/// Makes the folder if it is missing. False, with a sentence on stderr, if that fails.
bool makeFolder(const std::string& path);
/// Under a temporary name, then renamed. False, with a sentence on stderr, if that fails.
bool writeFile(const std::string& path, const std::string& content, bool executable = false);
/// Folder and name as one path.
std::string pathIn(const std::string& folder, const std::string& name);

} // namespace collscope
