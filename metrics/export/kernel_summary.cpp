// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/kernel_summary.h"

#include "metrics/core/rank_windows.h"
#include "metrics/core/sheet_columns.h"
#include "metrics/core/statistics.h"
#include "metrics/export/written_report.h"
#include "metrics/partition/exposure.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace collscope {

namespace {

struct SummaryColumn
{
    std::string_view title;
    Value (*value)(const KernelSummaryRow&);
};

/// Those of nsys but for the name, which comes last everywhere.
constexpr std::array<SummaryColumn, 8> nsysColumns{{
    {"Time (%)", [](const KernelSummaryRow& row) { return Value(row.timePercent); }},
    {"Total Time (ns)", [](const KernelSummaryRow& row) { return Value(row.totalNs); }},
    {"Instances", [](const KernelSummaryRow& row) { return Value(row.instances); }},
    {"Avg (ns)", [](const KernelSummaryRow& row) { return Value(row.averageNs); }},
    {"Med (ns)", [](const KernelSummaryRow& row) { return Value(row.medianNs); }},
    {"Min (ns)", [](const KernelSummaryRow& row) { return Value(row.minNs); }},
    {"Max (ns)", [](const KernelSummaryRow& row) { return Value(row.maxNs); }},
    {"StdDev (ns)", [](const KernelSummaryRow& row) { return Value(row.deviationNs); }},
}};
/// Our own, between those of nsys and the name.
constexpr std::array<SummaryColumn, 2> ownColumns{{
    {"Exposed (ns)", [](const KernelSummaryRow& row) { return orNull(row.exposedNs); }},
    {"Waiting (ns)", [](const KernelSummaryRow& row) { return orNull(row.waitingNs); }},
}};
constexpr std::string_view nameColumn = "Name";

/// The columns before the name.
constexpr auto numberColumns = [] {
    std::array<SummaryColumn, nsysColumns.size() + ownColumns.size()> all{};
    std::copy(ownColumns.begin(), ownColumns.end(),
              std::copy(nsysColumns.begin(), nsysColumns.end(), all.begin()));
    return all;
}();

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

/// For people: fractions with one digit, "-" where nothing is known.
std::string shownText(const Value& value)
{
    if (const double* const fraction = value.as<double>())
        return fixedText(*fraction, 1);
    const std::string text = numberTextOf(value);
    return text.empty() ? "-" : text;
}

using ExposedByName = std::unordered_map<std::uint32_t, ExposedSum>; ///< the calls of each name

ExposedByName exposedByName(const TraceModel& model, const MetricOptions& options)
{
    ExposedByName sums;
    const ExposurePtr exposure = measureExposure(model, options);
    if (!exposure)
        return sums;
    for (const CallTiming& call : exposure->calls.times) {
        const auto exposed = exposure->of(call.slice);
        if (!exposed)
            continue;
        sums[model.track(call.slice.track).slices.name[call.slice.row].value].add(*exposed, call);
    }
    return sums;
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
            const ExposedSum& sum = found->second;
            row.exposedNs = sum.time.ns;
            row.unsplit = sum.calls.unsplit;
            row.waitingNs = sum.waitingNs();
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
    std::vector<std::vector<std::string>> lines(1 + rows.size());
    std::vector<std::size_t> widths;
    for (const SummaryColumn& column : numberColumns) {
        lines.front().emplace_back(column.title);
        for (std::size_t i = 0; i < rows.size(); ++i)
            lines[i + 1].push_back(shownText(column.value(rows[i])));
        std::size_t& width = widths.emplace_back();
        for (const std::vector<std::string>& line : lines)
            width = std::max(width, line.back().size());
    }
    std::string text;
    const auto add = [&](const std::vector<std::string>& cells, std::string_view name) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            text.append(widths[i] - cells[i].size(), ' ').append(cells[i]).append("  ");
        text.append(name).append("\n");
    };
    add(lines.front(), nameColumn);
    for (const std::size_t width : widths)
        text.append(width, '-').append("  ");
    text.append(nameColumn.size(), '-').append("\n");
    for (std::size_t i = 0; i < rows.size(); ++i)
        add(lines[i + 1], printableLine(rows[i].name));
    return text;
}

Sheet kernelSummarySheet(const std::vector<KernelSummaryRow>& rows)
{
    std::vector<SheetColumn<KernelSummaryRow>> columns;
    for (const SummaryColumn& column : nsysColumns)
        columns.push_back({std::string(column.title), column.value});
    columns.push_back({std::string(nameColumn), [](const KernelSummaryRow& row) { return Value(row.name); }});
    return sheetOf("kernel_summary", columns, rows);
}

std::string kernelSummaryJson(const std::vector<KernelSummaryRow>& rows)
{
    Value::Array list;
    for (const KernelSummaryRow& row : rows) {
        Value::Object object;
        for (const SummaryColumn& column : numberColumns)
            object.emplace_back(column.title, column.value(row));
        object.emplace_back(nameColumn, row.name);
        list.emplace_back(std::move(object));
    }
    return jsonText(list);
}

std::string kernelSummaryCsv(const std::vector<KernelSummaryRow>& rows)
{
    std::string csv;
    for (const SummaryColumn& column : numberColumns)
        csv.append(column.title).push_back(',');
    csv.append(nameColumn).push_back('\n');
    for (const KernelSummaryRow& row : rows) {
        for (const SummaryColumn& column : numberColumns)
            csv.append(numberTextOf(column.value(row))).push_back(',');
        csv.append(csvCell(row.name)).push_back('\n');
    }
    return csv;
}

} // namespace collscope
