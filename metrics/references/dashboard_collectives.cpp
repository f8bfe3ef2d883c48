// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Calls, message sizes and ranks as computed by main.py, the tool set of CCL-Bench's dashboard. All of these
// functions read PyTorch profiles.

#include "metrics/core/statistics.h"
#include "metrics/references/dashboard_input.h"

#include <algorithm>

namespace collscope {

namespace {

using Number = Reference::Number;

/// The only kernels that the tool recognises as collectives by kernel name: those of NCCL 2.19 and later.
bool hasNewNcclName(std::string_view lowerCaseName)
{
    constexpr std::string_view prefix = "nccldevkernel_";
    return lowerCaseName.starts_with(prefix) && !lowerCaseName.substr(prefix.size()).starts_with("alltoall");
}

/// Bytes of the input elements: for an all-gather one rank's shard, not the message.
std::optional<double> inBytes(const TraceModel& model, const CollectiveCall& call)
{
    const auto size = elementSizeBytes(model.text(call.elementType));
    if (!size || !call.inElements || *call.inElements <= 0)
        return std::nullopt;
    return static_cast<double>(*call.inElements) * *size;
}

bool isKernelOf(const CollectiveCall& call, KernelClass kind)
{
    return call.onGpu && call.kind == kind && call.name;
}

// -- Bus bandwidths

/// Median over the calls of the first file: In elements / duration x bus factor, in GiB/s.
std::optional<Number> gibibytesPerSecond(Analysis& analysis, KernelClass kind)
{
    const DashboardInput input = dashboardInput(analysis);
    const TraceModel& model = analysis.model();
    if (!input.isJson())
        return std::nullopt;
    std::vector<double> rates;
    if (const Timeline* timeline = firstKineto(analysis)) {
        for (const CollectiveCall& call : timeline->collectives) {
            const auto bytes = inBytes(model, call);
            const std::int32_t n = call.groupSize.value_or(0);
            const std::int64_t ns = isKernelOf(call, kind) ? model.rangeOf(call.slice).lengthNs() : 0;
            if (!bytes || n < 2 || ns <= 0)
                continue;
            const double factor = (kind == KernelClass::AllReduce ? 2.0 : 1.0) * (n - 1) / n;
            constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
            rates.push_back(*bytes / nsToSeconds(ns) * factor / gibibyte);
        }
    }
    if (!rates.empty())
        return Number{medianOf(rates), {}};
    return Number{std::nullopt,
                  {{"printed", "nan"}},
                  input.readsNothing() ? "the file ends early and the tool's repair of such files never "
                                         "succeeds, so it reads nothing and prints nan"
                                       : "it prints nan if the first file contains no such call"};
}

std::optional<Number> allGatherBandwidth(Analysis& analysis)
{
    return gibibytesPerSecond(analysis, KernelClass::AllGather);
}
std::optional<Number> allReduceBandwidth(Analysis& analysis)
{
    return gibibytesPerSecond(analysis, KernelClass::AllReduce);
}
std::optional<Number> reduceScatterBandwidth(Analysis& analysis)
{
    return gibibytesPerSecond(analysis, KernelClass::ReduceScatter);
}
std::optional<Number> allToAllBandwidth(Analysis& analysis)
{
    return gibibytesPerSecond(analysis, KernelClass::AllToAll);
}

// -- collective_vol_*_gb

/// Bytes of the calls of whole files, limited to the four kinds that the tool recognises; mean over the
/// files.
std::optional<Number> volume(Analysis& analysis, const std::vector<KernelClass>& kinds)
{
    const DashboardInput input = dashboardInput(analysis);
    const TraceModel& model = analysis.model();
    if (!input.isJson() || input.readsNothing())
        return std::nullopt;
    std::vector<double> volumes;
    for (const Timeline* timeline : kinetoFiles(analysis)) {
        if (!input.ranks.contains(timeline->rank))
            continue;
        double sum = 0;
        for (const CollectiveCall& call : timeline->collectives) {
            const bool known = std::any_of(kinds.begin(), kinds.end(),
                                           [&](KernelClass kind) { return isKernelOf(call, kind); });
            if (known && model.text(call.name).find("coalesced") == std::string_view::npos)
                sum += inBytes(model, call).value_or(0.0);
        }
        volumes.push_back(sum / 1e9);
    }
    return volumes.empty() ? std::nullopt : std::optional(Number{meanOf(volumes), {}});
}

std::optional<Number> allReduceVolume(Analysis& analysis)
{
    return volume(analysis, {KernelClass::AllReduce});
}
std::optional<Number> allGatherVolume(Analysis& analysis)
{
    return volume(analysis, {KernelClass::AllGather});
}
std::optional<Number> reduceScatterVolume(Analysis& analysis)
{
    return volume(analysis, {KernelClass::ReduceScatter});
}
std::optional<Number> allToAllVolume(Analysis& analysis)
{
    return volume(analysis, {KernelClass::AllToAll});
}
std::optional<Number> totalVolume(Analysis& analysis)
{
    return volume(
        analysis,
        {KernelClass::AllReduce, KernelClass::AllGather, KernelClass::ReduceScatter, KernelClass::AllToAll});
}

// -- Functions that read only the file kineto_trace_0.json

constexpr std::string_view onlyFile = "kineto_trace_0.json";

bool hasProfiles(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    return analysis.options().profileMode != ProfileMode::Nsys
        && std::any_of(model.timelines.begin(), model.timelines.end(),
                       [](const Timeline& timeline) { return timeline.kind == SourceKind::Kineto; });
}

std::optional<Number> collCallNum(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const Timeline* timeline = findFile(analysis, onlyFile);
    if (!timeline) {
        // A profile of that name that ends early: the tool's output is not known in this case.
        const bool thereIsOne
            = std::any_of(model.timelines.begin(), model.timelines.end(), [&](const Timeline& one) {
                  return one.kind == SourceKind::Kineto && fileName(model, one) == onlyFile;
              });
        if (!hasProfiles(analysis) || thereIsOne)
            return std::nullopt;
        return Number{
            0.0, {}, "it reads only kineto_trace_0.json and silently prints 0 if no file has that name"};
    }
    NameTest isNccl(model, hasNewNcclName);
    std::int64_t calls = 0;
    forEachKernel(analysis, *timeline, [&](const Track& track, std::size_t row) {
        calls += isNccl(track.slices.name[row]) ? 1 : 0;
    });
    return Number{static_cast<double>(calls), {}};
}

std::optional<Number> communicationOverhead(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const Timeline* timeline = findFile(analysis, onlyFile);
    if (!timeline)
        return std::nullopt; // it stops with an error
    NameTest isNccl(model, hasNewNcclName);
    std::int64_t communication = 0;
    std::int64_t all = 0;
    forEachKernel(analysis, *timeline, [&](const Track& track, std::size_t row) {
        all += track.slices.durationNs[row];
        communication += isNccl(track.slices.name[row]) ? track.slices.durationNs[row] : 0;
    });
    const auto share = ratio(static_cast<double>(communication), static_cast<double>(all));
    return share ? std::optional(Number{*share, {}}) : std::nullopt;
}

std::optional<Number> allReduceOfPeak(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const Timeline* timeline = findFile(analysis, onlyFile);
    if (!timeline)
        return std::nullopt; // it stops with an error
    NameTest isNccl(model, hasNewNcclName);
    std::vector<double> shares;
    for (const CollectiveCall& call : timeline->collectives) {
        const auto bytes = inBytes(model, call);
        const std::int32_t n = call.groupSize.value_or(0);
        if (!bytes || n < 1 || !isKernelOf(call, KernelClass::AllReduce)
            || !isNccl(model.track(call.slice.track).slices.name[call.slice.row]))
            continue;
        constexpr double peakGbps = 100.0;
        const double gbps = *bytes / n * (n - 1) / static_cast<double>(model.rangeOf(call.slice).lengthNs());
        shares.push_back(gbps / peakGbps);
    }
    return shares.empty() ? std::nullopt : std::optional(Number{meanOf(shares), {}});
}

/// Seconds of communication kernels per iteration and GPU, by the parallelism that the tool assigns.
std::optional<Number> communicationByParallelism(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    std::int64_t tensor = 0;
    std::int64_t data = 0;
    std::int64_t pipeline = 0;
    std::int64_t other = 0;
    std::size_t files = 0;
    // Iterations are counted by this operator's calls. If there are any, an AllReduce "inside" one is data
    // parallel; the tool's meaning of "inside" is not known.
    NameTest marksIteration(model,
                            [](std::string_view name) { return holdsAnyOf(name, {"redistributebackward"}); });
    NameTest isNccl(model, [](std::string_view name) { return holdsAnyOf(name, {"nccl"}); });
    bool marked = false;
    for (const Timeline* timeline : kinetoFiles(analysis)) {
        if (!fileName(model, *timeline).starts_with("kineto_trace_"))
            continue;
        ++files;
        forEachEvent(analysis, *timeline, [&](const Track& track, std::size_t row) {
            const SliceColumns& slices = track.slices;
            marked |= slices.category[row] == SliceCategory::CpuOp && marksIteration(slices.name[row]);
            if (slices.category[row] != SliceCategory::Kernel || !isNccl(slices.name[row]))
                return;
            switch (slices.kernelClass[row]) {
            case KernelClass::AllReduce:
            case KernelClass::Broadcast:
                tensor += slices.durationNs[row];
                break;
            case KernelClass::AllGather:
            case KernelClass::ReduceScatter:
                data += slices.durationNs[row];
                break;
            case KernelClass::SendRecv:
                pipeline += slices.durationNs[row];
                break;
            default:
                other += slices.durationNs[row];
            }
        });
    }
    if (files == 0 || marked)
        return std::nullopt;
    const auto perFile = [&](std::int64_t ns) { return nsToSeconds(ns) / static_cast<double>(files); };
    return Number{std::nullopt,
                  {{"tp_window_sec", perFile(tensor)},
                   {"dp_window_sec", perFile(data)},
                   {"pp_window_sec", perFile(pipeline)},
                   {"other_comm_window_sec", perFile(other)},
                   {"total_comm_window_sec", perFile(tensor + data + pipeline + other)}}};
}

// -- Comparison of the ranks

/// Sum of NCCL kernel times of each file named rank<N>_trace.json; nullopt if one of them cannot be parsed.
std::optional<std::vector<double>> ncclTimes(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    NameTest isNccl(model, [](std::string_view name) { return holdsAnyOf(name, {"nccl"}); });
    std::vector<double> times;
    for (const Timeline& timeline : model.timelines) {
        const std::string_view name = fileName(model, timeline);
        if (timeline.kind != SourceKind::Kineto || !name.starts_with("rank")
            || !name.ends_with("_trace.json"))
            continue;
        if (endsEarly(model, timeline))
            return std::nullopt;
        std::int64_t sum = 0;
        forEachKernel(analysis, timeline, [&](const Track& track, std::size_t row) {
            sum += isNccl(track.slices.name[row]) ? track.slices.durationNs[row] : 0;
        });
        times.push_back(nsToSeconds(sum));
    }
    return times;
}

constexpr std::string_view noRankFileWhy
    = "it reads only files named rank<N>_trace.json and prints 0 if none exists";

/// Returns f(least, most) of the ranks' NCCL times.
template<typename F>
std::optional<Number> ofNcclTimes(Analysis& analysis, const F& f)
{
    const auto times = hasProfiles(analysis) ? ncclTimes(analysis) : std::nullopt;
    if (!times)
        return std::nullopt;
    if (times->empty())
        return Number{0.0, {}, noRankFileWhy};
    const auto [least, most] = std::minmax_element(times->begin(), times->end());
    const std::optional<double> value = f(*least, *most);
    return value ? std::optional(Number{*value, {}}) : std::nullopt;
}

std::optional<Number> stragglerDelay(Analysis& analysis)
{
    return ofNcclTimes(analysis, [](double least, double most) {
        return std::optional(most > 0 ? (most - least) / most : 0.0);
    });
}

std::optional<Number> stragglerSlowdown(Analysis& analysis)
{
    return ofNcclTimes(analysis, [](double least, double most) { return ratio(most, least); });
}

std::optional<Number> loadImbalance(Analysis& analysis)
{
    const DashboardInput input = dashboardInput(analysis);
    std::vector<double> busy;
    for (const RankBreakdown& rank : analysis.wholeWork()) {
        if (input.ranks.contains(rank.rank))
            busy.push_back(static_cast<double>(rank.total.active.anyOf(ActiveKernel)));
    }
    if (busy.size() < 2)
        return std::nullopt;
    const auto [least, most] = std::minmax_element(busy.begin(), busy.end());
    const auto imbalance = ratio(*most, *least);
    return imbalance ? std::optional(Number{*imbalance, {}}) : std::nullopt;
}

constexpr std::string_view bandwidthWhy = "it computes GiB but prints GB, and reads only the first file, "
                                          "where waiting for late peers is part of the duration";
constexpr std::string_view volumeWhy = "it sums all steps of the file; the standard value is per step";
constexpr std::string_view stragglerWhy
    = "it compares the summed NCCL kernel times of the ranks: the rank that arrives last waits least and "
      "looks best, and its number is not printed";

constexpr Reference entries[] = {
    {"allgather_bus_bandwidth", "", dashboardTool,
     "it treats one rank's shard as the message, computes GiB but prints GB, and reads only the first file",
     allGatherBandwidth},
    {"allreduce_bus_bandwidth", "", dashboardTool, bandwidthWhy, allReduceBandwidth},
    {"reducescatter_bus_bandwidth", "", dashboardTool, bandwidthWhy, reduceScatterBandwidth},
    {"alltoall_bus_bandwidth", "", dashboardTool, bandwidthWhy, allToAllBandwidth},
    {"collective_vol_allreduce_gb", "", dashboardTool, volumeWhy, allReduceVolume},
    {"collective_vol_allgather_gb", "", dashboardTool,
     "it sums all steps of the file and treats one rank's shard as the message", allGatherVolume},
    {"collective_vol_reducescatter_gb", "", dashboardTool, volumeWhy, reduceScatterVolume},
    {"collective_vol_alltoall_gb", "", dashboardTool, volumeWhy, allToAllVolume},
    {"communication_volume", "collective_vol_total_gb", dashboardTool,
     "it sums all steps of the file, treats one rank's shard as an all-gather's message, and omits "
     "broadcasts",
     totalVolume},
    {"coll_call_num", "", dashboardTool,
     "it counts the whole file instead of one iteration, and only kernels named ncclDevKernel_*, so it finds "
     "none of NCCL before 2.19",
     collCallNum},
    {"communication_overhead", "", dashboardTool,
     "it recognises only kernels named ncclDevKernel_* as communication, so it finds none of NCCL before "
     "2.19",
     communicationOverhead},
    {"bandwidth_utilization", "", dashboardTool,
     "it assumes a peak of 100 GB/s for every device and omits the factor 2 of a ring all-reduce",
     allReduceOfPeak},
    {"traffic_window", "", dashboardTool,
     "it sums the durations of communication kernels, which are not windows between phases; an AllReduce "
     "counts as tensor parallel, AllGather and ReduceScatter as data parallel",
     communicationByParallelism},
    {"straggler", "", dashboardTool, stragglerWhy, stragglerDelay},
    {"straggler_slowdown", "", dashboardTool, stragglerWhy, stragglerSlowdown},
    {"load_imbalance_ratio", "", dashboardTool,
     "it counts communication kernels as work: a rank that waits in them looks as busy as the rank it waits "
     "for",
     loadImbalance},
};

} // namespace

extern const ReferenceSet dashboardCollectiveReferences;
const ReferenceSet dashboardCollectiveReferences{entries};

} // namespace collscope
