// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What pipeline parallelism leaves unused: time in which a stage waits for its neighbours (metrics.md 3.2).

#include "metrics/launches.h"

#include <algorithm>
#include <optional>

namespace collscope {

namespace {

constexpr unsigned Waiting = ActiveSet; ///< point-to-point kernels: the fourth bit of the sweep
constexpr unsigned Busy = ActiveCommunication | ActiveCompute | ActiveCopy;

/// Bubble of one rank in one step or several, ns.
struct Bubble
{
    std::int64_t windowNs = 0;
    std::int64_t warmUpNs = 0; ///< before the first compute kernel of a step
    std::int64_t interiorNs = 0;
    std::int64_t coolDownNs = 0; ///< after the last compute kernel that is not the optimizer's
    std::int64_t waitingNs = 0; ///< the part in which a point-to-point kernel spins

    std::int64_t ns() const { return warmUpNs + interiorNs + coolDownNs; }
    Bubble& operator+=(const Bubble& more)
    {
        windowNs += more.windowNs;
        warmUpNs += more.warmUpNs;
        interiorNs += more.interiorNs;
        coolDownNs += more.coolDownNs;
        waitingNs += more.waitingNs;
        return *this;
    }
};

struct RankBubble
{
    std::int32_t rank = 0;
    std::vector<std::pair<std::int64_t, Bubble>> steps; ///< by step number
    Bubble total;
};

/// Point-to-point kernels of the run, by track: those that hand activations to a neighbour.
struct PointToPoint
{
    std::vector<std::vector<bool>> isOne; ///< by track and row; empty for tracks without
    std::int64_t inWindow = 0;
    std::int64_t withoutLaunch = 0; ///< of these, known by their kernel name alone
    bool pipelineGroup = false; ///< some process group is described as pp

    bool holds(TrackId track, std::size_t row) const
    {
        return !isOne[track.value].empty() && isOne[track.value][row];
    }
};

/// What a SendRecv kernel is for.
enum class Exchange
{
    PointToPoint,
    Other, ///< an all-to-all, a ring of context parallelism
    Unknown
};

/// NCCL runs an all-to-all as SendRecv too, and context parallelism sends around a ring.
Exchange exchangeOf(Analysis& analysis, const Call& call)
{
    if (call.purpose != Purpose::PipelineParallel && call.purpose != Purpose::Unknown
        && call.purpose != Purpose::Global)
        return Exchange::Other;
    if (call.meta && !analysis.model().text(call.meta->name).empty())
        return Exchange::PointToPoint;
    const LaunchContext& context = launchesOf(analysis, *call.timeline);
    const SliceRef launch = context.launchOf(call.slice.track, call.slice.row);
    if (!launch)
        return Exchange::Unknown;
    return (context.marksOf(launch) & LaunchAllToAll) != 0 ? Exchange::Other : Exchange::PointToPoint;
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
            found.pipelineGroup
                |= call.purpose == Purpose::PipelineParallel && call.rule == PurposeRule::GroupDescription;
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
    // Where every exchange that can be told is something else, so is the rest.
    for (const Call* call : unknown) {
        if (others && !any)
            break;
        take(*call);
        found.withoutLaunch += call->inWindow() ? 1 : 0;
    }
    return found;
}

/// From the first compute kernel of a step to the end of the last one that is not the optimizer's; the whole
/// step where nothing computes.
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
            return 0; // clearing memory keeps no stage busy
        return kind == ActiveCommunication && p2p.holds(id, row) ? Waiting : kind;
    };
    const TimeRange inner = computing(analysis, timeline, step);
    Bubble bubble;
    bubble.windowNs = step.lengthNs();
    const auto idle = [&](TimeRange window) {
        const ActiveTimes active = sweep(model, timeline, window, kindOf, analysis.options().cancelled);
        bubble.waitingNs += active.anyOf(Waiting, Busy);
        return window.lengthNs() - active.anyOf(Busy);
    };
    bubble.warmUpNs = idle({step.beginNs, inner.beginNs});
    bubble.interiorNs = idle(inner);
    bubble.coolDownNs = idle({inner.endNs, step.endNs});
    return bubble;
}

/// The bubbles of the window, or the result to give instead.
struct BubbleTable
{
    std::optional<MetricResult> failure;
    std::vector<RankBubble> ranks;
    PointToPoint p2p;
    Bubble all;

