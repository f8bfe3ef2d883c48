// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/started_program.h"

#include "model/text/folder_lists.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <system_error>

namespace collscope {

namespace {

namespace fs = std::filesystem;

using TemporaryFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// A file without a name, so that a program that writes much never waits for a reader; nullptr on failure.
TemporaryFile temporaryFile()
{
    return {std::tmpfile(), std::fclose};
}

std::string contentOf(std::FILE* file)
{
    constexpr std::size_t most = 64 << 10;
    std::string text(most, '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    return text;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts)
{
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// Which files the started program has open.
class ProgramStreams
{
public:
    ProgramStreams() { m_isValid = posix_spawn_file_actions_init(&m_actions) == 0; }
    ~ProgramStreams()
    {
        if (m_isValid)
            posix_spawn_file_actions_destroy(&m_actions);
    }
    ProgramStreams(const ProgramStreams&) = delete;
    ProgramStreams& operator=(const ProgramStreams&) = delete;

    void openNull(int stream, int flags)
    {
        m_isValid
            = m_isValid && posix_spawn_file_actions_addopen(&m_actions, stream, "/dev/null", flags, 0) == 0;
    }
    void redirect(int stream, int file)
    {
        m_isValid = m_isValid && file >= 0 && posix_spawn_file_actions_adddup2(&m_actions, file, stream) == 0;
    }
    void redirect(int stream, std::FILE* file) { redirect(stream, file ? fileno(file) : -1); }
    /// nullptr after a failure.
    const posix_spawn_file_actions_t* actions() const { return m_isValid ? &m_actions : nullptr; }

private:
    posix_spawn_file_actions_t m_actions = {};
    bool m_isValid = false;
};

/// Both ends of a pipe, which no other started program inherits.
class Pipe
{
public:
    Pipe() { m_isOpen = pipe2(m_ends, O_CLOEXEC) == 0; }
    ~Pipe()
    {
        closeEnd(0);
        closeEnd(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int reading() const { return m_isOpen ? m_ends[0] : -1; }
    int writing() const { return m_isOpen ? m_ends[1] : -1; }
    void closeWriting() { closeEnd(1); }

private:
    void closeEnd(int end)
    {
        if (m_isOpen && m_ends[end] >= 0)
            close(m_ends[end]);
        m_ends[end] = -1;
    }

    int m_ends[2] = {-1, -1};
    bool m_isOpen = false;
};

/// Passes on what arrives until the other end is closed, or the program must be killed: false.
bool passOn(int pipe, const std::function<bool(std::string_view)>& take,
            const std::function<bool()>& mustStop)
{
    constexpr std::size_t most = std::size_t{256} << 10;
    std::string bytes(most, '\0');
    while (!mustStop()) {
        pollfd waiting{pipe, POLLIN, 0};
        constexpr int pauseMs = 20;
        if (poll(&waiting, 1, pauseMs) <= 0)
            continue; // nothing yet, or a signal
        const ssize_t count = read(pipe, bytes.data(), bytes.size());
        if (count == 0)
            return true;
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (count > 0 && !take(std::string_view(bytes).substr(0, static_cast<std::size_t>(count))))
            return false;
    }
    return false;
}

/// Returns the exit code; -1 if the program was killed.
int waitFor(pid_t child, const std::function<bool()>& mustStop)
{
    int status = 0;
    for (;;) {
        const pid_t ended = waitpid(child, &status, WNOHANG);
        if (ended == child)
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (ended < 0 && errno != EINTR)
            return -1;
        if (mustStop())
            kill(child, SIGKILL); // reaped by the next waitpid
        const timespec pause{0, 20'000'000};
        nanosleep(&pause, nullptr);
    }
}

} // namespace

std::optional<std::string> programOnPath(std::string_view name)
{
    const char* const path
        = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    for (const fs::path& folder : absoluteFolders(path ? path : "")) {
        const fs::path candidate = folder / name;
        std::error_code ignored;
        if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0)
            return candidate.string();
    }
    return std::nullopt;
}

Result<ProgramEnd> runProgram(ProgramStart start, const std::function<bool()>& mustStop)
{
    const TemporaryFile out = temporaryFile(), err = temporaryFile();
    std::optional<Pipe> pipe;
    ProgramStreams streams;
    streams.openNull(STDIN_FILENO, O_RDONLY);
    if (start.takeOutput) {
        pipe.emplace();
        streams.redirect(STDOUT_FILENO, pipe->writing());
        streams.redirect(STDERR_FILENO, err.get());
    } else if (start.keepsOutput) {
        streams.redirect(STDOUT_FILENO, out.get());
        streams.redirect(STDERR_FILENO, err.get());
    } else { // stdout is reserved for the results of --batch
        streams.openNull(STDOUT_FILENO, O_WRONLY);
        streams.openNull(STDERR_FILENO, O_WRONLY);
    }
    const std::string program = start.arguments.front();
    std::vector<char*> arguments = pointersTo(start.arguments);
    std::vector<char*> variables = start.environment ? pointersTo(*start.environment) : std::vector<char*>();
    pid_t child = -1;
    const int failed = streams.actions()
        ? posix_spawn(&child, arguments.front(), streams.actions(), nullptr, arguments.data(),
                      start.environment ? variables.data() : environ)
        : errno;
    if (failed != 0)
        return Error{Error::Kind::Io,
                     program + " cannot be started: " + std::generic_category().message(failed) + "."};
    if (pipe) {
        pipe->closeWriting(); // so that the end of the program is the end of the pipe
        if (!passOn(pipe->reading(), start.takeOutput, mustStop))
            kill(child, SIGKILL);
    }
    ProgramEnd end;
    end.exitCode = waitFor(child, mustStop);
    if (start.keepsOutput)
        end.out = contentOf(out.get());
    if (start.keepsOutput || start.takeOutput)
        end.err = contentOf(err.get());
    return end;
}

} // namespace collscope
