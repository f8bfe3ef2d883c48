// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Steps, times and kernels as computed by main.py, the tool set of CCL-Bench's dashboard.

#include "metrics/core/statistics.h"
#include "metrics/references/dashboard_input.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <unordered_map>

namespace collscope {

namespace {

using Number = Reference::Number;

/// Mean over the ranks whose files the tool can parse; nullopt if f gives no value for any of them.
std::optional<Number> meanOfParsed(const DashboardInput& input, const std::vector<RankBreakdown>& ranks,
                                   const std::function<std::optional<double>(const RankBreakdown&)>& f)
{
    std::vector<double> values;
    for (const RankBreakdown& rank : ranks) {
        const auto value = input.ranks.contains(rank.rank) ? f(rank) : std::nullopt;
        if (value)
            values.push_back(*value);
    }
    return values.empty() ? std::nullopt : std::optional(Number{meanOf(values), {}});
}

std::optional<double> hidden(const TimeBreakdown& work)
{
    return ratio(static_cast<double>(work.overlap()), static_cast<double>(work.communication()), 100.0);
}

TimeBreakdown pooled(const std::vector<RankBreakdown>& ranks)
{
    TimeBreakdown sum;
    for (const RankBreakdown& rank : ranks)
        sum += rank.total;
    return sum;
}

/// Kernels of the whole files, by rank; only the ranks whose files can be parsed.
std::vector<RankKernels> parsedKernels(Analysis& analysis, const DashboardInput& input)
{
    auto ranks = measureKernels(analysis.model(), analysis.wholeFiles(), analysis.options());
    std::erase_if(ranks, [&](const RankKernels& rank) { return !input.ranks.contains(rank.rank); });
    return ranks;
}

std::optional<Number> avgStepTime(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.isNsys())
        return Number::nothing("it finds no steps in an nsys export and prints -1");
    if (input.readsNothing())
        return unreadable();
    const StepTimes& times = analysis.stepTimes();
    if (!input.isJson() || times.selection.failure)
        return std::nullopt;
    std::vector<double> means;
    for (const RankSteps& rank : times.ranks) {
        if (input.ranks.contains(rank.rank))
            means.push_back(rank.mean());
    }
    return means.empty() ? std::nullopt : std::optional(Number{meanOf(means), {}});
}

/// Without ProfilerStep markers the tool has no step time, and therefore no MFU.
std::optional<Number> mfu(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.isNsys())
        return Number::nothing("it finds no steps in an nsys export and prints -1");
    for (const Timeline* timeline : kinetoFiles(analysis)) {
        if (timeline->stepSource == StepSource::ProfilerStep)
            return std::nullopt;
    }
    return input.isJson() ? std::optional(Number::nothing()) : std::nullopt;
}

/// Communication time and time of all kernels of one rank, unclipped in every step they touch: a kernel that
/// crosses a step boundary counts twice.
std::optional<double> wholeKernelShare(const TraceModel& model, const RankWindows& rank)
{
    std::int64_t kernels = 0;
    std::int64_t communication = 0;
    for (const RankWindows::Part& part : rank.parts) {
        for (const Step& step : part.steps) {
            for (const TrackId id : part.timeline->tracks) {
                const Track& track = model.track(id);
                if (track.kind != TrackKind::GpuStream)
                    continue;
                forEachOverlapping(track.slices, step.range, [&](std::size_t row) {
                    if (track.slices.category[row] != SliceCategory::Kernel)
                        return;
                    kernels += track.slices.durationNs[row];
                    if (isCommunication(track.slices.kernelClass[row]))
                        communication += track.slices.durationNs[row];
                });
            }
        }
    }
    return ratio(static_cast<double>(communication), static_cast<double>(kernels), 100.0);
}

std::optional<Number> communicationFraction(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.readsNothing())
        return unreadable();
    if (!input.isJson() || analysis.selection().failure)
        return std::nullopt;
    std::vector<double> shares;
    for (const RankWindows& rank : analysis.selection().ranks) {
        if (analysis.options().cancelled())
            return std::nullopt;
        const auto share = input.ranks.contains(rank.rank) ? wholeKernelShare(analysis.model(), rank)
                                                           : std::optional<double>();
        if (share)
            shares.push_back(*share);
    }
    return shares.empty() ? std::nullopt : std::optional(Number{meanOf(shares), {}});
}