    std::optional<double> share() const
    {
        return ratio(static_cast<double>(all.ns()), static_cast<double>(all.windowNs));
    }
};

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
        table.failure
            = noValue(selection, MetricState::NotApplicable,
                      mesh.isKnown ? "The run has one pipeline stage (pp = 1) and no rank sends to "
                                     "another: there is no pipeline to have bubbles."
                                   : "Nothing says that the run has pipeline stages: no card or TOML "
                                     "with pp, no send or receive, no process group named pp.");
        return table;
    }
    for (const RankWindows& windows : selection.ranks) {
        RankBubble& rank = table.ranks.emplace_back();
        rank.rank = windows.rank;
        for (const RankWindows::Part& part : windows.parts) {
            for (const Step& step : part.steps) {
                if (analysis.options().cancelled())
                    return table;
                rank.steps.emplace_back(step.number,
                                        measureStep(analysis, *part.timeline, step.range, table.p2p));
                rank.total += rank.steps.back().second;
            }
        }
        table.all += rank.total;
    }
    if (table.all.windowNs == 0)
        table.failure = noValue(selection, MetricState::NotApplicable, "The chosen steps have no duration.");
    return table;
}

const BubbleTable& bubblesOf(Analysis& analysis)
{
    return analysis.table<BubbleTable>([&] { return measureBubbles(analysis); });
}

/// (p - 1) / (v m + p - 1) with v = 1: what the schedule alone leaves idle.
void addTheory(const Workload& workload, MetricResult& result)
{
    const std::int64_t stages = workload.mesh.pp;
    if (stages <= 1 || !workload.microBatches || *workload.microBatches <= 0)
        return;
    const auto p = static_cast<double>(stages);
    const auto m = static_cast<double>(*workload.microBatches);
    result.details.emplace_back("pipeline_stages", stages);
    result.details.emplace_back("micro_batches", *workload.microBatches);
    result.details.emplace_back("theoretical_bubble_ratio", (p - 1) / (m + p - 1));
    result.details.emplace_back("theoretical_bubble_of_ideal", (p - 1) / m);
    result.inputs.push_back("Theory: (p - 1) / (v m + p - 1) with p = " + std::to_string(stages)
                            + " stages, m = " + std::to_string(*workload.microBatches) + " micro-batches ("
                            + workload.microBatches.source + ") and v = 1 virtual stage, assumed.");
}

void addBubbleWarnings(Analysis& analysis, const BubbleTable& table, MetricResult& result)
{
    const Mesh& mesh = analysis.workload().mesh;
    if (mesh.isKnown && mesh.pp <= 1)
        result.warnings.emplace_back(
            "Card or TOML say pp = 1, but ranks send to each other: taken as pipeline traffic.");
    if (table.p2p.withoutLaunch > 0)
        result.warnings.push_back(
            std::to_string(table.p2p.withoutLaunch)
            + " SendRecv kernels are known by their name alone and count as point-to-point; some may "
              "be all-to-alls.");
    if (analysis.options().attribution == MetricOptions::Attribution::Launch)
        result.warnings.emplace_back(
            "A bubble is time in which nothing runs: kernels count where they ran, whoever launched them.");
}

