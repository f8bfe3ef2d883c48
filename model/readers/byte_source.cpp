// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/byte_source.h"

#include "model/stored_bytes.h"

#include <algorithm>
#include <limits>
#include <system_error>
#include <vector>

#include <isa-l/igzip_lib.h>

namespace collscope {

namespace {

std::string reasonOf(int error)
{
    return std::generic_category().message(error);
}

/// A place in a file, for reading on from there.
class FileHandle
{
public:
    FileHandle(std::shared_ptr<const OpenedFile> file, std::uint64_t mostBytes)
        : m_file(std::move(file))
        , m_mostBytes(mostBytes)
    { }

    /// Reads at the current position until the buffer is full, the file ends or the disk fails. A file that
    /// shrinks meanwhile ends early, without an error.
    std::size_t read(std::span<char> buffer)
    {
        if (m_position >= m_mostBytes || m_error != 0)
            return 0;
        const OpenedFile::Reading reading = m_file->read(m_position, buffer);
        m_position += reading.count;
        m_error = reading.error;
        return reading.count;
    }
    std::uint64_t position() const { return m_position; }
    void rewind() { m_position = 0; }
    void skip(std::uint64_t bytes) { m_position += bytes; }
    std::optional<StreamDamage> damage() const
    {
        if (m_error == 0)
            return {};
        return StreamDamage{"read_error",
                            "Reading the file failed at byte " + std::to_string(m_position) + " on the disk ("
                                + reasonOf(m_error)
                                + "); everything read before that is kept. Copy the file again, or check "
                                + "the disk."};
    }
    int error() const { return m_error; }
    /// Bytes of the file after the current position.
    std::uint64_t bytesLeft() const
    {
        const std::uint64_t size = m_file->size();
        return size - std::min(size, m_position);
    }

private:
    std::shared_ptr<const OpenedFile> m_file;
    std::uint64_t m_mostBytes;
    std::uint64_t m_position = 0;
    int m_error = 0;
};

class PlainSource : public ByteSource
{
public:
    explicit PlainSource(FileHandle file)
        : m_file(std::move(file))
    { }
    std::size_t read(std::span<char> buffer) override { return m_file.read(buffer); }
    std::uint64_t skip(std::uint64_t bytes) override
    {
        m_file.skip(bytes);
        return bytes;
    }
    std::uint64_t diskBytesRead() const override { return m_file.position(); }
    std::optional<StreamDamage> damage() const override { return m_file.damage(); }

private:
    FileHandle m_file;
};

/// Tells normal data from a decompression bomb: the text of a trace shrinks 10 to 40 times, blanks or one
/// repeated letter 1000 times. A trace may contain some of the latter, but not for a stretch this long.
class InflationWatch
{
public:
    /// Returns true once a long stretch of output came from almost no input.
    bool isBomb(std::uint64_t inputBytes, std::uint64_t outputBytes)
    {
        constexpr std::uint64_t stretch = std::uint64_t{512} << 20;
        constexpr std::uint64_t mostRatio = 400;
        m_output += outputBytes;
        if (m_output < stretch)
            return false;
        const bool bomb = (inputBytes - m_inputBefore) * mostRatio < m_output;
        m_output = 0;
        m_inputBefore = inputBytes;
        return bomb;
    }

private:
    std::uint64_t m_output = 0; ///< of this stretch
    std::uint64_t m_inputBefore = 0; ///< at the start of the stretch
};

class GzipSource : public ByteSource
{
public:
    explicit GzipSource(FileHandle file)
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
        const std::size_t got = buffer.size() - m_state.avail_out;
        if (!m_ended && m_watch.isBomb(m_file.position() - m_state.avail_in, got)) {
            m_ended = true;
            m_damage = StreamDamage{
                "inflation_limit",
                "A long stretch of the gzip data expands several hundred times, unlike any trace; "
                "reading stopped there, and everything read before is kept."};
            return 0; // the buffer contains more of the same
        }
        return got;
    }
    std::uint64_t diskBytesRead() const override { return m_file.position(); }
    std::optional<StreamDamage> damage() const override { return m_damage; }

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
        const std::size_t got = m_file.read(m_input);
        m_state.next_in = reinterpret_cast<std::uint8_t*>(m_input.data());
        m_state.avail_in = static_cast<std::uint32_t>(got);
        return got > 0;
    }

