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

Result<std::shared_ptr<const OpenedFile>> OpenedFile::open(const std::string& path)
{
    // O_NONBLOCK: a pipe must not block. It has no effect on regular files.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return Error{Error::Kind::Io, path + ": " + std::generic_category().message(errno) + ".", path};
    std::shared_ptr<const OpenedFile> opened(new OpenedFile(path, file));
    struct stat facts = {};
    if (::fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return Error{Error::Kind::Io, path + " is not a regular file.", path};
    return opened;
}

OpenedFile::~OpenedFile()
{
    ::close(m_file);
}

std::string OpenedFile::read(std::uint64_t offset, std::size_t size) const
{
    std::string bytes(size, '\0');
    std::size_t done = 0;
    while (done < size) {
        const ssize_t count
            = ::pread(m_file, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += static_cast<std::size_t>(count);
    }
    bytes.resize(done);
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
        throw LostBytes(m_file ? m_file->path() : std::string("A file"));
    return bytes;
}

} // namespace collscope
