// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch_io.h"

#include "app/whole_file.h"
#include "model/printable_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>

namespace collscope {

void secureStreams()
{
    // Closed streams are replaced by descriptors that accept no output; otherwise the next opened file would
    // become standard output, and results would be written into it. Lowest first: open() returns the lowest
    // free number.
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (::fcntl(stream, F_GETFD) < 0)
            static_cast<void>(::open("/dev/null", O_RDONLY | O_NOCTTY));
    }
    // A closed reader and the file size limit become write errors instead of ending the program.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
}

void say(const std::string& text)
{
    std::fputs(("collscope: " + printableLine(text) + "\n").c_str(), stderr);
}

bool printLines(const std::string& text)
{
    return print(printableText(text));
}

bool print(const std::string& text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
        return true;
    say("cannot write to standard output.");
    return false;
}

bool makeFolder(const std::string& path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return true;
    say("cannot create the folder " + path + ": " + (error ? error.message() : "a file has this name") + ".");
    return false;
}

bool writeFile(const std::string& path, std::string_view content, bool executable)
{
    const std::string failure = writeWholeFile(path, content, executable);
    if (!failure.empty())
        say(failure);
    return failure.empty();
}

std::string pathIn(const std::string& folder, const std::string& name)
{
    return (std::filesystem::path(folder) / name).string();
}

} // namespace collscope
