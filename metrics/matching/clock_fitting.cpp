// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/clock_fitting.h"

#include "metrics/core/statistics.h"
#include "metrics/matching/clock_graph.h"
#include "model/queries/end_evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_map>

namespace collscope {

namespace {

/// Rounds of fitting: in the first, the median may belong to a different rank at each end.
constexpr int rounds = 3;
/// Minimum number of collectives to distinguish an offset from a late end.
constexpr std::int64_t fewestCollectives = 3;
/// Minimum number of ends for a drift.
constexpr std::size_t fewestForDrift = 16;

/// Distances of one timeline's ends from the median ends in one group, over time.
struct Edge
{
    std::size_t timeline = 0;
    std::vector<double> atNs, aheadNs;
};

/// Slope of the medians of up to 16 pieces of equal count (Theil-Sen estimator); nullopt if there are too few
/// ends.
std::optional<double> slopeOf(const Edge& edge)
{
    if (edge.atNs.size() < fewestForDrift)
        return std::nullopt;
    const std::size_t pieces = std::min<std::size_t>(16, edge.atNs.size() / 4);
    std::vector<double> at, ahead;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        const auto from = static_cast<std::ptrdiff_t>(edge.atNs.size() * piece / pieces);
        const auto to = static_cast<std::ptrdiff_t>(edge.atNs.size() * (piece + 1) / pieces);
        std::vector<double> times(edge.atNs.begin() + from, edge.atNs.begin() + to);
        std::vector<double> values(edge.aheadNs.begin() + from, edge.aheadNs.begin() + to);
        at.push_back(medianOf(std::move(times)));
        ahead.push_back(medianOf(std::move(values)));
    }
    std::vector<double> slopes;
    for (std::size_t i = 0; i < pieces; ++i) {
        for (std::size_t j = i + 1; j < pieces; ++j) {
            if (at[j] > at[i])
                slopes.push_back((ahead[j] - ahead[i]) / (at[j] - at[i]));
        }
    }
    return slopes.empty() ? std::nullopt : std::optional(medianOf(std::move(slopes)));
}

class ClockFitter
{
public:
    ClockFitter(const ClockReadings& readings, const std::vector<TimeRange>& ranges,
                const std::function<bool()>& cancelled)
        : m_readings(readings)
        , m_ranges(ranges)
        , m_cancelled(cancelled)
    { }

    ClockAlignment run()
    {
        m_result.fits.resize(m_ranges.size());
        m_result.collectives = static_cast<std::int64_t>(m_readings.collectives());
        if (m_result.collectives == 0)
            return m_result;
        const Quality raw = measure(m_result.fits);
        std::vector<ClockFit> fits = fit(m_result.fits, false);
        Quality aligned = measure(fits);
        tryDrift(fits, aligned);
        if (m_cancelled())
            return {};
        m_result.fits = std::move(fits);
        m_result.rawResidualNs = raw.residualNs;
        m_result.residualNs = aligned.residualNs;
        m_result.impossible = aligned.impossible;
        m_result.isTrusted
            = aligned.impossible <= raw.impossible && aligned.impossible * 5 <= m_result.collectives;
        m_result.isNeeded = m_result.collectives >= fewestCollectives
            && (raw.impossible > aligned.impossible || areApart());
        return m_result;
    }

private:
    static double onAxis(const ClockFit& fit, std::int64_t ns)
    {
        return static_cast<double>(ns - fit.aheadNs(ns));
    }

    /// Edges of a group: per timeline the distances of its ends from the median ends.
    std::vector<Edge> edgesOf(std::size_t group, const std::vector<ClockFit>& fits) const
    {
        std::vector<Edge> edges;
        std::unordered_map<std::size_t, std::size_t> places; // by timeline
        std::vector<double> ends;
        m_readings.forEachFitted(group, [&](std::span<const ClockReading> members) {
            ends.clear();
            for (const ClockReading& member : members)
                ends.push_back(onAxis(fits[member.timeline], member.range.endNs));
            const double middle = medianOf(ends);
            for (std::size_t m = 0; m < members.size(); ++m) {
                const std::size_t timeline = members[m].timeline;
                // Members are sorted by rank, so a timeline is mostly at the same place.
                std::size_t place = m;
                if (place >= edges.size() || edges[place].timeline != timeline) {
                    place = places.try_emplace(timeline, edges.size()).first->second;
                    if (place == edges.size())
                        edges.push_back({timeline, {}, {}});
                }
                edges[place].atNs.push_back(static_cast<double>(members[m].range.endNs));
                edges[place].aheadNs.push_back(ends[m] - middle);
            }
        });
        return edges;
    }

