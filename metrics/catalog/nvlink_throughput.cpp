// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// NVLink counters of one GPU: maximum, average and total.

#include "metrics/catalog/catalog.h"
#include "metrics/counters/nvlink_intervals.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace collscope {

namespace {

constexpr std::array directions{LinkDirection::Tx, LinkDirection::Rx};

std::string_view nameOf(LinkDirection direction)
{
    return direction == LinkDirection::Tx ? "tx" : "rx";
}

struct LinkSums
{
    std::uint64_t bytes = 0;
    std::int64_t durationNs = 0; ///< sum over all series
    std::size_t intervals = 0, active = 0;
    std::optional<TimeRange> span;

    void add(const LinkSeries& series)
    {
        for (std::size_t i = 0; i < series.bytes.size(); ++i) {
            bytes += series.bytes[i];
            durationNs += series.endNs[i] - series.beginNs[i];
            active += series.bytes[i] > 0 ? 1u : 0u;
        }
        intervals += series.bytes.size();
        if (!series.bytes.empty()) {
            const TimeRange range{series.beginNs.front(), series.endNs.back()};
            span = span ? span->united(range) : range;
        }
    }
};

/// The series that the options select, or a result with the reason why none was found.
struct Selected
{
    const NvlinkDevice* device = nullptr;
    std::vector<const LinkSeries*> series;
    std::optional<MetricResult> failure;
    MetricResult result; ///< with scope, source and warnings filled in

