// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A file as a stream of bytes, inflated on the way if it is gzip. Reads into the caller's buffer: no mmap,
// nothing held. Only regular files are read: a pipe or a device could wait, or never end.

#include "model/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace collscope {

/// Why a stream ended before the file's own end.
struct StreamDamage
{
    std::string_view code; ///< of the Diagnostic; "" if the stream is sound
    std::string explanation;
    explicit operator bool() const { return !code.empty(); }
};

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
    /// After the end: what was lost behind it, e.g. of a gzip file that is cut off, or where the disk failed.
    virtual StreamDamage damage() const = 0;
};

/// Up to `count` first bytes of a file, inflated if it is gzip. An Error if it cannot be opened, or not even
/// its first byte be read. Looks at no more of the disk than a gzip head of that size may need.
Result<std::string> readHead(const std::string& path, std::size_t count);
/// What a path is if it is no regular file ("a named pipe", "a folder", ...); "" if it is one.
std::string_view specialKind(unsigned mode);

} // namespace collscope
