// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A file as a stream of bytes, inflated on the way if it is gzip. Reads into the caller's buffer: no mmap,
// nothing held.

#include "model/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace collscope {

class ByteSource
{
public:
    virtual ~ByteSource() = default;

    /// Error NotFound or Io with a sentence that names the file.
    static Result<std::unique_ptr<ByteSource>> open(const std::string& path);

    /// Fills the buffer as far as the file goes; fewer bytes than asked for mean the end.
    virtual std::size_t read(std::span<char> buffer) = 0;
    /// Passes over up to so many bytes; how many it were. Less than a few hundred kB at a time where that
    /// takes work, 0 at the end.
    virtual std::uint64_t skip(std::uint64_t bytes);
    /// Bytes of the file on disk that were read so far.
    virtual std::uint64_t diskBytesRead() const = 0;
    /// After the end: why the stream ended before the file's own end ("" if it did not), e.g. a gzip file
    /// that is cut off.
    virtual std::string damage() const { return {}; }
};

/// Up to `count` first bytes of a file, inflated if it is gzip. Empty if it cannot be read.
std::string readHead(const std::string& path, std::size_t count);

} // namespace collscope