    LinkSums sums(std::optional<LinkDirection> direction) const
    {
        LinkSums sums;
        for (const LinkSeries* one : series) {
            if (!direction || one->direction == *direction)
                sums.add(*one);
        }
        return sums;
    }
    bool has(LinkDirection direction) const
    {
        return std::any_of(series.begin(), series.end(),
                           [&](const LinkSeries* one) { return one->direction == direction; });
    }
};

std::string linkNames(const NvlinkDevice& device)
{
    std::set<std::uint32_t> links;
    for (const LinkSeries* series : selectSeries(device, std::nullopt, std::nullopt))
        links.insert(series->link);
    std::string names;
    for (const std::uint32_t link : links)
        names += (names.empty() ? "" : ", ") + std::to_string(link);
    return names.empty() ? "none" : names;
}

Selected select(const TraceModel& model, const MetricOptions& options)
{
    Selected selected;
    const NvlinkChoice choice = chooseNvlink(model, options.rank);
    if (!choice.device) {
        selected.failure = MetricResult::missingInput(choice.missing);
        return selected;
    }
    selected.device = choice.device;
    selected.series = selectSeries(*choice.device, options.link, options.direction);
    if (selected.series.empty()) {
        std::string what = options.direction ? std::string(nameOf(*options.direction)) + " samples"
                                             : std::string("samples");
        if (options.link)
            what += " of link " + std::to_string(*options.link);
        selected.failure
            = MetricResult::notApplicable("The NVLink file contains no " + what + "; it has data of links "
                                          + linkNames(*choice.device) + ".");
        return selected;
    }
    MetricResult& result = selected.result;
    result.state = MetricState::Value;
    result.source = "nvf1";
    result.window = "whole file";
    result.scope = choice.device->gpu ? choice.name : "GPU not named in the file";
    if (choice.place.rank && choice.place.rank != choice.device->gpu)
        result.scope += ", rank " + std::to_string(*choice.place.rank);
    if (options.link)
        result.scope += ", link " + std::to_string(*options.link);
    if (options.direction)
        result.scope.append(", ").append(nameOf(*options.direction));
    if (!choice.warning.empty())
        result.warnings.push_back(choice.warning);
    if (choice.place.rank)
        result.inputs.push_back("The file is that of rank " + std::to_string(*choice.place.rank) + ", "
                                + choice.place.why + ".");
    std::uint64_t resets = 0;
    for (const LinkSeries* series : selected.series)
        resets += series->resets;
    if (resets > 0)
        result.warnings.push_back("Counters went backwards (resets: " + std::to_string(resets)
                                  + "); these intervals count as 0 bytes.");
    const LinkSums sums = selected.sums(std::nullopt);
    result.inputs.push_back(std::to_string(selected.series.size()) + " series (link and direction) with "
                            + std::to_string(sums.intervals) + " intervals, " + std::to_string(sums.active)
                            + " of them with traffic.");
    result.inputs.push_back(std::to_string(sums.bytes) + " bytes in " + numberText(nsToUs(sums.durationNs))
                            + " us, summed over the series.");
    return selected;
}

MetricResult maxThroughput(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const MetricOptions& options = analysis.options();
    Selected selected = select(model, options);
    if (selected.failure)
        return *selected.failure;
    MetricResult result = std::move(selected.result);
    const std::vector<LinkInterval> top = topIntervals(selected.series, 1);
    if (top.empty())
        return MetricResult::notApplicable("The selected NVLink series contain no intervals.");
    const LinkInterval& peak = top.front();
    const TimeRange range = peak.range();
    result.value = peak.gigabytesPerSecond();
    result.reduction = "max over links and directions";
    const std::int64_t epochNs = selected.device->hasWallClock ? model.axisZeroNs : 0;
    result.details = {{"link_id", static_cast<std::int64_t>(peak.series->link)},
                      {"direction", nameOf(peak.series->direction)},
                      {"timestamp_us", microsecondsValue(range.beginNs + epochNs)},
                      {"interval_duration_us", microsecondsValue(range.lengthNs())},
                      {"interval_bytes", peak.bytes()}};
    for (const LinkDirection direction : directions) {
        // With one link selected, the sum over links is the scalar itself.
        if (options.link || !selected.has(direction))
            continue;
        const StepFunction sum = aggregateThroughput(*selected.device, direction);
        if (sum.value.empty())
            continue;
        result.details.emplace_back(std::string("max_aggregate_").append(nameOf(direction)), sum.highest());
        // The chart of all links shows this one, several times as high.
        result.inputs.push_back(std::string("All links together, as in the NVLink chart: at most ")
                                    .append(numberText(std::round(10 * sum.highest()) / 10))
                                    .append(" GB/s ")
                                    .append(nameOf(direction))
                                    .append("; the value is that of one link."));
    }
    if (peak.series->gap[peak.index])
        result.warnings.emplace_back(
            "The highest interval is a gap in the sampling; the true peak may be higher.");
    result.evidenceRanges = {range};
    return result;
}

MetricResult avgThroughput(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const MetricOptions& options = analysis.options();
    Selected selected = select(model, options);
    if (selected.failure)
        return *selected.failure;
    MetricResult result = std::move(selected.result);
    const LinkSums all = selected.sums(std::nullopt);
    result.value = gigabytesPerSecond(all.bytes, all.durationNs);
    result.reduction = "pooled over links and directions";
    result.details = {{"total_duration_us", microsecondsValue(all.durationNs)},
                      {"num_intervals", static_cast<std::int64_t>(all.intervals)},
                      {"num_active_intervals", static_cast<std::int64_t>(all.active)}};
    if (!all.span)
        return result;
    for (const LinkDirection direction : directions) {
        if (options.direction || !selected.has(direction))
            continue;
        const double aggregate = gigabytesPerSecond(selected.sums(direction).bytes, all.span->lengthNs());
        result.details.emplace_back(std::string("aggregate_avg_").append(nameOf(direction)), aggregate);
    }
    result.evidenceRanges = {*all.span};
    return result;
}

MetricResult totalCommunication(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const MetricOptions& options = analysis.options();
    Selected selected = select(model, options);
    if (selected.failure)
        return *selected.failure;
    MetricResult result = std::move(selected.result);
    result.reduction = "sum over links";
    if (const auto span = selected.sums(std::nullopt).span)
        result.evidenceRanges = {*span};
    if (options.direction) {
        result.value = static_cast<double>(selected.sums(options.direction).bytes);
        return result;
    }
    const std::uint64_t tx = selected.sums(LinkDirection::Tx).bytes;
    const std::uint64_t rx = selected.sums(LinkDirection::Rx).bytes;
    const bool both = selected.has(LinkDirection::Tx) && selected.has(LinkDirection::Rx);
    result.details = {{"rx_bytes", selected.has(LinkDirection::Rx) ? Value(rx) : Value()},
                      {"tx_bytes", selected.has(LinkDirection::Tx) ? Value(tx) : Value()}};
    // The peers receive what one GPU sends: with both directions the traffic is their mean, with one
    // direction that direction.
    result.value = static_cast<double>(both ? (tx + rx) / 2 : tx + rx);
    if (!both) {
        result.warnings.push_back(
            std::string("The file contains no ")
                .append(nameOf(selected.has(LinkDirection::Tx) ? LinkDirection::Rx : LinkDirection::Tx))
                .append(" samples; the other direction is reported in full, not halved."));
    }
    return result;
}

/// A result as the object nested under the name of its metric.
Value objectOf(MetricResult result, std::string_view unit)
{
    Value::Object object{{"value", orNull(result.value)}, {"unit", unit}};
    std::move(result.details.begin(), result.details.end(), std::back_inserter(object));
    return object;
}

MetricResult nvlinkAll(Analysis& analysis)
{
    MetricResult highest = maxThroughput(analysis);
    if (highest.state != MetricState::Value)
        return highest;
    MetricResult average = avgThroughput(analysis);
    MetricResult total = totalCommunication(analysis);
    MetricResult result = highest;
    for (const std::string& warning : total.warnings) {
        if (std::find(result.warnings.begin(), result.warnings.end(), warning) == result.warnings.end())
            result.warnings.push_back(warning);
    }
    result.details = {{"max_throughput", objectOf(std::move(highest), "GB/s")},
                      {"avg_throughput", objectOf(std::move(average), "GB/s")},
                      {"total_communication", objectOf(std::move(total), "bytes")}};
    return result;
}

constexpr std::string_view needsCounters = "NVLink counters (NVF1 .bin)";

} // namespace

