// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// nsys_analyzer of CCL-Bench's extras: it puts all GPUs of an export on one timeline and classifies every
// collective as data parallel. Its iterations cannot be reproduced here: it does not see NVTX ranges whose
// text is in StringIds, and the model does not record which ranges those are.

#include "metrics/references/tool_input.h"

namespace collscope {

namespace {

using Number = Reference::Number;

/// All kernels of one export.
struct Kernels
{
    std::vector<TimeRange> communication, computation;
    bool dataParallelOnly = true; ///< only collectives that the tool classifies as DP
};

/// Returns nullopt unless there is exactly one export: how the tool treats several is not known.
std::optional<Kernels> kernelsOfExport(Analysis& analysis)
{
    Kernels kernels;
    std::optional<SourceId> source;
    if (analysis.options().profileMode == ProfileMode::Torch)
        return std::nullopt;
    for (const Timeline& timeline : analysis.model().timelines) {
        if (timeline.kind != SourceKind::Nsys)
            continue;
        if (source && source->value != timeline.source.value)
            return std::nullopt;
        source = timeline.source;
        const bool done = forEachKernel(analysis, timeline, [&](const Track& track, std::size_t row) {
            const KernelClass kind = track.slices.kernelClass[row];
            (isCommunication(kind) ? kernels.communication : kernels.computation)
                .push_back(track.slices.range(row));
            kernels.dataParallelOnly &= !isCommunication(kind) || kind == KernelClass::AllReduce
                || kind == KernelClass::AllGather || kind == KernelClass::ReduceScatter;
        });
        if (!done)
            return std::nullopt;
    }
    return kernels.communication.empty() && kernels.computation.empty() ? std::nullopt
                                                                        : std::optional(std::move(kernels));
}

/// Both kinds of kernels, swept on one timeline.
struct Sweep
{
    std::int64_t totalNs = 0, communicationNs = 0, computationNs = 0, bothNs = 0;

