// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/gpu_timeline_sheets.h"

#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace collscope {

namespace {

std::optional<double> percentOf(const GpuTimeline& times, const GpuTimelineRow& row)
{
    return ratio(static_cast<double>(times.*row.ns), static_cast<double>(times.totalNs), 100.0);
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

Sheet deviceSheet(const std::vector<RankGpuTimeline>& ranks)
{
    struct Row
    {
        std::int32_t rank, device;
        const GpuTimeline& times;
        GpuTimelineRow type;
    };
    std::vector<Row> rows;
    for (const RankGpuTimeline& rank : ranks) {
        for (const auto& [device, times] : rank.devices) {
            for (const GpuTimelineRow& type : alphabeticalRows())
                rows.push_back({rank.rank, device, times, type});
        }
    }
    return sheetOf<Row>(
        "Per_Device_Time_ms",
        {{"rank", [](const Row& row) { return Value(row.rank); }},
         {"device", [](const Row& row) { return Value(row.device); }},
         {"type", [](const Row& row) { return Value(row.type.name); }},
         {"time ms", [](const Row& row) { return Value(nsToMs(row.times.*row.type.ns)); }},
         {"percent", [](const Row& row) { return numberCell(percentOf(row.times, row.type)); }}},
        rows);
}

Sheet rankTableSheet(std::string name, SheetKind kind, const RankTable& table)
{
    using Row = RankTable::Type;
    std::vector<SheetColumn<Row>> columns{{"type", [](const Row& row) { return Value(row.type); }}};
    for (std::size_t i = 0; i < table.ranks.size(); ++i)
        columns.push_back(
            {std::to_string(table.ranks[i]), [i](const Row& row) { return numberCell(row.figures[i]); }});
    return sheetOf(std::move(name), columns, table.types, kind);
}

std::vector<GpuTimeRow> meanGpuTimes(const std::vector<RankGpuTimeline>& ranks, RankMean mean)
{
    constexpr double p95 = 0.95;
    const bool isGeometric = mean == RankMean::Geometric;
    std::vector<GpuTimeRow> rows;
    for (const GpuTimelineRow& type : alphabeticalRows()) {
        std::vector<double> times, percents;
        std::int64_t sumNs = 0;
        std::int64_t totalNs = 0;
        const RankGpuTimeline* slowest = &ranks.front();
        for (const RankGpuTimeline& rank : ranks) {
            times.push_back(nsToMs(rank.times.*type.ns));
            if (const auto percent = percentOf(rank.times, type))
                percents.push_back(*percent);
            sumNs += rank.times.*type.ns;
            totalNs += rank.times.totalNs;
            if (rank.times.*type.ns > slowest->times.*type.ns)
                slowest = &rank;
        }
        const auto [least, most] = std::minmax_element(times.begin(), times.end());
        GpuTimeRow& row = rows.emplace_back(GpuTimeRow{std::nullopt, std::string(type.name)});
        row.ms = isGeometric ? geometricMean(times) : nsToMs(sumNs) / static_cast<double>(ranks.size());
        row.percent = isGeometric && !percents.empty()
            ? geometricMean(percents)
            : ratio(static_cast<double>(sumNs), static_cast<double>(totalNs), 100.0);
        row.ranks = static_cast<std::int64_t>(ranks.size());
        row.minMs = *least;
        row.maxMs = *most;
        row.p50Ms = medianOf(times);
        row.p95Ms = percentileOf(times, p95);
        row.slowestRank = slowest->rank;
    }
    return rows;
}

std::vector<GpuTimeRow> rankGpuTimes(const std::vector<RankGpuTimeline>& ranks)
{
    std::vector<GpuTimeRow> rows;
    for (const RankGpuTimeline& rank : ranks) {
        for (const GpuTimelineRow& type : alphabeticalRows())
            rows.push_back({rank.rank, std::string(type.name), nsToMs(rank.times.*type.ns),
                            percentOf(rank.times, type)});
    }
    return rows;
}

/// A figure of the times of each rank as a table.
RankTable rankTable(const std::vector<GpuTimeRow>& times, std::optional<double> GpuTimeRow::*figure)
{
    RankTable table;
    std::map<std::string_view, std::size_t> places; // of the types
    for (const GpuTimeRow& time : times) {
        if (table.ranks.empty() || table.ranks.back() != time.rank)
            table.ranks.push_back(time.rank.value_or(0));
        const auto [place, isNew] = places.try_emplace(time.type, table.types.size());
        if (isNew)
            table.types.push_back({time.type, {}});
        table.types[place->second].figures.push_back(time.*figure);
    }
    return table;
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
    using Row = GpuTimelineRow;
    return sheetOf<Row>("gpu_timeline",
                        {{"type", [](const Row& row) { return Value(row.name); }},
                         {"time ms", [&](const Row& row) { return Value(nsToMs(times.*row.ns)); }},
                         {"percent", [&](const Row& row) { return numberCell(percentOf(times, row)); }}},
                        gpuTimelineRows());
}

RunSheets gpuTimelineSummary(const std::vector<RankGpuTimeline>& ranks, RankMean mean)
{
    using Row = GpuTimeRow;
    RunSheets run;
    if (ranks.empty())
        return run;
    run.values.means = meanGpuTimes(ranks, mean);
    run.values.ranks = rankGpuTimes(ranks);
    run.values.rankTimes = rankTable(run.values.ranks, &GpuTimeRow::ms);
    const std::vector<SheetColumn<Row>> times{
        {"type", [](const Row& row) { return Value(row.type); }},
        {"time ms", [](const Row& row) { return numberCell(row.ms); }},
        {"percent", [](const Row& row) { return numberCell(row.percent); }}};
    std::vector<SheetColumn<Row>> means = times, all = times;
    const std::vector<SheetColumn<Row>> spread{
        {"num_ranks", [](const Row& row) { return countCell(row.ranks); }},
        {"min ms", [](const Row& row) { return Value(row.minMs); }},
        {"max ms", [](const Row& row) { return Value(row.maxMs); }},
        {"p50 ms", [](const Row& row) { return Value(row.p50Ms); }},
        {"p95 ms", [](const Row& row) { return Value(row.p95Ms); }},
        {"slowest rank", [](const Row& row) { return Value(row.slowestRank); }}};
    means.insert(means.end(), spread.begin(), spread.end());
    all.push_back({"rank", [](const Row& row) { return Value(row.rank.value_or(0)); }});
    run.gpuTimeline.sheets = {sheetOf("Summary", means, run.values.means, SheetKind::GpuTimes),
                              sheetOf("All_Ranks_Combined", all, run.values.ranks, SheetKind::RankGpuTimes),
                              rankTableSheet("Per_Rank_Time_ms", SheetKind::RankTimes, run.values.rankTimes),
                              rankTableSheet("Per_Rank_Percent", SheetKind::RankPercents,
                                             rankTable(run.values.ranks, &GpuTimeRow::percent))};
    if (Sheet devices = deviceSheet(ranks); !devices.isEmpty()) {
        run.gpuTimeline.sheets.push_back(std::move(devices));
        run.gpuTimeline.notes.emplace_back(
            "Times of a rank that used several GPUs are unions over these GPUs: the rank is idle only when "
            "all of them are. Per_Device_Time_ms lists each GPU separately.");
    }
    return run;
}

} // namespace collscope