std::optional<Number> communicationRatio(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.readsNothing())
        return unreadable();
    if (!input.isJson())
        return std::nullopt;
    return meanOfParsed(input, analysis.wholeWork(), [](const RankBreakdown& rank) {
        return ratio(static_cast<double>(rank.total.communicationSumNs),
                     static_cast<double>(rank.total.kernelSumNs), 100.0);
    });
}

std::optional<Number> totalCommunicationTime(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.readsNothing())
        return unreadable();
    if (input.isNsys())
        return Number{nsToSeconds(pooled(analysis.wholeWork()).communicationSumNs),
                      {},
                      "it sums the communication kernels of all GPUs over the whole nsys export; the "
                      "standard value is the union per step of one GPU"};
    if (!input.isJson() || analysis.selection().failure)
        return std::nullopt;
    const auto isProfilerStep
        = [](const StepBreakdown& step) { return step.timeline->stepSource == StepSource::ProfilerStep; };
    const bool hasSteps
        = std::all_of(analysis.work().begin(), analysis.work().end(), [&](const RankBreakdown& rank) {
              return std::all_of(rank.steps.begin(), rank.steps.end(), isProfilerStep);
          });
    return meanOfParsed(
        input, hasSteps ? analysis.work() : analysis.wholeWork(), [&](const RankBreakdown& rank) {
            return ratio(nsToSeconds(rank.total.communication()), hasSteps ? rank.stepCount() : 1.0);
        });
}

constexpr std::string_view mergedDevicesWhy = "it pools all GPUs of an nsys export over the whole file; the "
                                              "standard value is the mean of the GPUs over the inner steps";

std::optional<Number> overlap(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.readsNothing())
        return unreadable();
    if (input.isNsys()) {
        const auto share = hidden(pooled(analysis.wholeWork()));
        return share ? std::optional(Number{*share, {}, mergedDevicesWhy}) : std::nullopt;
    }
    if (!input.isJson() || analysis.selection().failure)
        return std::nullopt;
    return meanOfParsed(input, analysis.work(), [](const RankBreakdown& rank) { return hidden(rank.total); });
}

std::optional<Number> overlapOfWholeFile(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (!input.isJson() || input.readsNothing())
        return std::nullopt; // same value as overlap(), which covers this name too
    return meanOfParsed(input, analysis.wholeWork(),
                        [](const RankBreakdown& rank) { return hidden(rank.total); });
}

std::optional<Number> dominantKernel(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.readsNothing())
        return unreadable();
    std::unordered_map<std::uint32_t, std::int64_t> byName;
    std::int64_t longest = 0;
    std::int64_t all = 0;
    for (const RankKernels& rank : parsedKernels(analysis, input)) {
        all += rank.kernelNs;
        for (const NameBreakdown& name : rank.names)
            longest = std::max(longest, byName[name.name.value] += name.ns);
    }
    const auto share = ratio(static_cast<double>(longest), static_cast<double>(all), 100.0);
    return share ? std::optional(Number{*share, {}}) : std::nullopt;
}

/// For nsys: plain mean over all launches, with the SM count of the first device.
std::optional<Number> coverageOfLaunches(Analysis& analysis)
{
    double sum = 0;
    std::int64_t launches = 0;
    const Selection& files = analysis.wholeFiles();
    const std::int32_t multiprocessors = files.ranks.front().parts.front().timeline->multiprocessors;
    for (const RankWindows& rank : files.ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            forEachKernel(analysis, *part.timeline, [&](const Track& track, std::size_t row) {
                const std::uint32_t detail = track.slices.detail[row];
                const double coverage = detail == SliceColumns::noRow
                    ? -1
                    : smCoverage(part.timeline->kernelDetails[detail], multiprocessors);
                sum += std::max(coverage, 0.0);
                launches += coverage >= 0 ? 1 : 0;
            });
        }
    }
    if (launches == 0)
        return std::nullopt;
    return Number{100.0 * sum / static_cast<double>(launches),
                  {},
                  "for an nsys export it takes the plain mean over kernel launches, so a kernel of one "
                  "microsecond counts as much as one of a second"};
}

