// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Copies between host and GPU and between GPUs: their speed and their cost in time.

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/analysis/known_communication.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "metrics/core/step_rows.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <unordered_map>

namespace collscope {

namespace {

bool isCopy(const SliceColumns& slices, std::size_t row)
{
    return activeKindOf(slices, row) == ActiveCopy;
}

void add(CopyBreakdown& sum, const CopyBreakdown& part)
{
    sum.bytes += part.bytes;
    sum.ns += part.ns;
    sum.calls += part.calls;
}

std::optional<double> bandwidth(const CopyBreakdown& copies)
{
    return ratio(static_cast<double>(copies.bytes), static_cast<double>(copies.ns)); // bytes per ns = GB/s
}

Value::Object copyObject(const CopyBreakdown& copies)
{
    return {{"count", copies.calls},
            {"bytes", copies.bytes},
            {"ms", nsToMs(copies.ns)},
            {"gb_per_s", orNull(bandwidth(copies))}};
}

/// All copies of known size in the window, summed over all ranks.
struct CopySums
{
    CopyBreakdown copies, sets;
    std::int64_t unsized = 0;
};

CopySums sumCopies(const std::vector<RankKernels>& ranks, std::vector<MetricRow>* rows)
{
    CopySums all;
    for (const RankKernels& rank : ranks) {
        CopyBreakdown own;
        for (const CopyBreakdown& copies : rank.copies)
            add(own, copies);
        if (const auto speed = bandwidth(own); speed && rows)
            rows->push_back({rank.rank, std::nullopt, *speed});
        add(all.copies, own);
        add(all.sets, rank.sets);
        all.unsized += rank.unsizedCopies;
    }
    return all;
}

/// Direction of a copy, from its name as Kineto, ROCm and the nsys reader write it: "HtoD", "DtoH", "DtoD",
/// "PtoP", "HtoH" or "unknown".
std::string_view directionOf(std::string_view name)
{
    struct Rule
    {
        std::string_view word, direction;
    };
    static constexpr Rule rules[]
        = {{"htod", "HtoD"}, {"hosttodevice", "HtoD"},   {"dtoh", "DtoH"}, {"devicetohost", "DtoH"},
           {"dtod", "DtoD"}, {"devicetodevice", "DtoD"}, {"ptop", "PtoP"}, {"peertopeer", "PtoP"},
           {"htoh", "HtoH"}, {"hosttohost", "HtoH"}};
    std::string lower;
    for (const char c : name) {
        if (c != '_' && c != ' ')
            lower += lowered(c);
    }
    for (const Rule& rule : rules) {
        if (lower.find(rule.word) != std::string::npos)
            return rule.direction;
    }
    return "unknown";
}

/// The same copies grouped by direction, which Kineto states only in the name. Makes one pass over the GPU
/// slices of the windows and looks at each distinct name once.
std::vector<std::pair<std::string_view, CopyBreakdown>> sumByDirection(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    std::unordered_map<std::uint32_t, CopyBreakdown> byName;
    for (const RankWindows& rank : analysis.selection().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            const StepRows rows(model, *part.timeline, part.steps, analysis.options().attribution);
            for (const TrackId id : part.timeline->tracks) {
                const Track& track = model.track(id);
                if (track.kind != TrackKind::GpuStream || analysis.options().cancelled())
                    continue;
                const SliceColumns& slices = track.slices;
                for (std::size_t row = 0; row < slices.size(); ++row) {
                    if (!isCopy(slices, row) || slices.detail[row] == slices.noRow)
                        continue;
                    const KernelDetail& detail = part.timeline->kernelDetails[slices.detail[row]];
                    if (detail.bytes >= 0 && rows.stepOf(id, row) >= 0)
                        add(byName[slices.name[row].value], {-1, detail.bytes, slices.durationNs[row], 1});
                }
            }
        }
    }
    std::vector<std::pair<std::string_view, CopyBreakdown>> directions;
    for (const std::string_view direction : {"HtoD", "DtoH", "DtoD", "PtoP", "HtoH", "unknown"}) {
        CopyBreakdown sum;
        for (const auto& [name, copies] : byName) {
            if (directionOf(model.text(StringId{name})) == direction)
                add(sum, copies);
        }
        if (sum.calls > 0)
            directions.emplace_back(direction, sum);
    }
    return directions;
}

MetricResult averageMemoryBandwidth(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "pooled");
    if (auto none = copiesUnknown(analysis.selection()))
        return std::move(*none);
    MetricResult& result = gpu.result;
    const CopySums all = sumCopies(analysis.kernels(), &result.rows);
    result.value = bandwidth(all.copies);
    if (!result.value) {
        if (all.unsized > 0)
            return noValue(analysis.selection(), MetricState::MissingInput,
                           "The trace does not state the size of its copies (argument \"bytes\").");
        return noValue(analysis.selection(), MetricState::NotApplicable,
                       "No memory copy starts in the window (" + analysis.selection().window + ").");
    }
    if (all.unsized > 0)
        result.warnings.push_back(std::to_string(all.unsized) + " copies without a size are excluded.");
    Value::Object byDirection;
    for (const auto& [direction, copies] : sumByDirection(analysis))
        byDirection.emplace_back(direction, copyObject(copies));
    result.details = {{"bytes", all.copies.bytes},
                      {"copy_ms", nsToMs(all.copies.ns)},
                      {"copies", all.copies.calls},
                      {"by_direction", std::move(byDirection)}};
    if (all.sets.calls > 0)
        result.details.emplace_back("memset", copyObject(all.sets));
    result.inputs = {std::to_string(all.copies.calls) + " copies of " + std::to_string(all.copies.bytes)
                     + " bytes start in the window and take " + millisecondsText(all.copies.ns)
                     + " (sums over ranks; full durations, memsets excluded)."};
    addEvidence(analysis, analysis.selection(), result, isCopy);
    return std::move(result);
}

