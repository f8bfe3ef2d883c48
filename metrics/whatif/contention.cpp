// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/contention.h"

#include "metrics/core/statistics.h"
#include "model/interval_set.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

constexpr double smallestSlowdown = 0.01;
/// Kernels that take longer than that under transfers do other work there: those of a backward pass, say.
constexpr double largestSlowdown = 0.5;
constexpr std::size_t fewestNames = 3;
constexpr std::size_t fewestKernels = 3; ///< of a name, with transfers and without
constexpr double mostlyUnder = 0.9;
constexpr double hardlyUnder = 0.02;
constexpr int contentionRounds = 3; ///< a kernel that takes longer moves what follows it

} // namespace

Contention::Contention(const TraceModel& model, const RunGraph& run, const RunTimes& base,
                       std::span<const std::int64_t> baseEnds)
    : m_run(run)
    , m_ranks(run.ranks.size())
{
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        for (std::uint32_t i = 0; i < run.works[rank].activities.size(); ++i) {
            const GpuActivity& activity = run.works[rank].activities[i];
            if (activity.collective != noIndex)
                m_ranks[rank].transfers.push_back(run.graph.placeOf(run.transfers[activity.collective]));
            else if (isCompute(activity.kind))
                m_ranks[rank].kernels.push_back(run.graph.placeOf(run.ranks[rank].arrivals[i]));
        }
    }
    measure(model);
    if (m_slowdown == 0)
        return;
    for (const RankNodes& rank : m_ranks)
        m_baseShares.push_back(shares(rank, base, baseEnds));
}

/// How much of each kernel lies under transfers.
std::vector<double> Contention::shares(const RankNodes& rank, const RunTimes& times,
                                       std::span<const std::int64_t> ends) const
{
    std::vector<TimeRange> all;
    for (const std::uint32_t place : rank.transfers)
        all.push_back({ends[place] - times.durationsNs[place], ends[place]});
    const IntervalSet united(std::move(all));
    const std::vector<TimeRange>& transfers = united.intervals();
    std::vector<double> result;
    result.reserve(rank.kernels.size());
    for (const std::uint32_t place : rank.kernels) {
        const TimeRange kernel{ends[place] - times.durationsNs[place], ends[place]};
        auto next = std::partition_point(transfers.begin(), transfers.end(),
                                         [&](TimeRange range) { return range.endNs <= kernel.beginNs; });
        std::int64_t underNs = 0;
        for (; next != transfers.end() && next->beginNs < kernel.endNs; ++next)
            underNs += kernel.intersected(*next).lengthNs();
        result.push_back(kernel.lengthNs() > 0
                             ? static_cast<double>(underNs) / static_cast<double>(kernel.lengthNs())
                             : 0.0);
    }
    return result;
}

/// As recorded: median over (rank, name) of the duration under transfers by that without.
void Contention::measure(const TraceModel& model)
{
    std::vector<double> ratios;
    for (std::uint32_t rank = 0; rank < m_run.ranks.size(); ++rank) {
        // On the rank's own clock a transfer ends with the kernel, and has lasted as long as the shortest
        // one.
        RankNodes own;
        RunTimes recorded;
        std::vector<std::int64_t> ends;
        std::vector<std::uint32_t> names;
        const auto add = [&](TimeRange range) {
            recorded.durationsNs.push_back(range.lengthNs());
            ends.push_back(range.endNs);
            return static_cast<std::uint32_t>(ends.size() - 1);
        };
        for (const GpuActivity& activity : m_run.works[rank].activities) {
            if (activity.collective != noIndex) {
                const std::int64_t ns = m_run.nodes[m_run.transfers[activity.collective]].durationNs;
                own.transfers.push_back(add({activity.range.endNs - ns, activity.range.endNs}));
            } else if (isCompute(activity.kind)) {
                own.kernels.push_back(add(activity.range));
                names.push_back(model.track(activity.slice.track).slices.name[activity.slice.row].value);
            }
        }
        const std::vector<double> under = shares(own, recorded, ends);
        struct Durations
        {
            std::vector<double> with, without;
        };
        std::map<std::uint32_t, Durations> byName;
        for (std::size_t i = 0; i < under.size(); ++i) {
            const auto ns = static_cast<double>(recorded.durationsNs[own.kernels[i]]);
            if (under[i] > mostlyUnder)
                byName[names[i]].with.push_back(ns);
            else if (under[i] < hardlyUnder)
                byName[names[i]].without.push_back(ns);
        }
        for (auto& [name, durations] : byName) {
            if (durations.with.size() < fewestKernels || durations.without.size() < fewestKernels)
                continue;
            const double without = medianOf(std::move(durations.without));
            if (without > 0)
                ratios.push_back(medianOf(std::move(durations.with)) / without);
        }
    }
    if (ratios.size() < fewestNames)
        return;
    // Kernels of one name that differ by more do other work there, such as on other sizes.
    constexpr double widestSpread = 1.5;
    constexpr double lower = 0.25;
    constexpr double upper = 0.75;
    if (percentileOf(ratios, upper) > widestSpread * percentileOf(ratios, lower))
        return;
    const double slowdown = medianOf(std::move(ratios)) - 1;
    m_slowdown = slowdown < smallestSlowdown || slowdown > largestSlowdown ? 0 : slowdown;
}

void Contention::replay(RunTimes& times, std::vector<std::int64_t>& ends) const
{
    m_run.graph.endsOf(times.input(), ends);
    if (m_slowdown == 0)
        return;
    std::vector<std::vector<std::int64_t>> wanted;
    for (const RankNodes& rank : m_ranks) {
        wanted.emplace_back().reserve(rank.kernels.size());
        for (const std::uint32_t place : rank.kernels)
            wanted.back().push_back(times.durationsNs[place]);
    }
    for (int round = 0; round < contentionRounds; ++round) {
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            const std::vector<double> now = shares(m_ranks[rank], times, ends);
            for (std::size_t i = 0; i < now.size(); ++i) {
                const std::uint32_t place = m_ranks[rank].kernels[i];
                const double factor = (1 + m_slowdown * now[i]) / (1 + m_slowdown * m_baseShares[rank][i]);
                times.durationsNs[place] = std::llround(static_cast<double>(wanted[rank][i]) * factor);
            }
        }
        m_run.graph.endsOf(times.input(), ends);
    }
    for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
        for (std::size_t i = 0; i < wanted[rank].size(); ++i)
            times.durationsNs[m_ranks[rank].kernels[i]] = wanted[rank][i];
    }
}

} // namespace collscope
