// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/pickle/pickled_stacks.h"

#include <algorithm>

namespace collscope {

using Kind = PickleValue::Kind;

PickledStacks::PickledStacks(StringTable& strings)
    : m_name(strings.intern("name"))
    , m_file(strings.intern("filename"))
    , m_line(strings.intern("line"))
{ }

PickleValue PickledStacks::recordOf(Record kind, std::uint32_t row)
{
    PickleValue value;
    value.kind = Kind::Record;
    value.record = kind;
    value.index = row;
    return value;
}

StackFrame PickledStacks::frameOf(std::span<const PickleValue> items, StackFrame frame) const
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

std::optional<PickleValue> PickledStacks::dictFilled(std::span<const PickleValue> items)
{
    if (const auto row = ownDict(items))
        return recordOf(Own, *row);
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].is(Kind::Text) && items[i].text() == m_file)
            return recordOf(Frame, m_stacks.rowOf(frameOf(items, {})));
    }
    return std::nullopt;
}

bool PickledStacks::appendFrames(std::span<const PickleValue> items)
{
    for (const PickleValue& item : items) {
        const PickleValue value = m_unpickler->resolved(item);
        if (!value.is(Kind::Record) || value.record != Frame)
            return false;
        m_scratch.push_back(value.index);
    }
    return true;
}

std::optional<PickleValue> PickledStacks::listFilled(std::span<const PickleValue> items)
{
    m_scratch.clear();
    if (!appendFrames(items))
        return std::nullopt;
    return recordOf(Stack, m_stacks.stackOf(m_scratch));
}

PickleValue PickledStacks::extended(PickleValue record, std::span<const PickleValue> items)
{
    if (record.record == Own) {
        extendOwn(record.index, items);
    } else if (record.record == Frame) { // a new row: other frames may share the old one
        record.index = m_stacks.rowOf(frameOf(items, m_stacks.frame(record.index)));
    } else {
        m_scratch.clear();
        appendFrames(items);
        record.index = m_stacks.extended(record.index, m_scratch);
    }
    return record;
}

StackId PickledStacks::stackOf(PickleValue value) const
{
    value = m_unpickler->resolved(value);
    return value.is(Kind::Record) && value.record == Stack ? StackId{value.index} : StackId();
}

} // namespace collscope
