// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <isa-l/igzip_lib.h>

namespace collscope {

namespace {

class FileHandle
{
public:
    explicit FileHandle(int fd)
        : m_fd(fd)
    { }
    FileHandle(const FileHandle&) = delete;
    FileHandle& operator=(const FileHandle&) = delete;
    ~FileHandle() { ::close(m_fd); }

    /// Reads at the current position until the buffer is full or the file ends; a file that shrinks just
    /// ends.
    std::size_t read(char* data, std::size_t count)
    {
        std::size_t got = 0;
        while (got < count) {
            const ssize_t n = ::pread(m_fd, data + got, count - got, static_cast<off_t>(m_position));
            if (n < 0 && errno == EINTR)
                continue;
            if (n <= 0)
                break;
            got += static_cast<std::size_t>(n);
            m_position += static_cast<std::uint64_t>(n);
        }
        return got;
    }
    std::uint64_t position() const { return m_position; }
    void rewind() { m_position = 0; }
    void skip(std::uint64_t bytes) { m_position += bytes; }

private:
    int m_fd;
    std::uint64_t m_position = 0;
};

class PlainSource : public ByteSource
{
public:
    explicit PlainSource(std::unique_ptr<FileHandle> file)
        : m_file(std::move(file))
    { }
    std::size_t read(std::span<char> buffer) override { return m_file->read(buffer.data(), buffer.size()); }
    std::uint64_t skip(std::uint64_t bytes) override
    {
        m_file->skip(bytes);
        return bytes;
    }
    std::uint64_t diskBytesRead() const override { return m_file->position(); }

private:
    std::unique_ptr<FileHandle> m_file;
};

class GzipSource : public ByteSource
{
public:
    explicit GzipSource(std::unique_ptr<FileHandle> file)
        : m_file(std::move(file))
        , m_input(std::size_t{256} * 1024)
    {
        startMember();
    }

    std::size_t read(std::span<char> buffer) override
    {
        m_state.next_out = reinterpret_cast<std::uint8_t*>(buffer.data());
        m_state.avail_out = static_cast<std::uint32_t>(buffer.size());
        while (m_state.avail_out > 0 && !m_ended)
            step();
        return buffer.size() - m_state.avail_out;
    }
    std::uint64_t diskBytesRead() const override { return m_file->position(); }
    std::string damage() const override { return m_damage; }

private:
    void startMember()
    {
        const auto nextIn = m_state.next_in;
        const auto availIn = m_state.avail_in;
        const auto nextOut = m_state.next_out;
        const auto availOut = m_state.avail_out;
        isal_inflate_init(&m_state);
        m_state.crc_flag = ISAL_GZIP;
        m_state.next_in = nextIn;
        m_state.avail_in = availIn;
        m_state.next_out = nextOut;
        m_state.avail_out = availOut;
    }

    bool refill()
    {
        const std::size_t got = m_file->read(m_input.data(), m_input.size());
        m_state.next_in = reinterpret_cast<std::uint8_t*>(m_input.data());
        m_state.avail_in = static_cast<std::uint32_t>(got);
        return got > 0;
    }

    void step()
    {
        if (m_state.avail_in == 0 && !refill()) {
            m_ended = true;
            if (m_state.block_state != ISAL_BLOCK_FINISH && !m_memberDone)
                m_damage = "The gzip file is cut off; everything up to the cut was read.";
            return;
        }
        if (m_memberDone) {
            // Another member may follow (files that were concatenated); anything else is padding.
            if (*m_state.next_in != 0x1f) {
                m_ended = true;
                return;
            }
            m_memberDone = false;
            startMember();
        }
        const int error = isal_inflate(&m_state);
        if (error != ISAL_DECOMP_OK) {
            m_ended = true;
            m_damage = error == ISAL_INCORRECT_CHECKSUM
                ? "The gzip checksum is wrong: some bytes of the file were changed."
                : "The gzip data is damaged; everything up to the damage was read.";
            return;
        }
        m_memberDone = m_state.block_state == ISAL_BLOCK_FINISH;
    }

    std::unique_ptr<FileHandle> m_file;
    std::vector<char> m_input;
    inflate_state m_state{};
    bool m_memberDone = false;
    bool m_ended = false;
    std::string m_damage;
};

} // namespace

std::uint64_t ByteSource::skip(std::uint64_t bytes)
{
    std::vector<char> passed(
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes, std::uint64_t{256} * 1024)));
    return read(passed);
}

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        const auto kind = errno == ENOENT ? Error::Kind::NotFound : Error::Kind::Io;
        return Error{kind, "Cannot open " + path + ": " + std::generic_category().message(errno) + ".", path};
    }
    auto file = std::make_unique<FileHandle>(fd);
    struct stat info = {};
    if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return Error{Error::Kind::Io, path + " is not a file.", path};
    unsigned char magic[2] = {};
    const std::size_t got = file->read(reinterpret_cast<char*>(magic), sizeof magic);
    file->rewind();
    if (got == 2 && magic[0] == 0x1f && magic[1] == 0x8b)
        return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(std::move(file)));
    return std::unique_ptr<ByteSource>(std::make_unique<PlainSource>(std::move(file)));
}

std::string readHead(const std::string& path, std::size_t count)
{
    auto source = ByteSource::open(path);
    if (!source)
        return {};
    std::string head(count, '\0');
    head.resize((*source)->read(head));
    return head;
}

} // namespace collscope
