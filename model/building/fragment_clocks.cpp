// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/fragment_clocks.h"

#include <algorithm>

namespace collscope {

namespace {

std::optional<TimeRange> rangeOf(const TraceFragment& fragment)
{
    std::optional<TimeRange> range;
    for (const Timeline& timeline : fragment.timelines) {
        if (!timeline.range.isEmpty())
            range = range ? range->united(timeline.range) : timeline.range;
    }
    return range;
}

/// Time of the first event in a fragment's snapshots, on its own clock.
std::optional<std::int64_t> memoryBegin(const TraceFragment& fragment)
{
    std::optional<std::int64_t> begin;
    for (const MemorySnapshot& snapshot : fragment.memory) {
        for (const MemoryDevice& device : snapshot.devices) {
            if (device.events.size() > 0)
                begin = std::min(begin.value_or(INT64_MAX), device.events.timeNs.front());
        }
    }
    return begin;
}

/// Whether the files lack a common clock. Without a wall clock, files count time from some moment of the
/// host, or each from its own start.
bool hasNoCommonClock(const std::vector<TraceFragment>& fragments, bool sharesClock)
{
    std::size_t files = 0;
    bool isLegacy = false;
    for (const TraceFragment& fragment : fragments) {
        if (fragment.hasWallClock)
            return false;
        files += fragment.timelines.empty() ? 0u : 1u;
        for (const Timeline& timeline : fragment.timelines)
            isLegacy = isLegacy || timeline.isLegacyProfile;
    }
    return files > 1 && (isLegacy || !sharesClock);
}

} // namespace

FragmentClocks::FragmentClocks(const std::vector<TraceFragment>& fragments, Diagnostics& problems)
{
    std::optional<std::int64_t> zero;
    for (const Of what : {Of::Timelines, Of::Counters, Of::Memory}) {
        if (!zero)
            zero = earliestWall(fragments, what);
    }
    hasWall = zero.has_value();
    zeroNs = zero.value_or(0);
    const std::optional<std::int64_t> shared = sharedOwnClock(fragments);
    bool mixed = false;
    for (const TraceFragment& fragment : fragments) {
        const std::optional<TimeRange> range = rangeOf(fragment);
        std::int64_t shift = fragment.clockOffsetNs - zeroNs;
        if (!fragment.hasWallClock)
            shift = range ? -shared.value_or(range->beginNs) : -memoryBegin(fragment).value_or(0);
        mixed |= !fragment.hasWallClock && range && hasWall;
        shifts.push_back(shift);
    }
    if (hasNoCommonClock(fragments, shared.has_value()))
        problems.add(
            Severity::Notice, "no_common_clock", "", 0,
            "None of the files has a wall clock, and each uses its own time origin. Times in different "
            "files can be compared only where the clocks are aligned on collectives.");
    if (mixed)
        problems.add(
            Severity::Notice, "no_common_clock", "", 0,
            "Some files have no wall clock. They are placed at the start of the axis, and their times "
            "cannot be compared with NVLink counters or with files that have a wall clock.");
}

std::optional<std::int64_t> FragmentClocks::earliestWall(const std::vector<TraceFragment>& fragments, Of what)
{
    std::optional<std::int64_t> earliest;
    const auto take = [&](std::int64_t time) { earliest = earliest ? std::min(*earliest, time) : time; };
    for (const TraceFragment& fragment : fragments) {
        if (!fragment.hasWallClock)
            continue;
        if (const auto range = rangeOf(fragment); range && what == Of::Timelines)
            take(range->beginNs + fragment.clockOffsetNs);
        for (const NvlinkDevice& device : fragment.nvlink) {
            if (what == Of::Counters && !device.range().isEmpty())
                take(device.range().beginNs + fragment.clockOffsetNs);
        }
        if (const auto begin = memoryBegin(fragment); begin && what == Of::Memory)
            take(*begin + fragment.clockOffsetNs);
    }
    return earliest;
}

/// Ranks of one host share its clock even without a wall clock. Their distances are kept unless they are
/// implausible.
std::optional<std::int64_t> FragmentClocks::sharedOwnClock(const std::vector<TraceFragment>& fragments)
{
    std::optional<TimeRange> all;
    std::int64_t longest = 0;
    for (const TraceFragment& fragment : fragments) {
        const auto range = rangeOf(fragment);
        if (fragment.hasWallClock || !range)
            continue;
        all = all ? all->united(*range) : *range;
        longest = std::max(longest, range->lengthNs());
    }
    return all && all->lengthNs() <= 4 * longest ? std::optional(all->beginNs) : std::nullopt;
}

} // namespace collscope
