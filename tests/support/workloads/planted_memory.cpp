// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/workloads/planted_memory.h"

#include "tests/support/texts/pickle_text.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <vector>

namespace collscope {

namespace {

constexpr std::int64_t segmentBytes = std::int64_t{20} << 20;
constexpr int slotsOfSegment = 16;

struct Slot
{
    enum State
    {
        Free,
        Allocated,
        Pending
    } state
        = Free;
    std::int64_t bytes = 0;
    int stack = 0;
};

struct Event
{
    const char* action;
    std::uint64_t address;
    std::int64_t bytes;
    std::int64_t timeUs;
    int stack;
};

/// Writes values that occur again and again once, and then by their place.
class Memo
{
public:
    explicit Memo(std::string& out)
        : m_out(out)
    { }
    void text(const std::string& value)
    {
        put(value, [&] { m_out += py::text(value); });
    }
    template<typename Write>
    void put(const std::string& name, Write write)
    {
        const auto known = m_places.find(name);
        if (known != m_places.end()) {
            m_out += known->second < 256 ? "h" + py::bytesOf(known->second, 1)
                                         : "j" + py::bytesOf(known->second, 4);
            return;
        }
        write();
        m_out += '\x94';
        m_places[name] = m_next++;
    }
    void remember() // a value that nobody asks for again
    {
        m_out += '\x94';
        ++m_next;
    }

private:
    std::string& m_out;
    std::map<std::string, std::uint64_t> m_places;
    std::uint64_t m_next = 0;
};

class Allocator
{
public:
    explicit Allocator(const MemoryDescription& description)
        : m_description(description)
        , m_random(description.seed)
        , m_timeUs(description.beginUs)
    { }

    PlantedMemory run()
    {
        for (std::size_t i = 0; i < m_description.events;)
            i += step();
        write();
        m_planted.events = m_events.size() - m_first;
        return std::move(m_planted);
    }

private:
    std::uint64_t below(std::uint64_t count) { return m_random() % count; }

    static std::uint64_t addressOf(std::size_t slot)
    {
        return (std::uint64_t{0x7f} << 40) + slot / slotsOfSegment * (std::uint64_t{1} << 30)
            + slot % slotsOfSegment * (segmentBytes / slotsOfSegment);
    }

    /// One thing that happens: one event, or two. How many.
    std::size_t step()
    {
        const std::size_t before = m_events.size();
        // More and less in use by turns, so that the peak is not at the end.
        const bool grows = below(100) < (before / (m_description.events / 5 + 1) % 2 == 0 ? 65u : 42u);
        if (!m_pending.empty() && below(3) == 0)
            complete();
        else if (grows || m_used.empty())
            allocate();
        else
            free();
        return m_events.size() - before;
    }

    void allocate()
    {
        if (m_free.empty()) {
            const std::size_t first = m_slots.size();
            m_slots.resize(first + slotsOfSegment);
            for (std::size_t slot = first; slot < m_slots.size(); ++slot)
                m_free.push_back(slot);
            m_planted.reserved += segmentBytes;
            record("segment_alloc", first, segmentBytes, 0);
        }
        std::swap(m_free[below(m_free.size())], m_free.back());
        const std::size_t slot = m_free.back();
        m_free.pop_back();
        const auto bytes = static_cast<std::int64_t>(512 * (1 + below(segmentBytes / slotsOfSegment / 512)));
        m_slots[slot] = {Slot::Allocated, bytes,
                         static_cast<int>(below(static_cast<std::uint64_t>(m_description.stacks)))};
        m_used.push_back(slot);
        m_planted.allocated += bytes;
        m_planted.active += bytes;
        record("alloc", slot, bytes, m_slots[slot].stack);
    }

    void free()
    {
        std::swap(m_used[below(m_used.size())], m_used.back());
        const std::size_t slot = m_used.back();
        m_used.pop_back();
        m_slots[slot].state = Slot::Pending;
        m_pending.push_back(slot);
        m_planted.allocated -= m_slots[slot].bytes;
        record("free_requested", slot, m_slots[slot].bytes, 0);
    }

    void complete()
    {
        const std::size_t slot = m_pending.front();
        m_pending.pop_front();
        m_slots[slot].state = Slot::Free;
        m_free.push_back(slot);
        m_planted.active -= m_slots[slot].bytes;
        record("free_completed", slot, m_slots[slot].bytes, 0);
    }

    void record(const char* action, std::size_t slot, std::int64_t bytes, int stack)
    {
        if (m_events.size() == m_description.cutEvents) {
            // The peak counts from here on, from what there is before this event.
            m_first = m_events.size();
            m_planted.peakAllocated = m_before.allocated;
            m_planted.peakActive = m_before.active;
            m_planted.peakReserved = m_before.reserved;
            m_planted.peakTimeUs = 0;
        }
        m_timeUs += static_cast<std::int64_t>(1 + below(20));
        m_events.push_back({action, addressOf(slot), bytes, m_timeUs, stack});
        if (m_planted.allocated > m_planted.peakAllocated) {
            m_planted.peakAllocated = m_planted.allocated;
            m_planted.peakTimeUs = m_timeUs;
        }
        m_planted.peakActive = std::max(m_planted.peakActive, m_planted.active);
        m_planted.peakReserved = std::max(m_planted.peakReserved, m_planted.reserved);
        m_before = m_planted;
    }