constexpr MetricPart nvlinkAllParts[] = {
    {.id = "max_throughput",
     .title = "Peak throughput of one link",
     .meaning = "Highest throughput of any link and direction in one sampling interval.",
     .definition = "max over intervals of bytes / duration, per link and direction; bytes = KiB counter "
                   "difference x 1024, "
                   "the bytes of zero-length intervals count in the next interval. max_aggregate_tx/rx: "
                   "maximum over time "
                   "of the sum over links",
     .compute = maxThroughput},
    {.id = "avg_throughput",
     .title = "Average throughput of one link",
     .meaning = "Mean throughput per link and direction over the whole file.",
     .definition = "sum(bytes) / sum(durations), pooled over links and directions; "
                   "aggregate_avg_tx/rx = all bytes of a direction / time from "
                   "first to last sample",
     .compute = avgThroughput},
    {.id = "total_communication",
     .title = "NVLink traffic per GPU",
     .unit = "bytes",
     .meaning = "Bytes that one GPU moved over NVLink.",
     .definition = "floor((rx + tx) / 2) over all links; for a selected direction its sum; if one direction "
                   "has no samples, "
                   "the other direction, not halved. ",
     .compute = totalCommunication},
};

const MetricDescriptor nvlinkAllMetric{
    .id = "nvlink_all",
    .title = "NVLink peak of one link",
    .group = "NVLink",
    .unit = "GB/s",
    .needs = needsCounters,
    .meaning
    = "max_throughput, avg_throughput and total_communication as one object; the value is max_throughput.",
    .definition
    = "the scalar is max_throughput: the largest bytes / duration of one interval of one link and direction; "
      "avg_throughput and total_communication are included under their names",
    .parts = nvlinkAllParts,
    .compute = nvlinkAll,
    .fromSummaries = true,
};

} // namespace collscope
