// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// nvlink_usage of CCL-Bench: it does not check whether NVML could read a counter, treats every (field, scope)
// as a link, and drops zero-length intervals with their bytes.

#include "metrics/counters/nvlink_intervals.h"
#include "metrics/references/tool_input.h"

#include <algorithm>

namespace collscope {

namespace {

using Number = Reference::Number;

constexpr std::string_view tool = "nvlink_usage of the public dashboard";

/// The intervals of one series as the tool computes them.
struct ToolSeries
{
    const LinkSeries* series = nullptr;
    std::vector<TimeRange> ranges;
    std::vector<std::uint64_t> bytes;
};

/// Includes failed reads, whose values the tool treats as counter values.
ToolSeries withFailedReads(const LinkSeries& series)
{
    std::vector<LinkSeries::FailedRead> samples{{series.beginNs.front(), series.firstBytes}};
    for (std::size_t i = 0; i < series.bytes.size(); ++i)
        samples.push_back({series.endNs[i], samples.back().bytes + series.bytes[i]});
    samples.insert(samples.end(), series.failedReads.begin(), series.failedReads.end());
    std::stable_sort(samples.begin(), samples.end(),
                     [](const auto& a, const auto& b) { return a.timeNs < b.timeNs; });
    ToolSeries result{&series, {}, {}};
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const LinkSeries::FailedRead& before = samples[i - 1];
        const LinkSeries::FailedRead& now = samples[i];
        if (now.timeNs == before.timeNs)
            continue;
        result.ranges.push_back({before.timeNs, now.timeNs});
        result.bytes.push_back(now.bytes > before.bytes ? now.bytes - before.bytes : 0);
    }
    return result;
}

struct ToolInput
{
    std::vector<ToolSeries> series; ///< those that --link and --direction choose
    std::uint64_t dropped = 0; ///< bytes of zero-length intervals
};

/// Returns nullopt if the model does not contain the tool's input (counters whose every read failed, or a
/// damaged series), or if it is not known which of several files the tool reads.
std::optional<ToolInput> toolInput(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const MetricOptions& options = analysis.options();
    if (model.nvlink.size() != 1)
        return std::nullopt;
    std::uint64_t failed = 0;
    for (const Diagnostic& problem : model.problems.entries()) {
        if (problem.code == "bad_value" || problem.code == "bad_timestamp" || problem.code == "single_sample")
            return std::nullopt;
        failed += problem.code == "nvml_error" ? problem.count : 0;
    }
    ToolInput input;
    for (const LinkSeries& series : model.nvlink.front().series) {
        failed -= std::min<std::uint64_t>(failed, series.failedReads.size());
        if (!series.failedReads.empty() && (series.resets > 0 || series.foldedBytes > 0))
            return std::nullopt;
        // For the tool, raw fields have no direction.
        if ((options.link && series.link != *options.link)
            || (options.direction && (series.raw || series.direction != *options.direction)))
            continue;
        ToolSeries one{&series, {}, series.bytes};
        if (!series.failedReads.empty())
            one = withFailedReads(series);
        else
            for (std::size_t i = 0; i < series.bytes.size(); ++i)
                one.ranges.push_back({series.beginNs[i], series.endNs[i]});
        input.dropped += series.foldedBytes;
        input.series.push_back(std::move(one));
    }
    return failed > 0 || input.series.empty() ? std::nullopt : std::optional(std::move(input));
}

std::optional<Number> maxThroughput(Analysis& analysis)
{
    const auto input = toolInput(analysis);
    if (!input || input->dropped > 0) // the model does not record which interval they belong to
        return std::nullopt;
    double highest = 0;
    for (const ToolSeries& series : input->series) {
        for (std::size_t i = 0; i < series.bytes.size(); ++i)
            highest = std::max(highest, gigabytesPerSecond(series.bytes[i], series.ranges[i].lengthNs()));
    }
    return Number{highest, {}};
}

std::optional<Number> avgThroughput(Analysis& analysis)
{
    const auto input = toolInput(analysis);
    if (!input)
        return std::nullopt;
    std::uint64_t bytes = 0;
    std::int64_t ns = 0;
    std::size_t intervals = 0;
    for (const ToolSeries& series : input->series) {
        for (const std::uint64_t part : series.bytes)
            bytes += part;
        ns += sumNs(series.ranges);
        intervals += series.ranges.size();
    }
    return Number{
        gigabytesPerSecond(bytes - input->dropped, ns),
        {{"total_duration_us", ns / 1000}, {"num_intervals", static_cast<std::int64_t>(intervals)}}};
}

std::optional<Number> totalCommunication(Analysis& analysis)
{
    const auto input = toolInput(analysis);
    if (!input)
        return std::nullopt;
    std::uint64_t tx = 0;
    std::uint64_t rx = 0;
    for (const ToolSeries& series : input->series) {
        if (series.series->raw)
            continue;
        std::uint64_t& bytes = series.series->direction == LinkDirection::Tx ? tx : rx;
        for (const std::uint64_t part : series.bytes)
            bytes += part;
        bytes -= series.series->foldedBytes;
    }
    if (analysis.options().direction)
        return Number{static_cast<double>(tx + rx), {{"total_bytes", tx + rx}}};
    const std::uint64_t mean = (tx + rx) / 2;
    return Number{static_cast<double>(mean), {{"total_bytes", mean}, {"rx_bytes", rx}, {"tx_bytes", tx}}};
}

constexpr Reference entries[] = {
    {"max_throughput", "", tool,
     "it does not check whether NVML could read the counter, so a failed read of 0 makes the next interval "
     "too large, and treats raw fields and the sum over all links as links",
     maxThroughput},
    {"avg_throughput", "", tool,
     "it drops the bytes of zero-length intervals, and pools raw fields and the sum over all links with the "
     "links",
     avgThroughput},
    {"total_communication", "", tool,
     "it drops the bytes of zero-length intervals, counts the sum over all links a second time, and halves "
     "the traffic even where one direction was not sampled",
     totalCommunication},
};

} // namespace

extern const ReferenceSet nvlinkUsageReferences;
const ReferenceSet nvlinkUsageReferences{entries};

} // namespace collscope
