// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What-if analysis: step time with twice the bandwidth inside a node.

#include "metrics/analysis/transfers.h"
#include "metrics/catalog/catalog.h"
#include "model/interval_set.h"
#include "model/kernels/collective_traits.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

/// Whether a call is bound by bandwidth. Send/Recv of a pipeline mostly waits for the previous stage, and a
/// barrier moves no data.
bool isCollective(const Call& call)
{
    return call.kind != KernelClass::SendRecv && call.kind != KernelClass::OtherCommunication;
}

/// Replay of one run: the duration of each call with faster links.
class Replay
{
public:
    explicit Replay(Analysis& analysis)
        : m_analysis(analysis)
        , m_nodes(analysis)
    {
        const HockneyFit fit = fitHockney(transfersOf(analysis, KernelClass::AllReduce).all);
        if (fit.exists() && fit.alphaSeconds > 0 && fit.betaSecondsPerByte > 0)
            m_alphaNs = fit.alphaSeconds * 1e9;
        const std::vector<RankCalls>& ranks = analysis.calls();
        for (const RankCalls& rank : ranks) {
            std::vector<std::int64_t>& own = m_transferNs.emplace_back();
            for (const Call& call : rank.calls)
                own.push_back(call.durationNs());
        }
        for (const CollectiveInstance& instance : analysis.matching().instances) {
            if (instance.confidence == MatchConfidence::OrderAlone)
                continue; // which rank waited in it is unknown
            std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
            for (const CallRef member : analysis.matching().membersOf(instance))
                shortest = std::min(shortest, ranks[member.rank].calls[member.call].durationNs());
            for (const CallRef member : analysis.matching().membersOf(instance))
                m_transferNs[member.rank][member.call] = shortest;
        }
    }

    double alphaNs() const { return m_alphaNs; }
    const NodeMap& nodes() const { return m_nodes; }
    bool shrinks(const Call& call) const
    {
        return isCollective(call) && m_nodes.spanOf(call) != NodeSpan::SeveralNodes;
    }

    /// The intervals of a timeline that would no longer be communication time: the ends of its calls inside a
    /// node. `withWaiting`: waiting for late ranks shrinks too, as in the plain replay.
    IntervalSet saved(std::size_t rank, const RankWindows::Part& part, bool withWaiting) const
    {
        TimeRange hull = part.steps.front().range;
        for (const Step& step : part.steps)
            hull = hull.united(step.range);
        const std::vector<Call>& calls = m_analysis.calls()[rank].calls;
        std::vector<TimeRange> whole, kept;
        for (std::size_t c = 0; c < calls.size(); ++c) {
            if (calls[c].timeline != part.timeline || !calls[c].range.overlaps(hull))
                continue;
            whole.push_back(calls[c].range);
            kept.push_back(calls[c].range);
            if (!shrinks(calls[c]))
                continue;
            const std::int64_t transferNs = withWaiting ? calls[c].durationNs() : m_transferNs[rank][c];
            kept.back().endNs -= savedNs(calls[c], transferNs);
        }
        return IntervalSet(std::move(whole)).subtracted(IntervalSet(std::move(kept)));
    }

private:
    /// Half of the bandwidth-bound part of a call: its transfer time minus the latency of the algorithm's
    /// hops.
    std::int64_t savedNs(const Call& call, std::int64_t transferNs) const
    {
        const double hops = call.groupSize > 1 ? roundsOf(call.kind) * (call.groupSize - 1.0) : 0.0;
        const double latencyNs = m_alphaNs * hops;
        return static_cast<std::int64_t>(std::max(0.0, static_cast<double>(transferNs) - latencyNs) / 2.0);
    }

    Analysis& m_analysis;
    NodeMap m_nodes;
    double m_alphaNs = 0; ///< per hop; 0 = no fit: the full duration counts as bandwidth-bound
    std::vector<std::vector<std::int64_t>> m_transferNs; ///< by rank and call: without waiting
};

/// The part of the intervals in a window during which the timeline does not compute.
std::int64_t exposedNs(const TraceModel& model, const Timeline& timeline, const IntervalSet& intervals,
                       TimeRange window)
{
    std::int64_t exposed = 0;
    std::vector<TimeRange> compute;
    /// Position reached in each stream: pieces arrive in time order.
    std::vector<std::pair<const SliceColumns*, std::size_t>> streams;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind == TrackKind::GpuStream)
            streams.emplace_back(&track.slices, firstReaching(track.slices, window.beginNs));
    }
    const IntervalSet inWindow = intervals.clipped(window);
    for (const TimeRange piece : inWindow.intervals()) {
        compute.clear();
        for (auto& [slices, next] : streams) {
            while (next < slices->size() && slices->endNs(next) <= piece.beginNs)
                ++next;
            for (std::size_t row = next; row < slices->size() && slices->startNs[row] < piece.endNs; ++row) {
                if (activeKindOf(*slices, row) == ActiveCompute && slices->range(row).overlaps(piece))
                    compute.push_back(slices->range(row).intersected(piece));
            }
        }
        exposed += piece.lengthNs() - IntervalSet(std::move(compute)).lengthNs();
    }
    return exposed;
}

struct ScenarioFigures
{
    double percent = 0; ///< mean of ranks
    double savedNsPerStep = 0, stepNs = 0; ///< means of ranks
};

