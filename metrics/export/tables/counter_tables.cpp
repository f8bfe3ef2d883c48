// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Counters that were sampled over time, one row each: GPUs, network cards, switches.

#include "metrics/counters/gpu_counters.h"
#include "metrics/export/tables/export_tables.h"

namespace collscope {

namespace {

struct CounterRow
{
    const SampledGpu& device;
    const GpuCounter& counter;
    std::string_view label;
    CounterSummary summary;
    TimeRange highestRange; ///< on the axis
};

std::string counterRows(TableSource& source, const TakeTyped<CounterRow>& take)
{
    const TraceModelPtr model(std::shared_ptr<const void>(), &source.model()); // outlives the table
    constexpr int noPeaks = 0;
    const auto devices = sampledGpus(model, noPeaks, [&] { return source.isCancelled(); });
    if (!devices)
        return {};
    for (const SampledGpu& device : *devices) {
        const std::string label
            = device.label.empty() ? "GPU " + std::to_string(device.device) : device.label;
        for (const GpuCounter& counter : device.counters) {
            const CounterSummary summary = summaryOf(counter.samples);
            if (summary.samples == 0)
                continue;
            const TimeRange highest
                = source.every->clocks().toAxis(device.timeline, counter.samples.range(summary.highest));
            if (!take({device, counter, label, summary, highest}))
                return {};
        }
    }
    return {};
}

} // namespace

void addCounterTables(std::vector<ExportTable>& tables)
{
    using enum CellType;
    tables.push_back(tableOf<CounterRow>(
        {.name = "counters",
         .meaning
         = "A counter that was sampled over time: of a GPU, network card or switch, by Nsight or another "
           "program."},
        {{"timeline_id", Integer, "whose clock the samples use; see timelines",
          [](const CounterRow& row) { return tableCount(row.device.timeline); }},
         {"rank", Integer, "that ran on the GPU; NULL: none, or cannot be told",
          [](const CounterRow& row) {
              return row.device.isOfRank ? tableCount(row.device.rank) : TableCell();
          }},
         {"device", Text, "\"GPU 3\", \"Network card mlx5_0\"",
          [](const CounterRow& row) { return tableText(row.label); }},
         {"counter", Text, "as the program names it",
          [](const CounterRow& row) { return tableText(row.counter.name); }},
         {"unit", Text, "of the values", [](const CounterRow& row) { return tableText(row.counter.unit); }},
         {"samples", Integer, "number of samples",
          [](const CounterRow& row) { return tableCount(row.summary.samples); }},
         {"mean", Real, "mean of the samples",
          [](const CounterRow& row) { return TableCell(row.summary.mean); }},
         {"highest", Real, "highest sample",
          [](const CounterRow& row) { return TableCell(row.counter.samples.value(row.summary.highest)); }},
         {"highest_ns", Integer,
          "when the first sample that is as high was taken: it is about the time before",
          [](const CounterRow& row) { return tableCount(row.highestRange.endNs); }}},
        counterRows));
}

} // namespace collscope
