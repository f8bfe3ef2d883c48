// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/stored_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace collscope {

namespace {

Error cannotOpen(const std::string& path, int error)
{
    const auto kind = error == ENOENT ? Error::Kind::NotFound : Error::Kind::Io;
    return {kind, "Cannot open " + path + ": " + std::generic_category().message(error) + ".", path};
}

} // namespace

std::string_view specialKind(unsigned mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG:
        return "";
    case S_IFDIR:
        return "a folder";
    case S_IFIFO:
        return "a named pipe";
    case S_IFSOCK:
        return "a socket";
    default:
        return "a device";
    }
}

Result<std::shared_ptr<const OpenedFile>> OpenedFile::open(const std::string& path)
{
    // The type is checked before opening, because opening alone can activate a device, and again afterwards,
    // when the path can no longer be replaced. Without O_NONBLOCK, opening a pipe would wait for a writer.
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0)
        return cannotOpen(path, errno);
    if (S_ISREG(info.st_mode)) {
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (file < 0)
            return cannotOpen(path, errno);
        std::shared_ptr<const OpenedFile> opened(new OpenedFile(path, file));
        if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode))
            return opened;
    }
    return Error{Error::Kind::Io, path + " is not a file but " + std::string(specialKind(info.st_mode)) + ".",
                 path};
}

OpenedFile::~OpenedFile()
{
    ::close(m_file);
}

std::uint64_t OpenedFile::size() const
{
    struct stat info = {};
    return ::fstat(m_file, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

OpenedFile::Reading OpenedFile::read(std::uint64_t offset, std::span<char> buffer) const
{
    Reading reading;
    while (reading.count < buffer.size()) {
        const ssize_t count = ::pread(m_file, buffer.data() + reading.count, buffer.size() - reading.count,
                                      static_cast<off_t>(offset + reading.count));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            reading.error = errno;
        if (count <= 0)
            break;
        reading.count += static_cast<std::size_t>(count);
    }
    return reading;
}

std::string OpenedFile::read(std::uint64_t offset, std::size_t size) const
{
    std::string bytes(size, '\0');
    bytes.resize(read(offset, bytes).count);
    return bytes;
}

StoredBytes::StoredBytes(std::string bytes)
    : m_bytes(std::make_shared<const std::string>(std::move(bytes)))
    , m_size(m_bytes->size())
{ }

StoredBytes::StoredBytes(std::shared_ptr<const OpenedFile> file, std::uint64_t offset, std::uint64_t size)
    : m_file(std::move(file))
    , m_offset(offset)
    , m_size(size)
{ }

StoredBytes StoredBytes::part(std::uint64_t offset, std::uint64_t size) const
{
    StoredBytes part(*this);
    const std::uint64_t begin = std::min(offset, m_size);
    part.m_offset = m_offset + begin;
    part.m_size = std::min(size, m_size - begin);
    return part;
}

std::string StoredBytes::read(std::uint64_t offset, std::uint64_t size) const
{
    if (size == 0)
        return {};
    const auto begin = static_cast<std::size_t>(m_offset + offset);
    const auto count = static_cast<std::size_t>(size);
    if (m_bytes)
        return m_bytes->substr(begin, count);
    std::string bytes = m_file ? m_file->read(begin, count) : std::string();
    if (bytes.size() != count)
        throwLost();
    return bytes;
}

void StoredBytes::throwLost() const
{
    throw LostBytes(m_file ? m_file->path() : std::string("A file"));
}

} // namespace collscope