MetricResult memoryTransferOverhead(Analysis& analysis)
{
    GpuRanks gpu = gpuRanks(analysis, "mean of ranks");
    if (auto none = copiesUnknown(analysis.selection()))
        return std::move(*none);
    setShareOfWindow(gpu, [](const TimeBreakdown& work) { return work.exposedCopies(); });
    if (!gpu.result.value)
        return noValue(analysis.selection(), MetricState::NotApplicable,
                       "The window (" + analysis.selection().window + ") has no length.");
    std::vector<double> fromCompute;
    for (const RankBreakdown& rank : gpu.ranks) {
        if (const auto share = ratio(static_cast<double>(rank.total.active.anyOf(ActiveCopy, ActiveCompute)),
                                     static_cast<double>(rank.total.windowNs), 100.0))
            fromCompute.push_back(*share);
    }
    const TimeBreakdown all = sumOf(gpu.ranks);
    gpu.result.details = {{"exposed_to_compute_percent", meanOf(fromCompute)},
                          {"copy_ms", nsToMs(all.copies())},
                          {"exposed_copy_ms", nsToMs(all.exposedCopies())}};
    gpu.result.inputs = {"|M| copies " + millisecondsText(all.copies()) + ", "
                         + millisecondsText(all.exposedCopies()) + " of it without a running kernel, of T "
                         + millisecondsText(all.windowNs) + " (unions, summed over ranks and steps)."};
    addEvidence(analysis, analysis.selection(), gpu.result, isCopy);
    return std::move(gpu.result);
}

bool isDramRead(std::string_view name)
{
    return name.starts_with("DRAM Read");
}

bool isDramWrite(std::string_view name)
{
    return name.starts_with("DRAM Write");
}

/// Whether one counter covers both reads and writes.
bool isDramWhole(std::string_view name)
{
    return name.starts_with("DRAM") && !isDramRead(name) && !isDramWrite(name)
        && (name.find("Bandwidth") != std::string_view::npos
            || name.find("Throughput") != std::string_view::npos
            || name.find("Active") != std::string_view::npos);
}

