// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Converts values to bytes and back. One description of a type's members (`fields()`) serves both directions,
// so that they always agree. Integers are LEB128, signed integers zigzag; columns of integers store
// differences.

#include "model/containers/compact_column.h"
#include "model/ids.h"
#include "model/stored_bytes.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace collscope {

/// The largest value of an enum that is archived. Larger values in an archive are damage. Specialised next to
/// `fields()`.
template<typename Enum>
inline constexpr Enum lastOf = Enum();

template<typename T>
concept HasFields = requires(T& value)
{
    fields(value);
};

/// A signed number as one without sign: small ones stay small.
inline std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
/// The number that zigzag() was given.
inline std::int64_t fromZigzag(std::uint64_t number)
{
    return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
}

class ArchiveWriter
{
public:
    static constexpr bool reads = false;

    /// Ids of strings in the archive: newIds[id], none if the string is not used. Without them, ids stay as
    /// they are, and what is stored (takeStored()) is left out.
    explicit ArchiveWriter(const std::vector<StringId>* newIds = nullptr)
        : m_newIds(newIds)
    { }

    template<typename... Values>
    void operator()(Values&... values)
    {
        (write(values), ...);
    }

    void number(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            m_bytes += static_cast<char>(value | 0x80);
        m_bytes += static_cast<char>(value);
    }
    void signedNumber(std::int64_t value) { number(zigzag(value)); }

    const std::vector<bool>& usedStrings() const { return m_usedStrings; }
    std::string takeBytes() { return std::move(m_bytes); }
    /// The StoredBytes, one after the other: they are not among the bytes.
    std::string takeStored() { return std::move(m_stored); }

private:
    template<typename T>
    void write(T& value)
    {
        if constexpr (std::is_same_v<T, bool>)
            m_bytes += value ? '\1' : '\0';
        else if constexpr (std::is_enum_v<T>)
            number(static_cast<std::uint64_t>(value));
        else if constexpr (std::is_floating_point_v<T>)
            writeDouble(value);
        else if constexpr (std::is_unsigned_v<T>)
            number(value);
        else if constexpr (std::is_integral_v<T>)
            signedNumber(value);
        else
            writeObject(value);
    }
    template<HasFields T>
    void writeObject(T& value)
    {
        std::apply(*this, fields(value));
    }
    void writeObject(const std::string& text)
    {
        number(text.size());
        m_bytes += text;
    }
    void writeObject(const StoredBytes& stored)
    {
        number(stored.size());
        if (m_newIds)
            m_stored += stored.readAll();
    }
    void writeObject(StringId id)
    {
        if (id) {
            if (m_usedStrings.size() <= id.value)
                m_usedStrings.resize(id.value + 1);
            m_usedStrings[id.value] = true;
        }
        const StringId written = !m_newIds || !id ? id : (*m_newIds)[id.value];
        number(static_cast<std::uint32_t>(written.value + 1)); // none is 0
    }
    template<typename Tag>
    void writeObject(Id<Tag> id)
    {
        number(static_cast<std::uint32_t>(id.value + 1));
    }
    template<typename T>
    void writeObject(std::optional<T>& value)
    {
        bool has = value.has_value();
        write(has);
        if (has)
            write(*value);
    }
    template<typename A, typename B>
    void writeObject(std::pair<A, B>& pair)
    {
        (*this)(pair.first, pair.second);
    }
    template<typename T, std::size_t size>
    void writeObject(T (&values)[size])
    {
        for (T& value : values)
            write(value);
    }
    void writeObject(std::vector<bool>& values)
    {
        number(values.size());
        for (const bool value : values)
            m_bytes += value ? '\1' : '\0';
    }
    template<typename T>
    void writeObject(std::vector<T>& values)
    {
        number(values.size());
        if constexpr (std::is_integral_v<T> && sizeof(T) > 1) {
            std::uint64_t before = 0;
            for (const T value : values)
                writeDifference(before, static_cast<std::uint64_t>(value));
        } else {
            for (T& value : values)
                write(value);
        }
    }
    template<typename T>
    void writeObject(MostlySmallColumn<T>& column)
    {
        number(column.size());
        for (std::size_t row = 0; row < column.size(); ++row)
            signedNumber(static_cast<std::int64_t>(column[row]));
    }
    template<typename T, T fallback>
    void writeObject(OptionalColumn<T, fallback>& column)
    {
        number(column.isAllDefault() ? 0 : column.size());
        std::uint64_t before = 0;
        for (std::size_t row = 0; !column.isAllDefault() && row < column.size(); ++row) {
            if constexpr (std::is_enum_v<T>)
                number(static_cast<std::uint64_t>(column[row]));
            else
                writeDifference(before, column[row]);
        }
    }
    /// Writes the difference modulo 2^64, which exists for any two values.
    void writeDifference(std::uint64_t& before, std::uint64_t value)
    {
        signedNumber(static_cast<std::int64_t>(value - before));
        before = value;
    }
    void writeDouble(double value)
    {
        auto bits = std::bit_cast<std::uint64_t>(value);
        for (int i = 0; i < 8; ++i, bits >>= 8)
            m_bytes += static_cast<char>(bits);
    }

