// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads Python pickles (protocols 2 to 5) of plain values: dicts, lists, tuples, text, numbers, None. A
// pickle is a program; this reader extracts its data and cannot run anything: opcodes that would name, make
// or call a Python object are refused, and so are opcodes that are unknown here.

#include "model/readers/byte_source.h"
#include "model/string_table.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace collscope {

/// A value of a pickle. Containers are referred to by number, so that cycles and shared containers cost
/// nothing.
struct PickleValue
{
    enum class Kind : std::uint8_t
    {
        None,
        Bool,
        Integer,
        Number,
        Text,
        Bytes, ///< the content is not kept
        List, ///< or tuple
        Dict,
        Record ///< a container that PickleRecords converted
    };
    Kind kind = Kind::None;
    std::uint8_t record = 0; ///< Record: the kind of record
    std::uint32_t index = 0; ///< Text: id in the string table. List, Dict: container. Record: its row
    union {
        std::int64_t integer = 0;
        double number;
    };

    bool is(Kind which) const { return kind == which; }
    StringId text() const { return is(Kind::Text) ? StringId{index} : StringId(); }
};

/// Converts containers to something smaller as soon as they are filled: a snapshot has millions of dicts with
/// the same few keys. A container for which nullopt is returned stays as it is.
class PickleRecords
{
public:
    virtual ~PickleRecords() = default;
    /// Receives the first items of a dict (key, value, key, value, ...). Returns a Record, or nullopt to keep
    /// the dict.
    virtual std::optional<PickleValue> dictFilled(std::span<const PickleValue> items) = 0;
    /// Receives the first items of a list. Returns a Record, or nullopt to keep the list.
    virtual std::optional<PickleValue> listFilled(std::span<const PickleValue> items) = 0;
    /// Receives further items of a container that became a record. Returns the updated record.
    virtual PickleValue extended(PickleValue record, std::span<const PickleValue> items) = 0;
};

/// Reads one pickle.
class Unpickler
{
public:
    enum class End
    {
        Stop, ///< read to the end of the pickle
        CutOff, ///< the file ends first: complete values were kept
        Refused, ///< not readable: see refusal(). Values before the refusal were kept, unless the pickle
                 ///< names a Python object or is too large
        Cancelled
    };

    /// Adds text to `strings`. `source`, `strings` and `records` must outlive this object. `mustStop`
    /// is polled about every MiB; the caller also reports progress in it.
    Unpickler(ByteSource& source, StringTable& strings, PickleRecords& records,
              std::function<bool()> mustStop);

    End read();
    /// The value of the pickle; None if there is none.
    PickleValue root() const { return m_stack.empty() ? PickleValue() : m_stack.front(); }
    /// The reason for the refusal, in words, and its byte.
    const std::string& refusal() const { return m_refusal; }
    std::uint64_t offset() const { return m_opcodeAt; }
    std::uint64_t bytesRead() const { return m_base + m_at; }

    /// Items of a list or tuple, or alternating keys and values of a dict; empty for any other value.
    std::span<const PickleValue> itemsOf(PickleValue value) const;
    /// The value itself, or the record that its container was converted to.
    PickleValue resolved(PickleValue value) const;
    /// The value of a key of a dict; nullopt if the key is missing.
    std::optional<PickleValue> member(PickleValue dict, std::string_view key) const;

private:
    struct Container
    {
        static constexpr std::uint32_t empty = 0xFFFFFFFFu;
        std::uint32_t items = empty; ///< index into m_items, or row of the record
        bool isDict = false;
        bool isRecord = false;
        std::uint8_t record = 0;
    };

    /// Returns the next `count` bytes in one piece; nullptr if the file ends first.
    const char* take(std::size_t count);
    bool fill(std::size_t count);
    End refuse(std::string why);
    End refuseOpcode(unsigned char opcode);
    /// Interprets one opcode; nullopt to continue.
    std::optional<End> step(unsigned char opcode);
    std::optional<End> stepNumber(unsigned char opcode);
    std::optional<End> stepText(unsigned char opcode);
    std::optional<End> stepContainer(unsigned char opcode);
    std::optional<End> stepMemo(unsigned char opcode);
    std::optional<End> pushLong(std::uint64_t bytes);
    std::optional<End> pushText(std::uint64_t bytes, bool isText);
    std::optional<End> put(std::uint64_t place);
    std::optional<End> get(std::uint64_t place);
    std::optional<End> tupleOf(std::size_t count);
    std::optional<End> addToBelow(std::size_t from);
    void push(PickleValue::Kind kind, std::int64_t integer);
    void pushContainer(bool isDict);
    /// False if the value cannot contain items.
    bool add(PickleValue container, std::span<const PickleValue> items);
    void unwind();

    ByteSource& m_source;
    StringTable& m_strings;
    PickleRecords& m_records;
    std::function<bool()> m_mustStop;
    std::vector<char> m_buffer;
    std::size_t m_at = 0, m_end = 0;
    std::uint64_t m_base = 0; ///< file offset of the front of the buffer
    std::uint64_t m_opcodeAt = 0;
    std::string m_refusal;
    bool m_keepsNothing = false; ///< refused because it is too large or a program, not because of damage

    std::vector<PickleValue> m_stack;
    std::vector<std::size_t> m_marks; ///< heights of the stack
    std::vector<PickleValue> m_memo;
    std::vector<Container> m_containers;
    std::vector<std::vector<PickleValue>> m_items;
};

} // namespace collscope
