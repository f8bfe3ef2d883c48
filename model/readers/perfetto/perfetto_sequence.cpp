// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/perfetto/perfetto_sequence.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace collscope {

namespace {

/// A time beyond this is damage.
constexpr std::uint64_t largestClockTime = std::uint64_t{1} << 61;

struct SnapshotClock
{
    std::uint32_t id = 0;
    std::uint64_t time = 0;
    std::uint64_t unitNs = 1;
    bool isIncremental = false;

    std::optional<std::int64_t> timeNs() const
    {
        return time < largestClockTime / unitNs ? std::optional(static_cast<std::int64_t>(time * unitNs))
                                                : std::nullopt;
    }
};

SnapshotClock snapshotClockOf(std::string_view message)
{
    constexpr std::uint32_t idField = 1, timeField = 2, incrementalField = 3, unitField = 4;
    constexpr std::uint64_t largestUnit = 1'000'000'000;
    SnapshotClock clock;
    ProtoFields fields(message);
    ProtoValue value;
    while (fields.next(value)) {
        if (value.number == idField)
            clock.id = static_cast<std::uint32_t>(value.bits);
        else if (value.number == timeField)
            clock.time = value.bits;
        else if (value.number == incrementalField)
            clock.isIncremental = value.bits != 0;
        else if (value.number == unitField)
            clock.unitNs = std::clamp<std::uint64_t>(value.bits, 1, largestUnit);
    }
    return clock;
}

/// The clock that the others are related to: that of boot, else what the snapshot calls its primary clock,
/// else the monotonic one, which differs from that of boot only by sleep.
const SnapshotClock* baseClockOf(const std::vector<SnapshotClock>& clocks, std::uint32_t primary)
{
    for (const std::uint32_t id : {PerfettoClocks::boot, primary, PerfettoClocks::monotonic}) {
        const auto clock = std::find_if(clocks.begin(), clocks.end(),
                                        [id](const SnapshotClock& own) { return own.id == id; });
        if (clock != clocks.end())
            return &*clock;
    }
    return nullptr;
}

} // namespace

std::optional<std::int64_t> addClockSnapshot(std::string_view snapshot, PerfettoClockMap& ofSequence,
                                             PerfettoClockMap& others)
{
    constexpr std::uint32_t clockField = 1, primaryField = 2;
    std::uint32_t primary = PerfettoClocks::monotonic;
    std::vector<SnapshotClock> clocks;
    ProtoFields fields(snapshot);
    ProtoValue value;
    while (fields.next(value)) {
        if (value.number == clockField && value.isBytes())
            clocks.push_back(snapshotClockOf(value.bytes));
        else if (value.number == primaryField && !value.isBytes())
            primary = static_cast<std::uint32_t>(value.bits);
    }
    const SnapshotClock* const base = baseClockOf(clocks, primary);
    const auto baseNs = base == nullptr ? std::nullopt : base->timeNs();
    if (!baseNs)
        return std::nullopt;
    std::optional<std::int64_t> epoch;
    for (const SnapshotClock& clock : clocks) {
        const auto timeNs = clock.timeNs();
        if (!timeNs)
            continue;
        if (clock.id == PerfettoClocks::realtime)
            epoch = *timeNs - *baseNs;
        const bool isOfSequence
            = clock.id >= PerfettoClocks::firstOfSequence && clock.id < PerfettoClocks::afterSequence;
        // The first snapshot counts for clocks that run evenly; a writer that begins anew sets its own again.
        const PerfettoClock known{*baseNs - *timeNs, clock.unitNs, clock.isIncremental, clock.time};
        if (isOfSequence)
            ofSequence[clock.id] = known;
        else
            others.try_emplace(clock.id, known);
    }
    return epoch;
}

void PerfettoSequence::clear()
{
    m_eventNames.clear();
    m_categories.clear();
    m_annotationNames.clear();
    m_gpuSpecifications.clear();
    clocks.clear();
    defaultTrack.reset();
    defaultClock.reset();
    m_isSound = true;
}

void PerfettoSequence::addNames(std::string_view internedData, StringTable& strings)
{
    const std::pair<std::uint32_t, Names*> lists[]
        = {{1, &m_categories}, {2, &m_eventNames}, {3, &m_annotationNames}, {24, &m_gpuSpecifications}};
    constexpr std::uint32_t idField = 1, nameField = 2;
    ProtoFields fields(internedData);
    ProtoValue entry;
    while (fields.next(entry)) {
        const auto list = std::find_if(std::begin(lists), std::end(lists),
                                       [&](const auto& one) { return one.first == entry.number; });
        if (list == std::end(lists) || !entry.isBytes())
            continue;
        std::uint64_t id = 0;
        StringId name;
        ProtoFields members(entry.bytes);
        ProtoValue member;
        while (members.next(member)) {
            if (member.number == idField && !member.isBytes())
                id = member.bits;
            else if (member.number == nameField && member.isBytes())
                name = strings.intern(member.bytes);
        }
        if (name)
            (*list->second)[id] = name;
    }
}

void PerfettoSequence::setDefaults(std::string_view defaults)
{
    constexpr std::uint32_t clockField = 58, eventField = 11, trackField = 11;
    defaultTrack.reset();
    defaultClock.reset();
    ProtoFields fields(defaults);
    ProtoValue value;
    while (fields.next(value)) {
        if (value.number == clockField) {
            defaultClock = static_cast<std::uint32_t>(value.bits);
        } else if (value.number == eventField && value.isBytes()) {
            ProtoFields members(value.bytes);
            ProtoValue member;
            while (members.next(member)) {
                if (member.number == trackField)
                    defaultTrack = member.bits;
            }
        }
    }
}

} // namespace collscope