std::optional<Number> smCoverageOfFile(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.readsNothing())
        return unreadable();
    if (input.isNsys())
        return coverageOfLaunches(analysis);
    double covered = 0;
    double known = 0;
    for (const RankKernels& rank : parsedKernels(analysis, input)) {
        covered += rank.coverageNs;
        known += static_cast<double>(rank.coverageKnownNs);
    }
    const auto share = ratio(covered, known, 100.0);
    return share ? std::optional(Number{*share, {}}) : std::nullopt;
}

/// 0 for every model without experts. Which kernels its name rule finds in other runs is not known exactly.
std::optional<Number> moeFraction(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (!input.isJson() || input.readsNothing())
        return std::nullopt;
    const auto mayMatch = [](std::string_view name) {
        return holdsAnyOf(
            name, {"moe", "expert", "dispatch", "combine", "gate_", "topk", "grouped_gemm", "permute"});
    };
    NameTest test(analysis.model(), mayMatch);
    for (const RankKernels& rank : parsedKernels(analysis, input)) {
        for (const NameBreakdown& name : rank.names) {
            if (test(name.name))
                return std::nullopt;
        }
    }
    return Number{0.0, {}};
}

/// Busy time of one rank's kernels between its first and its last kernel.
std::optional<double> kernelUtilization(Analysis& analysis, const RankWindows& rank)
{
    std::vector<TimeRange> kernels;
    for (const RankWindows::Part& part : rank.parts) {
        forEachKernel(analysis, *part.timeline, [&](const Track& track, std::size_t row) {
            kernels.push_back(track.slices.range(row));
        });
    }
    const IntervalSet busy(std::move(kernels));
    if (busy.isEmpty())
        return std::nullopt;
    return ratio(static_cast<double>(busy.lengthNs()),
                 static_cast<double>(busy.intervals().back().endNs - busy.intervals().front().beginNs),
                 100.0);
}

std::optional<Number> gpuUtilization(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.readsNothing())
        return unreadable();
    std::vector<double> shares;
    for (const RankWindows& rank : analysis.wholeFiles().ranks) {
        const auto share
            = input.ranks.contains(rank.rank) ? kernelUtilization(analysis, rank) : std::optional<double>();
        if (share)
            shares.push_back(*share);
    }
    return shares.empty() ? std::nullopt : std::optional(Number{meanOf(shares), {}});
}

std::optional<Number> totalKernelTime(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.readsNothing())
        return unreadable();
    std::int64_t sum = 0;
    for (const RankKernels& rank : parsedKernels(analysis, input))
        sum += rank.kernelNs;
    return sum > 0 ? std::optional(Number{nsToSeconds(sum), {}}) : std::nullopt;
}

std::optional<Number> memoryTransferOverhead(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (input.readsNothing())
        return unreadable();
    if (input.isJson())
        return Number::nothing();
    // All devices of the export share one timeline; how the tool treats several exports is not known.
    std::set<std::uint32_t> files;
    std::vector<TimeRange> copies;
    std::vector<TimeRange> kernels;
    std::vector<TimeRange> all;
    for (const RankWindows& rank : analysis.wholeFiles().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            files.insert(part.timeline->source.value);
            forEachEvent(analysis, *part.timeline, [&](const Track& track, std::size_t row) {
                const SliceCategory category = track.slices.category[row];
                if (track.kind != TrackKind::GpuStream || !isGpuWork(category))
                    return;
                all.push_back(track.slices.range(row));
                if (category == SliceCategory::Memcpy)
                    copies.push_back(track.slices.range(row));
                else if (category == SliceCategory::Kernel)
                    kernels.push_back(track.slices.range(row));
            });
        }
    }
    const IntervalSet busy(std::move(all));
    if (!input.isNsys() || files.size() != 1 || busy.isEmpty() || copies.empty())
        return std::nullopt;
    const std::int64_t exposed
        = IntervalSet(std::move(copies)).subtracted(IntervalSet(std::move(kernels))).lengthNs();
    const auto share
        = ratio(static_cast<double>(exposed),
                static_cast<double>(busy.intervals().back().endNs - busy.intervals().front().beginNs), 100.0);
    if (!share)
        return std::nullopt;
    return Number{*share,
                  {},
                  "it puts all GPUs of an nsys export on one timeline, so a kernel on one GPU hides a copy "
                  "on another, and divides by the span of the trace instead of the steps"};
}

