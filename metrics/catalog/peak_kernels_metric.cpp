// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Kernels that ran while NVLink throughput peaked.

#include "metrics/catalog/catalog.h"
#include "metrics/counters/nvlink_intervals.h"
#include "metrics/counters/peak_kernels.h"

#include <algorithm>

namespace collscope {

namespace {

Value intervalObject(const LinkInterval& interval, std::int64_t epochNs)
{
    const TimeRange range = interval.range();
    return Value::Object{{"start_us", microsecondsValue(range.beginNs + epochNs)},
                         {"end_us", microsecondsValue(range.endNs + epochNs)},
                         {"duration_us", microsecondsValue(range.lengthNs())},
                         {"throughput_gbps", interval.gigabytesPerSecond()},
                         {"bytes_transferred", interval.bytes()},
                         {"link_id", static_cast<std::int64_t>(interval.series->link)},
                         {"direction", interval.series->direction == LinkDirection::Tx ? "tx" : "rx"},
                         {"timestamp_iso", isoTime(range.beginNs + epochNs)}};
}

/// The kernels of one peak, in the format of CCL-Bench's nvlink_kernel_correlation.
struct PeakObject
{
    Value kernels;
    std::int64_t count = 0, communicating = 0;

    PeakObject(const TraceModel& model, const std::vector<KernelOverlap>& overlaps)
    {
        Value::Array rows;
        for (const KernelOverlap& overlap : overlaps) {
            const KernelDetail* const detail = model.detailOf(overlap.slice);
            const Track& track = model.track(overlap.slice.track);
            rows.emplace_back(Value::Object{
                {"name", model.nameOf(overlap.slice)},
                {"start_us", microsecondsValue(overlap.range.beginNs + model.axisZeroNs)},
                {"end_us", microsecondsValue(overlap.range.endNs + model.axisZeroNs)},
                {"duration_us", microsecondsValue(overlap.range.lengthNs())},
                {"device_id", detail ? detail->device : track.device},
                {"stream_id", detail ? detail->stream : track.stream},
                {"overlap_us", microsecondsValue(overlap.overlapNs)},
                {"overlap_pct", overlap.overlapPercent},
                {"is_nccl", overlap.communication},
            });
            communicating += overlap.communication ? 1 : 0;
        }
        count = static_cast<std::int64_t>(rows.size());
        kernels = std::move(rows);
    }
};

/// Readable table of a peak: its kernels with the most overlap.
MetricTable peakTable(const TraceModel& model, const std::vector<KernelOverlap>& overlaps,
                      const PeakObject& found, const LinkInterval& peak, std::size_t number)
{
    constexpr std::size_t kernelsListed = 20;
    MetricTable table;
    table.sheet.name = "peak " + std::to_string(number);
    table.sheet.columns = {"rank", "stream", "overlap_us", "overlap_percent", "kernel"};
    table.title = table.sheet.name + ": " + intervalText(peak, model.axisZeroNs) + ": "
        + countText(found.count, "kernel") + ", " + std::to_string(found.communicating)
        + " of them communication"
        + (overlaps.size() > kernelsListed
               ? "; the " + std::to_string(kernelsListed) + " with the most overlap:"
               : std::string(overlaps.empty() ? "" : ":"));
    for (std::size_t i = 0; i < std::min(overlaps.size(), kernelsListed); ++i) {
        const KernelOverlap& overlap = overlaps[i];
        const KernelDetail* const detail = model.detailOf(overlap.slice);
        const Track& track = model.track(overlap.slice.track);
        table.sheet.rows.push_back({static_cast<std::int64_t>(model.timelineOf(overlap.slice).rank),
                                    std::to_string(detail ? detail->stream : track.stream),
                                    microsecondsValue(overlap.overlapNs), overlap.overlapPercent,
                                    model.nameOf(overlap.slice)});
    }
    return table;
}

std::int64_t medianPeriodNs(const std::vector<const LinkSeries*>& series)
{
    std::vector<std::int64_t> periods;
    periods.reserve(series.size());
    for (const LinkSeries* one : series)
        periods.push_back(one->medianPeriodNs);
    const auto middle = periods.begin() + static_cast<std::ptrdiff_t>(periods.size() / 2);
    std::nth_element(periods.begin(), middle, periods.end());
    return *middle;
}

/// Fills in the details, in the format for one or for several peaks.
void fillDetails(MetricResult& result, const TraceModel& model, const KernelSource& source,
                 const std::vector<LinkInterval>& peaks, const MetricOptions& options)
{
    Value::Array objects;
    for (const LinkInterval& peak : peaks) {
        const std::vector<KernelOverlap> overlaps
            = kernelsDuring(model, source.timelines, peak.range(), options.ncclOnly);
        const PeakObject found(model, overlaps);
        const Value interval = intervalObject(peak, model.axisZeroNs);
        if (!result.value)
            result.value = static_cast<double>(found.count);
        result.tables.push_back(peakTable(model, overlaps, found, peak, result.tables.size() + 1));
        if (options.top > 1)
            objects.emplace_back(Value::Object{{"interval", interval},
                                               {"kernels", found.kernels},
                                               {"num_kernels", found.count},
                                               {"num_nccl_kernels", found.communicating}});
        else
            result.details = {{"peak_interval", interval},
                              {"kernels", found.kernels},
                              {"num_kernels", found.count},
                              {"num_nccl_kernels", found.communicating}};
        result.evidenceRanges.push_back(peak.range());
        if (options.wantEvidence) {
            for (const KernelOverlap& overlap : overlaps)
                result.evidence.push_back(overlap.slice);
        }
    }
    if (options.top > 1) {
        const auto count = static_cast<std::int64_t>(objects.size());
        result.details = {{"peaks", std::move(objects)}, {"num_peaks", count}};
    }
    std::sort(result.evidence.begin(), result.evidence.end());
    result.evidence.erase(std::unique(result.evidence.begin(), result.evidence.end()), result.evidence.end());
}

MetricResult peakKernels(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const MetricOptions& options = analysis.options();
    const NvlinkChoice nvlink = chooseNvlink(analysis, options.rank.value_or(0));
    if (!nvlink.device)
        return MetricResult::missingInput(nvlink.missing);
    if (!nvlink.place.rank && model.nvlink.size() > 1 && !model.timelines.empty())
        return MetricResult::notApplicable("The kernels of " + nvlink.name
                                           + " cannot be listed, because its rank cannot be told: "
                                           + nvlink.place.why + ".");
    const std::int32_t gpu = nvlink.place.rank.value_or(options.rank.value_or(0));
    const KernelSource source = chooseKernelSource(model, gpu, options.profileMode);
    if (source.timelines.empty()) {
        MetricResult result = MetricResult::notApplicable(source.missing);
        result.state = source.state;
        return result;
    }
    const std::vector<const LinkSeries*> series
        = selectSeries(*nvlink.device, options.link, options.direction);
    const std::vector<LinkInterval> peaks = topIntervals(series, std::max(options.top, 1));
    if (peaks.empty())
        return MetricResult::notApplicable(
            "The NVLink file contains no intervals of the selected link and direction.");
    const auto anyOverlaps = [&](TimeRange range) {
        return std::any_of(source.timelines.begin(), source.timelines.end(),
                           [&](const Timeline* timeline) { return timeline->range.overlaps(range); });
    };
    if (!anyOverlaps(nvlink.device->range()))
        return MetricResult::notApplicable(
            "The NVLink samples and the timeline of GPU " + std::to_string(gpu)
            + " do not overlap in time: they come from different runs, or one clock is wrong.");

    MetricResult result;
    result.state = MetricState::Value;
    result.scope = "GPU " + std::to_string(gpu);
    result.window = "top peak";
    result.reduction = "count";
    result.source = std::string("nvf1+").append(sourceKindName(source.timelines.front()->kind));
    if (!nvlink.warning.empty())
        result.warnings.push_back(nvlink.warning);
    if (!anyOverlaps(peaks.front().range()))
        result.warnings.emplace_back(
            "The highest peak is outside the traced time, so its kernels are unknown.");
    if (std::any_of(source.timelines.begin(), source.timelines.end(),
                    [](const Timeline* timeline) { return timeline->graphTraceSpans > 0; }))
        result.warnings.emplace_back(
            "CUDA graphs were traced as units: the kernels inside them are unknown.");
    fillDetails(result, model, source, peaks, options);
    const std::int64_t period = medianPeriodNs(series);
    result.details.emplace_back("uncertainty_us", microsecondsValue(period));
    if (nvlink.place.rank)
        result.inputs.push_back("The counters are those of rank " + std::to_string(gpu) + ", "
                                + nvlink.place.why + ".");
    result.inputs.push_back("Highest interval: " + std::to_string(peaks.front().bytes()) + " bytes in "
                            + numberText(nsToUs(peaks.front().range().lengthNs())) + " us on link "
                            + std::to_string(peaks.front().series->link) + ".");
    result.inputs.push_back("NVML counters lag behind the kernels by up to the median poll period, "
                            + numberText(nsToUs(period)) + " us; the comparison uses two host clocks.");
    result.rows.push_back({gpu, std::nullopt, result.value.value_or(0)});
    return result;
}

} // namespace

const MetricDescriptor peakKernelsMetric{
    .id = "peak_kernels",
    .title = "Kernels at the NVLink peak",
    .group = "NVLink",
    .unit = "count",
    .needs = "NVLink counters (NVF1 .bin) and a timeline with a wall clock (nsys, or Kineto)",
    .meaning = "Number and names of the kernels that ran during the interval of highest NVLink throughput.",
    .definition
    = "kernels of the GPU that overlap the interval of highest bytes / duration (--top K: the K highest), "
      "most "
      "overlap first; kernel time = session start + start. overlap_pct is relative to the interval",
    .compute = peakKernels,
};

} // namespace collscope
