// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/pipeline_bubbles.h"

#include "metrics/analysis/launches.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

constexpr unsigned waitingBit = ActiveSet; ///< point-to-point kernels: the fourth bit of the sweep
constexpr unsigned busyBits = ActiveCommunication | ActiveCompute | ActiveCopy;

/// The purpose of a SendRecv kernel.
enum class Exchange
{
    PointToPoint,
    Other, ///< an all-to-all, or a ring of context parallelism
    Unknown
};

/// NCCL also runs an all-to-all as SendRecv, and context parallelism sends around a ring.
Exchange exchangeOf(Analysis& analysis, const Call& call)
{
    if (call.parallelismKind != ParallelismKind::PipelineParallel
        && call.parallelismKind != ParallelismKind::Unknown
        && call.parallelismKind != ParallelismKind::Global)
        return Exchange::Other;
    if (call.meta && !analysis.model().text(call.meta->name).empty())
        return Exchange::PointToPoint;
    const LaunchContext& context = launchesOf(analysis, *call.timeline);
    const SliceRef launch = context.launchOf(call.slice.track, call.slice.row);
    const unsigned marks = launch ? context.marksOf(launch) : 0;
    if ((marks & LaunchAllToAll) != 0)
        return Exchange::Other;
    return (marks & LaunchSendReceive) != 0 ? Exchange::PointToPoint : Exchange::Unknown;
}

PointToPoint findPointToPoint(Analysis& analysis)
{
    PointToPoint found;
    const TraceModel& model = analysis.model();
    found.isOne.resize(model.tracks.size());
    std::vector<const Call*> unknown;
    bool others = false;
    bool any = false;
    const auto take = [&](const Call& call) {
        std::vector<bool>& rows = found.isOne[call.slice.track.value];
        rows.resize(model.track(call.slice.track).slices.size());
        rows[call.slice.row] = true;
        found.inWindow += call.inWindow() ? 1 : 0;
    };
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.calls) {
            found.pipelineGroup |= call.parallelismKind == ParallelismKind::PipelineParallel
                && call.rule == ParallelismRule::GroupDescription;
            if (call.kind != KernelClass::SendRecv)
                continue;
            const Exchange exchange = exchangeOf(analysis, call);
            others |= exchange == Exchange::Other;
            any |= exchange == Exchange::PointToPoint;
            if (exchange == Exchange::PointToPoint)
                take(call);
            else if (exchange == Exchange::Unknown)
                unknown.push_back(&call);
        }
    }
    // If every identified exchange is something else, so are the unidentified ones. Unidentified exchanges
    // count as pipeline traffic only in a pipeline.
    const bool isPipeline = analysis.workload().mesh.pp > 1 || found.pipelineGroup || any;
    const bool areOwn = isPipeline && (any || !others);
    for (const Call* call : unknown) {
        if (areOwn)
            take(*call);
        std::int64_t& count = areOwn ? found.untold : found.leftOut;
        count += call->inWindow() ? 1 : 0;
    }
    return found;
}

/// From the first compute kernel of a step to the end of the last one that does not belong to the optimizer;
/// the whole step if nothing computes.
TimeRange computing(Analysis& analysis, const Timeline& timeline, TimeRange step)
{
    const TraceModel& model = analysis.model();
    const LaunchContext& context = launchesOf(analysis, timeline);
    TimeRange range{step.endNs, step.beginNs};
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        const SliceColumns& slices = track.slices;
        const auto computes = [&](std::size_t row) {
            return activeKindOf(slices, row) == ActiveCompute
                && !slices.range(row).intersected(step).isEmpty();
        };
        const std::size_t begin = firstReaching(slices, step.beginNs);
        const std::size_t end = firstStartingAt(slices, step.endNs);
        std::size_t first = begin;
        while (first < end && !computes(first))
            ++first;
        if (first >= end)
            continue;
        range.beginNs = std::min(range.beginNs, std::max(slices.startNs[first], step.beginNs));
        for (std::size_t row = end; row-- > first;) {
            if (!computes(row))
                continue;
            const SliceRef launch = context.launchOf(id, row);
            if (launch && (context.marksOf(launch) & LaunchOptimizer) != 0)
                continue;
            range.endNs = std::max(range.endNs, std::min(slices.endNs(row), step.endNs));
            break;
        }
    }
    if (range.beginNs >= step.endNs)
        return step;
    return {range.beginNs, std::max(range.beginNs, range.endNs)};
}

