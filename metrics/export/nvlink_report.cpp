// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/nvlink_report.h"

#include "metrics/core/duration_text.h"
#include "metrics/counters/gpu_counters.h"
#include "metrics/counters/nvlink_intervals.h"
#include "metrics/counters/peak_kernels.h"
#include "metrics/export/text_table.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <array>
#include <map>

namespace collscope {

namespace {

constexpr int throughputDigits = 3;

/// The GPUs selected by the options, as in the metrics: indices into TraceModel::nvlink.
std::vector<std::size_t> chosenDevices(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const MetricOptions& options = analysis.options();
    std::vector<std::size_t> devices;
    if (options.rank) {
        if (const NvlinkDevice* device = chooseNvlink(analysis, options.rank).device)
            devices.push_back(static_cast<std::size_t>(device - model.nvlink.data()));
        return devices;
    }
    for (std::size_t i = 0; i < model.nvlink.size(); ++i)
        devices.push_back(i);
    return devices;
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

/// Pooled over the series; "-" without intervals.
std::string averageOf(const std::vector<const LinkSeries*>& series)
{
    std::uint64_t bytes = 0;
    std::int64_t durationNs = 0;
    for (const LinkSeries* one : series) {
        for (std::size_t i = 0; i < one->bytes.size(); ++i) {
            bytes += one->bytes[i];
            durationNs += one->endNs[i] - one->beginNs[i];
        }
    }
    return durationNs > 0 ? fixedText(gigabytesPerSecond(bytes, durationNs), throughputDigits) : "-";
}

void addThroughputTable(const TraceModel& model, const MetricOptions& options, const NvlinkRanks& ranks,
                        const std::vector<std::size_t>& devices, FramedReport& report)
{
    TextTable table({false, true, true, true, true, true, true, true});
    table.add(
        {"GPU", "Rank", "Series", "Sampled (ms)", "Max GB/s", "Avg GB/s", "Sent (GB)", "Received (GB)"});
    for (const std::size_t i : devices) {
        const NvlinkDevice& device = model.nvlink[i];
        const auto series = selectSeries(device, options.link, options.direction);
        const auto top = topIntervals(series, 1);
        const auto& rank = ranks.of(i).rank;
        table.add({ranks.nameOf(i), rank ? std::to_string(*rank) : "-", std::to_string(series.size()),
                   spanOf(series),
                   top.empty() ? "-" : fixedText(top.front().gigabytesPerSecond(), throughputDigits),
                   averageOf(series), bytesOf(device, options, LinkDirection::Tx),
                   bytesOf(device, options, LinkDirection::Rx)});
    }
    report.lines(table.text());
    report.line("A series is one link in one direction. Max: the fastest interval of a series; Avg: bytes / "
                "time, pooled over the series.");
    std::map<std::string, std::pair<std::size_t, std::string>> reasons; // count and first GPU, by reason
    for (const std::size_t i : devices) {
        if (model.timelines.empty() && !ranks.of(i).rank)
            continue;
        const bool isOwn = ranks.of(i).rank.has_value() && !isGuess(ranks.of(i).evidence);
        if (!isOwn)
            ++reasons
                  .try_emplace((ranks.of(i).rank ? "rank " : "rank not known: ") + ranks.of(i).why, 0,
                               ranks.nameOf(i))
                  .first->second.first;
    }
    for (const auto& [reason, gpus] : reasons)
        report.line(gpus.second
                    + (gpus.first > 1 ? " and " + std::to_string(gpus.first - 1) + " others" : std::string())
                    + ": " + reason + ".");
}

/// The highest intervals with their kernels, or only the intervals and why the kernels are not known.
void addPeaks(Analysis& analysis, const NvlinkRanks& ranks, std::size_t index, int peaks,
              FramedReport& report)
{
    const TraceModel& model = analysis.model();
    const NvlinkDevice& device = model.nvlink[index];
    MetricOptions options = analysis.options();
    options.top = peaks;
    const auto& rank = ranks.of(index).rank;
    report.line();
    report.line(ranks.textOf(index)
                + ": the intervals of highest throughput and the kernels that ran in them");
    std::string whyNot = "the rank of this GPU cannot be told: " + ranks.of(index).why + ".";
    // Where a rank has several files, or a lone file has none, the metric explains its choice.
    if (rank ? ranks.devicesOf(*rank).front() == index : ranks.size() == 1 || model.timelines.empty()) {
        options.rank = rank ? rank : device.gpu ? device.gpu : options.rank;
        Analysis own(model, options);
        shareNvlinkRanks(analysis, own);
        const MetricResult kernels = evaluate(own, *findMetric("peak_kernels"));
        for (const std::string& warning : kernels.warnings)
            report.line("Note: " + warning);
        if (kernels.state == MetricState::Value) {
            report.lines(tablesText(kernels.tables));
            return;
        }
        whyNot = kernels.reason;
    } else if (rank) {
        whyNot = "the metric of rank " + std::to_string(*rank) + " uses another file of it.";
    }
    const auto series = selectSeries(device, options.link, options.direction);
    const auto intervals = topIntervals(series, peaks);
    const auto zero = device.hasWallClock ? std::optional(model.axisZeroNs) : std::nullopt;
    for (std::size_t i = 0; i < intervals.size(); ++i)
        report.line("peak " + std::to_string(i + 1) + ": " + intervalText(intervals[i], zero));
    report.line("Kernels: not available: " + whyNot);
}

/// What collectives needed and what the counters say, or why that cannot be told.
void addCollectives(Analysis& analysis, FramedReport& report)
{
    const MetricResult result = evaluate(analysis, *findMetric("nvlink_collectives"));
    report.line();
    report.line("Collectives: what they need to send over NVLink, and what was sent meanwhile");
    if (result.state == MetricState::Value) {
        report.lines(tablesText(result.tables));
        for (const std::string& warning : result.warnings)
            report.line("Note: " + warning);
    } else {
        report.line("not available: " + result.reason);
    }
    for (const std::string& input : result.inputs)
        report.line(input);
}

constexpr std::size_t mostKernelsOfPeak = 10;
constexpr int counterDigits = 1;

std::string gpuText(const SampledGpu& gpu)
{
    return gpu.isOfRank ? "Rank " + std::to_string(gpu.rank) + " (GPU " + std::to_string(gpu.device) + ")"
                        : "GPU " + std::to_string(gpu.device) + " (no kernels in this file)";
}

/// "2023-11-14T22:13:20.002Z", or ms on the axis of the run where the file has no wall clock.
std::string beginText(const Analysis& analysis, const SampledGpu& gpu, TimeRange range)
{
    const TraceModel& model = analysis.model();
    if (model.timelines[gpu.timeline].hasWallClock)
        return isoTime(range.beginNs + model.axisZeroNs);
    return fixedText(nsToMs(range.beginNs), 3) + " ms";
}

/// NVLink as Nsight Systems samples it: in the unit that the export states, mostly % of a maximum that it
/// does not state.
class NvlinkCounterReport
{
public:
    NvlinkCounterReport(Analysis& analysis, FramedReport& report)
        : m_analysis(analysis)
        , m_report(report)
    { }

    void addTable(const std::vector<const SampledGpu*>& gpus)
    {
        TextTable table({false, false, false, true, true, true});
        table.add({"GPU", "Counter", "Unit", "Samples", "Mean", "Highest"});
        for (const SampledGpu* gpu : gpus) {
            for (const GpuCounter& counter : gpu->counters) {
                if (!isNvlinkCounter(counter.name))
                    continue;
                const CounterSummary summary = summaryOf(counter.samples);
                table.add({gpuText(*gpu), printableLine(counter.name), printableLine(counter.unit),
                           std::to_string(summary.samples), fixedText(summary.mean, counterDigits),
                           fixedText(counter.samples.highest(), counterDigits)});
            }
        }
        m_report.lines(table.text());
        m_report.line(
            "As sampled by Nsight Systems, all links of a GPU together. The export does not state what 100 % "
            "is, so these are not bytes.");
    }

    void addPeaks(const SampledGpu& gpu, int count)
    {
        const auto group = std::find_if(gpu.groups.begin(), gpu.groups.end(),
                                        [](const CounterGroup& own) { return !own.peaks.empty(); });
        if (group == gpu.groups.end())
            return;
        m_report.line();
        m_report.line(gpuText(gpu) + ": the highest peaks and the kernels that ran in them");
        for (std::size_t i = 0; i < std::min(group->peaks.size(), static_cast<std::size_t>(count)); ++i)
            addPeak(gpu, group->unit, group->peaks[i], i + 1);
    }

private:
    void addPeak(const SampledGpu& gpu, const std::string& unit, const CounterPeak& peak, std::size_t number)
    {
        m_report.line("peak " + std::to_string(number) + ": " + beginText(m_analysis, gpu, peak.range) + ", "
                      + timeText(peak.range.lengthNs()) + ", " + fixedText(peak.value, counterDigits) + " "
                      + printableLine(unit) + " " + printableLine(gpu.counters[peak.counter].name));
        const TraceModel& model = m_analysis.model();
        const std::array timelines{&model.timelines[gpu.timeline]};
        const std::vector<KernelOverlap> kernels = kernelsDuring(model, timelines, peak.range, false);
        TextTable table({true, false});
        for (std::size_t i = 0; i < std::min(kernels.size(), mostKernelsOfPeak); ++i) {
            const Track& track = model.track(kernels[i].slice.track);
            table.add({percentText(kernels[i].overlapPercent),
                       printableLine(model.text(track.slices.name[kernels[i].slice.row]))});
        }
        constexpr std::size_t indent = 2;
        m_report.lines(table.text(indent));
        if (kernels.empty())
            m_report.line("  no kernel of this GPU");
        else if (kernels.size() > mostKernelsOfPeak)
            m_report.line("  and " + std::to_string(kernels.size() - mostKernelsOfPeak) + " more");
    }

    Analysis& m_analysis;
    FramedReport& m_report;
};

/// Adds the counters that Nsight sampled of each GPU selected by the options, the highest peaks, and the
/// kernels that ran in them. Returns false, and adds nothing, if it sampled no NVLink of these GPUs.
bool addNvlinkCounters(Analysis& analysis, int peaks, FramedReport& report)
{
    const TraceModelPtr model(std::shared_ptr<const void>(), &analysis.model()); // outlives the curves
    const auto all = sampledGpus(model, peaks, [&] { return analysis.options().cancelled(); });
    std::vector<const SampledGpu*> gpus;
    for (std::size_t i = 0; all && i < all->size(); ++i) {
        const SampledGpu& gpu = (*all)[i];
        const auto& asked = analysis.options().rank;
        if ((!asked || (gpu.isOfRank && gpu.rank == *asked))
            && std::any_of(gpu.counters.begin(), gpu.counters.end(),
                           [](const GpuCounter& counter) { return isNvlinkCounter(counter.name); }))
            gpus.push_back(&gpu);
    }
    if (gpus.empty())
        return false;
    NvlinkCounterReport counters(analysis, report);
    counters.addTable(gpus);
    for (const SampledGpu* gpu : gpus)
        counters.addPeaks(*gpu, peaks);
    return true;
}

} // namespace

bool addNvlink(Analysis& analysis, int peaks, FramedReport& report)
{
    const TraceModel& model = analysis.model();
    const std::vector<std::size_t> devices = chosenDevices(analysis);
    if (devices.empty()) {
        report.line("not available: " + chooseNvlink(analysis, analysis.options().rank).missing);
        return false;
    }
    const NvlinkRanks& ranks = nvlinkRanksOf(analysis);
    addThroughputTable(model, analysis.options(), ranks, devices, report);
    for (const std::size_t device : devices) {
        if (analysis.options().cancelled())
            break;
        addPeaks(analysis, ranks, device, peaks, report);
    }
    return true;
}

Result<std::string> nvlinkReport(Analysis& analysis, int peaks)
{
    const TraceModel& model = analysis.model();
    FramedReport report;
    report.heading("NVLINK REPORT");
    report.entry("Run", model.title);
    const bool isCounted = !chosenDevices(analysis).empty();
    report.line(std::string("Generated by Collscope " COLLSCOPE_VERSION)
                + (isCounted ? ". GB = 1e9 bytes. Throughput: whole files, as counted by NVML." : "."));
    report.line();
    if (isCounted)
        addNvlink(analysis, peaks, report);
    FramedReport sampled;
    if (addNvlinkCounters(analysis, peaks, sampled))
        report.lines((isCounted ? "\n" : "") + sampled.text());
    else if (!isCounted)
        return Error{Error::Kind::NotFound, chooseNvlink(analysis, analysis.options().rank).missing};
    addCollectives(analysis, report);
    report.heading("END OF REPORT");
    return report.text();
}

} // namespace collscope
