// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The millions of dicts in a memory snapshot: events, frames, and lists of frames.

#include "model/memory_snapshot.h"
#include "model/readers/pickle/pickle.h"
#include "model/unique_rows.h"

#include <unordered_map>

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

/// Keeps each frame and stack once, however often it occurs.
class MemoryRecords : public PickleRecords
{
public:
    enum Record : std::uint8_t
    {
        Frame, ///< {"name", "filename", "line"}
        Stack, ///< a list of frames
        Event ///< a dict with an "action"
    };

    explicit MemoryRecords(StringTable& strings);

    std::optional<PickleValue> dictFilled(std::span<const PickleValue> items) override;
    std::optional<PickleValue> listFilled(std::span<const PickleValue> items) override;
    PickleValue extended(PickleValue record, std::span<const PickleValue> items) override;

    /// Sets the unpickler that resolves containers, which values refer to by number.
    void resolveWith(const Unpickler& unpickler) { m_unpickler = &unpickler; }
    const RawMemoryEvent& event(std::uint32_t row) const { return m_events[row]; }
    /// The stack that a value refers to; none if the value is not a stack.
    StackId stackOf(PickleValue value) const;
    /// Moves frames and stacks into a snapshot.
    void moveStacks(MemorySnapshot& snapshot);
    /// Whether frames were omitted because there are more than in any program.
    bool hasEndlessStacks() const { return m_hasEndlessStacks; }

private:
    struct FrameHash
    {
        std::uint64_t operator()(const StackFrame& frame) const;
    };
    void setEvent(RawMemoryEvent& event, std::span<const PickleValue> items) const;
    StackFrame frameOf(std::span<const PickleValue> items, StackFrame frame) const;
    std::uint32_t stackOfFrames(std::span<const std::uint32_t> frames);
    /// Appends the frames in `items`; false if one of them is not a frame.
    bool appendFrames(std::span<const PickleValue> items, std::vector<std::uint32_t>& frames) const;
    std::span<const std::uint32_t> framesOf(std::uint32_t stack) const;

    const Unpickler* m_unpickler = nullptr;
    StringId m_action, m_address, m_size, m_time, m_frames, m_deviceFree, m_name, m_file, m_line;
    std::vector<RawMemoryEvent> m_events;
    UniqueRows<StackFrame, FrameHash> m_uniqueFrames;
    static constexpr std::size_t mostFrames = 4096; ///< of a growing stack
    static constexpr std::size_t mostFramesInAll = std::size_t{1} << 27;
    bool m_hasEndlessStacks = false;
    std::vector<std::uint32_t> m_stackFrames, m_stackBegins{0};
    std::unordered_multimap<std::uint64_t, std::uint32_t> m_stackByHash;
    std::vector<std::uint32_t> m_scratch;
};

} // namespace collscope
