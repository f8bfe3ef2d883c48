// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Bytes that stay in a file until they are needed: of ten thousand ranks, they do not fit into memory at
// once.

#include "model/result.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace collscope {

/// The type of a path that is not a regular file ("a named pipe", "a folder", ...); "" for a regular file.
std::string_view specialKind(unsigned mode);

/// A regular file that is open for reading; it can be read to its end even if it is removed meanwhile. Any
/// thread may read. Nothing else is opened: reading a pipe or a device could block or never end.
class OpenedFile
{
public:
    /// Error NotFound or Io, with a sentence that names the file.
    static Result<std::shared_ptr<const OpenedFile>> open(const std::string& path);
    ~OpenedFile();
    OpenedFile(const OpenedFile&) = delete;
    OpenedFile& operator=(const OpenedFile&) = delete;

    std::uint64_t size() const; ///< now; 0 if the system does not tell

    struct Reading
    {
        std::size_t count = 0; ///< bytes that were read: fewer than asked for at the end of the file
        int error = 0; ///< errno if the disk failed
    };
    /// Reads from `offset` on until the buffer is full.
    Reading read(std::uint64_t offset, std::span<char> buffer) const;
    /// Bytes [offset, offset + size); fewer if the file ends before or cannot be read.
    std::string read(std::uint64_t offset, std::size_t size) const;
    const std::string& path() const { return m_path; }

private:
    OpenedFile(std::string path, int file)
        : m_path(std::move(path))
        , m_file(file)
    { }

    const std::string m_path;
    const int m_file;
};

/// The file was there, and was checked, but its bytes cannot be read any more: it was truncated, or the disk
/// failed.
class LostBytes : public std::runtime_error
{
public:
    explicit LostBytes(const std::string& path)
        : std::runtime_error(path + " changed while it was used, or cannot be read any more")
    { }
};

/// Some bytes, in memory or in a file. A copy refers to the same bytes.
class StoredBytes
{
public:
    StoredBytes() = default; ///< none
    explicit StoredBytes(std::string bytes);
    StoredBytes(std::shared_ptr<const OpenedFile> file, std::uint64_t offset, std::uint64_t size);

    std::uint64_t size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }
    /// Part [offset, offset + size), cut at the end of these bytes.
    StoredBytes part(std::uint64_t offset, std::uint64_t size) const;
    /// Bytes [offset, offset + size), which must exist. Throws LostBytes.
    std::string read(std::uint64_t offset, std::uint64_t size) const;
    std::string readAll() const { return read(0, m_size); }
    /// Throws LostBytes: what was read is not what was checked before.
    [[noreturn]] void throwLost() const;

private:
    std::shared_ptr<const std::string> m_bytes; ///< in memory
    std::shared_ptr<const OpenedFile> m_file; ///< or in a file
    std::uint64_t m_offset = 0, m_size = 0;
};

} // namespace collscope
