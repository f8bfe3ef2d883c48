// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/clock_alignment.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/statistics.h"
#include "metrics/matching/clock_graph.h"
#include "model/queries/end_evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace collscope {

namespace {

/// Rounds of fitting: in the first, the median may belong to a different rank at each end.
constexpr int rounds = 3;
/// Minimum number of collectives to distinguish an offset from a late end.
constexpr std::int64_t fewestCollectives = 3;
/// Number of ends per group that suffices for its offsets.
constexpr std::size_t mostFitted = 1000;
/// Minimum number of ends for a drift.
constexpr std::size_t fewestForDrift = 16;

std::int64_t percentile95(std::vector<double> values)
{
    return values.empty() ? 0 : std::llround(percentileOf(std::move(values), 0.95));
}

/// A collective whose ends are compared.
struct Ends
{
    std::uint32_t instance = 0;
    std::uint32_t group = 0; ///< index into the groups in use
};

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

class Aligner
{
public:
    Aligner(const TraceModel& model, const std::vector<RankCalls>& ranks, const Matching& matching,
            ClockEvidence evidence, const std::function<bool()>& cancelled)
        : m_model(model)
        , m_ranks(ranks)
        , m_matching(matching)
        , m_evidence(evidence)
        , m_cancelled(cancelled)
    { }