/// Result for a run without DRAM counters: states that and gives the copy bandwidth, which is a different
/// quantity, under its own name.
MetricResult withoutDramCounters(Analysis& analysis)
{
    MetricResult result
        = noValue(analysis.selection(), MetricState::NotApplicable,
                  "The run contains no DRAM throughput samples in the window (" + analysis.selection().window
                      + "): record them with nsys --gpu-metrics-devices.");
    const CopySums all = sumCopies(analysis.kernels(), nullptr);
    if (const auto speed = bandwidth(all.copies)) {
        result.reason += " Instead, the trace gives the bandwidth of copies: " + numberText(*speed)
            + " GB/s (memcpy_gb_per_s).";
        result.details = {{"memcpy_gb_per_s", *speed}};
    }
    return result;
}

MetricResult memoryBandwidthUtilization(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    std::vector<double> values;
    std::vector<double> reads;
    std::vector<double> writes;
    std::int64_t samples = 0;
    for (const RankWindows& rank : selection.ranks) {
        const SampleSum read = sumSamples(analysis.model(), rank, isDramRead);
        const SampleSum write = sumSamples(analysis.model(), rank, isDramWrite);
        const SampleSum whole = sumSamples(analysis.model(), rank, isDramWhole);
        samples += read.count + write.count + (read.count + write.count == 0 ? whole.count : 0);
        // Both are shares of the same peak, so they can be added.
        std::optional<double> value = whole.mean();
        if (read.mean() || write.mean()) {
            value = read.mean().value_or(0.0) + write.mean().value_or(0.0);
            reads.push_back(read.mean().value_or(0.0));
            writes.push_back(write.mean().value_or(0.0));
            if (!read.mean() || !write.mean())
                result.warnings.push_back("Rank " + std::to_string(rank.rank) + " has samples of DRAM "
                                          + (read.mean() ? "reads" : "writes") + " only.");
        }
        if (!value)
            continue;
        values.push_back(*value);
        result.rows.push_back({rank.rank, std::nullopt, *value});
    }
    if (values.empty())
        return withoutDramCounters(analysis);
    result.value = meanOf(values);
    if (!reads.empty())
        result.details = {{"read_percent", meanOf(reads)}, {"write_percent", meanOf(writes)}};
    result.details.emplace_back("samples", samples);
    result.inputs = {std::to_string(samples)
                     + " samples of DRAM read and write throughput in the window, each in % of the peak."};
    addEvidence(analysis, selection, result,
                [](const SliceColumns& slices, std::size_t row) { return isGpuWork(slices.category[row]); });
    return result;
}

} // namespace

const MetricDescriptor averageMemoryBandwidthMetric{
    .id = "average_memory_bandwidth",
    .title = "Memory copy bandwidth",
    .group = "Memory",
    .unit = "GB/s",
    .direction = MetricDirection::HigherIsBetter,
    .needs = needsTimeline,
    .meaning = "Speed of memory copies between host and GPU or between GPUs.",
    .definition
    = "sum of bytes / sum of full durations of the memcpys that start in the window, pooled over ranks; "
      "memsets excluded; decimal GB/s",
    .ranks = &Analysis::selection,
    .compute = averageMemoryBandwidth,
};

const MetricDescriptor memoryTransferOverheadMetric{
    .id = "memory_transfer_overhead",
    .title = "Exposed copies",
    .group = "Memory",
    .unit = "%",
    .direction = MetricDirection::LowerIsBetter,
    .needs = needsTimeline,
    .meaning = "Share of the time during which a GPU copies and runs no kernel.",
    .definition
    = "100 \u00d7 |M \\ K| / T: M = union of memcpys, K = union of all kernels, clipped to the steps, per "
      "rank, then mean of ranks; 0 without a memcpy",
    .ranks = &Analysis::selection,
    .compute = memoryTransferOverhead,
    .fromSummaries = true,
};

const MetricDescriptor memoryBandwidthUtilizationMetric{
    .id = "memory_bandwidth_utilization",
    .title = "DRAM bandwidth utilization",
    .group = "Memory",
    .unit = "%",
    .direction = MetricDirection::HigherIsBetter,
    .needs = "nsys GPU metrics (DRAM counters)",
    .meaning = "Share of the GPU memory's peak bandwidth that reads and writes use.",
    .definition
    = "mean of the samples of DRAM read plus DRAM write throughput in the window, each in % of the peak, per "
      "rank, then mean of ranks",
    .ranks = &Analysis::selection,
    .compute = memoryBandwidthUtilization,
};

} // namespace collscope
