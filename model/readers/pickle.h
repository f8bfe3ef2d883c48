// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Python pickles (protocols 2 to 5) of plain values: dicts, lists, tuples, text, numbers, None. A pickle is a
// program; this reads the data of one and can run nothing: whatever would name, make or call an object of
// Python is refused, and so is every opcode that is not known here.

#include "model/readers/byte_source.h"
#include "model/string_table.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace collscope {

/// What a pickle holds. Containers are named by a number, so that cycles and shared ones cost nothing.
struct PickleValue
{
    enum class Kind : std::uint8_t
    {
        None,
        Bool,
        Integer,
        Number,
        Text,
        Bytes, ///< their content is not kept
        List, ///< or tuple
        Dict,
        Record ///< what PickleRecords made of a container
    };
    Kind kind = Kind::None;
    std::uint8_t record = 0; ///< Record: which kind of record
    std::uint32_t index = 0; ///< Text: id in the string table. List, Dict: container. Record: its row
    union {
        std::int64_t integer = 0;
        double number;
    };

    bool is(Kind which) const { return kind == which; }
    StringId text() const { return is(Kind::Text) ? StringId{index} : StringId(); }
};

/// Turns containers into something smaller as soon as they are filled: a snapshot has millions of dicts with
/// the same few keys. Nothing of what it answers with nullopt is lost: it stays a container.
class PickleRecords
{
public:
    virtual ~PickleRecords() = default;
    /// The items of a dict (key, value, key, value, ...) that was empty; a Record, or nullopt to keep the
    /// dict.
    virtual std::optional<PickleValue> dictFilled(std::span<const PickleValue> items) = 0;
    /// The items of a list that was empty.
    virtual std::optional<PickleValue> listFilled(std::span<const PickleValue> items) = 0;
    /// More items for what became a record; the record that it is now.
    virtual PickleValue extended(PickleValue record, std::span<const PickleValue> items) = 0;
};

/// Reads one pickle.
class Unpickler
{
public:
    enum class End
    {
        Stop, ///< read to its end
        CutOff, ///< the file ends first: what is complete was kept
        Refused, ///< it holds what is not read: see refusal(). What stands before was kept, unless the pickle
                 ///< names something of Python's or is too large
        Cancelled
    };

    /// Text goes into `strings`. All three must outlive it. `cancelled` is asked about every MiB.
    Unpickler(ByteSource& source, StringTable& strings, PickleRecords& records,
              std::function<bool()> cancelled);

    End read();
    /// The value of the pickle; None if there is none.
    PickleValue root() const { return m_stack.empty() ? PickleValue() : m_stack.front(); }
    /// Why it was refused, in words, and at which byte.
    const std::string& refusal() const { return m_refusal; }
    std::uint64_t offset() const { return m_opcodeAt; }
    std::uint64_t bytesRead() const { return m_base + m_at; }

    /// Items of a list or tuple, or keys and values of a dict in turns; empty for everything else.
    std::span<const PickleValue> itemsOf(PickleValue value) const;
    /// The value itself, or the record that its container has become.
    PickleValue resolved(PickleValue value) const;
    /// The value of a key of a dict; nullopt if it has none.
    std::optional<PickleValue> member(PickleValue dict, std::string_view key) const;

private:
    struct Container
    {
        static constexpr std::uint32_t empty = 0xFFFFFFFFu;
        std::uint32_t items = empty; ///< into m_items, or row of the record
        bool isDict = false;
        bool isRecord = false;
        std::uint8_t record = 0;
    };

    /// So many bytes in one piece, nullptr where the file ends first.
    const char* take(std::size_t count);
    bool fill(std::size_t count);
    End refuse(std::string why);
    End refuseOpcode(unsigned char opcode);
    /// Carries out one opcode; nullopt to go on.
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
    /// False if the value takes no items.
    bool add(PickleValue container, std::span<const PickleValue> items);
    void unwind();

    ByteSource& m_source;
    StringTable& m_strings;
    PickleRecords& m_records;
    std::function<bool()> m_cancelled;
    std::vector<char> m_buffer;
    std::size_t m_at = 0, m_end = 0;
    std::uint64_t m_base = 0; ///< byte of the file at the front of the buffer
    std::uint64_t m_opcodeAt = 0;
    std::string m_refusal;
    bool m_keepsNothing = false; ///< refused, and not for damage: it is too large, or a program

    std::vector<PickleValue> m_stack;
    std::vector<std::size_t> m_marks; ///< heights of the stack
    std::vector<PickleValue> m_memo;
    std::vector<Container> m_containers;
    std::vector<std::vector<PickleValue>> m_items;
};

} // namespace collscope