    ClockAlignment run()
    {
        m_result.fits.resize(m_model.timelines.size());
        collect();
        m_result.collectives = static_cast<std::int64_t>(m_ends.size());
        if (m_ends.empty())
            return m_result;
        const Quality raw = measure(m_result.fits);
        std::vector<ClockFit> fits = fit(m_result.fits, false);
        Quality aligned = measure(fits);
        tryDrift(fits, aligned);
        if (m_cancelled())
            return {};
        for (std::size_t t = 0; t < fits.size(); ++t)
            fits[t].residualNs = aligned.ofTimeline[t];
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
    const Call& callOf(CallRef ref) const { return m_ranks[ref.rank].calls[ref.call]; }
    std::size_t timelineOf(const Call& call) const { return m_model.indexOf(*call.timeline); }

    /// Collects the collectives with the largest number of members in their group, so that all medians cover
    /// the same ranks.
    void collect()
    {
        std::vector<std::uint32_t> most(m_matching.groups.size(), 0);
        const auto isUsable = [&](const CollectiveInstance& instance) {
            return instance.memberCount > 1 && instance.confidence != MatchConfidence::OrderAlone
                && (m_evidence == ClockEvidence::All || instance.confidence == MatchConfidence::Named)
                && endsTogether(m_model, callOf(m_matching.membersOf(instance).front()));
        };
        for (const CollectiveInstance& instance : m_matching.instances) {
            m_result.ofSeveralRanks += instance.memberCount > 1 ? 1 : 0;
            if (isUsable(instance))
                most[instance.group] = std::max(most[instance.group], instance.memberCount);
        }
        std::vector<std::uint32_t> index(m_matching.groups.size(), noGroup);
        for (std::uint32_t i = 0; i < m_matching.instances.size(); ++i) {
            const CollectiveInstance& instance = m_matching.instances[i];
            if (instance.memberCount < 2 || instance.memberCount != most[instance.group]
                || !isUsable(instance))
                continue;
            std::uint32_t& group = index[instance.group];
            if (group == noGroup)
                group = m_groupCount++;
            m_ends.push_back({i, group});
        }
        chooseFitted();
    }

    /// Chooses ends for the fit, evenly spaced over each group's collectives.
    void chooseFitted()
    {
        std::vector<std::size_t> count(m_groupCount, 0), seen(m_groupCount, 0);
        for (const Ends& used : m_ends)
            ++count[used.group];
        for (const Ends& used : m_ends) {
            const std::size_t every = (count[used.group] + mostFitted - 1) / mostFitted;
            if (seen[used.group]++ % every == 0)
                m_fitted.push_back(used);
        }
    }

    /// Edges of all groups: per timeline and group the distances of its ends from the median ends.
    std::vector<std::vector<Edge>> edgesOf(const std::vector<ClockFit>& fits) const
    {
        std::vector<std::vector<Edge>> groups(m_groupCount);
        std::vector<std::unordered_map<std::size_t, std::size_t>> places(m_groupCount); // by timeline
        std::vector<double> ends;
        for (const Ends& used : m_fitted) {
            const auto members = m_matching.membersOf(m_matching.instances[used.instance]);
            ends.clear();
            for (const CallRef member : members)
                ends.push_back(endOf(fits, member));
            const double middle = medianOf(ends);
            std::vector<Edge>& edges = groups[used.group];
            for (std::size_t m = 0; m < members.size(); ++m) {
                const std::size_t timeline = timelineOf(callOf(members[m]));
                // Members are sorted by rank, so a timeline is mostly at the same place.
                std::size_t place = m;
                if (place >= edges.size() || edges[place].timeline != timeline) {
                    place = places[used.group].try_emplace(timeline, edges.size()).first->second;
                    if (place == edges.size())
                        edges.push_back({timeline, {}, {}});
                }
                edges[place].atNs.push_back(static_cast<double>(callOf(members[m]).range.endNs));
                edges[place].aheadNs.push_back(ends[m] - middle);
            }
        }
        return groups;
    }

    static double endOf(const ClockFit& fit, const Call& call)
    {
        return static_cast<double>(call.range.endNs - fit.aheadNs(call.range.endNs));
    }
    double endOf(const std::vector<ClockFit>& fits, CallRef member) const
    {
        const Call& call = callOf(member);
        return endOf(fits[timelineOf(call)], call);
    }

    /// Fits offsets, and slopes if `withDrift`, that align the ends; starts from `fits`.
    std::vector<ClockFit> fit(std::vector<ClockFit> fits, bool withDrift)
    {
        for (int round = 0; round < rounds && !m_cancelled(); ++round) {
            const std::vector<std::vector<Edge>> groups = edgesOf(fits);
            ClockGraph offsets(fits.size());
            ClockGraph slopes(fits.size());
            const auto [pivot, reach] = pivotOf(groups);
            std::vector<double> rest;
            for (std::size_t g = 0; g < groups.size(); ++g) {
                for (const Edge& edge : groups[g]) {
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
    static std::pair<double, double> pivotOf(const std::vector<std::vector<Edge>>& groups)
    {
        double first = std::numeric_limits<double>::max();
        double last = std::numeric_limits<double>::lowest();
        for (const std::vector<Edge>& edges : groups) {
            for (const Edge& edge : edges) {
                const auto [least, most] = std::minmax_element(edge.atNs.begin(), edge.atNs.end());
                first = std::min(first, *least);
                last = std::max(last, *most);
            }
        }
        return {(first + last) / 2, (last - first) / 2};
    }

    /// How well the ends of the collectives agree with the given clocks.
    struct Quality
    {
        std::int64_t residualNs = 0; ///< p95 of the distances from the median end
        std::int64_t impossible = 0; ///< collectives that a rank ended before the last one arrived
        std::vector<std::int64_t> ofTimeline; ///< residual of each timeline
    };
    Quality measure(const std::vector<ClockFit>& fits) const
    {
        Quality quality;
        std::vector<std::vector<double>> apart(fits.size());
        std::vector<double> all, ends;
        for (const Ends& used : m_ends) {
            const auto members = m_matching.membersOf(m_matching.instances[used.instance]);
            ends.clear();
            double lastBegin = std::numeric_limits<double>::lowest();
            for (const CallRef member : members) {
                const Call& call = callOf(member);
                const ClockFit& fit = fits[timelineOf(call)];
                ends.push_back(endOf(fit, call));
                lastBegin = std::max(
                    lastBegin, static_cast<double>(call.range.beginNs - fit.aheadNs(call.range.beginNs)));
            }
            const double middle = medianOf(ends);
            for (std::size_t m = 0; m < members.size(); ++m) {
                const double distance = std::abs(ends[m] - middle);
                apart[timelineOf(callOf(members[m]))].push_back(distance);
                all.push_back(distance);
            }
            quality.impossible += lastBegin - *std::min_element(ends.begin(), ends.end()) > lateNs ? 1 : 0;
        }
        quality.residualNs = percentile95(std::move(all));
        for (std::vector<double>& distances : apart)
            quality.ofTimeline.push_back(percentile95(std::move(distances)));
        return quality;
    }

    /// Uses drifts if they clearly reduce the residual that offsets alone leave.
    void tryDrift(std::vector<ClockFit>& fits, Quality& quality)
    {
        // The residual is small already, or there are too few ends.
        if (quality.residualNs <= lateNs || m_ends.size() < fewestForDrift || m_cancelled())
            return;
        std::vector<ClockFit> drifting = fit(fits, true);
        if (std::any_of(drifting.begin(), drifting.end(),
                        [](const ClockFit& own) { return std::abs(own.drift) > mostClockDrift; }))
            return;
        Quality better = measure(drifting);
        if (better.residualNs * 10 > quality.residualNs * 7
            || quality.residualNs - better.residualNs < lateNs)
            return;
        fits = std::move(drifting);
        quality = std::move(better);
        m_result.hasDrift = true;
    }

    /// Whether a clock is off by more than the ends scatter.
    bool areApart() const
    {
        for (std::size_t t = 0; t < m_result.fits.size(); ++t) {
            const ClockFit& fit = m_result.fits[t];
            const TimeRange range = m_model.timelines[t].range;
            const std::int64_t most
                = std::max(std::abs(fit.aheadNs(range.beginNs)), std::abs(fit.aheadNs(range.endNs)));
            if (fit.collectives >= fewestCollectives && most > std::max(2 * m_result.residualNs, lateNs))
                return true;
        }
        return false;
    }

    static constexpr std::uint32_t noGroup = std::numeric_limits<std::uint32_t>::max();
    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    const Matching& m_matching;
    ClockEvidence m_evidence;
    const std::function<bool()>& m_cancelled;
    std::vector<Ends> m_ends;
    std::vector<Ends> m_fitted; ///< the ends used by the fit
    std::uint32_t m_groupCount = 0;
    ClockAlignment m_result;
};

} // namespace

std::int64_t ClockAlignment::largestAheadNs() const
{
    std::int64_t largest = 0;
    for (const ClockFit& fit : fits)
        largest = std::max(largest, std::abs(fit.offsetNs));
    return largest;
}

std::string ClockAlignment::summary(ClockChoice choice) const
{
    const std::string count
        = std::to_string(collectives) + (collectives == 1 ? " collective" : " collectives");
    if (collectives == 0 && ofSeveralRanks > 0)
        return "Clocks as recorded: the offsets cannot be measured, as no all-reduce, all-gather, "
               "reduce-scatter or equal-size all-to-all with a certain match was found ("
            + countText(ofSeveralRanks, "call") + " matched across ranks).";
    if (collectives == 0)
        return "Clocks as recorded: no collectives of several ranks were found to compare them.";
    if (!isTrusted)
        return "Clocks as recorded: no clock offsets fit the end times of " + count + ".";
    const std::string sets = components > 1 ? "; " + std::to_string(components)
            + " sets of ranks share no collective: times cannot be compared between these sets"
                                            : "";
    if (isUsed(choice))
        return "Clocks aligned on " + count + (hasDrift ? ", with drift" : "") + ", residual "
            + timeText(residualNs) + " (p95)" + sets + ".";
    if (choice == ClockChoice::Raw && isNeeded)
        return "Raw clocks, which differ: aligning them on " + count + " would reduce the residual from "
            + timeText(rawResidualNs) + " to " + timeText(residualNs) + " (p95)" + sets + ".";
    return "Clocks as recorded: they agree within " + timeText(rawResidualNs) + " (p95) in " + count + sets
        + ".";
}

bool endsTogether(const TraceModel& model, const Call& call)
{
    if (!synchronises(call.kind) || isPointToPoint(model, call))
        return false;
    const std::string_view name = call.meta ? model.text(call.meta->name) : std::string_view();
    return name != "all_to_allv" && name != "alltoallv";
}

ClockAlignment alignClocks(const TraceModel& model, const std::vector<RankCalls>& ranks,
                           const Matching& matching, ClockEvidence evidence,
                           const std::function<bool()>& cancelled)
{
    return Aligner(model, ranks, matching, evidence, cancelled).run();
}

} // namespace collscope
