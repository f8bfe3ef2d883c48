// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/kernel_summary.h"

#include "metrics/core/rank_windows.h"
#include "metrics/core/statistics.h"
#include "metrics/export/written_report.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace collscope {

namespace {

constexpr std::array<std::string_view, 9> columns{"Time (%)", "Total Time (ns)", "Instances",
                                                  "Avg (ns)", "Med (ns)",        "Min (ns)",
                                                  "Max (ns)", "StdDev (ns)",     "Name"};

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

std::array<std::string, 9> cellsOf(const KernelSummaryRow& row)
{
    return {fixedText(row.timePercent, 1), std::to_string(row.totalNs),   std::to_string(row.instances),
            fixedText(row.averageNs, 1),   fixedText(row.medianNs, 1),    std::to_string(row.minNs),
            std::to_string(row.maxNs),     fixedText(row.deviationNs, 1), printableLine(row.name)};
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
    for (auto& [name, list] : durations) {
        rows.push_back(rowOf(model.text(StringId{name}), std::move(list)));
        totalNs += rows.back().totalNs;
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
    Sheet sheet{"kernel_summary", {columns.begin(), columns.end()}, {}};
    for (const KernelSummaryRow& row : rows)
        sheet.rows.push_back({row.timePercent, row.totalNs, row.instances, row.averageNs, row.medianNs,
                              row.minNs, row.maxNs, row.deviationNs, row.name});
    return sheet;
}

std::string kernelSummaryJson(const std::vector<KernelSummaryRow>& rows)
{
    Value::Array list;
    for (const Value::Array& cells : kernelSummarySheet(rows).rows) {
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
        csv.append(csvCell(row.name)).push_back('\n');
    }
    return csv;
}

} // namespace collscope
