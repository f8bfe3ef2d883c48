// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/batch_io.h"

#include "app/files/whole_file.h"
#include "model/text/printable_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>

namespace collscope {

namespace {

thread_local CapturedOutput* captured = nullptr;

/// Reports a failure on stderr. Returns whether there is none.
bool succeededOrSaid(const Status& status)
{
    if (!status)
        say(status.error().message);
    return status.has_value();
}

} // namespace

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

CapturedOutput::CapturedOutput()
{
    captured = this;
}

CapturedOutput::~CapturedOutput()
{
    captured = nullptr;
}

void say(const std::string& text)
{
    if (captured) {
        captured->said.push_back(printableLine(text));
        return;
    }
    std::fputs(("collscope: " + printableLine(text) + "\n").c_str(), stderr);
}

bool printLines(const std::string& text)
{
    return print(printableText(text));
}

Status tryPrint(const std::string& text)
{
    if (captured) {
        captured->printed += text;
        return {};
    }
    return printNow(text);
}

Status printNow(const std::string& text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
        return {};
    return Error{Error::Kind::Io, "cannot write to standard output."};
}

bool print(const std::string& text)
{
    return succeededOrSaid(tryPrint(text));
}

Status tryMakeFolder(const std::string& path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return {};
    return Error{Error::Kind::Io,
                 "cannot create the folder " + path + ": "
                     + (error ? error.message() : "a file has this name") + ".",
                 path};
}

bool makeFolder(const std::string& path)
{
    return succeededOrSaid(tryMakeFolder(path));
}

bool writeFile(const std::string& path, std::string_view content, bool executable)
{
    return succeededOrSaid(writeWholeFile(path, content, executable));
}

std::string pathIn(const std::string& folder, const std::string& name)
{
    return (std::filesystem::path(folder) / name).string();
}

} // namespace collscope
