// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which work a stream or a call waits for, where the profiler tells.

#include "metrics/whatif/rank_work.h"

#include <algorithm>

namespace collscope {

std::uint32_t RankWork::lastOn(const GpuStream& stream, std::int64_t ns) const
{
    // A stream runs in the order of the launches.
    const auto begin = activities.begin() + stream.first;
    const auto found = std::partition_point(begin, begin + stream.count, [&](const GpuActivity& activity) {
        return activity.launch == noIndex ? activity.range.beginNs < ns : launchNs(activity) < ns;
    });
    return found == begin ? noIndex : static_cast<std::uint32_t>(found - 1 - activities.begin());
}

const SyncDetail* RankWork::syncOf(std::uint32_t correlation) const
{
    const auto found = std::lower_bound(
        timeline->syncs.begin(), timeline->syncs.end(), correlation,
        [](const SyncDetail& sync, std::uint32_t wanted) { return sync.correlation < wanted; });
    const bool isFound
        = correlation != 0 && found != timeline->syncs.end() && found->correlation == correlation;
    return isFound ? &*found : nullptr;
}

std::uint32_t RankWork::awaitedBy(const TraceModel& model, const SyncDetail& sync, std::int64_t callNs) const
{
    const std::int32_t number = sync.waitedStream >= 0 ? sync.waitedStream : sync.stream;
    const auto isIt = [&](const GpuStream& own) { return own.number == number; };
    const auto stream = std::find_if(streams.begin(), streams.end(), isIt);
    // The profiler does not tell of which GPU, if a process uses several.
    if (number < 0 || stream == streams.end() || std::count_if(stream, streams.end(), isIt) > 1)
        return noIndex;
    const SliceRef record
        = sync.recordCorrelation != 0 ? timeline->launchOf(sync.recordCorrelation) : SliceRef();
    return lastOn(*stream, record ? std::min(onAxis(model.rangeOf(record)).beginNs, callNs) : callNs);
}

} // namespace collscope
