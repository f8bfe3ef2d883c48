// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sums over the events of an XLA (TPU) profile, under the names of CCL-Bench: over all chips and the whole
// file.

#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"

namespace collscope {

namespace {

/// Totals over all devices of the profile.
struct XlaSums
{
    std::int64_t chips = 0;
    TimeRange range; ///< first start to last end of their operations
    std::int64_t operations = 0, communications = 0;
    std::int64_t computeNs = 0, communicationNs = 0, allReduceNs = 0; ///< plain sums
    double communicatedBytes = 0;
    double flops = 0;
    std::int64_t withFlops = 0; ///< operations that state their FLOPs

    double wallSeconds() const { return nsToSeconds(range.lengthNs()); }
};

void addOperation(const TraceModel& model, SliceRef slice, XlaSums& sums)
{
    const SliceColumns& slices = model.track(slice.track).slices;
    const KernelClass kind = slices.kernelClass[slice.row];
    const std::int64_t ns = slices.durationNs[slice.row];
    sums.range
        = sums.operations++ == 0 ? slices.range(slice.row) : sums.range.united(slices.range(slice.row));
    const KernelDetail* detail = model.detailOf(slice);
    if (detail && detail->modelFlops >= 0) {
        sums.flops += detail->modelFlops;
        ++sums.withFlops;
    }
    if (!isCommunication(kind)) {
        sums.computeNs += ns;
        return;
    }
    sums.communicationNs += ns;
    sums.allReduceNs += kind == KernelClass::AllReduce ? ns : 0;
    // An asynchronous operation is a start and a done event; count it once.
    if (model.nameOf(slice).find("-start") == std::string_view::npos)
        ++sums.communications;
    if (detail && detail->bytes >= 0)
        sums.communicatedBytes += static_cast<double>(detail->bytes);
}

/// Calls f(slice) for each operation of a device. Skips the stream that shows asynchronous operations a
/// second time, from start to done.
template<typename F>
void forEachOperation(const TraceModel& model, const Timeline& timeline, F&& f)
{
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream || model.text(track.name).starts_with("Async"))
            continue;
        for (std::uint32_t row = 0; row < track.slices.size(); ++row)
            f(SliceRef{id, row});
    }
}

/// Timelines of the selected devices.
std::vector<const Timeline*> xlaDevices(const Analysis& analysis)
{
    std::vector<const Timeline*> devices;
    for (const Timeline& timeline : analysis.model().timelines) {
        if (timeline.isXla && (!analysis.options().rank || *analysis.options().rank == timeline.rank))
            devices.push_back(&timeline);
    }
    return devices;
}

/// The value of one metric from the sums; nullopt and a reason if the profile does not contain it.
using XlaFigure = std::optional<double> (*)(Analysis& analysis, const XlaSums& sums, std::string& reason);

MetricResult measured(Analysis& analysis, XlaFigure figure)
{
    const auto devices = xlaDevices(analysis);
    if (devices.empty())
        return MetricResult::missingInput(
            "This metric needs an XLA/TPU profile (*.xplane.pb, or the trace viewer's *.trace.json.gz) with "
            "hlo_category, model_flops and bytes_accessed.");
    const TraceModel& model = analysis.model();
    XlaSums sums;
    MetricResult result;
    for (const Timeline* device : devices) {
        ++sums.chips;
        forEachOperation(model, *device, [&](SliceRef slice) {
            addOperation(model, slice, sums);
            if (analysis.options().wantEvidence)
                result.evidence.push_back(slice);
        });
    }
    if (sums.operations == 0)
        return MetricResult::notApplicable("The XLA profile has devices without operations.");
    std::string reason;
    result.value = figure(analysis, sums, reason);
    if (!result.value)
        return MetricResult::notApplicable(std::move(reason));
    result.state = MetricState::Value;
    result.source = "xla";
    result.window = "whole file";
    result.reduction = "all chips together";
    result.scope = sums.chips == 1 ? "rank " + std::to_string(devices.front()->rank)
                                   : std::to_string(sums.chips) + " chips";
    result.inputs = {countText(sums.operations, "operation") + " of " + countText(sums.chips, "chip") + ", "
                     + std::to_string(sums.communications) + " of them communication."};
    result.details = {{"chips", sums.chips},
                      {"operations", sums.operations},
                      {"compute_s", nsToSeconds(sums.computeNs)},
                      {"communication_s", nsToSeconds(sums.communicationNs)},
                      {"wall_s", sums.wallSeconds()}};
    return result;
}

