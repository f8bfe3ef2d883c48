// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/operators/kernel_tables.h"

#include "model/text/lower_case.h"
#include "model/units.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <tuple>

namespace collscope {

namespace {

/// The entries of a table, largest time first; entries with equal times keep the order of their keys.
template<typename Map, typename TimeOf>
std::vector<const typename Map::value_type*> longestFirst(const Map& table, const TimeOf& timeOf)
{
    std::vector<const typename Map::value_type*> rows;
    rows.reserve(table.size());
    for (const auto& entry : table)
        rows.push_back(&entry);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const auto* a, const auto* b) { return timeOf(a->second) > timeOf(b->second); });
    return rows;
}

/// Calls f for each launcher that launched work itself.
template<typename F>
void forEachLauncher(std::span<const OperatorLaunchers> files, const F& f)
{
    for (const OperatorLaunchers& file : files) {
        for (const OperatorLauncher& launcher : file.all()) {
            if (launcher.firstWork)
                f(launcher);
        }
    }
}

/// A list as TraceLens prints it: ['elementwise', 'other'].
std::string listText(const std::set<std::string_view>& words)
{
    std::string text = "[";
    for (const std::string_view word : words)
        text.append(text.size() > 1 ? ", '" : "'").append(word).append("'");
    return text + "]";
}

bool namesGraphLaunch(std::string_view name)
{
    const std::string lower = lowered(name);
    return lower.find("cudagraph") != std::string::npos || lower.find("graphlaunch") != std::string::npos;
}

} // namespace

KernelParent KernelParents::of(SliceRef kernel)
{
    const OperatorLauncher* const launcher = m_launchers.of(kernel);
    if (!launcher)
        return {};
    if (launcher->isOperator)
        return {launcher->category, launcher->name};
    const auto [known, isNew] = m_graphNames.try_emplace(launcher->name, false);
    if (isNew)
        known->second = namesGraphLaunch(m_model.text(launcher->name));
    return {known->second ? "graph" : "runtime", launcher->name};
}

void forEachKernel(const TraceModel& model, const Timeline& timeline, const std::function<bool()>& cancelled,
                   const std::function<void(SliceRef kernel, std::int64_t ns, std::int32_t stream)>& f)
{
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        for (std::uint32_t row = 0; row < track.slices.size(); ++row) {
            if ((row & 0xFFFFu) == 0 && cancelled())
                return;
            if (track.slices.category[row] == SliceCategory::Kernel)
                f({id, row}, track.slices.durationNs[row], track.stream);
        }
    }
}

Value percentCell(std::int64_t part, std::int64_t whole)
{
    return whole != 0 ? Value(100.0 * static_cast<double>(part) / static_cast<double>(whole)) : Value();
}

Sheet operatorCategorySheet(std::span<const OperatorLaunchers> files)
{
    struct Sum
    {
        std::int64_t count = 0;
        std::int64_t directNs = 0;
    };
    std::map<std::string_view, Sum> categories;
    std::int64_t allNs = 0;
    forEachLauncher(files, [&](const OperatorLauncher& launcher) {
        Sum& sum = categories[launcher.category];
        ++sum.count;
        sum.directNs += launcher.directNs;
        allNs += launcher.directNs;
    });
    std::int64_t soFarNs = 0; // of the rows so far
    using Row = decltype(categories)::value_type;
    const std::vector<SheetColumn<Row>> columns{
        {"op category", [](const Row& row) { return Value(row.first); }},
        {"Count", [](const Row& row) { return Value(row.second.count); }},
        {"total_direct_kernel_time_ms", [](const Row& row) { return Value(nsToMs(row.second.directNs)); }},
        {"Percentage (%)", [&](const Row& row) { return percentCell(row.second.directNs, allNs); }},
        {"Cumulative Percentage (%)", [&](const Row&) { return percentCell(soFarNs, allNs); }}};
    Sheet sheet = sheetOf("ops_summary_by_category", columns, std::vector<Row>());
    for (const auto* row : longestFirst(categories, [](const Sum& sum) { return sum.directNs; })) {
        soFarNs += row->second.directNs;
        addRow(columns, *row, sheet);
    }
    return sheet;
}

