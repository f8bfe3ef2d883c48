// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/gpu_timeline_sheets.h"

#include "metrics/reports/kernel_tables.h"
#include "metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace collscope {

namespace {

Value percentOf(const GpuTimeline& times, const GpuTimelineRow& row)
{
    return percentCell(times.*row.ns, times.totalNs);
}

std::vector<GpuTimelineRow> alphabeticalRows()
{
    std::vector<GpuTimelineRow> rows(gpuTimelineRows().begin(), gpuTimelineRows().end());
    std::sort(rows.begin(), rows.end(),
              [](const GpuTimelineRow& a, const GpuTimelineRow& b) { return a.name < b.name; });
    return rows;
}

double geometricMean(const std::vector<double>& values)
{
    constexpr double insteadOfZero = 1e-10;
    double logs = 0;
    for (const double value : values)
        logs += std::log(value > 0 ? value : insteadOfZero);
    return std::exp(logs / static_cast<double>(values.size()));
}

Sheet summarySheet(const std::vector<RankGpuTimeline>& ranks, RankMean mean)
{
    Sheet sheet{
        "Summary",
        {"type", "time ms", "percent", "num_ranks", "min ms", "max ms", "p50 ms", "p95 ms", "slowest rank"},
        {}};
    constexpr double p95 = 0.95;
    for (const GpuTimelineRow& type : alphabeticalRows()) {
        std::vector<double> times, percents;
        std::int64_t sumNs = 0;
        std::int64_t totalNs = 0;
        const RankGpuTimeline* slowest = &ranks.front();
        for (const RankGpuTimeline& rank : ranks) {
            times.push_back(nsToMs(rank.times.*type.ns));
            if (const Value percent = percentOf(rank.times, type); percent.as<double>())
                percents.push_back(*percent.as<double>());
            sumNs += rank.times.*type.ns;
            totalNs += rank.times.totalNs;
            if (rank.times.*type.ns > slowest->times.*type.ns)
                slowest = &rank;
        }
        const bool isGeometric = mean == RankMean::Geometric;
        const auto share = ratio(static_cast<double>(sumNs), static_cast<double>(totalNs), 100.0);
        const auto [least, most] = std::minmax_element(times.begin(), times.end());
        sheet.rows.push_back(
            {type.name,
             isGeometric ? geometricMean(times) : nsToMs(sumNs) / static_cast<double>(ranks.size()),
             isGeometric && !percents.empty() ? Value(geometricMean(percents))
                 : share                      ? Value(*share)
                                              : Value(),
             static_cast<std::int64_t>(ranks.size()), *least, *most, medianOf(times),
             percentileOf(times, p95), slowest->rank});
    }
    return sheet;
}

/// The GPUs with work in a file.
std::set<std::int32_t> devicesOf(const TraceModel& model, const Timeline& timeline)
{
    std::set<std::int32_t> devices;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind == TrackKind::GpuStream && track.slices.size() > 0)
            devices.insert(track.device);
    }
    return devices;
}

Sheet deviceSheet(const std::vector<RankGpuTimeline>& ranks, const std::vector<GpuTimelineRow>& types)
{
    Sheet sheet{"Per_Device_Time_ms", {"rank", "device", "type", "time ms", "percent"}, {}};
    for (const RankGpuTimeline& rank : ranks) {
        for (const auto& [device, times] : rank.devices) {
            for (const GpuTimelineRow& type : types)
                sheet.rows.push_back(
                    {rank.rank, device, type.name, nsToMs(times.*type.ns), percentOf(times, type)});
        }
    }
    return sheet;
}

} // namespace

std::vector<RankGpuTimeline> gpuTimelines(Analysis& analysis)
{
    std::vector<RankGpuTimeline> ranks;
    GpuTimelineMeter meter(analysis.model());
    for (const RankWindows& rank : analysis.wholeFiles().ranks) {
        RankGpuTimeline own{rank.rank, {}, {}};
        const bool linkedOnly = analysis.options().linkedOnly;
        const auto& cancelled = analysis.options().cancelled;
        std::set<std::int32_t> devices;
        for (const RankWindows::Part& part : rank.parts) {
            own.times += meter.measure(*part.timeline, linkedOnly, cancelled);
            devices.merge(devicesOf(analysis.model(), *part.timeline));
        }
        for (const std::int32_t device : devices) {
            for (const RankWindows::Part& part : rank.parts) {
                if (devices.size() > 1)
                    own.devices[device] += meter.measure(*part.timeline, linkedOnly, cancelled, device);
            }
        }
        std::erase_if(own.devices, [](const auto& device) { return device.second.events == 0; });
        if (own.devices.size() < 2)
            own.devices.clear();
        if (own.times.events > 0)
            ranks.push_back(std::move(own));
    }
    return ranks;
}

Sheet gpuTimelineSheet(const GpuTimeline& times)
{
    Sheet sheet{"gpu_timeline", {"type", "time ms", "percent"}, {}};
    for (const GpuTimelineRow& row : gpuTimelineRows())
        sheet.rows.push_back({row.name, nsToMs(times.*row.ns), percentOf(times, row)});
    return sheet;
}

Workbook gpuTimelineSummary(const std::vector<RankGpuTimeline>& ranks, RankMean mean)
{
    Workbook book;
    if (ranks.empty())
        return book;
    Sheet all{"All_Ranks_Combined", {"type", "time ms", "percent", "rank"}, {}};
    Sheet times{"Per_Rank_Time_ms", {"type"}, {}};
    Sheet percents{"Per_Rank_Percent", {"type"}, {}};
    const std::vector<GpuTimelineRow> types = alphabeticalRows();
    for (const RankGpuTimeline& rank : ranks) {
        for (const GpuTimelineRow& type : types)
            all.rows.push_back(
                {type.name, nsToMs(rank.times.*type.ns), percentOf(rank.times, type), rank.rank});
        times.columns.push_back(std::to_string(rank.rank));
        percents.columns.push_back(std::to_string(rank.rank));
    }
    for (const GpuTimelineRow& type : types) {
        Value::Array timeRow{type.name};
        Value::Array percentRow{type.name};
        for (const RankGpuTimeline& rank : ranks) {
            timeRow.emplace_back(nsToMs(rank.times.*type.ns));
            percentRow.push_back(percentOf(rank.times, type));
        }
        times.rows.push_back(std::move(timeRow));
        percents.rows.push_back(std::move(percentRow));
    }
    book.sheets = {summarySheet(ranks, mean), std::move(all), std::move(times), std::move(percents)};
    if (Sheet devices = deviceSheet(ranks, types); !devices.isEmpty()) {
        book.sheets.push_back(std::move(devices));
        book.notes.emplace_back(
            "Times of a rank that used several GPUs are unions over these GPUs: the rank is idle only when "
            "all of them are. Per_Device_Time_ms lists each GPU separately.");
    }
    return book;
}

} // namespace collscope