std::optional<double> meanCommunication(Analysis&, const XlaSums& sums, std::string& reason)
{
    reason = "The profile contains no communication operations.";
    return ratio(nsToSeconds(sums.communicationNs), static_cast<double>(sums.communications));
}

std::optional<double> bandwidth(Analysis&, const XlaSums& sums, std::string& reason)
{
    reason = sums.communications == 0 ? "The profile contains no communication operations."
                                      : "The communication operations of the profile have no bytes_accessed.";
    if (sums.communicatedBytes == 0)
        return std::nullopt;
    return ratio(sums.communicatedBytes, static_cast<double>(sums.communicationNs)); // bytes/ns = GB/s
}

std::optional<double> modelFlops(Analysis&, const XlaSums& sums, std::string& reason)
{
    reason = "The profile's operations have no model_flops.";
    return sums.withFlops > 0 ? std::optional(sums.flops) : std::nullopt;
}

std::optional<double> flopsPerToken(Analysis& analysis, const XlaSums&, std::string& reason)
{
    reason = "This metric needs the number of the model's parameters: a workload card or TorchTitan TOML "
             "with the model.";
    const Known<std::int64_t>& params = analysis.workload().params;
    constexpr double flopsPerParameter = 6;
    return params ? std::optional(flopsPerParameter * static_cast<double>(*params)) : std::nullopt;
}

std::optional<double> tokens(Analysis& analysis, const XlaSums& sums, std::string& reason)
{
    const auto flops = modelFlops(analysis, sums, reason);
    const auto each = flops ? flopsPerToken(analysis, sums, reason) : std::nullopt;
    return each ? ratio(*flops, *each) : std::nullopt;
}

std::optional<double> tokensPerSecond(Analysis& analysis, const XlaSums& sums, std::string& reason)
{
    const auto all = tokens(analysis, sums, reason);
    return all ? ratio(*all, sums.wallSeconds()) : std::nullopt;
}

std::optional<double> achievedFlops(Analysis& analysis, const XlaSums& sums, std::string& reason)
{
    const auto flops = modelFlops(analysis, sums, reason);
    return flops ? ratio(*flops, sums.wallSeconds()) : std::nullopt;
}

std::optional<double> wallSeconds(Analysis&, const XlaSums& sums, std::string&)
{
    return sums.wallSeconds();
}

std::optional<double> computeSeconds(Analysis&, const XlaSums& sums, std::string&)
{
    return nsToSeconds(sums.computeNs);
}

std::optional<double> communicationSeconds(Analysis&, const XlaSums& sums, std::string&)
{
    return nsToSeconds(sums.communicationNs);
}

std::optional<double> allReduceSeconds(Analysis&, const XlaSums& sums, std::string&)
{
    return nsToSeconds(sums.allReduceNs);
}

std::optional<double> computeShare(Analysis&, const XlaSums& sums, std::string&)
{
    return ratio(nsToSeconds(sums.computeNs), sums.wallSeconds() * static_cast<double>(sums.chips));
}

std::optional<double> communications(Analysis&, const XlaSums& sums, std::string&)
{
    return static_cast<double>(sums.communications);
}

template<XlaFigure figure>
MetricResult measureXla(Analysis& analysis)
{
    return measured(analysis, figure);
}

constexpr auto lower = MetricDirection::LowerIsBetter;
constexpr auto higher = MetricDirection::HigherIsBetter;