    void frames(Memo& memo, int stack)
    {
        std::string& out = m_planted.bytes;
        out += ']';
        memo.remember();
        out += '(';
        for (int i = 0; i < m_description.frames; ++i) {
            const int line = 10 * stack + i;
            memo.put("frame " + std::to_string(line), [&] {
                out += "}";
                out += "(";
                memo.text("name");
                out += py::text("function" + std::to_string(line));
                memo.text("filename");
                out += py::text(i == 2 ? "/job/model.py" : "/lib/torch/nn/modules/module.py");
                memo.text("line");
                out += py::integer(line) + "u";
            });
        }
        out += 'e';
    }

    void writeSegments(Memo& memo)
    {
        std::string& out = m_planted.bytes;
        out += "](";
        for (std::size_t first = 0; first < m_slots.size(); first += slotsOfSegment) {
            std::int64_t allocated = 0, active = 0;
            std::vector<std::pair<std::size_t, std::int64_t>> blocks; // slot, or none for a gap; bytes
            constexpr std::size_t gap = SIZE_MAX;
            for (std::size_t slot = first; slot < first + slotsOfSegment; ++slot) {
                const bool isFree = m_slots[slot].state == Slot::Free;
                const std::int64_t used = isFree ? 0 : m_slots[slot].bytes;
                active += used;
                allocated += m_slots[slot].state == Slot::Allocated ? used : 0;
                if (used > 0)
                    blocks.emplace_back(slot, used);
                if (used < segmentBytes / slotsOfSegment)
                    blocks.emplace_back(gap, segmentBytes / slotsOfSegment - used);
            }
            out += "}(";
            const auto number = [&](const char* key, std::int64_t value) {
                memo.text(key);
                out += py::integer(value);
            };
            number("device", m_description.device);
            number("address", static_cast<std::int64_t>(addressOf(first)));
            number("total_size", segmentBytes);
            number("allocated_size", allocated);
            number("active_size", active);
            number("requested_size", allocated);
            number("stream", 0);
            memo.text("segment_type");
            memo.text("large");
            memo.text("segment_pool_id");
            out += "K" + std::string(1, '\0') + "K" + std::string(1, '\0') + "\x86";
            memo.text("is_expandable");
            out += py::boolean(false);
            memo.text("blocks");
            out += "](";
            std::uint64_t address = addressOf(first);
            for (const auto& [slot, bytes] : blocks) {
                out += "}(";
                number("address", static_cast<std::int64_t>(address));
                number("size", bytes);
                number("requested_size", slot == gap ? 0 : bytes);
                memo.text("state");
                memo.text(slot == gap                                  ? "inactive"
                              : m_slots[slot].state == Slot::Allocated ? "active_allocated"
                                                                       : "active_pending_free");
                memo.text("frames");
                if (slot == gap)
                    out += "]";
                else
                    frames(memo, m_slots[slot].stack);
                out += "u";
                address += static_cast<std::uint64_t>(bytes);
            }
            out += "eu";
        }
        out += "e";
    }

    void write()
    {
        std::string& out = m_planted.bytes;
        out = "\x80\x04}(";
        Memo memo(out);
        memo.text("segments");
        writeSegments(memo);
        memo.text("device_traces");
        out += "](";
        for (int device = 0; device < m_description.device; ++device)
            out += "]";
        out += "](";
        for (std::size_t i = m_first; i < m_events.size(); ++i) {
            const Event& event = m_events[i];
            out += "}";
            memo.remember();
            out += "(";
            memo.text("action");
            memo.text(event.action);
            memo.text("addr");
            out += py::integer(static_cast<std::int64_t>(event.address));
            memo.text("size");
            out += py::integer(event.bytes);
            memo.text("stream");
            out += py::integer(0);
            memo.text("time_us");
            out += py::integer(event.timeUs);
            memo.text("compile_context");
            memo.text("N/A");
            memo.text("frames");
            frames(memo, event.stack);
            out += "u";
            if (i % 1000 == 999)
                out += "e("; // Python writes them in batches
        }
        out += "ee";
        memo.text("allocator_settings");
        out += py::dict({{"PYTORCH_CUDA_ALLOC_CONF", py::text("")},
                         {"expandable_segments", py::boolean(false)},
                         {"max_split_size", py::integer(-1)}});
        out += "u.";
    }

    const MemoryDescription& m_description;
    std::mt19937_64 m_random;
    std::int64_t m_timeUs;
    PlantedMemory m_planted, m_before;
    std::vector<Slot> m_slots;
    std::vector<std::size_t> m_free, m_used;
    std::deque<std::size_t> m_pending;
    std::vector<Event> m_events;
    std::size_t m_first = 0;
};

} // namespace

PlantedMemory plantMemory(const MemoryDescription& description)
{
    return Allocator(description).run();
}

} // namespace collscope
