// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Time between communication: between kinds of parallelism, and between calls of one type.

#include "metrics/analysis/known_communication.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace collscope {

namespace {

/// Consecutive calls of one purpose.
struct TrafficPhase
{
    ParallelismKind parallelismKind = ParallelismKind::Unknown;
    TimeRange range; ///< first start to last end
    std::int32_t step = -1; ///< step of its first call
    std::int64_t calls = 0;
    const Timeline* timeline = nullptr;
};

/// The calls of a rank in the window, merged into phases, in time order.
std::vector<TrafficPhase> phasesOf(const RankCalls& rank)
{
    std::vector<TrafficPhase> phases;
    for (const Call& call : rank.aroundWindow()) {
        if (!call.inWindow())
            continue;
        if (phases.empty() || phases.back().parallelismKind != call.parallelismKind
            || phases.back().timeline != call.timeline)
            phases.push_back({call.parallelismKind, call.range, call.step, 0, call.timeline});
        phases.back().range.endNs = std::max(phases.back().range.endNs, call.range.endNs);
        ++phases.back().calls;
    }
    return phases;
}

/// Windows between adjacent phases of one rank.
struct Window
{
    ParallelismKind from = ParallelismKind::Unknown, to = ParallelismKind::Unknown;
    std::int64_t ns = 0; ///< negative: the next phase starts before the previous one ends
    std::int64_t beginNs = 0; ///< end of the previous phase
    std::int64_t stepNumber = 0; ///< step of the following phase
};

std::int64_t numberOf(const RankWindows& windows, const TrafficPhase& phase)
{
    for (const RankWindows::Part& part : windows.parts) {
        if (part.timeline == phase.timeline)
            return part.steps[static_cast<std::size_t>(phase.step)].number;
    }
    return 0;
}

std::vector<Window> windowsOf(const std::vector<TrafficPhase>& phases, const RankWindows& rank)
{
    std::vector<Window> windows;
    for (std::size_t i = 1; i < phases.size(); ++i) {
        const TrafficPhase& before = phases[i - 1];
        const TrafficPhase& after = phases[i];
        if (before.timeline == after.timeline)
            windows.push_back({before.parallelismKind, after.parallelismKind,
                               after.range.beginNs - before.range.endNs, before.range.endNs,
                               numberOf(rank, after)});
    }
    return windows;
}

/// count, mean, p50, p95, min, max in ms, under names with this ending.
Value::Object spread(const std::vector<double>& ms, const std::string& ending = "_ms")
{
    const auto [least, most] = std::minmax_element(ms.begin(), ms.end());
    return {{"count", static_cast<std::int64_t>(ms.size())},
            {"mean" + ending, meanOf(ms)},
            {"p50" + ending, medianOf(ms)},
            {"p95" + ending, percentileOf(ms, 0.95)},
            {"min" + ending, *least},
            {"max" + ending, *most}};
}

std::int64_t countIf(const std::vector<double>& values, bool positive)
{
    return std::count_if(values.begin(), values.end(),
                         [positive](double value) { return positive ? value > 0 : value < 0; });
}

/// Windows of the selection.
struct WindowTable
{
    std::map<std::pair<ParallelismKind, ParallelismKind>, std::vector<double>> transitions; ///< ms
    std::vector<double> positive; ///< ms, all ranks
    std::vector<TimeRange> positiveRanges;
    std::map<std::int64_t, std::vector<double>> positiveOfStep;
    std::array<std::int64_t, parallelismKindCount> phases{};
    std::int64_t calls = 0, windows = 0;
};

WindowTable windowTable(Analysis& analysis, MetricResult& result)
{
    WindowTable table;
    const std::vector<RankCalls>& ranks = analysis.calls();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const std::vector<TrafficPhase> phases = phasesOf(ranks[i]);
        for (const TrafficPhase& phase : phases) {
            ++table.phases[static_cast<std::size_t>(phase.parallelismKind)];
            table.calls += phase.calls;
        }
        std::vector<double> own;
        for (const Window& window : windowsOf(phases, analysis.selection().ranks[i])) {
            ++table.windows;
            table.transitions[{window.from, window.to}].push_back(nsToMs(window.ns));
            if (window.ns <= 0)
                continue;
            own.push_back(nsToMs(window.ns));
            table.positiveOfStep[window.stepNumber].push_back(nsToMs(window.ns));
            table.positiveRanges.push_back({window.beginNs, window.beginNs + window.ns});
        }
        table.positive.insert(table.positive.end(), own.begin(), own.end());
        if (!own.empty())
            result.rows.push_back({ranks[i].rank, std::nullopt, meanOf(own)});
    }
    return table;
}

void addWindowDetails(const WindowTable& table, MetricResult& result)
{
    Value::Object transitions;
    for (const auto& [pair, ms] : table.transitions) {
        Value::Object row = spread(ms);
        row.emplace_back("positive", countIf(ms, true));
        row.emplace_back("negative", countIf(ms, false));
        transitions.emplace_back(std::string(parallelismKindName(pair.first)) + "->"
                                     + std::string(parallelismKindName(pair.second)),
                                 std::move(row));
    }
    Value::Object phases;
    for (std::size_t i = 0; i < table.phases.size(); ++i) {
        if (table.phases[i] > 0)
            phases.emplace_back(std::string(parallelismKindName(static_cast<ParallelismKind>(i))),
                                table.phases[i]);
    }
    result.details = {{"windows", table.windows},
                      {"positive", static_cast<std::int64_t>(table.positive.size())},
                      {"phases", std::move(phases)},
                      {"total_comm_calls", table.calls},
                      {"transitions", std::move(transitions)}};
}

