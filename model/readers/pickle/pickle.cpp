// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/pickle/pickle.h"

#include "model/readers/pickle/pickle_opcodes.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace collscope {

namespace {

using Kind = PickleValue::Kind;
using namespace pickle;

constexpr std::size_t bufferBytes = std::size_t{64} << 10; ///< at first; a job has thousands of small dumps
/// Names, settings and paths are shorter; a length that the file merely claims must not cost memory.
constexpr std::uint64_t longestText = std::uint64_t{16} << 20;
/// Limit for lists within lists; a snapshot has less than ten levels.
constexpr std::size_t deepestNesting = 1000;

/// A little-endian number of up to eight bytes.
std::uint64_t unsignedAt(const char* bytes, std::size_t count)
{
    std::uint64_t value = 0;
    for (std::size_t i = count; i > 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
    return value;
}

/// Whether a text is a Python name such as "os.system".
bool isPythonName(std::string_view name)
{
    return std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
            || c == '.';
    });
}

} // namespace

Unpickler::Unpickler(ByteSource& source, StringTable& strings, PickleRecords& records,
                     std::function<bool()> mustStop)
    : m_source(source)
    , m_strings(strings)
    , m_records(records)
    , m_mustStop(std::move(mustStop))
    , m_buffer(bufferBytes)
{ }

bool Unpickler::fill(std::size_t count)
{
    std::memmove(m_buffer.data(), m_buffer.data() + m_at, m_end - m_at);
    m_base += m_at;
    m_end -= m_at;
    m_at = 0;
    // Grows only as far as the file does: a claimed length costs nothing.
    while (m_end < count) {
        if (m_end == m_buffer.size())
            m_buffer.resize(2 * m_buffer.size());
        const std::size_t got = m_source.read(std::span<char>(m_buffer).subspan(m_end));
        m_end += got;
        if (got == 0)
            return false;
    }
    return true;
}

const char* Unpickler::take(std::size_t count)
{
    if (m_end - m_at < count && !fill(count))
        return nullptr;
    const char* const bytes = m_buffer.data() + m_at;
    m_at += count;
    return bytes;
}

Unpickler::End Unpickler::refuse(std::string why)
{
    m_refusal = std::move(why);
    return End::Refused;
}

Unpickler::End Unpickler::refuseOpcode(unsigned char opcode)
{
    const std::string_view danger = dangerOf(opcode);
    if (danger.empty()) {
        constexpr char digits[] = "0123456789abcdef";
        return refuse(std::string("It contains the pickle opcode 0x")
                          .append(1, digits[opcode >> 4])
                          .append(1, digits[opcode & 15])
                          .append(", which files of this kind do not use."));
    }
    std::string named;
    if (opcode == 'c' || opcode == 'i') { // "module\nname\n" follows
        fill(1);
        const std::string_view rest(m_buffer.data() + m_at, std::min<std::size_t>(m_end - m_at, 200));
        const std::size_t module = rest.find('\n');
        const std::size_t name = module == std::string_view::npos ? module : rest.find('\n', module + 1);
        if (name != std::string_view::npos)
            named = std::string(rest.substr(0, module)) + "."
                + std::string(rest.substr(module + 1, name - module - 1));
    } else if (opcode == 0x93 && m_stack.size() >= 2 && m_stack.back().text()
               && m_stack[m_stack.size() - 2].text()) {
        named = std::string(m_strings.view(m_stack[m_stack.size() - 2].text())) + "."
            + std::string(m_strings.view(m_stack.back().text()));
    }
    // An opcode that damage made of another byte is not followed by a name.
    m_keepsNothing = !named.empty() && isPythonName(named);
    return refuse(
        "It makes Python load " + (named.empty() ? "objects" : printableLine(named.substr(0, 100)))
        + " (opcode " + std::string(danger)
        + "): files of this kind contain plain data only, and Collscope never executes code from a file.");
}

Unpickler::End Unpickler::read()
{
    constexpr std::uint64_t askEvery = std::uint64_t{1} << 20;
    std::uint64_t askAt = askEvery;
    for (;;) {
        m_opcodeAt = bytesRead();
        if (m_opcodeAt >= askAt) {
            askAt = m_opcodeAt + askEvery;
            if (m_mustStop())
                return End::Cancelled;
        }
        const char* const opcode = take(1);
        const std::optional<End> end
            = opcode ? step(static_cast<unsigned char>(*opcode)) : std::optional(End::CutOff);
        if (!end)
            continue;
        if (m_keepsNothing)
            m_stack.clear();
        else if (*end == End::CutOff || *end == End::Refused)
            unwind();
        return *end;
    }
}