Sheet operatorSheet(const TraceModel& model, std::span<const OperatorLaunchers> files, std::size_t most)
{
    struct Sum
    {
        std::int64_t count = 0;
        std::int64_t directNs = 0, subtreeNs = 0;
        std::set<std::string_view> categories;
    };
    std::map<std::string_view, Sum> operators;
    std::int64_t allNs = 0;
    forEachLauncher(files, [&](const OperatorLauncher& launcher) {
        Sum& sum = operators[model.text(launcher.name)];
        ++sum.count;
        sum.directNs += launcher.directNs;
        sum.subtreeNs += launcher.subtreeNs;
        sum.categories.insert(launcher.category);
        allNs += launcher.directNs;
    });
    std::int64_t soFarNs = 0; // of the rows so far
    using Row = decltype(operators)::value_type;
    const std::vector<SheetColumn<Row>> columns{
        {"name", [](const Row& row) { return Value(row.first); }},
        {"total_direct_kernel_time_sum", [](const Row& row) { return Value(nsToUs(row.second.directNs)); }},
        {"total_subtree_kernel_time_sum", [](const Row& row) { return Value(nsToUs(row.second.subtreeNs)); }},
        {"total_direct_kernel_time_ms", [](const Row& row) { return Value(nsToMs(row.second.directNs)); }},
        {"total_subtree_kernel_time_ms", [](const Row& row) { return Value(nsToMs(row.second.subtreeNs)); }},
        {"Count", [](const Row& row) { return Value(row.second.count); }},
        {"Categories", [](const Row& row) { return Value(listText(row.second.categories)); }},
        {"Percentage (%)", [&](const Row& row) { return percentCell(row.second.directNs, allNs); }},
        {"Cumulative Percentage (%)", [&](const Row&) { return percentCell(soFarNs, allNs); }}};
    Sheet sheet = sheetOf("ops_summary", columns, std::vector<Row>());
    for (const auto* row : longestFirst(operators, [](const Sum& sum) { return sum.directNs; })) {
        if (most != 0 && sheet.rows.size() == most)
            break;
        soFarNs += row->second.directNs;
        addRow(columns, *row, sheet);
    }
    return sheet;
}

Sheet kernelSheet(const TraceModel& model, std::span<const OperatorLaunchers> files, std::int64_t totalNs,
                  const std::function<bool()>& cancelled)
{
    struct Sum
    {
        std::int64_t count = 0, ns = 0;
        std::int64_t minNs = std::numeric_limits<std::int64_t>::max(), maxNs = 0;
    };
    using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::int32_t>;
    const bool hasOperators = std::any_of(files.begin(), files.end(),
                                          [](const OperatorLaunchers& file) { return file.hasOperators(); });
    std::map<Key, Sum> kernels;
    std::int64_t allNs = 0;
    const auto text = [&](StringId id) { return id ? model.text(id) : std::string_view(); };
    for (const OperatorLaunchers& file : files) {
        KernelParents parents(model, file);
        forEachKernel(
            model, file.timeline(), cancelled, [&](SliceRef kernel, std::int64_t ns, std::int32_t stream) {
                const KernelParent parent = parents.of(kernel);
                Sum& sum = kernels[{parent.category, hasOperators ? text(parent.name) : std::string_view(),
                                    model.nameOf(kernel), stream}];
                ++sum.count;
                sum.ns += ns;
                sum.minNs = std::min(sum.minNs, ns);
                sum.maxNs = std::max(sum.maxNs, ns);
                allNs += ns;
            });
    }
    using Row = decltype(kernels)::value_type;
    std::vector<SheetColumn<Row>> columns{
        {"Parent op category", [](const Row& row) { return textCell(std::get<0>(row.first)); }}};
    if (hasOperators)
        columns.push_back({"Parent cpu_op", [](const Row& row) { return textCell(std::get<1>(row.first)); }});
    const std::vector<SheetColumn<Row>> last{
        {"Kernel name", [](const Row& row) { return Value(std::get<2>(row.first)); }},
        {"Kernel stream",
         [](const Row& row) {
             return std::get<3>(row.first) >= 0 ? Value(std::get<3>(row.first)) : Value();
         }},
        {"Kernel duration (µs)_sum", [](const Row& row) { return Value(nsToUs(row.second.ns)); }},
        {"Kernel duration (µs)_count", [](const Row& row) { return Value(row.second.count); }},
        {"Kernel duration (µs)_mean",
         [](const Row& row) { return Value(nsToUs(row.second.ns) / static_cast<double>(row.second.count)); }},
        {"Kernel duration (µs)_min", [](const Row& row) { return Value(nsToUs(row.second.minNs)); }},
        {"Kernel duration (µs)_max", [](const Row& row) { return Value(nsToUs(row.second.maxNs)); }},
        {"Percent of kernels time (%)", [&](const Row& row) { return percentCell(row.second.ns, allNs); }},
        {"Percent of total time (%)", [&](const Row& row) { return percentCell(row.second.ns, totalNs); }}};
    columns.insert(columns.end(), last.begin(), last.end());
    Sheet sheet = sheetOf("kernel_summary", columns, std::vector<Row>());
    for (const auto* row : longestFirst(kernels, [](const Sum& sum) { return sum.ns; }))
        addRow(columns, *row, sheet);
    return sheet;
}

} // namespace collscope
