// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The streams and files of --batch: results on stdout, everything else on stderr, files whole or not at all.

#include <string>
#include <string_view>

namespace collscope {

/// Scripts rely on these numbers; resources/help/batch.md says what each means.
enum ExitCode
{
    Done = 0,
    WrongUsage = 1,
    NothingReadable = 2,
    NotAvailable = 3,
    NotWritten = 4, ///< also: no display to open a window on
    Cancelled = 5,
    NotConserved = 7 ///< --doctor: a ledger does not add up
};

/// Before anything else: streams that are closed, or close later, do no harm.
void secureStreams();
/// A sentence on stderr, one line whatever names it holds.
void say(const std::string& text);
/// Writes to standard output, byte by byte as it is. False, with a sentence on stderr, if it takes no more.
bool print(const std::string& text);
/// The same for lines that a person reads: names in it cannot steer the terminal.
bool printLines(const std::string& text);
/// Makes the folder if it is missing. False, with a sentence on stderr, if that fails.
bool makeFolder(const std::string& path);
/// Under a temporary name, then renamed. False, with a sentence on stderr, if that fails.
bool writeFile(const std::string& path, std::string_view content, bool executable = false);
/// Folder and name as one path.
std::string pathIn(const std::string& folder, const std::string& name);

} // namespace collscope