std::optional<Number> averageMemoryBandwidth(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    double bytes = 0;
    std::int64_t ns = 0;
    for (const RankKernels& rank : parsedKernels(analysis, input)) {
        for (const CopyBreakdown& copies : rank.copies) {
            bytes += static_cast<double>(copies.bytes);
            ns += copies.ns;
        }
        if (input.isJson()) {
            bytes += static_cast<double>(rank.sets.bytes);
            ns += rank.sets.ns;
        }
    }
    const auto rate = ratio(bytes, static_cast<double>(ns));
    return rate ? std::optional(Number{*rate, {}}) : std::nullopt;
}

/// Mean duration of the passes except the first and the last; with two passes, the duration of the second.
std::optional<Number> timePerOutputToken(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    if (!input.isJson() || input.readsNothing())
        return std::nullopt;
    std::vector<double> means;
    for (const Timeline* timeline : kinetoFiles(analysis)) {
        const bool passes = timeline->stepSource == StepSource::ExecuteContext
            || timeline->stepSource == StepSource::RunBatch;
        if (!passes || !input.ranks.contains(timeline->rank) || timeline->steps.size() < 2)
            continue;
        std::vector<double> seconds;
        const std::size_t end = timeline->steps.size() - (timeline->steps.size() > 2 ? 1 : 0);
        for (std::size_t i = 1; i < end; ++i)
            seconds.push_back(nsToSeconds(timeline->steps[i].range.lengthNs()));
        means.push_back(meanOf(seconds));
    }
    return means.empty() ? std::nullopt : std::optional(Number{meanOf(means), {}});
}

constexpr std::string_view doubleTimesWhy
    = "it sums times as double microseconds; the standard value is exact in nanoseconds";

constexpr Reference entries[] = {
    {"avg_step_time", "", dashboardTool, doubleTimesWhy, avgStepTime},
    {"mfu", "", dashboardTool,
     "it recognises only ProfilerStep markers as steps; without them it has no step time and prints -1", mfu},
    {"tpot", "", dashboardTool,
     "it takes the mean duration of the passes between the first and the last, without the gaps between them",
     timePerOutputToken},
    {"communication_fraction", "", dashboardTool,
     "a kernel that crosses a step boundary counts in full in both steps", communicationFraction},
    {"communication_ratio", "", dashboardTool, doubleTimesWhy, communicationRatio},
    {"total_communication_time", "", dashboardTool,
     "without ProfilerStep markers it covers the whole file instead of one step", totalCommunicationTime},
    {"comm_comp_overlap", "", dashboardTool, doubleTimesWhy, overlap},
    {"comm_comp_overlap", "communication_overlap_ratio", dashboardTool,
     "it covers the whole trace, including warm-up and the time outside the steps", overlapOfWholeFile},
    {"mean_sm_coverage", "", dashboardTool, "it covers the whole trace instead of the inner steps",
     smCoverageOfFile},
    {"dominant_kernel_concentration", "", dashboardTool,
     "it covers the whole trace instead of the inner steps", dominantKernel},
    {"moe_fraction", "", dashboardTool,
     "it prints 0 for a model without experts, for which the fraction is not defined", moeFraction},
    {"aggregate_gpu_utilization", "", dashboardTool,
     "it divides the busy time of the kernels (without copies) by the time from the first to the last kernel "
     "instead of the time of the steps",
     gpuUtilization},
    {"total_kernel_time", "", dashboardTool, doubleTimesWhy, totalKernelTime},
    {"memory_transfer_overhead", "", dashboardTool,
     "it looks for copies among the kernels of a PyTorch profile, which contain none, and always prints -1",
     memoryTransferOverhead},
    {"average_memory_bandwidth", "", dashboardTool,
     "it pools memsets with the copies in a PyTorch profile, and covers the whole trace instead of the inner "
     "steps",
     averageMemoryBandwidth},
};

} // namespace

extern const ReferenceSet dashboardReferences;
const ReferenceSet dashboardReferences{entries};

} // namespace collscope