ScenarioFigures replayAll(Analysis& analysis, const Replay& replay, bool withWaiting, MetricResult* result)
{
    const Selection& selection = analysis.selection();
    ScenarioFigures figures;
    std::vector<MetricRow> stepRows;
    for (std::size_t r = 0; r < selection.ranks.size(); ++r) {
        const RankWindows& rank = selection.ranks[r];
        std::int64_t total = 0;
        for (const RankWindows::Part& part : rank.parts) {
            if (part.steps.empty())
                continue;
            const IntervalSet saved = replay.saved(r, part, withWaiting);
            for (const Step& step : part.steps) {
                const std::int64_t ns = exposedNs(analysis.model(), *part.timeline, saved, step.range);
                total += ns;
                stepRows.push_back(
                    {rank.rank, step.number,
                     ratio(static_cast<double>(ns), static_cast<double>(step.range.lengthNs()), 100.0)
                         .value_or(0.0)});
                if (analysis.options().cancelled())
                    return figures;
            }
        }
        const double percent
            = ratio(static_cast<double>(total), static_cast<double>(rank.windowNs()), 100.0).value_or(0.0);
        const auto ranks = static_cast<double>(selection.ranks.size());
        const auto steps = static_cast<double>(rank.stepCount());
        figures.percent += percent / ranks;
        figures.savedNsPerStep += static_cast<double>(total) / steps / ranks;
        figures.stepNs += static_cast<double>(rank.windowNs()) / steps / ranks;
        if (result)
            result->rows.push_back({rank.rank, std::nullopt, percent});
    }
    if (result)
        result->rows.insert(result->rows.end(), stepRows.begin(), stepRows.end());
    return figures;
}

struct CallCounts
{
    std::int64_t intraNode = 0, assumedIntraNode = 0, interNode = 0, others = 0;
    std::int64_t collectives() const { return intraNode + assumedIntraNode + interNode; }
};

CallCounts countCalls(Analysis& analysis, const NodeMap& nodes)
{
    CallCounts counts;
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.aroundWindow()) {
            if (!call.inWindow())
                continue;
            const NodeSpan span = nodes.spanOf(call);
            ++(!isCollective(call)             ? counts.others
                   : span == NodeSpan::OneNode ? counts.intraNode
                   : span == NodeSpan::Unknown ? counts.assumedIntraNode
                                               : counts.interNode);
        }
    }
    return counts;
}

MetricResult scaleUpBandwidthUtility(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (analysis.model().ranks().size() < 2)
        return noValue(selection, MetricState::NotApplicable,
                       "The what-if analysis needs the timelines of at least 2 ranks; the run has one.");
    const Replay replay(analysis);
    const CallCounts counts = countCalls(analysis, replay.nodes());
    if (counts.collectives() == 0)
        return noValue(
            selection, MetricState::NotApplicable,
            "No collective starts in the window (" + selection.window + ")"
                + (counts.others > 0 ? "; " + std::to_string(counts.others)
                           + " Send/Recv and other communication kernels are not treated as bandwidth-bound."
                                     : ": faster links would change nothing."));
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    const ScenarioFigures plain = replayAll(analysis, replay, true, &result);
    result.value = plain.percent;
    result.details = {{"step_time_s", plain.stepNs / 1e9},
                      {"what_if_step_time_s", (plain.stepNs - plain.savedNsPerStep) / 1e9},
                      {"saved_ms_per_step", plain.savedNsPerStep / 1e6},
                      {"calls_inside_a_node", counts.intraNode + counts.assumedIntraNode},
                      {"calls_between_nodes", counts.interNode},
                      {"alpha_s", replay.alphaNs() / 1e9}};
    if (selection.ranks.size() > 1)
        result.details.emplace_back("without_waiting_pct",
                                    replayAll(analysis, replay, false, nullptr).percent);
    result.inputs = {"Assumption: with twice the bandwidth inside a node, each collective there ends after "
                     "half of its duration; compute does not move, and only exposed time is gained.",
                     replay.alphaNs() > 0
                         ? "The latency of the fitted Hockney model (alpha = "
                             + numberText(replay.alphaNs() / 1e3) + " us per hop) does not shrink."
                         : "No Hockney model could be fitted: the full duration counts as bandwidth-bound.",
                     "Mean step " + numberText(plain.stepNs / 1e6) + " ms, of which "
                         + numberText(plain.savedNsPerStep / 1e6) + " ms would be gained; "
                         + std::to_string(counts.intraNode + counts.assumedIntraNode)
                         + " collectives run inside a node, " + std::to_string(counts.interNode)
                         + " between nodes, " + std::to_string(counts.others)
                         + " other communication kernels stay unchanged. The durations include waiting for "
                           "late ranks; without_waiting_pct keeps that waiting unchanged."};
    if (counts.assumedIntraNode > 0)
        result.warnings.push_back("The nodes of the ranks are unknown ("
                                  + std::to_string(counts.assumedIntraNode)
                                  + " collectives): they are assumed to be on one node. A workload card with "
                                    "count_per_node would provide this information.");
    if (counts.intraNode + counts.assumedIntraNode == 0)
        result.warnings.emplace_back(
            "All collectives run between nodes: faster links inside the nodes change nothing.");
    addCallEvidence(analysis, result, [&](const Call& call) { return replay.shrinks(call); });
    return result;
}

} // namespace

const MetricDescriptor scaleUpBandwidthUtilityMetric{
    .id = "scale_up_bw_utility",
    .title = "Gain from doubled intra-node bandwidth",
    .group = "What-if",
    .unit = "%",
    .needs = "timelines (Kineto or nsys) of at least 2 ranks",
    .meaning = "How much shorter a step would be with twice the bandwidth of the links inside a node.",
    .definition
    = "100 \u00d7 (T - T') / T: T = time of the steps, T' = the time after halving the duration of the "
      "collectives inside a node (minus their latency, if Hockney's model can be fitted) while compute stays "
      "unchanged, per rank, then mean of ranks",
    .ranks = &Analysis::selection,
    .compute = scaleUpBandwidthUtility,
};

} // namespace collscope