    void step()
    {
        if (m_state.avail_in == 0 && !refill()) {
            m_ended = true;
            m_damage = m_file.damage();
            if (!m_damage && m_state.block_state != ISAL_BLOCK_FINISH && !m_memberDone)
                m_damage = StreamDamage{damagedGzip,
                                        "The gzip file is cut off; everything up to the cut was read."};
            return;
        }
        if (m_memberDone && !beginNextMember())
            return;
        const int error = isal_inflate(&m_state);
        if (error != ISAL_DECOMP_OK) {
            m_ended = true;
            m_damage = StreamDamage{damagedGzip,
                                    error == ISAL_INCORRECT_CHECKSUM
                                        ? "The gzip checksum is wrong: some bytes of the file were changed."
                                        : "The gzip data is damaged; everything up to the damage was read."};
            return;
        }
        m_memberDone = m_state.block_state == ISAL_BLOCK_FINISH;
    }

    /// Another member may follow (concatenated files), and zeros may fill the last block of a tape or disk.
    /// Any other data is a damaged member or unrelated; gzip(1) warns of it too. Returns false if the bytes
    /// read so far do not start a member.
    bool beginNextMember()
    {
        for (; m_state.avail_in > 0 && *m_state.next_in == 0 && m_padding < mostPadding; ++m_padding) {
            ++m_state.next_in;
            --m_state.avail_in;
        }
        if (m_state.avail_in == 0)
            return false;
        if (*m_state.next_in != 0x1f) {
            m_ended = true;
            m_damage = StreamDamage{
                damagedGzip,
                std::to_string(m_file.bytesLeft() + m_state.avail_in)
                    + " bytes after the gzip data were not read: either another gzip member whose "
                      "start is damaged, or data that does not belong to the file."};
            return false;
        }
        m_padding = 0;
        m_memberDone = false;
        startMember();
        return true;
    }

    static constexpr std::string_view damagedGzip = "damaged_gzip";
    /// Skipping zeros cannot be cancelled, so their number is limited.
    static constexpr std::uint64_t mostPadding = std::uint64_t{64} << 20;

    FileHandle m_file;
    InflationWatch m_watch;
    std::vector<char> m_input;
    inflate_state m_state{};
    bool m_memberDone = false;
    std::uint64_t m_padding = 0; ///< zeros after the last member
    bool m_ended = false;
    std::optional<StreamDamage> m_damage;
};

Result<std::unique_ptr<ByteSource>> openSource(const std::string& path, std::uint64_t mostBytes)
{
    auto opened = OpenedFile::open(path);
    if (!opened)
        return opened.error();
    FileHandle file(std::move(*opened), mostBytes);
    char magic[2] = {};
    const std::size_t got = file.read(magic);
    if (got == 0 && file.error() != 0)
        return Error{Error::Kind::Io, "Cannot read " + path + ": " + reasonOf(file.error()) + ".", path};
    file.rewind();
    if (got == 2 && magic[0] == '\x1f' && magic[1] == '\x8b')
        return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(std::move(file)));
    return std::unique_ptr<ByteSource>(std::make_unique<PlainSource>(std::move(file)));
}

} // namespace

std::uint64_t ByteSource::skip(std::uint64_t bytes)
{
    std::vector<char> passed(
        static_cast<std::size_t>(std::min<std::uint64_t>(bytes, std::uint64_t{256} * 1024)));
    return read(passed);
}

Result<std::unique_ptr<ByteSource>> ByteSource::open(const std::string& path)
{
    return openSource(path, std::numeric_limits<std::uint64_t>::max());
}

Result<std::string> readHead(const std::string& path, std::size_t count)
{
    // The data starts after a gzip header of any length; members without content could continue forever.
    constexpr std::uint64_t longestHeader = std::uint64_t{1} << 20;
    auto source = openSource(path, count + longestHeader);
    if (!source)
        return source.error();
    std::string head(count, '\0');
    head.resize((*source)->read(head));
    return head;
}

} // namespace collscope
