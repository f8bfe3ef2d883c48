// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/sound_sums.h"

#include "model/partial/sane_times.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace collscope {

namespace {

/// A year in ns. What is larger is damage: sums over windows and ranks would overflow.
constexpr std::int64_t most = std::int64_t{1} << 55;

template<typename... Values>
bool areAmounts(Values... values)
{
    return ((0 <= values && values <= most) && ...);
}

bool isDistance(std::int64_t ns)
{
    return -most <= ns && ns <= most;
}

bool isAmount(const CopyBreakdown& copies)
{
    return areAmounts(copies.bytes, copies.ns, copies.calls);
}

bool isSound(const KernelBreakdown& kernels)
{
    const auto isName = [](const NameBreakdown& own) {
        return own.name && areAmounts(own.ns, own.communicationNs, own.calls, own.started)
            && own.communicationNs <= own.ns;
    };
    return std::all_of(kernels.names.begin(), kernels.names.end(), isName)
        && std::all_of(kernels.copies.begin(), kernels.copies.end(), isAmount) && isAmount(kernels.sets)
        && areAmounts(kernels.unsizedCopies, kernels.coverageKnownNs, kernels.occupancyKnownNs,
                      kernels.lowCoverageNs, kernels.highCoverageNs, kernels.kernelNs, kernels.kernels,
                      kernels.communicationKernels, kernels.byCollectiveName);
}

bool isIn(PlaceInWindow place, std::int64_t windowNs)
{
    return areAmounts(place.afterNs, place.lengthNs) && place.afterNs + place.lengthNs <= windowNs;
}

bool isSound(const IdleSummary& idle, std::int64_t windowNs)
{
    return areAmounts(idle.ns, idle.gaps, idle.insideGraphNs, idle.queuedNs, idle.shownNs, idle.words.repeats)
        && idle.insideGraphNs <= idle.ns && idle.queuedNs <= idle.ns && isIn(idle.longest, windowNs)
        && std::all_of(idle.names.begin(), idle.names.end(), [&](const auto& name) {
               return name.first && areAmounts(name.second) && name.second <= idle.ns;
           });
}

/// Idle time has a cause wherever it is known that the GPU idles.
bool isIdleSound(const std::vector<IdleSummary>& idle, std::int64_t windowNs, std::int64_t idleNs)
{
    const auto isEarlier = [](const IdleSummary& a, const IdleSummary& b) { return a.cause < b.cause; };
    if (std::adjacent_find(idle.begin(), idle.end(), std::not_fn(isEarlier)) != idle.end()
        || !std::all_of(idle.begin(), idle.end(),
                        [&](const IdleSummary& own) { return isSound(own, windowNs); }))
        return false;
    const auto add = [](std::int64_t sum, const IdleSummary& own) { return sum + own.ns; };
    return idle.empty() || std::accumulate(idle.begin(), idle.end(), std::int64_t{0}, add) == idleNs;
}

bool isSound(const PartitionSummary& own, const PartitionKeys& keys, std::int64_t windowNs)
{
    const auto isCopy = [&](const CopySummary& copies) {
        return copies.name && areAmounts(copies.ns, copies.copies) && copies.ns <= own.copyNs
            && isIn(copies.longest, windowNs);
    };
    const auto isExposed = [&](const ExposedSummary& exposed) {
        return exposed.key < keys.exposed.size() && keys.exposed[exposed.key].name
            && areAmounts(exposed.ns, exposed.calls, exposed.continued) && exposed.ns <= windowNs
            && exposed.continued <= exposed.calls && isIn(exposed.longest, windowNs);
    };
    if (!areAmounts(own.computeNs, own.communicationNs, own.copyNs, own.calls, own.continued, own.alone,
                    own.continuedAlone, own.overheadNs, own.launchedNs))
        return false;
    const std::int64_t busyNs = own.computeNs + own.communicationNs + own.copyNs;
    return busyNs <= windowNs && own.overheadNs <= windowNs && own.continued <= own.calls
        && own.alone <= own.calls && own.continuedAlone <= std::min(own.alone, own.continued)
        && isDistance(own.behindBeginNs) && isDistance(own.behindEndNs)
        && isIdleSound(own.idle, windowNs, windowNs - busyNs)
        && std::all_of(own.copies.begin(), own.copies.end(), isCopy)
        && std::all_of(own.exposed.begin(), own.exposed.end(), isExposed);
}

} // namespace

bool isSound(const WindowSummary& window, const PartitionKeys& keys)
{
    if (!isSane(window.range) || window.range.lengthNs() > most)
        return false;
    std::int64_t activeNs = 0;
    for (const std::int64_t ns : window.activeNs) {
        if (!areAmounts(ns))
            return false;
        activeNs += ns;
    }
    return activeNs <= window.range.lengthNs()
        && areAmounts(window.kernelSumNs, window.communicationSumNs, window.communicationCalls,
                      window.kernelCalls, window.selfNs, window.operatorNs, window.callNs,
                      window.launchBoundNs)
        && isSound(window.kernels) && isSound(window.partition, keys, window.range.lengthNs());
}

} // namespace collscope
