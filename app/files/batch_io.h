// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Streams and files of --batch: results on stdout, everything else on stderr, files complete or not at all.

#include "model/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Scripts rely on these numbers; resources/help/batch.md documents them.
enum ExitCode
{
    Done = 0,
    WrongUsage = 1,
    NothingReadable = 2,
    NotAvailable = 3,
    NotWritten = 4, ///< also: no display available for a window
    Cancelled = 5,
    Regressed = 6, ///< gate: a limit is exceeded beyond the noise
    NotConserved = 7 ///< --doctor: the event counts do not add up
};

/// Makes closed streams, and streams that close later, harmless. Call this first.
void secureStreams();
/// Prints a sentence to stderr, on one line regardless of the names in it.
void say(const std::string& text);
/// Writes to standard output, unchanged byte by byte. Returns false, with a sentence on stderr, if the write
/// fails.
bool print(const std::string& text);
/// Like print(), but leaves it to the caller to report a failure.
Status tryPrint(const std::string& text);
/// Like tryPrint(), even while output is captured.
Status printNow(const std::string& text);
/// Like print(), for text meant for humans: names in it cannot control the terminal.
bool printLines(const std::string& text);
/// While it lives, what its thread prints and says is kept here instead of written. One at a time for each
/// thread.
class CapturedOutput
{
public:
    CapturedOutput();
    ~CapturedOutput();
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    std::string printed;
    std::vector<std::string> said; ///< the sentences, as one printable line each
};
/// Creates the folder if it is missing. Returns false, with a sentence on stderr, on failure.
bool makeFolder(const std::string& path);
/// Like makeFolder(), but leaves it to the caller to report a failure.
Status tryMakeFolder(const std::string& path);
/// Writes under a temporary name, then renames. Returns false, with a sentence on stderr, on failure.
bool writeFile(const std::string& path, std::string_view content, bool executable = false);
/// Joins folder and name into one path.
std::string pathIn(const std::string& folder, const std::string& name);

} // namespace collscope
