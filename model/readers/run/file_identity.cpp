// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/file_identity.h"

#include "model/partial/checksum.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace collscope {

namespace {

/// Error EIO if the file ends before.
Result<std::uint32_t> checksumAt(int file, std::uint64_t offset, std::uint64_t size)
{
    std::string bytes(static_cast<std::size_t>(size), '\0');
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t count
            = ::pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return Error{Error::Kind::Io,
                         count < 0 ? std::generic_category().message(errno) : "it was cut off"};
        done += static_cast<std::size_t>(count);
    }
    return checksumOf(bytes);
}

Result<FileIdentity> identityOf(int file)
{
    struct stat info = {};
    if (::fstat(file, &info) != 0)
        return Error{Error::Kind::Io, std::generic_category().message(errno)};
    if (!S_ISREG(info.st_mode))
        return Error{Error::Kind::Io, "it is not a regular file any more"};
    FileIdentity identity;
    identity.bytes = static_cast<std::uint64_t>(info.st_size);
    const std::uint64_t sample = std::min(identity.bytes, FileIdentity::sampledBytes);
    const auto head = checksumAt(file, 0, sample);
    const auto tail = identity.bytes == sample ? head : checksumAt(file, identity.bytes - sample, sample);
    if (!head || !tail)
        return head ? tail.error() : head.error();
    identity.head = *head;
    identity.tail = *tail;
    return identity;
}

} // namespace

Result<FileIdentity> identityOf(const std::string& path)
{
    // Does not wait for the other end, should a pipe have taken the file's place.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0 && (errno == ENOENT || errno == ENOTDIR))
        return Error{Error::Kind::NotFound, "The file does not exist any more.", path};
    auto identity
        = file < 0 ? Error{Error::Kind::Io, std::generic_category().message(errno)} : identityOf(file);
    if (file >= 0)
        ::close(file);
    if (!identity)
        return Error{Error::Kind::Io, "The file cannot be read: " + identity.error().message + ".", path};
    return identity;
}

Status checkUnchanged(const std::string& path, const FileIdentity& planned)
{
    const auto found = identityOf(path);
    if (!found)
        return found.error();
    if (*found == planned)
        return {};
    std::string what = "its last 64 KiB differ";
    if (found->bytes != planned.bytes)
        what
            = "it has " + std::to_string(found->bytes) + " bytes instead of " + std::to_string(planned.bytes);
    else if (found->head != planned.head)
        what = "its first 64 KiB differ";
    return Error{Error::Kind::Io,
                 "The file was changed after the run was planned (" + what + "): plan it again.", path};
}

} // namespace collscope
