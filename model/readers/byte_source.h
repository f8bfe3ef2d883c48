// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A file as a stream of bytes, inflated while reading if it is gzip. Reads into the caller's buffer, without
// mmap or a cache. Only regular files are read: reading a pipe or a device could block or never end.

#include "model/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace collscope {

/// The reason why a stream ended before the end of its file.
struct StreamDamage
{
    std::string_view code; ///< code of the Diagnostic
    std::string explanation;
};

class ByteSource
{
public:
    virtual ~ByteSource() = default;

    /// Opens a file. Error NotFound or Io, with a sentence that names the file.
    static Result<std::unique_ptr<ByteSource>> open(const std::string& path);

    /// Fills the buffer as far as the file goes; fewer bytes than requested mean the end.
    virtual std::size_t read(std::span<char> buffer) = 0;
    /// Skips up to `bytes` bytes and returns the number skipped: at most 256 KiB per call where skipping
    /// requires decoding, 0 at the end.
    virtual std::uint64_t skip(std::uint64_t bytes);
    /// Bytes of the file on disk that were read so far.
    virtual std::uint64_t diskBytesRead() const = 0;
    /// After the end of the stream: what was lost, e.g. because a gzip file is cut off or the disk failed.
    /// nullopt: nothing.
    virtual std::optional<StreamDamage> damage() const = 0;
};

/// Returns up to `count` first bytes of a file, inflated if it is gzip. Error if it cannot be opened or its
/// first byte cannot be read. Reads no more of the disk than a gzip header and data of that size may need.
Result<std::string> readHead(const std::string& path, std::size_t count);

} // namespace collscope
