// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The millions of dicts in a memory snapshot: events, frames, and lists of frames.

#include "model/readers/pickle/pickled_stacks.h"

namespace collscope {

/// An event as recorded in the file; members that the file lacks keep their defaults.
struct RawMemoryEvent
{
    StringId action;
    StackId stack;
    std::uint64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t timeUs = noTime;

    static constexpr std::int64_t noTime = INT64_MIN;
};

/// Its own records are events: dicts with an "action".
class MemoryRecords : public PickledStacks
{
public:
    explicit MemoryRecords(StringTable& strings);

    const RawMemoryEvent& event(std::uint32_t row) const { return m_events[row]; }

private:
    std::optional<std::uint32_t> ownDict(std::span<const PickleValue> items) override;
    void extendOwn(std::uint32_t row, std::span<const PickleValue> items) override;

    StringId m_action, m_address, m_size, m_time, m_frames, m_deviceFree;
    std::vector<RawMemoryEvent> m_events;
};

} // namespace collscope