    /// Fits offsets, and slopes if `withDrift`, that align the ends; starts from `fits`.
    std::vector<ClockFit> fit(std::vector<ClockFit> fits, bool withDrift)
    {
        for (int round = 0; round < rounds && !m_cancelled(); ++round) {
            ClockGraph offsets(fits.size());
            ClockGraph slopes(fits.size());
            const auto [pivot, reach] = pivotOf();
            std::vector<double> rest;
            for (std::size_t g = 0; g < m_readings.groups(); ++g) {
                for (const Edge& edge : edgesOf(g, fits)) {
                    const std::optional<double> slope = withDrift ? slopeOf(edge) : std::nullopt;
                    rest.clear();
                    for (std::size_t i = 0; i < edge.atNs.size(); ++i)
                        rest.push_back(edge.aheadNs[i] - slope.value_or(0) * (edge.atNs[i] - pivot));
                    const auto weight = static_cast<double>(edge.atNs.size());
                    offsets.add(g, edge.timeline, medianOf(rest), weight);
                    if (slope)
                        slopes.add(g, edge.timeline, *slope * 1e9, weight); // in ppb: solved to 0.001
                }
            }
            const ClockGraph::Solution found = offsets.solve();
            const ClockGraph::Solution drifts = withDrift ? slopes.solve() : ClockGraph::Solution();
            double largest = 0;
            for (std::size_t t = 0; t < fits.size(); ++t) {
                ClockFit& own = fits[t];
                own.component = found.component[t];
                own.collectives = found.weight[t];
                if (own.component < 0)
                    continue;
                // The pivot moves: keep the value at the new pivot.
                own.offsetNs = own.aheadNs(std::llround(pivot)) + std::llround(found.value[t]);
                own.pivotNs = std::llround(pivot);
                const double drift = withDrift ? drifts.value[t] / 1e9 : 0;
                own.drift += drift;
                largest = std::max(largest, std::abs(found.value[t]) + std::abs(drift) * reach);
            }
            m_result.components = found.components;
            if (largest < 1)
                break;
        }
        return fits;
    }

    /// The middle of all times, and half their extent.
    std::pair<double, double> pivotOf() const
    {
        double first = std::numeric_limits<double>::max();
        double last = std::numeric_limits<double>::lowest();
        for (std::size_t g = 0; g < m_readings.groups(); ++g) {
            m_readings.forEachFitted(g, [&](std::span<const ClockReading> members) {
                for (const ClockReading& member : members) {
                    first = std::min(first, static_cast<double>(member.range.endNs));
                    last = std::max(last, static_cast<double>(member.range.endNs));
                }
            });
        }
        return {(first + last) / 2, (last - first) / 2};
    }

    /// How well the ends of the collectives agree with the given clocks.
    struct Quality
    {
        std::int64_t residualNs = 0; ///< p95 of the distances from the median end
        std::int64_t impossible = 0; ///< collectives that a rank ended before the last one arrived
    };
    Quality measure(const std::vector<ClockFit>& fits) const
    {
        Quality quality;
        std::vector<double> ends;
        quality.residualNs = m_readings.percentile95([&](const ClockReadings::TakeDistance& take) {
            quality.impossible = 0; // the distances may be asked for again
            m_readings.forEach([&](std::span<const ClockReading> members) {
                ends.clear();
                double lastBegin = std::numeric_limits<double>::lowest();
                for (const ClockReading& member : members) {
                    const ClockFit& own = fits[member.timeline];
                    ends.push_back(onAxis(own, member.range.endNs));
                    lastBegin = std::max(lastBegin, onAxis(own, member.range.beginNs));
                }
                const double middle = medianOf(ends);
                for (const double end : ends)
                    take(std::abs(end - middle));
                quality.impossible
                    += lastBegin - *std::min_element(ends.begin(), ends.end()) > lateNs ? 1 : 0;
            });
        });
        return quality;
    }

    /// Uses drifts if they clearly reduce the residual that offsets alone leave.
    void tryDrift(std::vector<ClockFit>& fits, Quality& quality)
    {
        // The residual is small already, or there are too few ends.
        if (quality.residualNs <= lateNs || m_readings.collectives() < fewestForDrift || m_cancelled())
            return;
        std::vector<ClockFit> drifting = fit(fits, true);
        if (std::any_of(drifting.begin(), drifting.end(),
                        [](const ClockFit& own) { return std::abs(own.drift) > mostClockDrift; }))
            return;
        const Quality better = measure(drifting);
        if (better.residualNs * 10 > quality.residualNs * 7
            || quality.residualNs - better.residualNs < lateNs)
            return;
        fits = std::move(drifting);
        quality = better;
        m_result.hasDrift = true;
    }

    /// Whether a clock is off by more than the ends scatter.
    bool areApart() const
    {
        for (std::size_t t = 0; t < m_result.fits.size(); ++t) {
            const ClockFit& fit = m_result.fits[t];
            const TimeRange range = m_ranges[t];
            const std::int64_t most
                = std::max(std::abs(fit.aheadNs(range.beginNs)), std::abs(fit.aheadNs(range.endNs)));
            if (fit.collectives >= fewestCollectives && most > std::max(2 * m_result.residualNs, lateNs))
                return true;
        }
        return false;
    }

    const ClockReadings& m_readings;
    const std::vector<TimeRange>& m_ranges;
    const std::function<bool()>& m_cancelled;
    ClockAlignment m_result;
};

} // namespace

std::int64_t ClockReadings::percentile95(const ForEachDistance& forEachDistance) const
{
    std::vector<double> distances;
    forEachDistance([&](double distance) { distances.push_back(distance); });
    return distances.empty() ? 0 : std::llround(percentileOf(std::move(distances), 0.95));
}

ClockAlignment fitClocks(const ClockReadings& readings, const std::vector<TimeRange>& ranges,
                         const std::function<bool()>& cancelled)
{
    return ClockFitter(readings, ranges, cancelled).run();
}

} // namespace collscope
