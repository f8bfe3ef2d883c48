// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace collscope {

namespace {

/// 0, or the error that ended it.
int writeAll(int file, std::string_view content)
{
    while (!content.empty()) {
        const ssize_t written = ::write(file, content.data(), content.size());
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0)
            content.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// What a new file may be, or what the one that is replaced was.
mode_t modeFor(const struct stat& before, bool isThere, bool executable)
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = isThere ? before.st_mode & 0777u : 0666u & ~mask;
    return executable ? mode | (0111u & ~mask) : mode;
}

int writeInPlace(const std::string& path, std::string_view content)
{
    const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return errno;
    int error = writeAll(file, content);
    if (::close(file) != 0 && error == 0)
        error = errno;
    return error;
}

int replace(const std::string& target, std::string_view content, mode_t mode)
{
    // A short name: the target's own may be as long as names can be.
    std::string temporary = (std::filesystem::path(target).parent_path() / ".collscope-XXXXXX").string();
    const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (file < 0)
        return errno;
    int error = writeAll(file, content);
    if (error == 0 && ::fchmod(file, mode) != 0)
        error = errno;
    // A disk can be found full only now. EINVAL: a file system that cannot sync.
    if (error == 0 && ::fsync(file) != 0 && errno != EINVAL)
        error = errno;
    if (::close(file) != 0 && error == 0)
        error = errno;
    if (error == 0 && ::rename(temporary.c_str(), target.c_str()) != 0)
        error = errno;
    if (error != 0)
        ::unlink(temporary.c_str());
    return error;
}

} // namespace

std::string writeWholeFile(const std::string& path, std::string_view content, bool executable)
{
    std::error_code unresolved;
    struct stat before = {};
    const bool isThere = ::stat(path.c_str(), &before) == 0;
    std::string target = path;
    if (isThere && S_ISREG(before.st_mode))
        target = std::filesystem::canonical(path, unresolved).string();
    int error = unresolved.value();
    if (error == 0 && isThere && S_ISDIR(before.st_mode))
        error = EISDIR;
    if (error == 0)
        error = isThere && !S_ISREG(before.st_mode)
            ? writeInPlace(path, content)
            : replace(target, content, modeFor(before, isThere, executable));
    return error == 0 ? std::string()
                      : "cannot write " + path + ": " + std::generic_category().message(error) + ".";
}

} // namespace collscope