MetricResult trafficWindow(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    MetricResult result = valueOf(analysis, selection, "pooled");
    const WindowTable table = windowTable(analysis, result);
    std::string reason;
    if (table.calls == 0)
        return whyNoCommunication(analysis, selection);
    if (table.windows == 0)
        reason = "All communication in the window serves one purpose, without transitions between kinds of "
                 "parallelism. traffic_interval gives the time between calls of one type.";
    else if (table.positive.empty())
        reason = "Every communication phase starts before the previous one ends, so the time between them is "
                 "never positive (see transitions).";
    if (!reason.empty()) {
        result = noValue(selection, MetricState::NotApplicable, reason);
        if (table.calls > 0)
            addWindowDetails(table, result);
        return result;
    }
    result.value = meanOf(table.positive);
    if (!analysis.options().range) {
        for (const auto& [step, ms] : table.positiveOfStep)
            result.rows.push_back({std::nullopt, step, meanOf(ms)});
    }
    addWindowDetails(table, result);
    result.inputs = {std::to_string(table.calls) + " calls of " + std::to_string(analysis.calls().size())
                         + " ranks form phases with " + std::to_string(table.windows)
                         + " windows between them; " + std::to_string(table.positive.size())
                         + " are longer than 0 and count, the others touch or overlap.",
                     "Purposes as in traffic_distribution; times in transitions cover all windows, including "
                     "negative ones."};
    if (table.phases[static_cast<std::size_t>(ParallelismKind::Unknown)] > 0)
        result.warnings.emplace_back("Some calls have no known purpose: they count as a separate kind.");
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    if (analysis.options().wantEvidence)
        result.evidenceRanges = table.positiveRanges;
    return result;
}

/// Calls of one type that follow each other on one stream, within a step.
struct Intervals
{
    std::vector<double> gapsMs, durationsMs;
};

/// Adds the intervals of one rank to `byType`; returns the gaps of that rank.
std::vector<double> addIntervals(const TraceModel& model, const RankCalls& rank,
                                 std::map<KernelClass, Intervals>& byType)
{
    using Stream = std::tuple<const Timeline*, std::int32_t, std::int32_t, KernelClass>;
    std::map<Stream, const Call*> before;
    std::vector<double> own;
    for (const Call& call : rank.aroundWindow()) {
        if (!call.inWindow())
            continue;
        Intervals& intervals = byType[call.kind];
        intervals.durationsMs.push_back(nsToMs(call.durationNs()));
        const Track& track = model.track(call.slice.track);
        const Call*& last = before[{call.timeline, track.device, track.stream, call.kind}];
        if (last && last->step == call.step) {
            const double gap = nsToMs(call.range.beginNs - last->range.endNs);
            intervals.gapsMs.push_back(gap);
            own.push_back(gap);
        }
        last = &call;
    }
    return own;
}

MetricResult trafficInterval(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    MetricResult result = valueOf(analysis, selection, "pooled");
    std::map<KernelClass, Intervals> byType;
    std::vector<double> gaps;
    for (const RankCalls& rank : analysis.calls()) {
        const std::vector<double> own = addIntervals(analysis.model(), rank, byType);
        gaps.insert(gaps.end(), own.begin(), own.end());
        if (!own.empty())
            result.rows.push_back({rank.rank, std::nullopt, meanOf(own)});
    }
    if (byType.empty())
        return whyNoCommunication(analysis, selection);
    Value::Object types;
    for (const auto& [kind, intervals] : byType) {
        Value::Object row{{"calls", static_cast<std::int64_t>(intervals.durationsMs.size())}};
        if (!intervals.gapsMs.empty())
            row.emplace_back("interval", spread(intervals.gapsMs));
        row.emplace_back("duration", spread(intervals.durationsMs));
        types.emplace_back(std::string(kernelClassName(kind)), std::move(row));
    }
    if (gaps.empty()) {
        result = noValue(selection, MetricState::NotApplicable,
                         "No stream runs two calls of one type in one step of the window (" + selection.window
                             + "), so intervals between them do not exist.");
        result.details = {{"by_type", std::move(types)}};
        return result;
    }
    result.value = meanOf(gaps);
    result.details = spread(gaps);
    result.details.emplace_back("by_type", std::move(types));
    result.inputs = {
        std::to_string(gaps.size())
        + " intervals between consecutive calls of one type on a stream, within a step; not across steps."};
    if (countIf(gaps, false) > 0)
        result.warnings.push_back(std::to_string(countIf(gaps, false))
                                  + " intervals are negative: calls of one stream overlap in the file.");
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
}

} // namespace

const MetricDescriptor trafficWindowMetric{
    .id = "traffic_window",
    .title = "Gap between communication purposes",
    .group = "Traffic",
    .unit = "ms",
    .needs = "a timeline (Kineto or nsys) with communication of two kinds of parallelism",
    .meaning
    = "Mean time from the end of communication for one kind of parallelism to the start of communication for "
      "the next.",
    .definition
    = "mean of start(next phase) - end(phase) where it is above 0, pooled over ranks; phase = consecutive "
      "calls of one purpose (by start, in the window), from the first start to the last end; purposes as in "
      "traffic_distribution",
    .ranks = &Analysis::selection,
    .compute = trafficWindow,
};

const MetricDescriptor trafficIntervalMetric{
    .id = "traffic_interval",
    .title = "Gap between calls of one type",
    .group = "Traffic",
    .unit = "ms",
    .needs = "a timeline (Kineto or nsys)",
    .meaning = "Mean time between two consecutive collectives of the same type on a stream.",
    .definition = "mean of start(next call) - end(call) over the calls of one type that follow each other on "
                  "one stream of "
                  "one device and start in the same step, pooled over ranks",
    .ranks = &Analysis::selection,
    .compute = trafficInterval,
};

} // namespace collscope