std::optional<Unpickler::End> Unpickler::step(unsigned char opcode)
{
    // One byte can create a list of dozens of bytes here, and a thousand of them fit into one compressed
    // byte.
    constexpr std::size_t mostOnStack = std::size_t{1} << 24;
    constexpr std::size_t mostObjects = std::size_t{1} << 28;
    m_keepsNothing
        = m_stack.size() > mostOnStack || m_containers.size() > mostObjects || m_memo.size() > mostObjects;
    if (m_keepsNothing)
        return refuse("It contains more objects than any memory snapshot.");
    switch (opcode) {
    case BinGet:
    case LongBinGet:
    case BinPut:
    case LongBinPut:
    case Memoize:
        return stepMemo(opcode);
    case BinInt:
    case BinInt1:
    case BinInt2:
    case Long1:
    case Long4:
    case BinFloat:
        return stepNumber(opcode);
    case ShortBinUnicode:
    case BinUnicode:
    case BinUnicode8:
    case ShortBinBytes:
    case BinBytes:
    case BinBytes8:
        return stepText(opcode);
    case Mark:
        if (m_marks.size() >= deepestNesting)
            return refuse("It nests lists deeper than any memory snapshot.");
        m_marks.push_back(m_stack.size());
        return std::nullopt;
    case None:
        push(Kind::None, 0);
        return std::nullopt;
    case NewTrue:
    case NewFalse:
        push(Kind::Bool, opcode == NewTrue ? 1 : 0);
        return std::nullopt;
    case Proto:
        return take(1) ? std::nullopt : std::optional(End::CutOff);
    case FrameStart:
        return take(8) ? std::nullopt : std::optional(End::CutOff);
    case StopAll:
        if (m_stack.size() != 1 || !m_marks.empty())
            return refuse("It ends with values left over, unlike any pickle that Python writes.");
        return End::Stop;
    default:
        return stepContainer(opcode);
    }
}

void Unpickler::push(Kind kind, std::int64_t integer)
{
    PickleValue& value = m_stack.emplace_back();
    value.kind = kind;
    value.integer = integer;
}

std::optional<Unpickler::End> Unpickler::stepNumber(unsigned char opcode)
{
    std::size_t width = 4;
    if (opcode == BinInt1 || opcode == Long1)
        width = 1;
    else if (opcode == BinInt2)
        width = 2;
    else if (opcode == BinFloat)
        width = 8;
    const char* const bytes = take(width);
    if (!bytes)
        return End::CutOff;
    const std::uint64_t value = unsignedAt(bytes, width);
    if (opcode == Long1 || opcode == Long4)
        return pushLong(value);
    if (opcode == BinFloat) { // the only big-endian number
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < width; ++i)
            bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
        PickleValue& number = m_stack.emplace_back();
        number.kind = Kind::Number;
        number.number = std::bit_cast<double>(bits);
        return std::nullopt;
    }
    push(Kind::Integer,
         opcode == BinInt ? static_cast<std::int32_t>(static_cast<std::uint32_t>(value))
                          : static_cast<std::int64_t>(value));
    return std::nullopt;
}

std::optional<Unpickler::End> Unpickler::pushLong(std::uint64_t bytes)
{
    constexpr std::uint64_t widest = 9; // a 64-bit address has an additional sign byte
    if (bytes > widest)
        return refuse("It contains a number of " + std::to_string(bytes)
                      + " bytes: addresses, sizes and times are not that large.");
    const char* const at = take(bytes);
    if (!at)
        return End::CutOff;
    const std::size_t kept = std::min<std::size_t>(bytes, 8);
    if (bytes > kept && at[kept] != 0)
        return refuse(
            "It contains a number of more than 64 bits: addresses, sizes and times are not that large.");
    std::uint64_t value = unsignedAt(at, kept);
    if (bytes > 0 && bytes < 8 && (static_cast<unsigned char>(at[bytes - 1]) & 0x80u) != 0)
        value |= ~std::uint64_t{0} << (8 * bytes);
    push(Kind::Integer, static_cast<std::int64_t>(value));
    return std::nullopt;
}

