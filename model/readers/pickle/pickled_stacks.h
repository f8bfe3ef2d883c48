// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The frames and call stacks in PyTorch's pickles, each kept once.

#include "model/building/call_stack_table.h"
#include "model/readers/pickle/pickle.h"

namespace collscope {

/// Converts {"name", "filename", "line"} to frames, and lists of frames to stacks. What else becomes a record
/// is the derived class's: of the kind `Own`.
class PickledStacks : public PickleRecords
{
public:
    enum Record : std::uint8_t
    {
        Frame,
        Stack,
        Own
    };

    explicit PickledStacks(StringTable& strings);

    std::optional<PickleValue> dictFilled(std::span<const PickleValue> items) final;
    std::optional<PickleValue> listFilled(std::span<const PickleValue> items) final;
    PickleValue extended(PickleValue record, std::span<const PickleValue> items) final;

    /// Sets the unpickler that resolves containers, which values refer to by number.
    void resolveWith(const Unpickler& unpickler) { m_unpickler = &unpickler; }
    /// The stack that a value refers to; none if the value is not a stack.
    StackId stackOf(PickleValue value) const;
    CallStacks takeStacks() { return m_stacks.take(); }
    bool hasEndlessStacks() const { return m_stacks.hasEndlessStacks(); }

protected:
    const Unpickler& unpickler() const { return *m_unpickler; }
    static PickleValue recordOf(Record kind, std::uint32_t row);
    /// The row of the derived class's record that a dict is; nullopt if it is none.
    virtual std::optional<std::uint32_t> ownDict(std::span<const PickleValue> items) = 0;
    /// More items of that dict.
    virtual void extendOwn(std::uint32_t row, std::span<const PickleValue> items) = 0;

private:
    StackFrame frameOf(std::span<const PickleValue> items, StackFrame frame) const;
    /// Appends the frames in `items`; false if one of them is not a frame.
    bool appendFrames(std::span<const PickleValue> items);

    const Unpickler* m_unpickler = nullptr;
    StringId m_name, m_file, m_line;
    CallStackTable m_stacks;
    std::vector<std::uint32_t> m_scratch;
};

} // namespace collscope
