// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/file_identity.h"

#include "model/partial/checksum.h"
#include "model/stored_bytes.h"

#include <algorithm>
#include <system_error>

namespace collscope {

namespace {

/// Error Io if the file cannot be read, or ends before.
Result<std::uint32_t> checksumAt(const OpenedFile& file, std::uint64_t offset, std::uint64_t size)
{
    std::string bytes(static_cast<std::size_t>(size), '\0');
    const OpenedFile::Reading reading = file.read(offset, bytes);
    if (reading.count == bytes.size())
        return checksumOf(bytes);
    return Error{Error::Kind::Io,
                 "The file cannot be read: "
                     + (reading.error != 0 ? std::generic_category().message(reading.error)
                                           : std::string("it was cut off"))
                     + ".",
                 file.path()};
}

} // namespace

Result<FileIdentity> identityOf(const std::string& path)
{
    const auto file = OpenedFile::open(path);
    if (!file && file.error().kind == Error::Kind::NotFound)
        return Error{Error::Kind::NotFound, "The file does not exist any more.", path};
    if (!file)
        return file.error();
    FileIdentity identity;
    identity.bytes = (*file)->size();
    const std::uint64_t sample = std::min(identity.bytes, FileIdentity::sampledBytes);
    const auto head = checksumAt(**file, 0, sample);
    const auto tail = identity.bytes == sample ? head : checksumAt(**file, identity.bytes - sample, sample);
    if (!head || !tail)
        return head ? tail.error() : head.error();
    identity.head = *head;
    identity.tail = *tail;
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
