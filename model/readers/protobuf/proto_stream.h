// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Walks over the fields of protobuf messages in a file, without holding a message whole. The encoding:
// https://protobuf.dev/programming-guides/encoding.

#include "model/readers/byte_source.h"
#include "model/result.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// How the value of a field is encoded.
enum class ProtoWire : std::uint8_t
{
    Varint = 0,
    Fixed64 = 1,
    Bytes = 2, ///< a text, or a message inside the message
    Fixed32 = 5
};

/// A field of a message in a file.
struct ProtoField
{
    std::uint32_t number = 0;
    ProtoWire wire = ProtoWire::Varint;
    std::uint64_t value = 0; ///< of a number; of bytes, their count
    std::uint64_t begin = 0; ///< where the value of bytes begins in the (inflated) file
    bool isBytes() const { return wire == ProtoWire::Bytes; }
    std::uint64_t end() const { return begin + value; } ///< of bytes
};

/// Reads forward only. A field of bytes is entered by next() with its end, taken by content(), or skipped.
class ProtoStream
{
public:
    enum class Damage : std::uint8_t
    {
        None,
        Cut, ///< the file ends inside a message
        Malformed ///< the bytes are not protobuf, or a length exceeds the message around it
    };
    /// The end of the message that is the file.
    static constexpr std::uint64_t endOfFile = std::numeric_limits<std::uint64_t>::max();

    static Result<ProtoStream> open(const std::string& path);

    /// Reads the next field of the message that ends at `end`. False at its end, and where it is damaged.
    bool next(ProtoField& field, std::uint64_t end);
    /// The bytes of the field that next() returned last, valid until the next call. nullopt, and the bytes
    /// are skipped, if there are more than `most` or the file ends before them.
    std::optional<std::string_view> content(const ProtoField& field, std::uint64_t most);
    /// Goes on at this offset, which is not before offset(). Damage of a message that ends there is over.
    void skipTo(std::uint64_t target);
    void skip(const ProtoField& field)
    {
        if (field.isBytes())
            skipTo(field.end());
    }

    std::uint64_t offset() const { return m_offset; } ///< in the (inflated) file
    std::uint64_t diskBytesRead() const { return m_source->diskBytesRead(); }
    Damage damage() const { return m_damage; }
    /// What the source lost (a gzip file that is cut off, a disk that failed).
    std::optional<StreamDamage> lost() const { return m_source->damage(); }

private:
    explicit ProtoStream(std::unique_ptr<ByteSource> source);
    /// Reads on until this many bytes are in the buffer; false if the file ends before that.
    bool fill(std::size_t count);
    std::optional<std::uint64_t> varint();
    bool fail(Damage damage);
    std::size_t buffered() const { return m_end - m_begin; }
    void take(std::size_t count);

    std::unique_ptr<ByteSource> m_source;
    std::vector<char> m_buffer;
    std::size_t m_begin = 0, m_end = 0; ///< of what is in the buffer
    std::uint64_t m_offset = 0; ///< of m_begin
    bool m_isSourceDone = false;
    Damage m_damage = Damage::None;
};

} // namespace collscope