    explicit Sweep(const Kernels& kernels)
    {
        const IntervalSet communication(kernels.communication);
        const IntervalSet computation(kernels.computation);
        const IntervalSet busy = communication.united(computation);
        totalNs = busy.intervals().back().endNs - busy.intervals().front().beginNs;
        communicationNs = communication.lengthNs();
        computationNs = computation.lengthNs();
        bothNs = communication.intersected(computation).lengthNs();
    }
    std::int64_t onlyCommunicationNs() const { return communicationNs - bothNs; }
    std::int64_t onlyComputationNs() const { return computationNs - bothNs; }
    std::int64_t idleNs() const { return totalNs - communicationNs - computationNs + bothNs; }
    double share(std::int64_t ns) const
    {
        return ratio(static_cast<double>(ns), static_cast<double>(totalNs)).value_or(0.0);
    }
};

std::int64_t countOf(const std::vector<TimeRange>& ranges)
{
    return static_cast<std::int64_t>(ranges.size());
}

std::optional<Number> overlap(Analysis& analysis)
{
    const auto kernels = kernelsOfExport(analysis);
    if (!kernels)
        return std::nullopt;
    const Sweep sweep(*kernels);
    const auto hidden = ratio(static_cast<double>(sweep.bothNs), static_cast<double>(sweep.communicationNs));
    if (!hidden)
        return std::nullopt;
    return Number{100.0 * *hidden,
                  {{"total_time_ns", sweep.totalNs},
                   {"comm_only_time_ns", sweep.onlyCommunicationNs()},
                   {"compute_only_time_ns", sweep.onlyComputationNs()},
                   {"overlap_time_ns", sweep.bothNs},
                   {"idle_time_ns", sweep.idleNs()},
                   {"comm_time_union_ns", sweep.communicationNs},
                   {"compute_time_union_ns", sweep.computationNs},
                   {"overlap_ratio", *hidden},
                   {"average_overlap_ratio", *hidden},
                   {"nccl_intervals", countOf(kernels->communication)},
                   {"compute_intervals", countOf(kernels->computation)},
                   {"total_nccl_time_ns", sweep.communicationNs},
                   {"total_compute_time_ns", sweep.computationNs},
                   {"is_estimated", false}}};
}

std::optional<Number> communicationTime(Analysis& analysis)
{
    const auto kernels = kernelsOfExport(analysis);
    if (!kernels)
        return std::nullopt;
    const Sweep sweep(*kernels);
    return Number{nsToSeconds(sweep.communicationNs),
                  {{"total_time_ms", nsToMs(sweep.totalNs)},
                   {"comm_only_time_ms", nsToMs(sweep.onlyCommunicationNs())},
                   {"compute_only_time_ms", nsToMs(sweep.onlyComputationNs())},
                   {"overlap_time_ms", nsToMs(sweep.bothNs)},
                   {"idle_time_ms", nsToMs(sweep.idleNs())},
                   {"effective_comm_time_ms", nsToMs(sweep.communicationNs)},
                   {"effective_compute_time_ms", nsToMs(sweep.computationNs)},
                   {"comm_percentage", 100.0 * sweep.share(sweep.communicationNs)},
                   {"compute_percentage", 100.0 * sweep.share(sweep.computationNs)},
                   {"overlap_percentage", 100.0 * sweep.share(sweep.bothNs)},
                   {"idle_percentage", 100.0 * sweep.share(sweep.idleNs())},
                   {"num_kernels", countOf(kernels->communication) + countOf(kernels->computation)}}};
}

/// Only for collectives that the tool classifies as DP; the rest of its table is not known.
std::optional<Number> breakdown(Analysis& analysis)
{
    const auto kernels = kernelsOfExport(analysis);
    if (!kernels || !kernels->dataParallelOnly)
        return std::nullopt;
    const Sweep sweep(*kernels);
    Number number;
    number.details = {{"total_time_ms", nsToMs(sweep.totalNs)},
                      {"compute_time_ms", nsToMs(sweep.computationNs)},
                      {"comm_DP_time_ms", nsToMs(sweep.communicationNs)}};
    for (const char* other : {"TP", "PP", "EP", "OTHER"})
        number.details.emplace_back(std::string("comm_") + other + "_time_ms", 0.0);
    const Value::Object rest{
        {"category_counts",
         Value::Object{{"DP", countOf(kernels->communication)}, {"compute", countOf(kernels->computation)}}},
        {"idle_time_ms", nsToMs(sweep.idleNs())},
        {"overlap_time_ms", nsToMs(sweep.bothNs)},
        {"total_comm_time_ms", nsToMs(sweep.communicationNs)},
        {"compute_ratio", sweep.share(sweep.computationNs)},
        {"comm_DP_ratio", sweep.share(sweep.communicationNs)},
        {"idle_ratio", sweep.share(sweep.idleNs())},
        {"overlap_ratio", sweep.share(sweep.bothNs)},
        {"gpu_utilization", sweep.share(sweep.totalNs - sweep.idleNs())}};
    number.details.insert(number.details.end(), rest.begin(), rest.end());
    for (const char* other : {"TP", "PP", "EP", "OTHER"})
        number.details.emplace_back(std::string("comm_") + other + "_ratio", 0.0);
    return number;
}

/// With every kernel in one category there is one phase and no transition.
std::optional<Number> phaseWindows(Analysis& analysis)
{
    const auto kernels = kernelsOfExport(analysis);
    if (!kernels || !kernels->dataParallelOnly || kernels->communication.empty())
        return std::nullopt;
    return Number{std::nullopt,
                  {{"transitions", Value::Object()},
                   {"total_windows", 0},
                   {"positive_windows", 0},
                   {"negative_windows", 0},
                   {"num_phases", 1},
                   {"category_counts", Value::Object{{"DP", countOf(kernels->communication)}}}}};
}

constexpr Reference entries[] = {
    {"comm_comp_overlap", "overlap", "nsys_analyzer of CCL-Bench (METRIC 5)",
     "it puts all GPUs of an export on one timeline, so compute on one GPU hides communication on another",
     overlap},
    {"total_communication_time", "accurate_comm_time", "nsys_analyzer of CCL-Bench",
     "it puts all GPUs of an export on one timeline and covers the whole trace instead of one step",
     communicationTime},
    {"comm_breakdown", "", "nsys_analyzer of CCL-Bench (METRIC 1)",
     "it classifies every AllReduce, AllGather and ReduceScatter as data parallel, so tensor parallel is "
     "always 0, and puts all GPUs on one timeline",
     breakdown},
    {"traffic_window", "phase_windows", "nsys_analyzer of CCL-Bench (METRIC 2)",
     "it classifies every AllReduce as data parallel, so the phases of tensor parallel disappear",
     phaseWindows},
};

} // namespace

extern const ReferenceSet nsysAnalyzerReferences;
const ReferenceSet nsysAnalyzerReferences{entries};

} // namespace collscope