Bubble measureStep(Analysis& analysis, const Timeline& timeline, TimeRange step, const PointToPoint& p2p)
{
    const TraceModel& model = analysis.model();
    const auto kindOf = [&](const Track& track, std::size_t row) -> unsigned {
        const TrackId id{static_cast<std::uint32_t>(&track - model.tracks.data())};
        const unsigned kind = activeKindOf(track.slices, row);
        if (kind == ActiveSet)
            return 0; // clearing memory does not keep a stage busy
        return kind == ActiveCommunication && p2p.holds(id, row) ? waitingBit : kind;
    };
    const TimeRange inner = computing(analysis, timeline, step);
    Bubble bubble;
    bubble.windowNs = step.lengthNs();
    const auto idle = [&](TimeRange window) {
        const ActiveTimes active = sweep(model, timeline, window, kindOf, analysis.options().cancelled);
        bubble.waitingNs += active.anyOf(waitingBit, busyBits);
        bubble.computeNs += active.anyOf(ActiveCompute);
        return window.lengthNs() - active.anyOf(busyBits);
    };
    bubble.warmUpNs = idle({step.beginNs, inner.beginNs});
    bubble.interiorNs = idle(inner);
    bubble.coolDownNs = idle({inner.endNs, step.endNs});
    return bubble;
}

MetricResult noPipeline(const Selection& selection, const Mesh& mesh, const PointToPoint& p2p)
{
    if (mesh.isKnown)
        return noValue(selection, MetricState::NotApplicable,
                       "The run has one pipeline stage (pp = 1) and no rank is known to send to another, so "
                       "pipeline bubbles cannot occur.");
    const std::string text = "No sign of pipeline stages was found: no card or TOML file with pp, no "
                             "recognised send or receive, no process group named pp.";
    if (p2p.leftOut == 0)
        return noValue(selection, MetricState::NotApplicable, text);
    return noValue(selection, MetricState::MissingInput,
                   text + " The purpose of the " + countText(p2p.leftOut, "Send/Recv kernel")
                       + " of the window is unknown, because all-to-alls also run as Send/Recv kernels.");
}

BubbleTable measureBubbles(Analysis& analysis)
{
    BubbleTable table;
    const Selection& selection = analysis.selection();
    if (selection.failure) {
        table.failure = *selection.failure;
        return table;
    }
    const Mesh& mesh = analysis.workload().mesh;
    table.p2p = findPointToPoint(analysis);
    if (mesh.pp <= 1 && table.p2p.inWindow == 0 && !table.p2p.pipelineGroup) {
        table.failure = noPipeline(selection, mesh, table.p2p);
        return table;
    }
    for (const RankWindows& windows : selection.ranks) {
        RankBubble& rank = table.ranks.emplace_back();
        rank.rank = windows.rank;
        for (const RankWindows::Part& part : windows.parts) {
            for (const Step& step : part.steps) {
                if (analysis.options().cancelled())
                    return table;
                rank.steps.push_back({part.timeline, step.number, step.range, true,
                                      measureStep(analysis, *part.timeline, step.range, table.p2p)});
                rank.total += rank.steps.back().bubble;
            }
        }
        table.all += rank.total;
    }
    if (table.all.windowNs == 0)
        table.failure = noValue(selection, MetricState::NotApplicable, "The chosen steps have no duration.");
    return table;
}

} // namespace

const BubbleTable& bubblesOf(Analysis& analysis)
{
    return analysis.table<BubbleTable>([&] { return measureBubbles(analysis); });
}

BubbleTablePtr measureAllSteps(const TraceModel& model, const MetricOptions& options)
{
    MetricOptions every;
    every.profileMode = options.profileMode;
    every.hardware = options.hardware;
    every.collectives = options.collectives;
    every.cancelled = options.cancelled;
    const MetricOptions inner = every;
    every.steps.mode = StepChoice::Mode::All;
    Analysis analysis(model, every);
    auto table = std::make_shared<BubbleTable>(bubblesOf(analysis));
    std::set<std::pair<const Timeline*, std::int64_t>> counted;
    for (const RankWindows& rank : selectRanks(model, inner, ClockMap()).ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps)
                counted.emplace(part.timeline, step.number);
        }
    }
    table->all = {};
    for (RankBubble& rank : table->ranks) {
        rank.total = {};
        for (StepBubble& step : rank.steps) {
            step.counts = counted.contains({step.timeline, step.number});
            if (step.counts)
                rank.total += step.bubble;
        }
        table->all += rank.total;
    }
    return table;
}

} // namespace collscope