    std::string m_bytes, m_stored;
    const std::vector<StringId>* m_newIds;
    std::vector<bool> m_usedStrings;
};

/// The number that begins at `at`, which goes past it; nullopt if it ends neither in the bytes nor after 64
/// bits.
inline std::optional<std::uint64_t> archivedNumber(std::string_view bytes, std::size_t& at)
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
        const auto byte = static_cast<unsigned char>(bytes[at++]);
        value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    return std::nullopt;
}

/// Reads bytes that may be damaged: the first error sets failed(), and from then on all values are 0.
class ArchiveReader
{
public:
    static constexpr bool reads = true;

    /// Limits for the ids in the bytes: each must be below its limit, or none.
    struct Limits
    {
        std::size_t strings = 0, tracks = Id<void>::noneValue, timelines = Id<void>::noneValue;
    };
    /// `stored`: what takeStored() gave. `names`: the ids of the strings in the archive; by default, their
    /// numbers.
    ArchiveReader(std::string_view bytes, Limits limits, StoredBytes stored = {},
                  const std::vector<StringId>* names = nullptr)
        : m_bytes(bytes)
        , m_limits(limits)
        , m_stored(std::move(stored))
        , m_names(names)
    { }

    template<typename... Values>
    void operator()(Values&... values)
    {
        (read(values), ...);
    }

    std::uint64_t number()
    {
        std::size_t end = 0;
        const std::optional<std::uint64_t> value = archivedNumber(m_bytes, end);
        if (!value) {
            fail();
            return 0;
        }
        m_bytes.remove_prefix(end);
        return *value;
    }
    std::int64_t signedNumber() { return fromZigzag(number()); }
    /// A number of items, each of which takes at least one byte.
    std::size_t count()
    {
        const std::uint64_t value = number();
        if (value > m_bytes.size())
            fail();
        return m_failed ? 0 : static_cast<std::size_t>(value);
    }
    bool failed() const { return m_failed; }
    bool isAtEnd() const { return m_bytes.empty() && m_storedRead == m_stored.size(); }
    /// The bytes that were not read yet.
    std::string_view rest() const { return m_bytes; }

private:
    void fail()
    {
        m_failed = true;
        m_bytes = {};
    }
    char nextByte()
    {
        if (m_bytes.empty()) {
            fail();
            return 0;
        }
        const char byte = m_bytes.front();
        m_bytes.remove_prefix(1);
        return byte;
    }