std::optional<Unpickler::End> Unpickler::stepText(unsigned char opcode)
{
    const bool isShort = opcode == ShortBinUnicode || opcode == ShortBinBytes;
    std::size_t width = 8;
    if (isShort)
        width = 1;
    else if (opcode == BinUnicode || opcode == BinBytes)
        width = 4;
    const char* const bytes = take(width);
    if (!bytes)
        return End::CutOff;
    const bool isText = opcode == ShortBinUnicode || opcode == BinUnicode || opcode == BinUnicode8;
    return pushText(unsignedAt(bytes, width), isText);
}

std::optional<Unpickler::End> Unpickler::pushText(std::uint64_t bytes, bool isText)
{
    if (bytes > longestText)
        return refuse("It contains a text of " + std::to_string(bytes)
                      + " bytes: names in memory snapshots are not that long.");
    const char* const at = take(bytes);
    if (!at)
        return End::CutOff;
    PickleValue& value = m_stack.emplace_back();
    value.kind = isText ? Kind::Text : Kind::Bytes;
    if (isText)
        value.index = m_strings.intern({at, static_cast<std::size_t>(bytes)}).value;
    return std::nullopt;
}

std::optional<Unpickler::End> Unpickler::stepMemo(unsigned char opcode)
{
    if (opcode == Memoize)
        return put(m_memo.size());
    const bool isLong = opcode == LongBinPut || opcode == LongBinGet;
    const char* const bytes = take(isLong ? 4 : 1);
    if (!bytes)
        return End::CutOff;
    const std::uint64_t place = unsignedAt(bytes, isLong ? 4 : 1);
    return opcode == BinPut || opcode == LongBinPut ? put(place) : get(place);
}

std::optional<Unpickler::End> Unpickler::put(std::uint64_t place)
{
    // Python numbers memo places in order; a place far beyond would only cost memory.
    if (m_stack.empty() || place > m_memo.size())
        return refuse("It stores a value in a memo place that Python would not use.");
    if (place == m_memo.size())
        m_memo.push_back(m_stack.back());
    else
        m_memo[place] = m_stack.back();
    return std::nullopt;
}

std::optional<Unpickler::End> Unpickler::get(std::uint64_t place)
{
    if (place >= m_memo.size())
        return refuse("It reads a value that it did not store.");
    m_stack.push_back(m_memo[place]);
    return std::nullopt;
}

void Unpickler::pushContainer(bool isDict)
{
    PickleValue& value = m_stack.emplace_back();
    value.kind = isDict ? Kind::Dict : Kind::List;
    value.index = static_cast<std::uint32_t>(m_containers.size());
    m_containers.push_back({Container::empty, isDict, false, 0});
}

std::optional<Unpickler::End> Unpickler::stepContainer(unsigned char opcode)
{
    const std::size_t floor = m_marks.empty() ? 0 : m_marks.back();
    switch (opcode) {
    case EmptyDict:
    case EmptyList:
    case EmptyTuple:
        pushContainer(opcode == EmptyDict);
        return std::nullopt;
    case Tuple1:
    case Tuple2:
    case Tuple3:
        return tupleOf(opcode - Tuple1 + 1u);
    case Append:
    case SetItem: {
        const std::size_t count = opcode == Append ? 1 : 2;
        if (m_stack.size() < floor + count + 1)
            return refuse("It uses more values than there are.");
        return addToBelow(m_stack.size() - count);
    }
    case Appends:
    case SetItems:
    case List:
    case Dict:
    case Tuple: {
        if (m_marks.empty())
            return refuse("It closes a list that it did not open.");
        m_marks.pop_back();
        if (opcode == Tuple)
            return tupleOf(m_stack.size() - floor);
        if (opcode == List || opcode == Dict) { // made from the values above the mark
            pushContainer(opcode == Dict);
            std::rotate(m_stack.begin() + static_cast<std::ptrdiff_t>(floor), m_stack.end() - 1,
                        m_stack.end());
            return addToBelow(floor + 1);
        }
        return addToBelow(floor);
    }
    default:
        return refuseOpcode(opcode);
    }
}

