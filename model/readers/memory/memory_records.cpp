// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/memory/memory_records.h"

namespace collscope {

using Kind = PickleValue::Kind;

MemoryRecords::MemoryRecords(StringTable& strings)
    : PickledStacks(strings)
    , m_action(strings.intern("action"))
    , m_address(strings.intern("addr"))
    , m_size(strings.intern("size"))
    , m_time(strings.intern("time_us"))
    , m_frames(strings.intern("frames"))
    , m_deviceFree(strings.intern("device_free"))
{ }

void MemoryRecords::extendOwn(std::uint32_t row, std::span<const PickleValue> items)
{
    RawMemoryEvent& event = m_events[row];
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

std::optional<std::uint32_t> MemoryRecords::ownDict(std::span<const PickleValue> items)
{
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].text() != m_action || !items[i + 1].is(Kind::Text))
            continue;
        const auto row = static_cast<std::uint32_t>(m_events.size());
        m_events.emplace_back();
        extendOwn(row, items);
        return row;
    }
    return std::nullopt;
}

} // namespace collscope
