// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What packets of one sequence (of one writer) refer to: names, defaults and clocks. Defined by
// google/perfetto, protos/perfetto/trace/trace_packet.proto, interned_data/interned_data.proto and
// clock_snapshot.proto.

#include "model/readers/protobuf/proto_fields.h"
#include "model/string_table.h"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace collscope {

/// Clocks with a fixed meaning (ClockSnapshot.Clock.BuiltinClocks); times of the model are of bootClock.
struct PerfettoClocks
{
    static constexpr std::uint32_t realtime = 1, monotonic = 3, boot = 6;
    /// Clocks from here to 127 belong to the sequence.
    static constexpr std::uint32_t firstOfSequence = 64, afterSequence = 128;
};

/// How to convert a clock to the boot clock, or in a trace without it to its primary clock.
struct PerfettoClock
{
    std::int64_t toBootNs = 0; ///< to be added to its time in ns
    std::uint64_t unitNs = 1;
    bool isIncremental = false; ///< each time is the difference to the one before
    std::uint64_t last = 0; ///< the time before, in units
};

/// The clocks of a snapshot that are known, by number.
using PerfettoClockMap = std::unordered_map<std::uint32_t, PerfettoClock>;

/// Adds the clocks of a snapshot (message ClockSnapshot): those of the sequence, and all others. Returns the
/// time of day at boot in ns since the epoch, if the snapshot tells it.
std::optional<std::int64_t> addClockSnapshot(std::string_view snapshot, PerfettoClockMap& ofSequence,
                                             PerfettoClockMap& others);

class PerfettoSequence
{
public:
    /// Forgets what was interned before: the writer begins anew.
    void clear();
    /// Whether the names that packets refer to are known.
    bool isSound() const { return m_isSound; }
    /// Packets were lost: nothing is known until the writer begins anew.
    void lose() { m_isSound = false; }

    /// Adds a message InternedData.
    void addNames(std::string_view internedData, StringTable& strings);
    /// Reads a message TracePacketDefaults.
    void setDefaults(std::string_view defaults);

    StringId eventName(std::uint64_t id) const { return find(m_eventNames, id); }
    StringId category(std::uint64_t id) const { return find(m_categories, id); }
    StringId annotationName(std::uint64_t id) const { return find(m_annotationNames, id); }
    StringId gpuSpecification(std::uint64_t id) const { return find(m_gpuSpecifications, id); }
    std::optional<std::uint64_t> defaultTrack;
    std::optional<std::uint32_t> defaultClock;
    PerfettoClockMap clocks;

private:
    using Names = std::unordered_map<std::uint64_t, StringId>;
    static StringId find(const Names& names, std::uint64_t id)
    {
        const auto found = names.find(id);
        return found == names.end() ? StringId() : found->second;
    }

    Names m_eventNames, m_categories, m_annotationNames, m_gpuSpecifications;
    bool m_isSound = false;
};

} // namespace collscope