    template<typename T>
    void read(T& value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            value = nextByte() != 0;
        } else if constexpr (std::is_enum_v<T>) {
            const std::uint64_t code = number();
            if (code > static_cast<std::uint64_t>(lastOf<T>))
                fail();
            value = static_cast<T>(m_failed ? 0 : code);
        } else if constexpr (std::is_floating_point_v<T>) {
            value = readDouble();
        } else if constexpr (std::is_unsigned_v<T>) {
            value = static_cast<T>(number());
        } else if constexpr (std::is_integral_v<T>) {
            value = static_cast<T>(signedNumber());
        } else {
            readObject(value);
        }
    }
    template<HasFields T>
    void readObject(T& value)
    {
        std::apply(*this, fields(value));
    }
    void readObject(std::string& text)
    {
        const std::size_t size = count();
        text = m_bytes.substr(0, size);
        m_bytes.remove_prefix(size);
    }
    void readObject(StoredBytes& stored)
    {
        const std::uint64_t size = number();
        if (size > m_stored.size() - m_storedRead)
            return fail();
        stored = m_stored.part(m_storedRead, size);
        m_storedRead += size;
    }
    template<typename Tag>
    void readObject(Id<Tag>& id)
    {
        const std::size_t limit = std::is_same_v<Id<Tag>, StringId> ? m_limits.strings
            : std::is_same_v<Id<Tag>, TrackId>                      ? m_limits.tracks
                                                                    : m_limits.timelines;
        const std::uint64_t value = number();
        if (value > limit)
            fail();
        id.value = m_failed ? Id<Tag>::noneValue : static_cast<std::uint32_t>(value) - 1;
        if constexpr (std::is_same_v<Id<Tag>, StringId>)
            id = m_names && id ? (*m_names)[id.value] : id;
    }
    template<typename T>
    void readObject(std::optional<T>& value)
    {
        bool has = false;
        read(has);
        if (has)
            read(value.emplace());
    }
    template<typename A, typename B>
    void readObject(std::pair<A, B>& pair)
    {
        (*this)(pair.first, pair.second);
    }
    template<typename T, std::size_t size>
    void readObject(T (&values)[size])
    {
        for (T& value : values)
            read(value);
    }
    void readObject(std::vector<bool>& values)
    {
        for (std::size_t left = count(); left > 0; --left)
            values.push_back(nextByte() != 0);
    }
    template<typename T>
    void readObject(std::vector<T>& values)
    {
        const std::size_t size = count();
        values.reserve(std::min(size, largestReserve / sizeof(T)));
        [[maybe_unused]] std::uint64_t before = 0;
        for (std::size_t i = 0; i < size && !m_failed; ++i) {
            if constexpr (std::is_integral_v<T> && sizeof(T) > 1)
                values.push_back(static_cast<T>(readDifference(before)));
            else
                read(values.emplace_back());
        }
    }
    template<typename T>
    void readObject(MostlySmallColumn<T>& column)
    {
        const std::size_t size = count();
        column.reserve(size);
        for (std::size_t i = 0; i < size && !m_failed; ++i)
            column.push_back(static_cast<T>(signedNumber()));
    }
    /// A column that is all default stays empty. The caller knows its length and fills it.
    template<typename T, T fallback>
    void readObject(OptionalColumn<T, fallback>& column)
    {
        [[maybe_unused]] std::uint64_t before = 0;
        const std::size_t size = count();
        for (std::size_t i = 0; i < size && !m_failed; ++i) {
            T value = fallback;
            if constexpr (std::is_enum_v<T>)
                read(value);
            else
                value = static_cast<T>(readDifference(before));
            column.push_back(value);
        }
    }
    std::uint64_t readDifference(std::uint64_t& before)
    {
        return before += static_cast<std::uint64_t>(signedNumber());
    }
    double readDouble()
    {
        std::uint64_t bits = 0;
        for (unsigned shift = 0; shift < 64; shift += 8)
            bits |= std::uint64_t{static_cast<unsigned char>(nextByte())} << shift;
        return std::bit_cast<double>(bits);
    }

    static constexpr std::size_t largestReserve = std::size_t{1} << 24; ///< bytes, before any value is read
    std::string_view m_bytes;
    Limits m_limits;
    StoredBytes m_stored;
    std::uint64_t m_storedRead = 0;
    const std::vector<StringId>* m_names;
    bool m_failed = false;
};

} // namespace collscope