MetricResult bubbleSize(Analysis& analysis)
{
    const BubbleTable& table = bubblesOf(analysis);
    if (table.failure)
        return *table.failure;
    const auto share = [](const Bubble& bubble) {
        return ratio(static_cast<double>(bubble.ns()), static_cast<double>(bubble.windowNs));
    };
    MetricResult result = valueOf(analysis, analysis.selection(), "pooled");
    result.value = table.share();
    Value::Object perRank;
    for (const RankBubble& rank : table.ranks) {
        if (const auto own = share(rank.total)) {
            result.rows.push_back({rank.rank, std::nullopt, *own});
            perRank.emplace_back(std::to_string(rank.rank), *own);
        }
    }
    for (const RankBubble& rank : table.ranks) {
        for (const auto& [number, bubble] : rank.steps) {
            if (const auto own = share(bubble))
                result.rows.push_back({rank.rank, number, *own});
        }
    }
    addBubbleWarnings(analysis, table, result);
    result.details = {
        {"bubble_ratio", *result.value},
        {"bubble_time_ms", nsToMs(table.all.ns())},
        {"total_time_ms", nsToMs(table.all.windowNs)},
        {"warm_up_ms", nsToMs(table.all.warmUpNs)},
        {"interior_ms", nsToMs(table.all.interiorNs)},
        {"cool_down_ms", nsToMs(table.all.coolDownNs)},
        {"waiting_in_p2p_ms", nsToMs(table.all.waitingNs)},
        {"num_ranks", static_cast<std::int64_t>(table.ranks.size())},
        {"method", "idle GPU time and point-to-point waits"},
        {"warning", result.warnings.empty() ? Value() : Value(result.warnings.back())},
        {"per_rank", std::move(perRank)},
    };
    result.inputs
        = {"Bubble " + millisecondsText(table.all.ns()) + " of " + millisecondsText(table.all.windowNs)
               + ", added up over ranks and steps: warm-up " + millisecondsText(table.all.warmUpNs)
               + ", interior " + millisecondsText(table.all.interiorNs) + ", cool-down "
               + millisecondsText(table.all.coolDownNs) + ".",
           std::to_string(table.p2p.inWindow) + " point-to-point kernels count as waiting ("
               + millisecondsText(table.all.waitingNs) + " with nothing else running)."};
    addTheory(analysis.workload(), result);
    addEvidence(analysis, analysis.selection(), result, [](const SliceColumns& slices, std::size_t row) {
        return slices.kernelClass[row] == KernelClass::SendRecv;
    });
    return result;
}

/// Without a pipeline: how much of the step computes.
MetricResult computeShare(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    const auto share = [](const Work& work) {
        return ratio(static_cast<double>(work.compute()), static_cast<double>(work.windowNs));
    };
    const std::vector<RankWork>& ranks = analysis.work();
    result.value = meanOfRanks(ranks, result, [&](const RankWork& rank) { return share(rank.total); });
    if (!result.value)
        return noValue(selection, MetricState::NotApplicable, "The chosen steps have no duration.");
    if (std::none_of(ranks.begin(), ranks.end(),
                     [](const RankWork& rank) { return rank.total.kernelSumNs > 0; }))
        return noValue(selection, MetricState::NotApplicable,
                       "No GPU kernel ran in the window (" + selection.window + ").");
    addStepRows(ranks, result, [&](const StepWork& step) { return share(step.work); });
    result.details = {{"method", "compute share of the step"}};
    result.inputs = {"One pipeline stage: |Q| / T, the union of compute kernels over the step.",
                     kernelRuleSentence(analysis.kernels())};
    addEvidence(analysis, selection, result, [](const SliceColumns& slices, std::size_t row) {
        return activeKindOf(slices, row) == ActiveCompute;
    });
    return result;
}

MetricResult pipelineEfficiency(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (selection.failure)
        return *selection.failure;
    const BubbleTable& table = bubblesOf(analysis);
    if (table.failure)
        return computeShare(analysis);
    MetricResult result = bubbleSize(analysis);
    if (!result.value)
        return result;
    result.value = 1.0 - *result.value;
    for (MetricRow& row : result.rows)
        row.value = 1.0 - row.value;
    return result;
}

constexpr MetricAlias bubbleAliases[] = {{"pipeline_bubble"}};

} // namespace

extern const MetricDescriptor bubbleSizePipelineMetric, pipelineEfficiencyMetric;

const MetricDescriptor bubbleSizePipelineMetric{
    "bubble_size_pipeline",
    "Pipeline bubble",
    "Execution",
    "ratio",
    MetricDirection::LowerIsBetter,
    "a timeline (Kineto or nsys) of a run with pipeline stages",
    "Share of the steps in which a pipeline stage waits for its neighbours.",
    "sum(T - |compute kernels \u222a copies \u222a communication that is not point-to-point|) / sum(T) over "
    "ranks and "
    "steps; point-to-point kernels count as waiting",
    bubbleAliases,
    bubbleSize};

const MetricDescriptor pipelineEfficiencyMetric{
    "pipeline_efficiency",
    "Pipeline efficiency",
    "Execution",
    "ratio",
    MetricDirection::HigherIsBetter,
    "a timeline (Kineto or nsys)",
    "Share of the steps that a pipeline keeps its GPUs busy; without pipeline stages, that they compute.",
    "1 - bubble ratio with pipeline stages (pooled); else |Q| / T per rank, mean of ranks",
    {},
    pipelineEfficiency};

} // namespace collscope
