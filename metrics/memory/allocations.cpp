// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/memory/allocations.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace collscope {

namespace {

std::string_view fileName(std::string_view path)
{
    return path.substr(path.find_last_of('/') + 1);
}

/// PyTorch, Python itself and other installed packages, as opposed to the code of this job.
bool isOfLibrary(std::string_view file)
{
    constexpr std::array<std::string_view, 4> folders{"/torch/", "/site-packages/", "/dist-packages/",
                                                      "/lib/python"};
    return std::any_of(folders.begin(), folders.end(), [file](std::string_view folder) {
        return file.find(folder) != std::string_view::npos;
    });
}

} // namespace

std::vector<MemoryAllocation> allocationsOf(const MemorySnapshot& snapshot, const MemoryDevice& device)
{
    if (!snapshot.isCutOff)
        return allocationsOf(device);
    MemoryDevice still;
    still.segments = device.segments;
    return allocationsOf(still);
}

std::vector<MemoryAllocation> allocationsOf(const MemoryDevice& device)
{
    const MemoryEvents& events = device.events;
    std::vector<MemoryAllocation> all;
    std::unordered_map<std::uint64_t, MemoryAllocation> open; // by address
    std::unordered_map<std::uint64_t, std::size_t> pending; // freed but not reusable: index into `all`
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto after = static_cast<std::uint32_t>(i + 1);
        const std::uint64_t address = events.address[i];
        if (events.action[i] == MemoryAction::Alloc) {
            MemoryAllocation allocation{address, events.bytes[i], events.stack[i], after};
            const auto [known, isNew] = open.try_emplace(address, allocation);
            if (!isNew) { // its free was not recorded
                known->second.freed = known->second.reusable = after;
                all.push_back(known->second);
                known->second = allocation;
            }
        } else if (events.action[i] == MemoryAction::FreeRequested) {
            const auto known = open.find(address);
            MemoryAllocation freed{address, events.bytes[i], StackId()}; // allocated before the recording
            if (known != open.end()) {
                freed = known->second;
                open.erase(known);
            }
            freed.freed = after;
            pending[address] = all.size();
            all.push_back(freed);
        } else if (events.action[i] == MemoryAction::FreeCompleted) {
            if (const auto freed = pending.find(address); freed != pending.end()) {
                all[freed->second].reusable = after;
                pending.erase(freed);
            }
        }
    }
    // Memory alive at the end: blocks contain more than events (the stack, and allocations older than the
    // events).
    for (const MemorySegment& segment : device.segments) {
        for (const MemoryBlock& block : segment.blocks) {
            if (block.state != BlockState::Allocated)
                continue;
            const auto known = open.find(block.address);
            MemoryAllocation alive{block.address, block.bytes, block.stack};
            if (known != open.end()) {
                alive.begin = known->second.begin;
                alive.stack = alive.stack ? alive.stack : known->second.stack;
            }
            all.push_back(alive);
        }
    }
    return all;
}

std::vector<MemoryMapping> mappingsOf(const MemoryDevice& device)
{
    std::vector<MemoryMapping> all;
    std::map<std::uint64_t, std::size_t> known; // segments of the snapshot by address
    for (const MemorySegment& segment : device.segments) {
        known[segment.address] = all.size();
        all.push_back({segment.address, segment.totalBytes, MemoryAllocation::before, MemoryAllocation::never,
                       &segment});
    }
    const MemoryEvents& events = device.events;
    std::unordered_map<std::uint64_t, std::uint32_t> begun; // by address
    for (std::size_t i = 0; i < events.size(); ++i) {
        const auto after = static_cast<std::uint32_t>(i + 1);
        const MemoryAction action = events.action[i];
        if (action == MemoryAction::SegmentAlloc || action == MemoryAction::SegmentMap) {
            begun[events.address[i]] = after;
        } else if (action == MemoryAction::SegmentFree || action == MemoryAction::SegmentUnmap) {
            const auto begin = begun.find(events.address[i]);
            all.push_back({events.address[i], events.bytes[i],
                           begin == begun.end() ? MemoryAllocation::before : begin->second, after, nullptr});
            if (begin != begun.end())
                begun.erase(begin);
        }
    }
    // An expandable segment grew from its first part on, at its own address.
    for (const auto& [address, place] : begun) {
        if (const auto segment = known.find(address); segment != known.end())
            all[segment->second].begin = place;
    }
    return all;
}

namespace {

class StackUses
{
public:
    void add(const MemoryAllocation& own)
    {
        const auto [known, isNew] = m_byStack.try_emplace(own.stack.value, m_uses.size());
        if (isNew)
            m_uses.push_back({own.stack});
        StackUse& use = m_uses[known->second];
        use.bytes += own.bytes;
        ++use.count;
    }
    std::vector<StackUse> byBytes() &&
    {
        std::stable_sort(m_uses.begin(), m_uses.end(),
                         [](const StackUse& a, const StackUse& b) { return a.bytes > b.bytes; });
        return std::move(m_uses);
    }

private:
    std::vector<StackUse> m_uses;
    std::unordered_map<std::uint32_t, std::size_t> m_byStack;
};

} // namespace

std::vector<StackUse> usesAt(const std::vector<MemoryAllocation>& allocations, std::size_t place)
{
    StackUses uses;
    for (const MemoryAllocation& own : allocations) {
        if (own.isAllocatedAt(place))
            uses.add(own);
    }
    return std::move(uses).byBytes();
}

std::vector<StackUse> usesAt(const std::vector<MemoryAllocation>& allocations,
                             std::span<const std::uint32_t> some, std::size_t place)
{
    StackUses uses;
    for (const std::uint32_t own : some) {
        if (allocations[own].isAllocatedAt(place))
            uses.add(allocations[own]);
    }
    return std::move(uses).byBytes();
}

const StackFrame* tellingFrame(const TraceModel& model, const MemorySnapshot& snapshot, StackId stack)
{
    const StackFrame* python = nullptr;
    const StackFrame* named = nullptr;
    for (const StackFrame* frame : snapshot.stacks.framesOf(stack)) {
        const std::string_view file = frame->file ? model.text(frame->file) : std::string_view();
        const bool isPython = file.ends_with(".py");
        if (isPython && !isOfLibrary(file))
            return frame;
        python = python || !isPython ? python : frame;
        named = named || file.empty() || file == "??" ? named : frame;
    }
    return python ? python : named;
}

std::string frameText(const TraceModel& model, const StackFrame& frame)
{
    std::string text(frame.function ? model.text(frame.function) : "?");
    const std::string_view file = frame.file ? model.text(frame.file) : std::string_view();
    if (!file.empty() && file != "??")
        text.append("  ").append(file).append(":").append(std::to_string(frame.line));
    return text;
}

std::string stackText(const TraceModel& model, const MemorySnapshot& snapshot, StackId stack)
{
    const StackFrame* frame = tellingFrame(model, snapshot, stack);
    if (!frame) {
        const auto frames = snapshot.stacks.framesOf(stack);
        return frames.empty() || !frames.front()->function
            ? "not recorded"
            : std::string(model.text(frames.front()->function));
    }
    return std::string(frame->function ? model.text(frame->function) : "?")
        .append(" (")
        .append(fileName(model.text(frame->file)))
        .append(":")
        .append(std::to_string(frame->line))
        .append(")");
}

} // namespace collscope
