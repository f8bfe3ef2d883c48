// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The members of the sums of a partition, for an archive: see fields.h.

#include "model/partial/archive.h"
#include "model/partition_summary.h"

#include <tuple>

namespace collscope {

template<>
inline constexpr IdleCause lastOf<IdleCause> = IdleCause::Unexplained;

inline auto fields(PlaceInWindow& place)
{
    auto& [afterNs, lengthNs] = place;
    return std::tie(afterNs, lengthNs);
}
inline auto fields(GapWords& words)
{
    auto& [repeated, repeats, under, driverCall] = words;
    return std::tie(repeated, repeats, under, driverCall);
}
inline auto fields(IdleSummary& idle)
{
    auto& [cause, ns, gaps, insideGraphNs, queuedNs, shownNs, names, longest, words] = idle;
    return std::tie(cause, ns, gaps, insideGraphNs, queuedNs, shownNs, names, longest, words);
}
inline auto fields(CopySummary& copies)
{
    auto& [name, ns, count, longest] = copies;
    return std::tie(name, ns, count, longest);
}
inline auto fields(ExposedKey& key)
{
    auto& [name, group, groupRanks] = key;
    return std::tie(name, group, groupRanks);
}
inline auto fields(ExposedSummary& exposed)
{
    auto& [key, ns, calls, continued, longest] = exposed;
    return std::tie(key, ns, calls, continued, longest);
}
inline auto fields(PartitionSummary& partition)
{
    auto& [computeNs, communicationNs, copyNs, idle, copies, exposed, calls, continued, alone, continuedAlone,
           overheadNs, behindBeginNs, behindEndNs, launchedNs, hasLaunches]
        = partition;
    return std::tie(computeNs, communicationNs, copyNs, idle, copies, exposed, calls, continued, alone,
                    continuedAlone, overheadNs, behindBeginNs, behindEndNs, launchedNs, hasLaunches);
}
inline auto fields(PartitionKeys& keys)
{
    auto& [exposed, hasPython] = keys;
    return std::tie(exposed, hasPython);
}

} // namespace collscope
