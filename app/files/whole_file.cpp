// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/whole_file.h"

#include "app/files/protected_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

namespace collscope {

namespace {

/// Returns the mode of a new file, or the mode of the file that is replaced.
mode_t modeFor(const struct stat& before, bool isThere, bool executable)
{
    const mode_t mask = ::umask(0);
    ::umask(mask);
    const mode_t mode = isThere ? before.st_mode & 0777u : 0666u & ~mask;
    return executable ? mode | (0111u & ~mask) : mode;
}

} // namespace

WholeFile::WholeFile(std::string path, bool executable)
    : m_path(std::move(path))
    , m_target(m_path)
{
    open(executable);
}

WholeFile::~WholeFile()
{
    if (m_file >= 0)
        ::close(m_file);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

void WholeFile::open(bool executable)
{
    struct stat before = {};
    const bool isThere = ::stat(m_path.c_str(), &before) == 0;
    if (isThere && S_ISDIR(before.st_mode)) {
        m_error = EISDIR;
        return;
    }
    if (isThere && !S_ISREG(before.st_mode)) {
        m_file = ::open(m_path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
        m_error = m_file < 0 ? errno : 0;
        return;
    }
    if (isThere) {
        m_replaceable = checkReplaceable(m_path);
        if (!m_replaceable) {
            m_error = EPERM;
            return;
        }
        std::error_code unresolved;
        m_target = std::filesystem::canonical(m_path, unresolved).string();
        m_error = unresolved.value();
        if (m_error != 0)
            return;
    }
    m_mode = modeFor(before, isThere, executable);
    // A short name, because the name of the target may already have the maximum length.
    std::string temporary = (std::filesystem::path(m_target).parent_path() / ".collscope-XXXXXX").string();
    m_file = ::mkostemp(temporary.data(), O_CLOEXEC);
    if (m_file < 0)
        m_error = errno;
    else
        m_temporary = std::move(temporary);
}

bool WholeFile::write(std::string_view piece)
{
    while (m_error == 0 && !piece.empty()) {
        const ssize_t written = ::write(m_file, piece.data(), piece.size());
        if (written < 0 && errno != EINTR)
            m_error = errno;
        if (written > 0)
            piece.remove_prefix(static_cast<std::size_t>(written));
    }
    return m_error == 0;
}

void WholeFile::finish()
{
    if (m_error == 0 && !m_temporary.empty() && ::fchmod(m_file, m_mode) != 0)
        m_error = errno;
    // A full disk may be detected only here. EINVAL: the file system does not support sync.
    if (m_error == 0 && !m_temporary.empty() && ::fsync(m_file) != 0 && errno != EINVAL)
        m_error = errno;
    if (m_file >= 0) {
        const bool isClosed = ::close(m_file) == 0;
        if (!isClosed && m_error == 0)
            m_error = errno;
        m_file = -1;
    }
    if (m_error != 0 || m_temporary.empty())
        return;
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        m_error = errno;
    else
        m_temporary.clear();
}

Status WholeFile::commit()
{
    finish();
    return status();
}

Status WholeFile::status() const
{
    if (!m_replaceable)
        return m_replaceable;
    if (m_error == 0)
        return {};
    return Error{Error::Kind::Io,
                 "cannot write " + m_path + ": " + std::generic_category().message(m_error) + ".", m_path};
}

Status writeWholeFile(const std::string& path,
                      const std::function<void(const std::function<bool(std::string_view)>& take)>& content)
{
    WholeFile file(path);
    content([&file](std::string_view piece) { return file.write(piece); });
    return file.commit();
}

Status writeWholeFile(const std::string& path, std::string_view content, bool executable)
{
    WholeFile file(path, executable);
    file.write(content);
    return file.commit();
}

} // namespace collscope
