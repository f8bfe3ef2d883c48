// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/cpu_comparison.h"

#include "metrics/analysis/interval_profile.h"

#include <algorithm>
#include <cmath>

namespace collscope {

CpuComparison::CpuComparison(const TraceModel& model, const ComparedWays& ways)
    : m_late(model, ways.late->rank())
{
    m_others.reserve(ways.others.size());
    for (const WaySpending* const other : ways.others)
        m_others.emplace_back(model, other->rank());
}

std::optional<CpuTimes> CpuComparison::moreBefore(std::uint32_t instance, const CpuTimes& own)
{
    std::array<std::vector<double>, idleCauseCount> usual;
    for (CpuBeforeCalls& other : m_others) {
        if (m_late.rank().handsWorkTo(other.rank().rank()))
            continue;
        const std::optional<CpuTimes> times = other.of(instance);
        for (std::size_t cause = 0; times && cause < idleCauseCount; ++cause)
            usual[cause].push_back(static_cast<double>((*times)[cause]));
    }
    if (usual.front().empty())
        return std::nullopt;
    CpuTimes more = own;
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
        more[cause] -= std::llround(middleOf(std::move(usual[cause])));
    return more;
}

/// Cuts the sum of the delays, from the longest one, into equal parts, and takes the delay at the middle of
/// each: an hour of short delays counts as much as one of long ones.
std::vector<CpuComparison::Sample> CpuComparison::samplesOf(std::vector<Delay> delays)
{
    constexpr std::size_t enough = 64; // each reads the CPU events of several ranks
    std::vector<Sample> samples;
    if (delays.size() <= enough) {
        for (const auto& [ns, instance] : delays)
            samples.push_back({instance, ns, 1});
        return samples;
    }
    std::sort(delays.rbegin(), delays.rend());
    double allNs = 0;
    for (const auto& [ns, instance] : delays)
        allNs += static_cast<double>(ns);
    const double partNs = allNs / enough;
    double sumNs = 0;
    double nextNs = partNs / 2;
    for (const auto& [ns, instance] : delays) {
        sumNs += static_cast<double>(ns);
        double weight = 0;
        for (; nextNs < sumNs; nextNs += partNs)
            weight += partNs / static_cast<double>(ns);
        if (weight > 0)
            samples.push_back({instance, ns, weight});
    }
    return samples;
}

CpuComparison::Compared CpuComparison::compare(std::vector<Delay> delays)
{
    const auto times
        = [](std::int64_t ns, double weight) { return std::llround(static_cast<double>(ns) * weight); };
    Compared all;
    std::int64_t unknownNs = 0;
    for (const auto& [instance, delayNs, weight] : samplesOf(std::move(delays))) {
        const std::optional<CpuTimes> own = m_late.of(instance);
        const std::optional<CpuTimes> more = own ? moreBefore(instance, *own) : std::nullopt;
        (more ? all.delayNs : unknownNs) += times(delayNs, weight);
        for (std::size_t cause = 0; more && cause < idleCauseCount; ++cause) {
            all.ownNs[cause] += times((*own)[cause], weight);
            all.moreNs[cause] += times((*more)[cause], weight);
        }
    }
    return all.delayNs > unknownNs ? all : Compared();
}

} // namespace collscope
