// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/kernel_summary.h"

#include "metrics/core/rank_windows.h"
#include "metrics/core/statistics.h"
#include "metrics/export/written_report.h"
#include "metrics/findings/exposure.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace collscope {

namespace {

/// Those of nsys, then our own; the name comes last.
constexpr std::array<std::string_view, 11> columns{
    "Time (%)", "Total Time (ns)", "Instances",    "Avg (ns)",     "Med (ns)", "Min (ns)",
    "Max (ns)", "StdDev (ns)",     "Exposed (ns)", "Waiting (ns)", "Name"};

using Durations = std::unordered_map<std::uint32_t, std::vector<double>>; ///< by name

void collect(const Track& track, Durations& durations)
{
    const SliceColumns& slices = track.slices;
    for (std::size_t row = 0; row < slices.size(); ++row) {
        if (slices.category[row] == SliceCategory::Kernel)
            durations[slices.name[row].value].push_back(static_cast<double>(slices.durationNs[row]));
    }
}

KernelSummaryRow rowOf(std::string_view name, std::vector<double> durations)
{
    KernelSummaryRow row;
    row.name = name;
    row.instances = static_cast<std::int64_t>(durations.size());
    const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
    row.minNs = static_cast<std::int64_t>(*least);
    row.maxNs = static_cast<std::int64_t>(*most);
    for (const double duration : durations)
        row.totalNs += static_cast<std::int64_t>(duration);
    row.averageNs = meanOf(durations);
    row.deviationNs = standardDeviationOf(durations);
    row.medianNs = medianOf(std::move(durations));
    return row;
}

std::string knownText(const std::optional<std::int64_t>& ns)
{
    return ns ? std::to_string(*ns) : "-";
}

std::array<std::string, columns.size()> cellsOf(const KernelSummaryRow& row)
{
    return {fixedText(row.timePercent, 1), std::to_string(row.totalNs),   std::to_string(row.instances),
            fixedText(row.averageNs, 1),   fixedText(row.medianNs, 1),    std::to_string(row.minNs),
            std::to_string(row.maxNs),     fixedText(row.deviationNs, 1), knownText(row.exposedNs),
            knownText(row.waitingNs),      printableLine(row.name)};
}

/// Sums over the calls of each name.
using ExposedByName = std::unordered_map<std::uint32_t, ExposedTime>;

ExposedByName exposedByName(const TraceModel& model, const MetricOptions& options)
{
    ExposedByName sums;
    const ExposurePtr exposure = measureExposure(model, options);
    if (!exposure)
        return sums;
    for (const CallTiming& call : exposure->calls.times) {
        if (const auto exposed = exposure->of(call.slice))
            sums[model.track(call.slice.track).slices.name[call.slice.row].value] += *exposed;
    }
    return sums;
}

Value knownValue(const std::optional<std::int64_t>& ns)
{
    return ns ? Value(*ns) : Value();
}

} // namespace

Result<std::vector<KernelSummaryRow>> kernelSummary(const TraceModel& model, const MetricOptions& options)
{
    const Selection selection = selectWholeFiles(model, options);
    if (selection.failure)
        return Error{Error::Kind::NotFound, selection.failure->reason};
    Durations durations;
    for (const RankWindows& rank : selection.ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const TrackId id : part.timeline->tracks) {
                if (options.cancelled())
                    return Error{Error::Kind::Cancelled, "cancelled."};
                if (model.track(id).kind == TrackKind::GpuStream)
                    collect(model.track(id), durations);
            }
        }
    }
    if (durations.empty())
        return Error{Error::Kind::NotFound, "The trace contains no GPU kernel."};
    std::vector<KernelSummaryRow> rows;
    std::int64_t totalNs = 0;
    const ExposedByName exposed = exposedByName(model, options);
    for (auto& [name, list] : durations) {
        KernelSummaryRow& row = rows.emplace_back(rowOf(model.text(StringId{name}), std::move(list)));
        totalNs += row.totalNs;
        if (const auto found = exposed.find(name); found != exposed.end()) {
            row.exposedNs = found->second.ns;
            row.waitingNs = found->second.waitingNs;
        }
    }
    for (KernelSummaryRow& row : rows)
        row.timePercent
            = totalNs > 0 ? 100.0 * static_cast<double>(row.totalNs) / static_cast<double>(totalNs) : 0.0;
    std::sort(rows.begin(), rows.end(), [](const KernelSummaryRow& a, const KernelSummaryRow& b) {
        return a.totalNs != b.totalNs ? a.totalNs > b.totalNs : a.name < b.name;
    });
    return rows;
}