std::optional<Unpickler::End> Unpickler::tupleOf(std::size_t count)
{
    const std::size_t floor = m_marks.empty() ? 0 : m_marks.back();
    if (m_stack.size() < floor + count)
        return refuse("It uses more values than there are.");
    const std::size_t from = m_stack.size() - count;
    pushContainer(false);
    std::rotate(m_stack.begin() + static_cast<std::ptrdiff_t>(from), m_stack.end() - 1, m_stack.end());
    return addToBelow(from + 1);
}

/// Moves the values from stack height `from` on into the container below them.
std::optional<Unpickler::End> Unpickler::addToBelow(std::size_t from)
{
    if (from == 0 || from > m_stack.size()
        || !add(m_stack[from - 1], std::span<const PickleValue>(m_stack).subspan(from)))
        return refuse("It adds values to an object that is not a container.");
    m_stack.resize(from);
    return std::nullopt;
}

bool Unpickler::add(PickleValue container, std::span<const PickleValue> items)
{
    const bool isDict = container.is(Kind::Dict);
    if ((!isDict && !container.is(Kind::List)) || (isDict && items.size() % 2 != 0))
        return false;
    if (items.empty())
        return true;
    Container& own = m_containers[container.index];
    if (own.isRecord) {
        PickleValue record;
        record.kind = Kind::Record;
        record.record = own.record;
        record.index = own.items;
        own.items = m_records.extended(record, items).index;
        return true;
    }
    if (own.items == Container::empty) {
        const auto record = isDict ? m_records.dictFilled(items) : m_records.listFilled(items);
        if (record) {
            own = {record->index, isDict, true, record->record};
            return true;
        }
        own.items = static_cast<std::uint32_t>(m_items.size());
        m_items.emplace_back();
    }
    std::vector<PickleValue>& all = m_items[own.items];
    all.insert(all.end(), items.begin(), items.end());
    return true;
}

/// Closes all open containers at the end of the file, or of its readable part.
void Unpickler::unwind()
{
    while (!m_stack.empty()) {
        const std::size_t from = m_marks.empty() ? 1 : m_marks.back();
        if (m_marks.empty() && m_stack.size() == 1)
            return;
        if (!m_marks.empty())
            m_marks.pop_back();
        if (from == 0 || from > m_stack.size()) {
            m_stack.resize(std::min(from, m_stack.size()));
            continue;
        }
        std::span<const PickleValue> items = std::span<const PickleValue>(m_stack).subspan(from);
        const PickleValue container = m_stack[from - 1];
        if (container.is(Kind::Dict)) {
            // The items after the last key and value belong into that value, and so on inwards.
            std::size_t whole = 0;
            while (whole + 1 < items.size() && items[whole].is(Kind::Text))
                whole += 2;
            const bool isKey = whole < items.size() && items[whole].is(Kind::Text); // its value is lost
            for (std::size_t i = items.size(); !isKey && i > std::max<std::size_t>(whole, 1); --i)
                add(items[i - 2], items.subspan(i - 1, 1));
            items = items.first(whole);
        }
        add(container, items);
        m_stack.resize(from);
        if (m_marks.empty())
            return;
    }
}

PickleValue Unpickler::resolved(PickleValue value) const
{
    if (!value.is(Kind::List) && !value.is(Kind::Dict))
        return value;
    const Container& container = m_containers[value.index];
    if (!container.isRecord)
        return value;
    PickleValue record;
    record.kind = Kind::Record;
    record.record = container.record;
    record.index = container.items;
    return record;
}

std::span<const PickleValue> Unpickler::itemsOf(PickleValue value) const
{
    if (!value.is(Kind::List) && !value.is(Kind::Dict))
        return {};
    const Container& container = m_containers[value.index];
    if (container.isRecord || container.items == Container::empty)
        return {};
    return m_items[container.items];
}

std::optional<PickleValue> Unpickler::member(PickleValue dict, std::string_view key) const
{
    if (!dict.is(Kind::Dict))
        return std::nullopt;
    const StringId id = m_strings.find(key);
    if (!id)
        return std::nullopt;
    const auto items = itemsOf(dict);
    std::optional<PickleValue> found; // the last one counts, as in Python
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].text() == id)
            found = items[i + 1];
    }
    return found;
}

} // namespace collscope