constexpr MetricPart xlaParts[] = {
    {.id = "total_compute_time_s",
     .title = "XLA: compute time",
     .direction = MetricDirection::Neutral,
     .meaning = "Total time of all XLA compute operations, over all chips.",
     .definition = "sum of the durations of XLA events that are not communication",
     .compute = measureXla<computeSeconds>},
    {.id = "total_comm_time_s",
     .title = "XLA: communication time",
     .meaning = "Total time of all XLA communication operations, over all chips.",
     .definition = "sum of the durations of XLA communication events",
     .compute = measureXla<communicationSeconds>},
    {.id = "avg_comm_kernel_time_s",
     .title = "XLA: mean communication time",
     .meaning = "Mean duration of an XLA communication operation.",
     .definition = "sum of the durations of XLA communication events / their number",
     .compute = measureXla<meanCommunication>},
    {.id = "allreduce_comm_time_s",
     .title = "XLA: all-reduce time",
     .meaning = "Total time of all XLA all-reduces, over all chips.",
     .definition = "sum of the durations of XLA all-reduce events",
     .compute = measureXla<allReduceSeconds>},
    {.id = "compute_utilization_proxy",
     .title = "XLA: compute share",
     .unit = "ratio",
     .direction = higher,
     .meaning = "Share of the profile's time in which XLA operations compute.",
     .definition = "total_compute_time_s / (wall_time_s x chips)",
     .compute = measureXla<computeShare>},
    {.id = "num_comm_kernels",
     .title = "XLA: communication operations",
     .unit = "count",
     .direction = MetricDirection::Neutral,
     .meaning = "Number of XLA communication operations, over all chips.",
     .definition = "number of XLA communication events; a start and its done count once",
     .compute = measureXla<communications>},
    {.id = "avg_comm_bandwidth_gbps",
     .title = "XLA: communication bandwidth",
     .unit = "GB/s",
     .direction = higher,
     .meaning = "Bytes moved by XLA communication per second of communication time.",
     .definition = "sum of bytes_accessed / sum of the durations of XLA communication events, decimal GB/s",
     .compute = measureXla<bandwidth>},
    {.id = "achieved_flops_from_trace_json",
     .title = "XLA: achieved FLOP/s",
     .unit = "FLOP/s",
     .direction = higher,
     .meaning = "Floating-point operations per second according to the profile.",
     .definition = "sum of model_flops / wall_time_s",
     .compute = measureXla<achievedFlops>},
    {.id = "total_model_flops_from_args",
     .title = "XLA: model FLOPs",
     .unit = "FLOP",
     .direction = MetricDirection::Neutral,
     .meaning = "Floating-point operations of all XLA events.",
     .definition = "sum of model_flops",
     .compute = measureXla<modelFlops>},
    {.id = "estimated_throughput_tokens_per_s",
     .title = "XLA: estimated tokens/s",
     .unit = "tokens/s",
     .direction = higher,
     .meaning = "Tokens per second estimated from the profile's FLOPs.",
     .definition = "estimated_total_tokens / wall_time_s",
     .compute = measureXla<tokensPerSecond>},
    {.id = "flops_per_token_used",
     .title = "XLA: FLOPs per token",
     .unit = "FLOP",
     .direction = MetricDirection::Neutral,
     .meaning = "Floating-point operations assumed per token.",
     .definition = "6 x parameters of the model, from the workload card",
     .compute = measureXla<flopsPerToken>},
    {.id = "estimated_total_tokens",
     .title = "XLA: estimated tokens",
     .unit = "tokens",
     .direction = MetricDirection::Neutral,
     .meaning = "Number of tokens estimated from the profile's FLOPs.",
     .definition = "total_model_flops_from_args / flops_per_token_used",
     .compute = measureXla<tokens>},
};

} // namespace

const MetricDescriptor xlaMetric{
    .id = "wall_time_s",
    .title = "XLA: wall time",
    .group = "Model",
    .unit = "s",
    .direction = lower,
    .needs = "an XLA/TPU profile (*.xplane.pb or trace viewer JSON)",
    .meaning = "Duration of the profile.",
    .definition = "end of the last XLA event - start of the first, over all chips",
    .parts = xlaParts,
    .compute = measureXla<wallSeconds>,
};

} // namespace collscope
