// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/protobuf/proto_stream.h"

#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace collscope {

namespace {

constexpr std::size_t protoBufferBytes = std::size_t{256} << 10;
/// No file is longer; a length beyond this is damage, and sums with it cannot overflow.
constexpr std::uint64_t longestProtoFile = std::uint64_t{1} << 62;

} // namespace

ProtoStream::ProtoStream(std::unique_ptr<ByteSource> source)
    : m_source(std::move(source))
    , m_buffer(protoBufferBytes)
{ }

Result<ProtoStream> ProtoStream::open(const std::string& path)
{
    auto source = ByteSource::open(path);
    if (!source)
        return source.error();
    return ProtoStream(std::move(*source));
}

bool ProtoStream::fill(std::size_t count)
{
    while (buffered() < count && !m_isSourceDone) {
        if (m_buffer.size() - m_begin < count || m_end == m_buffer.size()) {
            std::memmove(m_buffer.data(), m_buffer.data() + m_begin, buffered());
            m_end -= m_begin;
            m_begin = 0;
        }
        // It grows with what arrives, never by what the file claims.
        if (m_end == m_buffer.size())
            m_buffer.resize(2 * m_buffer.size());
        const std::size_t room = m_buffer.size() - m_end;
        const std::size_t got = m_source->read({m_buffer.data() + m_end, room});
        m_end += got;
        m_isSourceDone = got < room;
    }
    return buffered() >= count;
}

void ProtoStream::take(std::size_t count)
{
    m_begin += count;
    m_offset += count;
}

bool ProtoStream::fail(Damage damage)
{
    m_damage = damage;
    return false;
}

std::optional<std::uint64_t> ProtoStream::varint()
{
    fill(protozero::max_varint_length);
    const char* at = m_buffer.data() + m_begin;
    const char* const begin = at;
    try {
        const std::uint64_t value = protozero::decode_varint(&at, begin + buffered());
        take(static_cast<std::size_t>(at - begin));
        return value;
    } catch (const protozero::end_of_buffer_exception&) {
        fail(Damage::Cut);
    } catch (const protozero::exception&) {
        fail(Damage::Malformed);
    }
    return std::nullopt;
}

bool ProtoStream::next(ProtoField& field, std::uint64_t end)
{
    if (m_damage != Damage::None || m_offset == end)
        return false;
    if (m_offset > end)
        return fail(Damage::Malformed);
    if (end == endOfFile && !fill(1))
        return false;
    const auto key = varint();
    if (!key)
        return false;
    constexpr unsigned wireBits = 3;
    constexpr std::uint64_t mostNumber = (1 << 29) - 1;
    const std::uint64_t number = *key >> wireBits;
    if (number == 0 || number > mostNumber)
        return fail(Damage::Malformed);
    field.number = static_cast<std::uint32_t>(number);
    const auto wire = static_cast<unsigned>(*key & 7);
    std::size_t fixed = 0;
    switch (wire) {
    case static_cast<unsigned>(ProtoWire::Varint):
    case static_cast<unsigned>(ProtoWire::Bytes): {
        const auto value = varint();
        if (!value)
            return false;
        field.value = *value;
        break;
    }
    case static_cast<unsigned>(ProtoWire::Fixed64):
        fixed = sizeof(std::uint64_t);
        break;
    case static_cast<unsigned>(ProtoWire::Fixed32):
        fixed = sizeof(std::uint32_t);
        break;
    default:
        return fail(Damage::Malformed);
    }
    field.wire = static_cast<ProtoWire>(wire);
    if (fixed > 0) {
        if (!fill(fixed))
            return fail(Damage::Cut);
        field.value = 0;
        std::memcpy(&field.value, m_buffer.data() + m_begin, fixed); // little-endian, as the machine
        take(fixed);
    }
    field.begin = m_offset;
    if (m_offset > end)
        return fail(Damage::Malformed);
    if (field.isBytes()
        && (field.value > longestProtoFile || field.value > std::min(end, 2 * longestProtoFile) - m_offset))
        return fail(Damage::Malformed);
    return true;
}

std::optional<std::string_view> ProtoStream::content(const ProtoField& field, std::uint64_t most)
{
    if (!field.isBytes())
        return std::nullopt;
    if (field.value > most) {
        skip(field);
        return std::nullopt;
    }
    const auto count = static_cast<std::size_t>(field.value);
    if (!fill(count)) {
        take(buffered());
        fail(Damage::Cut);
        return std::nullopt;
    }
    const std::string_view bytes(m_buffer.data() + m_begin, count);
    take(count);
    return bytes;
}

void ProtoStream::skipTo(std::uint64_t target)
{
    if (m_damage == Damage::Cut)
        return;
    m_damage = Damage::None;
    const std::uint64_t distance = target > m_offset ? target - m_offset : 0;
    const std::uint64_t held = std::min<std::uint64_t>(distance, buffered());
    take(static_cast<std::size_t>(held));
    std::uint64_t left = distance - held;
    // The last byte is read: a source may skip beyond its end.
    while (left > 1 && !m_isSourceDone) {
        const std::uint64_t skipped = m_source->skip(left - 1);
        if (skipped == 0)
            break;
        left -= skipped;
        m_offset += skipped;
    }
    if (left == 0)
        return;
    if (left > 1 || !fill(1))
        fail(Damage::Cut);
    else
        take(1);
}

} // namespace collscope
