// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/nvlink_report.h"

#include "metrics/counters/nvlink_intervals.h"
#include "metrics/export/text_table.h"

namespace collscope {

namespace {

constexpr int throughputDigits = 3;

/// Options limited to one GPU. A file that names no GPU serves the requested one.
MetricOptions optionsOf(const NvlinkDevice& device, const MetricOptions& options, int peaks)
{
    MetricOptions own = options;
    own.top = peaks;
    if (device.gpu)
        own.rank = device.gpu;
    return own;
}

std::string gpuName(const NvlinkDevice& device)
{
    return device.gpu ? "GPU " + std::to_string(*device.gpu) : std::string("GPU not named by its file");
}

/// The GPUs selected by the options, as in the metrics.
std::vector<const NvlinkDevice*> chosenDevices(const TraceModel& model, const MetricOptions& options)
{
    std::vector<const NvlinkDevice*> devices;
    if (options.rank) {
        if (const NvlinkDevice* device = chooseNvlink(model, options.rank).device)
            devices.push_back(device);
        return devices;
    }
    for (const NvlinkDevice& device : model.nvlink)
        devices.push_back(&device);
    return devices;
}

std::string speedText(const MetricResult& result)
{
    return result.value ? fixedText(*result.value, throughputDigits) : std::string("-");
}

std::string bytesOf(const NvlinkDevice& device, const MetricOptions& options, LinkDirection direction)
{
    if (options.direction && *options.direction != direction)
        return "-";
    std::uint64_t bytes = 0;
    const auto series = selectSeries(device, options.link, direction);
    for (const LinkSeries* one : series) {
        for (const std::uint64_t own : one->bytes)
            bytes += own;
    }
    return series.empty() ? "-" : fixedText(static_cast<double>(bytes) / 1e9, 6);
}

std::string spanOf(const std::vector<const LinkSeries*>& series)
{
    std::optional<TimeRange> span;
    for (const LinkSeries* one : series) {
        if (one->bytes.empty())
            continue;
        const TimeRange own{one->beginNs.front(), one->endNs.back()};
        span = span ? span->united(own) : own;
    }
    return span ? fixedText(nsToMs(span->lengthNs()), 3) : "-";
}

void addThroughputTable(Analysis& analysis, const std::vector<const NvlinkDevice*>& devices,
                        FramedReport& report)
{
    TextTable table({false, true, true, true, true, true, true});
    table.add({"GPU", "Series", "Sampled (ms)", "Max GB/s", "Avg GB/s", "Sent (GB)", "Received (GB)"});
    for (const NvlinkDevice* device : devices) {
        const MetricOptions options = optionsOf(*device, analysis.options(), 1);
        Analysis own(analysis.model(), options);
        const auto series = selectSeries(*device, options.link, options.direction);
        table.add({gpuName(*device), std::to_string(series.size()), spanOf(series),
                   speedText(evaluate(own, *findMetric("max_throughput"))),
                   speedText(evaluate(own, *findMetric("avg_throughput"))),
                   bytesOf(*device, options, LinkDirection::Tx),
                   bytesOf(*device, options, LinkDirection::Rx)});
    }
    report.lines(table.text());
    report.line("A series is one link in one direction. Max: the fastest interval of a series; Avg: bytes / "
                "time, pooled over the series.");
}

/// The highest intervals with their kernels, or only the intervals and why the kernels are not known.
void addPeaks(Analysis& analysis, const NvlinkDevice& device, int peaks, FramedReport& report)
{
    const MetricOptions options = optionsOf(device, analysis.options(), peaks);
    Analysis own(analysis.model(), options);
    const MetricResult kernels = evaluate(own, *findMetric("peak_kernels"));
    report.line();
    report.line(gpuName(device) + ": the intervals of highest throughput and the kernels that ran in them");
    for (const std::string& warning : kernels.warnings)
        report.line("Note: " + warning);
    if (kernels.state == MetricState::Value) {
        report.lines(tablesText(kernels.tables));
        return;
    }
    const auto series = selectSeries(device, options.link, options.direction);
    const auto intervals = topIntervals(series, peaks);
    const auto zero = device.hasWallClock ? std::optional(analysis.model().axisZeroNs) : std::nullopt;
    for (std::size_t i = 0; i < intervals.size(); ++i)
        report.line("peak " + std::to_string(i + 1) + ": " + intervalText(intervals[i], zero));
    report.line("Kernels: not available: " + kernels.reason);
}

} // namespace

bool addNvlink(Analysis& analysis, int peaks, FramedReport& report)
{
    const TraceModel& model = analysis.model();
    const std::vector<const NvlinkDevice*> devices = chosenDevices(model, analysis.options());
    if (devices.empty()) {
        report.line("not available: " + chooseNvlink(model, analysis.options().rank).missing);
        return false;
    }
    addThroughputTable(analysis, devices, report);
    for (const NvlinkDevice* device : devices) {
        if (analysis.options().cancelled())
            break;
        addPeaks(analysis, *device, peaks, report);
    }
    return true;
}

Result<std::string> nvlinkReport(Analysis& analysis, int peaks)
{
    const TraceModel& model = analysis.model();
    FramedReport report;
    report.heading("NVLINK REPORT");
    report.entry("Run", model.title);
    report.line("Generated by Collscope " COLLSCOPE_VERSION
                ". GB = 1e9 bytes. Throughput: whole files, as counted by NVML.");
    report.line();
    if (!addNvlink(analysis, peaks, report))
        return Error{Error::Kind::NotFound, chooseNvlink(model, analysis.options().rank).missing};
    report.heading("END OF REPORT");
    return report.text();
}

} // namespace collscope