std::string kernelSummaryText(const std::vector<KernelSummaryRow>& rows)
{
    constexpr std::size_t numbers = columns.size() - 1; // the name comes last, left-aligned
    std::array<std::size_t, numbers> widths{};
    for (std::size_t i = 0; i < numbers; ++i)
        widths[i] = columns[i].size();
    for (const KernelSummaryRow& row : rows) {
        const auto cells = cellsOf(row);
        for (std::size_t i = 0; i < numbers; ++i)
            widths[i] = std::max(widths[i], cells[i].size());
    }
    std::string text;
    const auto line = [&](const auto& cells) {
        for (std::size_t i = 0; i < numbers; ++i)
            text.append(widths[i] - cells[i].size(), ' ').append(cells[i]).append("  ");
        text.append(cells.back()).append("\n");
    };
    line(columns);
    for (const std::size_t width : widths)
        text.append(width, '-').append("  ");
    text.append(columns.back().size(), '-').append("\n");
    for (const KernelSummaryRow& row : rows)
        line(cellsOf(row));
    return text;
}

Sheet kernelSummarySheet(const std::vector<KernelSummaryRow>& rows)
{
    Sheet sheet{"kernel_summary", {}, {}};
    for (const std::string_view column : columns) {
        if (column != "Exposed (ns)" && column != "Waiting (ns)")
            sheet.columns.emplace_back(column);
    }
    for (const KernelSummaryRow& row : rows)
        sheet.rows.push_back({row.timePercent, row.totalNs, row.instances, row.averageNs, row.medianNs,
                              row.minNs, row.maxNs, row.deviationNs, row.name});
    return sheet;
}

std::string kernelSummaryJson(const std::vector<KernelSummaryRow>& rows)
{
    Value::Array list;
    for (const KernelSummaryRow& row : rows) {
        const std::array<Value, columns.size()> cells{row.timePercent,
                                                      row.totalNs,
                                                      row.instances,
                                                      row.averageNs,
                                                      row.medianNs,
                                                      row.minNs,
                                                      row.maxNs,
                                                      row.deviationNs,
                                                      knownValue(row.exposedNs),
                                                      knownValue(row.waitingNs),
                                                      Value(row.name)};
        Value::Object object;
        for (std::size_t i = 0; i < columns.size(); ++i)
            object.emplace_back(columns[i], cells[i]);
        list.emplace_back(std::move(object));
    }
    return jsonText(list);
}

std::string kernelSummaryCsv(const std::vector<KernelSummaryRow>& rows)
{
    std::string csv;
    for (std::size_t i = 0; i < columns.size(); ++i)
        csv.append(i > 0 ? "," : "").append(columns[i]);
    csv.push_back('\n');
    for (const KernelSummaryRow& row : rows) {
        for (const double number :
             {row.timePercent, static_cast<double>(row.totalNs), static_cast<double>(row.instances),
              row.averageNs, row.medianNs, static_cast<double>(row.minNs), static_cast<double>(row.maxNs),
              row.deviationNs})
            csv.append(numberText(number)).push_back(',');
        for (const std::optional<std::int64_t>& ns : {row.exposedNs, row.waitingNs})
            csv.append(ns ? std::to_string(*ns) : "").push_back(',');
        csv.append(csvCell(row.name)).push_back('\n');
    }
    return csv;
}

} // namespace collscope
