// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/memory/memory_records.h"

#include <algorithm>

namespace collscope {

namespace {

using Kind = PickleValue::Kind;

constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15u;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value)
{
    hash = (hash ^ value) * multiplier;
    return hash ^ hash >> 32;
}

PickleValue recordOf(MemoryRecords::Record kind, std::uint32_t row)
{
    PickleValue value;
    value.kind = Kind::Record;
    value.record = kind;
    value.index = row;
    return value;
}

} // namespace

std::uint64_t MemoryRecords::FrameHash::operator()(const StackFrame& frame) const
{
    return mixed(mixed(mixed(0, frame.function.value), frame.file.value),
                 static_cast<std::uint64_t>(frame.line));
}

MemoryRecords::MemoryRecords(StringTable& strings)
    : m_action(strings.intern("action"))
    , m_address(strings.intern("addr"))
    , m_size(strings.intern("size"))
    , m_time(strings.intern("time_us"))
    , m_frames(strings.intern("frames"))
    , m_deviceFree(strings.intern("device_free"))
    , m_name(strings.intern("name"))
    , m_file(strings.intern("filename"))
    , m_line(strings.intern("line"))
{ }

void MemoryRecords::setEvent(RawMemoryEvent& event, std::span<const PickleValue> items) const
{
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        const StringId key = items[i].text();
        const PickleValue& value = items[i + 1];
        if (key == m_action && value.is(Kind::Text))
            event.action = value.text();
        else if (key == m_frames)
            event.stack = stackOf(value);
        else if (!value.is(Kind::Integer))
            continue;
        else if (key == m_address || key == m_deviceFree)
            event.address = static_cast<std::uint64_t>(value.integer);
        else if (key == m_size)
            event.bytes = value.integer;
        else if (key == m_time)
            event.timeUs = value.integer;
    }
}

StackFrame MemoryRecords::frameOf(std::span<const PickleValue> items, StackFrame frame) const
{
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        const StringId key = items[i].text();
        const PickleValue& value = items[i + 1];
        if (key == m_name)
            frame.function = value.text();
        else if (key == m_file)
            frame.file = value.text();
        else if (key == m_line && value.is(Kind::Integer))
            frame.line = static_cast<std::int32_t>(std::clamp<std::int64_t>(value.integer, 0, INT32_MAX));
    }
    return frame;
}

std::optional<PickleValue> MemoryRecords::dictFilled(std::span<const PickleValue> items)
{
    bool isFrame = false;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].text() == m_action && items[i + 1].is(Kind::Text)) {
            setEvent(m_events.emplace_back(), items);
            return recordOf(Event, static_cast<std::uint32_t>(m_events.size() - 1));
        }
        isFrame |= items[i].is(Kind::Text) && items[i].text() == m_file;
    }
    return isFrame ? std::optional(recordOf(Frame, m_uniqueFrames.rowOf(frameOf(items, {})))) : std::nullopt;
}

bool MemoryRecords::appendFrames(std::span<const PickleValue> items, std::vector<std::uint32_t>& frames) const
{
    for (const PickleValue& item : items) {
        const PickleValue value = m_unpickler->resolved(item);
        if (!value.is(Kind::Record) || value.record != Frame)
            return false;
        frames.push_back(value.index);
    }
    return true;
}

std::optional<PickleValue> MemoryRecords::listFilled(std::span<const PickleValue> items)
{
    m_scratch.clear();
    if (!appendFrames(items, m_scratch))
        return std::nullopt;
    return recordOf(Stack, stackOfFrames(m_scratch));
}

PickleValue MemoryRecords::extended(PickleValue record, std::span<const PickleValue> items)
{
    if (record.record == Event) {
        setEvent(m_events[record.index], items);
    } else if (record.record == Frame) { // a new row: other frames may share the old one
        record.index = m_uniqueFrames.rowOf(frameOf(items, m_uniqueFrames[record.index]));
    } else {
        const auto before = framesOf(record.index);
        if (before.size() >= mostFrames) { // a stack that grows frame by frame takes memory for each of its
                                           // lengths
            m_hasEndlessStacks = true;
            return record;
        }
        m_scratch.assign(before.begin(), before.end());
        appendFrames(items, m_scratch);
        record.index = stackOfFrames(m_scratch);
    }
    return record;
}

std::span<const std::uint32_t> MemoryRecords::framesOf(std::uint32_t stack) const
{
    return std::span<const std::uint32_t>(m_stackFrames)
        .subspan(m_stackBegins[stack], m_stackBegins[stack + 1] - m_stackBegins[stack]);
}

std::uint32_t MemoryRecords::stackOfFrames(std::span<const std::uint32_t> frames)
{
    std::uint64_t hash = 0;
    for (const std::uint32_t frame : frames)
        hash = mixed(hash, frame + 1u);
    const auto [begin, end] = m_stackByHash.equal_range(hash);
    for (auto known = begin; known != end; ++known) {
        const auto own = framesOf(known->second);
        if (std::equal(own.begin(), own.end(), frames.begin(), frames.end()))
            return known->second;
    }
    if (m_stackFrames.size() + frames.size() > mostFramesInAll) {
        m_hasEndlessStacks = true;
        return 0;
    }
    const auto stack = static_cast<std::uint32_t>(m_stackBegins.size() - 1);
    m_stackFrames.insert(m_stackFrames.end(), frames.begin(), frames.end());
    m_stackBegins.push_back(static_cast<std::uint32_t>(m_stackFrames.size()));
    m_stackByHash.emplace(hash, stack);
    return stack;
}

StackId MemoryRecords::stackOf(PickleValue value) const
{
    value = m_unpickler->resolved(value);
    return value.is(Kind::Record) && value.record == Stack ? StackId{value.index} : StackId();
}

void MemoryRecords::moveStacks(MemorySnapshot& snapshot)
{
    snapshot.frames = m_uniqueFrames.take();
    snapshot.stackFrames = std::move(m_stackFrames);
    snapshot.stackBegins = std::move(m_stackBegins);
}

} // namespace collscope
